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
from scipy import stats
from sklearn import metrics

from workers.clock import Values, say, timed

AVERAGES = {"macro avg": "macro", "weighted avg": "weighted"}
COLUMNS = {"precision": "precision", "recall": "recall", "f1-score": "f1"}


def ks(columns: Columns) -> float:
    """The largest distance between the two rates."""
    false_positives, true_positives, _ = metrics.roc_curve(columns["y_true"], columns["y_score"])
    return float(np.max(true_positives - false_positives))


def renamed(columns: Columns, name: str) -> Columns:
    """The same with the scores under another name of the argument."""
    return {name if column == "y_score" else column: values for column, values in columns.items()}


def decided(columns: Columns) -> Columns:
    """The same with predictions at a threshold of one half."""
    return renamed({**columns, "y_score": np.greater_equal(columns["y_score"], np.float32(0.5))}, "y_pred")


def confusion(columns: Columns) -> Values:
    """Three rates from one matrix."""
    (tn, fp), (fn, tp) = metrics.confusion_matrix(**decided(columns)).tolist()
    return {"precision": tp / (tp + fp), "recall": tp / (tp + fn), "specificity": tn / (tn + fp)}


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


METRICS: dict[str, Callable[[Columns], float]] = {
    "auc": lambda columns: metrics.roc_auc_score(**columns),
    "pr_auc": lambda columns: metrics.average_precision_score(**columns),
    "logloss": lambda columns: metrics.log_loss(**renamed(columns, "y_pred")),
    "f1": lambda columns: metrics.f1_score(**decided(columns)),
    "brier": lambda columns: metrics.brier_score_loss(**renamed(columns, "y_proba")),
    "ks": ks,
    "auc(multi=ovo)": lambda columns: metrics.roc_auc_score(columns["y_true"], columns["proba"], multi_class="ovo"),
    "mae": lambda columns: metrics.mean_absolute_error(**columns),
    "rmse": lambda columns: metrics.root_mean_squared_error(**columns),
    "r2": lambda columns: metrics.r2_score(**columns),
    "msle": lambda columns: metrics.mean_squared_log_error(**columns),
    "medae": lambda columns: metrics.median_absolute_error(**columns),
    "spearman": lambda columns: stats.spearmanr(columns["y_true"], columns["y_pred"]).statistic,
    "kendall": lambda columns: stats.kendalltau(columns["y_true"], columns["y_pred"]).statistic,
}
SEVERAL = {
    "together": ("auc", "pr_auc", "logloss", "f1", "brier", "ks"),
    "decisions": ("logloss", "f1"),
    "ovo": ("auc(multi=ovo)",),
    "regression": ("mae", "rmse", "r2"),
}


def values(work: str, columns: Columns) -> Values:
    """Numbers, each by a call of its own."""
    if work == "multiclass":
        return multiclass(columns)
    numbers = {name: float(METRICS[name](columns)) for name in SEVERAL.get(work, (work,))}
    return {**numbers, **confusion(columns)} if work == "decisions" else numbers


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
    result = scaled(columns, calls) if work == "gauc_loop" else timed(lambda: values(work, columns), calls)
    say(result, "scikit-learn", "numpy", "pandas", "scipy")


if __name__ == "__main__":
    main()
