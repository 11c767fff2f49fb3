"""Rows drawn anew: each draw is the evaluation of the rows that were drawn, with the core and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pingce as pc
from drawn_labels import without_core
from pingce.stats.draws import Units
from pingce.stats.predictions import predictions_of
from pingce.stats.resampling import Resampling, metric_value

N, SETTINGS = 60, Resampling(samples=12, seed=5)
RANDOM = np.random.default_rng(3)
WEIGHT = RANDOM.integers(1, 5, N) / 4


def drawn_rows(order: Any, seed: int) -> Any:
    """How often each row is drawn, a row per draw."""
    units = Units.in_order(np.arange(len(order)), len(order), None)
    return units.drawn(Resampling(samples=SETTINGS.samples, seed=seed), 0, SETTINGS.samples).astype(int)


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_several_labels(weighted: bool) -> None:
    truth = (RANDOM.random((N, 3)) < 0.4).astype(np.uint8)
    scores = np.clip(truth * 0.3 + RANDOM.random((N, 3)) * 0.7, 0, 1).round(1)
    metrics = [
        *("f1(average=macro)", "f1(average=samples)", "hamming", "exact_match", "jaccard(average=micro)"),
        *("lrap", "label_ranking_loss", "coverage_error", "auc(average=micro)", "auc(average=macro)"),
    ]
    weight = WEIGHT if weighted else None
    whole = pc.evaluate_multilabel(truth, scores, metrics, weight=weight)
    predictions: Any = predictions_of(whole.paired_data)
    order = predictions.order
    often = drawn_rows(order, SETTINGS.seed)
    for times, evidence in zip(often, predictions.draws(order, SETTINGS), strict=True):
        rows = np.repeat(order, times)
        again = pc.evaluate_multilabel(
            truth[rows], scores[rows], metrics, weight=None if weight is None else weight[rows]
        )
        for name, value in whole.values_by_name.items():
            assert metric_value(value, evidence) == pytest.approx(again[name], rel=1e-9), name


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("binary", [False, True], ids=["amounts", "zero and one"])
def test_uplift(weighted: bool, binary: bool) -> None:
    treated, scores = RANDOM.integers(0, 2, N), RANDOM.random(N).round(1)
    outcome = RANDOM.integers(0, 2, N) if binary else RANDOM.normal(size=N).round(1)
    metrics = ["qini", "uplift@0.3", "auuc(norm=none)"]
    weight = WEIGHT if weighted else None
    whole = pc.evaluate_uplift(outcome, scores, metrics, treatment=treated, weight=weight)
    predictions: Any = predictions_of(whole.paired_data)
    order = predictions.order
    arms = [order[treated[order] == 1], order[treated[order] == 0]]
    often = [drawn_rows(arm, 2 * SETTINGS.seed + number) for number, arm in enumerate(arms)]
    for *times, evidence in zip(*often, predictions.draws(order, SETTINGS), strict=True):
        rows = np.concatenate([np.repeat(arm, each) for arm, each in zip(arms, times, strict=True)])
        some = None if weight is None else weight[rows]
        again = pc.evaluate_uplift(outcome[rows], scores[rows], metrics, treatment=treated[rows], weight=some)
        for name, value in whole.values_by_name.items():
            assert metric_value(value, evidence) == pytest.approx(again[name], rel=1e-9, nan_ok=True), name


def test_cores_threads_and_the_order_of_rows_change_no_bit() -> None:
    truth = (RANDOM.random((N, 3)) < 0.4).astype(np.uint8)
    scores, treated = RANDOM.random((N, 3)).round(2), RANDOM.integers(0, 2, N)

    def documents(rows: Any, threads: int) -> list[str]:
        y, s = truth[rows], scores[rows]
        settings: dict[str, Any] = {"ci": 0.9, "samples": 40, "threads": threads}
        labels = pc.evaluate_multilabel(y, s, ["f1", "lrap", "auc"], weight=WEIGHT[rows], **settings)
        uplift = pc.evaluate_uplift(y[:, 0], s[:, 0], ["qini"], treatment=treated[rows], **settings)
        return [labels.to_json(), uplift.to_json()]

    wanted = documents(np.arange(N), 1)
    assert documents(RANDOM.permutation(N), 3) == wanted
    with without_core():
        assert documents(np.arange(N), 1) == wanted
