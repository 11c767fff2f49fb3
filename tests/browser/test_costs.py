"""Costs in the threshold panel follow the slider, and calibration by part is drawn, in both languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pingce as pc

from .conftest import Opener
from .made import Clicks

METRICS = ["auc", "cost(fp=1,fn=5)", "best_cost(fp=1,fn=5)", "cost_threshold(fp=1,fn=5)", "field_rce(by=ad)"]
CELLS = """() => [...document.querySelectorAll('table[data-table="costs"] tbody tr')]
    .map(row => [...row.cells].slice(2).map(cell => +cell.dataset.value))"""


def test_costs_follow_the_slider_and_parts_are_drawn(opened: Opener, clicks: Clicks, tmp_path: Path) -> None:
    ads = (np.arange(len(clicks.labels)) * 7) % 5
    table = {"y": clicks.labels, "ad": ads, **clicks.models}
    path = tmp_path / "r.html"
    pc.report("y", list(clicks.models), METRICS, task="binary", data=table, by="ad", path=path, samples=100)
    window = opened(path)
    for place, scores in enumerate(clicks.models.values()):
        window("#threshold-model").select_option(str(place))
        window('[data-preset="cost"]').click()
        at = float(window("#threshold-shown").get_attribute("data-value") or "nan")
        values = pc.evaluate_binary(clicks.labels, scores, METRICS[1:4], threshold=at)
        assert window.page.evaluate(CELLS)[place] == list(values.values())
        assert at == values[METRICS[3]]
        window("#threshold-value").fill("0.6")
        window("#threshold-value").press("Enter")
        at = float(window("#threshold-shown").get_attribute("data-value") or "nan")
        cost = pc.evaluate_binary(clicks.labels, scores, METRICS[1:2], threshold=at)[METRICS[1]]
        assert window.page.evaluate(CELLS)[place][0] == pytest.approx(cost, rel=1e-15)
    assert window.section("fields").locator("figure").count() == 1 + 5
    assert window.section("threshold").locator("figure").count() == 4
    for words in ("Cost by threshold", "代价随阈值的变化"):
        assert words in window.section("threshold").inner_text()
        window("#lang").click()
    assert window.slips() == []
    assert window.complaints == []
