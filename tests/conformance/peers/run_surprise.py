"""Ask Surprise about the numbers: every row is a rating of one user, whose pairs FCP counts."""

from __future__ import annotations

from peer_files import Answers, read_label_cases
from surprise import accuracy
from surprise.prediction_algorithms.predictions import Prediction

MEASURES = {"rmse": accuracy.rmse, "mse": accuracy.mse, "mae": accuracy.mae, "fcp": accuracy.fcp}


def main() -> None:
    """Write surprise.json."""
    answers = Answers("surprise", "scikit-surprise")
    answers.note("all rows are of one user", "fcp")
    for case in read_label_cases():
        if case.task != "regression":
            continue
        sides = zip(case.columns["y_true"], case.columns["y_pred"], strict=True)
        rows = [Prediction("u", item, float(true), float(guess), {}) for item, (true, guess) in enumerate(sides)]
        for name, measure in MEASURES.items():
            try:
                answers.add_label(case, name, float(measure(rows, verbose=False)))
            except ValueError as refused:
                answers.skip(str(refused), case.name, name)
    answers.write()


if __name__ == "__main__":
    main()
