"""What each row adds: the slope of the value along the weight of the row, as the public call has it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.evidence.binary.stack import TableStack
from pingce.stats import cells, labels, predictions
from pingce.stats.celled import ScoreRanges
from pingce.stats.predictions import predictions_of

RNG = np.random.default_rng(11)
N = 400
LOGIT = RNG.normal(size=N)
TRUE = (RNG.random(N) < 1 / (1 + np.exp(-1.5 * LOGIT))).astype(int)
SCORES = np.round(1 / (1 + np.exp(-1.3 * LOGIT)), 3)
WEIGHT = RNG.integers(1, 4, N) + 0.25
CURVES = (
    "auc",
    "rank_loss",
    "pr_auc",
    "pr_auc(interpolation=trapezoid)",
    "partial_auc",
    "bep",
    "lift@0.2",
    "gain@0.2",
    "ks",
    "best_f",
)
CELLS = (
    "f1", "mcc", "kappa", "recall", "precision", "jaccard", "accuracy", "specificity", "fpr", "fnr", "npv", "fdr", "for", "positive_rate",
    "balanced_accuracy", "informedness", "markedness", "lr_plus", "lr_minus", "dor", "fowlkes_mallows", "cost", "best_cost",
)  # fmt: skip
TERMS = ("logloss", "brier", "ne", "pcoc", "copc", "rig", "ece", "mce", "rmsce", "hinge")
CLASSES = RNG.integers(0, 3, N)
PROBA = (RNG.multinomial(13, RNG.dirichlet(np.ones(3), N) * 0.8 + 0.2 * np.eye(3)[CLASSES]) + 1) / 16  # many are alike
OF_CLASSES = (
    "accuracy",
    "f1",
    "f1(average=weighted)",
    "kappa",
    "mcc",
    "logloss",
    "top_k_accuracy@2",
    "auc",
    "auc(multi=ovo)",
    "auc(average=weighted)",
    "auc(multi=ovo,average=weighted)",
)
PREDICTED = np.round(RNG.gamma(3, 2, N)) + 1
NUMBERS = np.round(PREDICTED * RNG.lognormal(0, 0.4, N), 1)
OF_NUMBERS = (
    "mae",
    "mse",
    "rmse",
    "smape",
    "wmape",
    "msle",
    "rmsle",
    "r2",
    "explained_variance",
    "pearson",
    "spearman",
    "mape",
    "mean_error",
    "total_ratio",
    "log_cosh",
    "pinball",
    "tweedie",
    "ccc",
    "xauc",
    "kendall",
    "normalized_gini",
)


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows count as many."""
    monkeypatch.setattr(labels, "MANY", 2)
    monkeypatch.setattr(labels, "CELLED", 0)
    monkeypatch.setattr(predictions, "MANY", 2)
    monkeypatch.setattr(cells, "FEW", 0)


def call(task: str, name: str, weight: Any) -> Any:
    if task == "binary":
        return pc.evaluate_binary(TRUE, SCORES, [name], weight=weight)
    if task == "multiclass":
        return pc.evaluate_multiclass(CLASSES, proba=PROBA, metrics=[name], weight=weight)
    return pc.evaluate_regression(NUMBERS, PREDICTED, [name], weight=weight)


def influences(task: str, name: str, weight: Any) -> Any:
    scores = call(task, name, weight)
    return predictions_of(scores.evidence if task == "binary" else scores.paired_data).row_influences(
        scores.values_by_name[name]
    )


CASES = [
    *(("binary", name) for name in (*CURVES, *CELLS, *TERMS)),
    *(("multiclass", name) for name in OF_CLASSES),
    *(("regression", name) for name in OF_NUMBERS),
]


@pytest.mark.parametrize(("task", "name"), [case for case in CASES if case[1] not in ("ks", "best_f")])
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_an_influence_is_a_slope(task: str, name: str, weighted: bool) -> None:
    weight = WEIGHT if weighted else np.ones(N)
    added = influences(task, name, WEIGHT if weighted else None)
    assert added is not None and abs(added.sum()) < 0.03 * np.abs(added).sum()
    step, slack = 0.01, 0.02 * np.abs(added).max()
    for row in RNG.integers(0, N, 8).tolist():
        more, less = (np.where(np.arange(N) == row, weight + side * step, weight) for side in (1, -1))
        slope = (call(task, name, more)[name] - call(task, name, less)[name]) / (2 * step)
        assert added[row] == pytest.approx(slope * weight[row], abs=slack), row


@pytest.mark.parametrize("name", [*CURVES, "hinge"])
def test_the_values_of_a_stack_are_those_of_its_tables(name: str) -> None:
    given = 3 * LOGIT.round(1) if name == "hinge" else SCORES
    scores = pc.evaluate_binary(TRUE, given, [name], weight=WEIGHT * 4)
    value, ranges = scores.values_by_name[name], ScoreRanges.of(scores.evidence.thresholds)
    random, size = np.random.default_rng(1), len(ranges)
    sums = np.vstack([ranges.sums, *(np.floor(ranges.sums * random.random(2 * size)) for _ in range(5))])
    stack = TableStack(ranges.score, sums[:, :size], sums[:, size:], scores.evidence.rows)
    each = [value.metric.value(table.view(value.policies)) for table in stack.tables()]
    slack = 0.05 if "@" in name else 1e-12  # a share of rows is rounded up in a table, and not in a stack
    assert value.metric.values(stack, value.policies).tolist() == pytest.approx(each, rel=slack)
    empty = TableStack(ranges.score, sums[:1, :size] * 0, sums[:1, size:], scores.evidence.rows)
    assert math.isnan(value.metric.values(empty, value.policies)[0]) or name == "hinge", "which needs one side only"


def test_ranges_hold_all_rows() -> None:
    scores = pc.evaluate_binary(TRUE, SCORES, ["pr_auc"])
    table = scores.evidence.thresholds
    for most in (2, 7, 64, 10_000):
        ranges = ScoreRanges.of(table, most)
        assert len(ranges) <= most
        cells = ranges.cells(scores.evidence.rows.scores, scores.evidence.rows.positive.view(bool))
        assert np.bincount(cells, minlength=2 * len(ranges)).tolist() == ranges.sums.tolist()
