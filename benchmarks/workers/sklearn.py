"""scikit-learn on labels and predictions in memory; GAUC is a loop over the users of a pandas frame.

python -m workers.sklearn WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from samples import SAMPLES, Columns, of_some_users
from sklearn import metrics

from workers.clock import Values, say, timed

AVERAGES = {"macro avg": "macro", "weighted avg": "weighted"}
COLUMNS = {"precision": "precision", "recall": "recall", "f1-score": "f1"}


def auc(columns: Columns) -> Values:
    """One number."""
    return {"auc": float(metrics.roc_auc_score(**columns))}


def together(columns: Columns) -> Values:
    """Six numbers, each by a call of its own."""
    y_true, y_score = columns["y_true"], columns["y_score"]
    false_positives, true_positives, _ = metrics.roc_curve(y_true, y_score)
    return {
        "auc": float(metrics.roc_auc_score(y_true, y_score)),
        "pr_auc": float(metrics.average_precision_score(y_true, y_score)),
        "logloss": float(metrics.log_loss(y_true, y_score)),
        "f1": float(metrics.f1_score(y_true, y_score >= np.float32(0.5))),
        "brier": float(metrics.brier_score_loss(y_true, y_score)),
        "ks": float(np.max(true_positives - false_positives)),
    }


def gauc(frame: pd.DataFrame) -> Values:
    """The mean AUC of the users with clicks and without, weighted by their rows."""
    total, rows = 0.0, 0
    for _, user in frame.groupby("group"):
        if 0 < user["y_true"].sum() < len(user):
            total += len(user) * metrics.roc_auc_score(user["y_true"], user["y_score"])
            rows += len(user)
    return {"gauc of some users": float(total / rows)}


def multiclass(columns: Columns) -> Values:
    """The report; of each column of its table of classes a mean in which no two classes weigh the same."""
    report = metrics.classification_report(**columns, output_dict=True)
    classes = [report[str(label)] for label in range(len(report) - 1 - len(AVERAGES))]
    weights = np.arange(1, len(classes) + 1)
    values = {"accuracy": float(report["accuracy"])}
    for theirs, ours in COLUMNS.items():
        values.update({f"{ours}(average={how})": float(report[row][theirs]) for row, how in AVERAGES.items()})
    for theirs, ours in {**COLUMNS, "support": "support"}.items():
        values[f"{ours} by class"] = float(np.average([row[theirs] for row in classes], weights=weights))
    return values


def regression(columns: Columns) -> Values:
    """Three numbers, each by a call of its own."""
    return {
        "mae": float(metrics.mean_absolute_error(**columns)),
        "rmse": float(metrics.root_mean_squared_error(**columns)),
        "r2": float(metrics.r2_score(**columns)),
    }


WORKS: dict[str, Callable[[Columns], Values]] = {
    "auc": auc,
    "together": together,
    "multiclass": multiclass,
    "regression": regression,
}


def scaled(columns: Columns, calls: int) -> dict[str, Any]:
    """GAUC of some users, and the times that all rows would take at the same pace."""
    frame = pd.DataFrame(of_some_users(columns))
    result = timed(lambda: gauc(frame), calls)
    rows = len(columns["group"])
    times = [seconds * rows / len(frame) for seconds in result["times_s"]]
    return {**result, "times_s": times, "measured_rows": len(frame), "scaled_to_rows": rows}


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, sample, calls, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    columns = SAMPLES[sample](rows)
    result = scaled(columns, calls) if work == "gauc" else timed(lambda: WORKS[work](columns), calls)
    say(result, "scikit-learn", "numpy", "pandas", "scipy")


if __name__ == "__main__":
    main()
