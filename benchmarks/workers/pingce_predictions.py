"""pingce on labels and predictions in memory.

python -m workers.pingce_predictions WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from samples import SAMPLES, Columns, of_some_users

import pingce
from workers.clock import Values, say, timed
from workers.resident import beyond

AVERAGES = tuple(f"{name}(average={how})" for how in ("macro", "weighted") for name in ("precision", "recall", "f1"))
FEW = 1_000
"Rows of the call that imports and starts what later calls find ready."


def binary(columns: Columns, *metrics: str) -> Values:
    """Metrics of labels and scores, with weights and within users where there are some."""
    group, weight = columns.get("group"), columns.get("sample_weight")
    scores = pingce.evaluate_binary(columns["y_true"], columns["y_score"], metrics, group=group, sample_weight=weight)
    return dict(scores)


def call(function: Callable[..., Values], metrics: tuple[str, ...], columns: Columns) -> Values:
    """The metrics of one piece of work."""
    return function(columns, *metrics)


def multiclass(columns: Columns) -> Values:
    """Averages, and the table of classes: of each of its columns a mean in which no two classes weigh the same."""
    scores = pingce.evaluate_multiclass(columns["y_true"], columns["y_pred"], ("accuracy", *AVERAGES))
    table = scores.per_class
    weights = np.arange(1, len(table) + 1)
    each = {name: np.average(table[name], weights=weights) for name in ("precision", "recall", "f1", "support")}
    return {**scores, **{f"{name} by class": float(mean) for name, mean in each.items()}}


def ovo(columns: Columns) -> Values:
    """AUC of each pair of classes."""
    return dict(pingce.evaluate_multiclass(columns["y_true"], proba=columns["proba"], metrics="auc(multi=ovo)"))


def regression(columns: Columns, *metrics: str) -> Values:
    """Metrics of numbers."""
    group = columns.get("group")
    return dict(pingce.evaluate_regression(columns["y_true"], columns["y_pred"], metrics, group=group))


def uplift(columns: Columns) -> Values:
    """The Qini coefficient."""
    treatment = columns["treatment"]
    return dict(pingce.evaluate_uplift(columns["y_true"], columns["y_score"], "qini", treatment=treatment))


BINARY = {
    "both": ("auc", "pr_auc"),
    "together": ("auc", "pr_auc", "logloss", "f1", "brier", "ks"),
    "decisions": ("logloss", "f1", "precision", "recall", "specificity"),
    "gauc_loop": ("gauc",),
    **{name: (name,) for name in ("auc", "pr_auc", "logloss", "brier", "ece", "gauc")},
}
NUMBERS = ("msle", "spearman", "medae", "kendall", "xauc", "xgauc")
REGRESSION = {"regression": ("mae", "rmse", "r2"), **{name: (name,) for name in NUMBERS}}
WORKS: dict[str, Callable[[Columns], Values]] = {
    **{name: partial(call, binary, metrics) for name, metrics in BINARY.items()},
    "multiclass": multiclass,
    "ovo": ovo,
    "qini": uplift,
    **{name: partial(call, regression, metrics) for name, metrics in REGRESSION.items()},
}


def named_users(columns: Columns) -> Columns:
    """Users as an Arrow column of strings, as a Parquet file has them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    users = pc.binary_join_element_wise("u", pa.array(columns["group"]).cast(pa.string()), "")
    return {**columns, "group": users}


def table(columns: Columns) -> dict[str, Any]:
    """The memory of the table of thresholds, and how many distinct scores it holds."""
    found = pingce.evaluate_binary(columns["y_true"], columns["y_score"], "pr_auc").evidence.thresholds
    return {"beyond_bytes": found.nbytes, "size_bytes": len(found)}


def measured(work: str, sample: str, calls: int, rows: int) -> dict[str, Any]:
    """Times and values; with no calls, the memory of one."""
    if work == "table":
        return table(SAMPLES[sample](rows))
    ours, draw = WORKS[work], SAMPLES[sample]
    if calls == 0:
        ours(draw(FEW))
        columns = draw(rows)
        return {"beyond_bytes": beyond(lambda: ours(columns))}
    columns = draw(rows) if sample != "users, strings" else named_users(draw(rows))
    result = timed(lambda: ours(columns), calls)
    if work == "gauc_loop":
        result["values"] = {"gauc of some users": ours(of_some_users(columns))["gauc"]}
    return result


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, sample, calls, rows = sys.argv[1:]
    say(measured(work, sample, int(calls), int(rows)), "pingce", "numpy", "pyarrow")


if __name__ == "__main__":
    main()
