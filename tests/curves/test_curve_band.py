"""Curves that cross: chance is not a finding, a sharp model against a broad one is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import pingce as pc
from pingce.curves.above import CONFIDENCE, _rates


def sharp_and_broad(rows: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """One model is sure of half the positives, the other knows a little of all."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < 0.3).astype(int)
    sure = labels * (rng.random(rows) < 0.45) * 4 + rng.normal(size=rows)
    return labels, sure, labels * 1.3 + 0.8 * rng.normal(size=rows)


def alike(rows: int, seed: int) -> tuple[Any, Any, Any]:
    """Two models that are equally good everywhere."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < 0.3).astype(int)
    return labels, labels + rng.normal(size=rows), labels + rng.normal(size=rows)


def compared(kind: str, labels: Any, one: Any, other: Any, **more: Any) -> Any:
    draw = getattr(pc, f"{kind}_curve")
    return pc.compare_curves(draw(labels, one, name="sharp", **more), draw(labels, other, name="broad", **more))


@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_a_crossing_beyond_chance_names_where_each_leads(kind: str) -> None:
    found = compared(kind, *sharp_and_broad(20_000))
    assert found.verdict == "cross"
    assert found.is_finding
    assert [lead.model for lead in found.leads][:: len(found.leads) - 1] == ["sharp", "broad"]
    assert all(0 < lead.low <= lead.high < 1 for lead in found.leads)
    axis = {"roc": "FPR", "pr": "recall"}[kind]
    assert f"cross beyond chance (joint 95 % band): sharp is higher at {axis} 0." in found.text.en
    assert f"; broad is higher at {axis} 0." in found.text.en
    assert "且超出偶然（95 % 联合置信带）：sharp 在" in found.text.zh
    assert "crossings" not in found.text.en


@pytest.mark.parametrize("rows", [50, 500, 5000])
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_models_that_are_alike_cross_by_chance_only(kind: str, rows: int) -> None:
    for seed in range(10):
        found = compared(kind, *alike(rows, seed))
        assert not found.leads
        assert found.is_finding == (found.verdict != "cross")


def test_one_lead_alone_is_no_finding() -> None:
    found = compared("roc", *sharp_and_broad(2000))
    assert {lead.model for lead in found.leads} == {"broad"}
    assert not found.is_finding
    assert "but beyond chance (joint 95 % band) only broad is higher at FPR" in found.text.en


def test_weights_count_rows_where_they_are_whole_and_have_no_band_where_not() -> None:
    labels, sure, broad = sharp_and_broad(5000)
    twice = compared("roc", *(np.repeat(column, 4) for column in (labels, sure, broad)))
    assert compared("roc", labels, sure, broad, weight=np.full(5000, 4)).leads == twice.leads
    assert twice.leads
    assert not compared("roc", labels, sure, broad, weight=np.full(5000, 0.3)).leads


@pytest.mark.sweep
def test_the_band_holds() -> None:
    """Against the true curve of two normals, at every place of the axis at once."""
    misses = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        found = pc.roc_curve(
            [1] * 300 + [0] * 300, np.concatenate([rng.normal(1, 1, 300), rng.normal(0, 1, 300)])
        ).steps
        assert found is not None
        thresholds = found.threshold[1:]
        for count, total, rate in (
            (found.fp[1:], 300, stats.norm.sf(thresholds)),
            (found.tp[1:], 300, stats.norm.sf(thresholds - 1)),
        ):
            low, high = _rates(count, total)
            misses += bool(((rate < low) | (rate > high)).any())
    assert misses <= 200 * 2 * (1 - CONFIDENCE)
