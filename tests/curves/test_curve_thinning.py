"""Fewer points are still exact points: both ends, those that are marked, and what lies on no straight line."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.curves.base import Curve, Steps

from .cases import Labelled, labelled


@pytest.fixture(scope="module")
def many() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(7)
    scores = draw.random(50_000)
    return (draw.random(50_000) < scores**3).astype(int), scores


def rows(curve: Curve) -> list[tuple[float, ...]]:
    return list(zip(*(column.tolist() for column in curve.columns.values()), strict=True))


@pytest.mark.parametrize("kind", ["roc", "pr", "det", "lift", "gain", "ks"])
@pytest.mark.parametrize("most", [8, 100, 2000])
def test_points_that_are_kept_are_points_of_the_curve(
    kind: str, most: int, many: tuple[np.ndarray, np.ndarray]
) -> None:
    draw = getattr(pc, f"{kind}_curve")
    whole, thin = draw(*many, thresholds=[0.5, 0.25]), draw(*many, thresholds=[0.5, 0.25], thin=most)
    assert most / 2 <= len(thin) <= most
    assert (thin.points, thin.thinned, whole.thinned) == (len(whole), True, False)
    everything = rows(whole)
    kept = rows(thin)
    assert set(kept) <= set(everything)
    assert (kept[0], kept[-1]) == (everything[0], everything[-1])
    assert kept == sorted(kept, key=lambda row: -row[0])
    for before, after in zip(whole.marks, thin.marks, strict=True):
        assert before.row == after.row
        assert before.at is not None
        assert after.at is not None
        assert everything[before.at] == kept[after.at]
    assert thin.summary == whole.summary


def test_the_spread_is_even(many: tuple[np.ndarray, np.ndarray]) -> None:
    thin = pc.roc_curve(*many, thin=200)
    way = np.hypot(np.diff(thin.columns["fpr"]), np.diff(thin.columns["tpr"]))
    assert way.max() < 3 * way.mean()


def test_few_points_stay_as_they_are() -> None:
    curve = pc.roc_curve([1, 0], [0.9, 0.1])
    assert curve.thin(3) is curve
    assert curve.thin(None) is curve
    with pytest.raises(InputError, match="thin='many'"):
        curve.thin("many")  # type: ignore[arg-type]


@given(labelled(most=30, levels=12), st.integers(2, 12))
def test_never_more_than_asked_for(case: Labelled, most: int) -> None:
    for kind in ("roc", "pr", "lift"):
        assert 1 <= len(case.curve(kind, thin=most)) <= most


def area(points: list[tuple[int, int]]) -> int:
    return sum((x1 - x0) * (y0 + y1) for (x0, y0), (x1, y1) in pairwise(points))


@given(labelled(most=24, levels=9))
def test_dropped_points_lie_exactly_between_their_neighbours(case: Labelled) -> None:
    whole, bent = case.curve("roc"), case.curve("roc", drop_collinear=True)
    assert whole.steps is not None
    steps = list(zip(whole.steps.fp.tolist(), whole.steps.tp.tolist(), strict=True))
    kept = [
        point for point, stays in zip(steps, np.isin(whole.columns["threshold"], bent.columns["threshold"]), strict=True)
        if stays
    ]  # fmt: skip
    assert len(kept) == len(bent)
    assert area(kept) == area(steps)
    for (x0, y0), (x1, y1), (x2, y2) in zip(kept, kept[1:], kept[2:], strict=False):
        assert (x1 - x0) * (y2 - y1) != (x2 - x1) * (y1 - y0)


def test_marked_points_are_not_dropped() -> None:
    labels, scores = [1, 1, 1, 0], [0.9, 0.8, 0.7, 0.1]
    assert len(pc.roc_curve(labels, scores, drop_collinear=True)) == 3
    curve = pc.roc_curve(labels, scores, drop_collinear=True, thresholds=[0.8])
    assert curve.columns["threshold"].tolist() == [np.inf, 0.8, 0.7, 0.1]
    assert curve.marks[0].at == 1


def test_corners_of_counts_beyond_64_bits() -> None:
    large = 3_000_000_000
    steps = [(0, 0), (1, 1), (2, 2), (large, large - 1), (large + 2, large + 1)]
    fp, tp = (np.array(column) for column in zip(*steps, strict=True))
    found = Steps(np.arange(5.0)[::-1], tp, fp, int(tp[-1]), int(fp[-1])).corners()
    assert found.tolist() == [True, False, True, True, True]
    assert Fraction(large - 3, large - 2) != 1


def test_fractional_weights_drop_only_level_and_upright_runs() -> None:
    labels, scores = [1, 1, 1, 0, 0, 1, 0, 1, 0], [9, 8, 7, 6, 5, 4, 4, 3, 3]
    weight = [0.1, 0.2, 0.3, 0.1, 0.7, 0.1, 0.1, 0.1, 0.1]
    curve = pc.roc_curve(labels, scores, weight=weight, drop_collinear=True)
    assert curve.columns["threshold"].tolist() == [np.inf, 7, 5, 4, 3]


def test_only_a_roc_curve_has_straight_runs() -> None:
    found = pc.evaluate_binary([1, 0], [0.9, 0.1], ["auc"])
    with pytest.raises(InputError, match="drop_collinear is for ROC curves"):
        found.curve("pr", drop_collinear=True)
