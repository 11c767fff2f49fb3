"""TorchEasyRec's XAUC, transcribed from tzrec/metrics/xauc.py, over all pairs: by itself it draws a thousandth of them, without a seed."""

from __future__ import annotations

from itertools import combinations

from peer_files import Answers, read_label_cases


def xauc(true: list[float], predicted: list[float]) -> float:
    """Pairs in which prediction and label differ in the same direction, over all pairs."""
    pairs = list(combinations(zip(true, predicted, strict=True), 2))
    return sum((a[1] - b[1]) * (a[0] - b[0]) > 0 for a, b in pairs) / len(pairs)


def main() -> None:
    """Write torcheasyrec.json."""
    answers = Answers("torcheasyrec", "", transcribed="commit 54cac31")
    for case in read_label_cases():
        if case.task == "regression":
            answers.add_label(case, "XAUC", xauc(case.columns["y_true"], case.columns["y_pred"]))
    answers.write()


if __name__ == "__main__":
    main()
