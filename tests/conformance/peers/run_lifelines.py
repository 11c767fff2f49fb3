"""Ask lifelines for the concordance index of the numbers: every row is an event, and a larger prediction lasts longer."""

from __future__ import annotations

from lifelines.utils import concordance_index
from peer_files import Answers, read_label_cases


def main() -> None:
    """Write lifelines.json."""
    answers = Answers("lifelines", "lifelines")
    for case in read_label_cases():
        if case.task == "regression":
            try:
                value = concordance_index(case.columns["y_true"], case.columns["y_pred"])
            except ZeroDivisionError as refused:
                answers.skip(str(refused), case.name, "concordance_index")
                continue
            answers.add_label(case, "concordance_index", float(value))
    answers.write()


if __name__ == "__main__":
    main()
