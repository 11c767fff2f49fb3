"""What is shown: the charts draw what the page has as data, and follow what their reader chooses."""

from __future__ import annotations

import pytest

import pingce as pc

from .made import RANKING_METRICS, Rankings, past
from .viewer import Viewer

MODELS = 3


def test_every_chart_is_drawn(ranking_page: Viewer) -> None:
    shown = ranking_page.section("shown")
    assert shown.locator("figure svg").count() == 4
    assert shown.locator("path.curve").count() == 2 * MODELS
    assert shown.locator("rect.bar.before").count() == 10
    assert shown.locator("rect.bar.more").count() == 11 * MODELS
    assert shown.locator("circle.dot").count() > MODELS


def test_the_table_has_the_values_of_evaluate(ranking_page: Viewer, rankings: Rankings) -> None:
    cells = ranking_page('[data-table="shown"] tbody tr', has_text="gini@10").locator("td")
    for at, run in enumerate(rankings.runs.values()):
        value = pc.evaluate_ranking(rankings.truth, run, ["gini@10"], **past(list(rankings.truth)))["gini@10"]
        assert float(cells.nth(at).get_attribute("data-value") or "nan") == value


def test_accuracy_can_be_chosen(ranking_page: Viewer) -> None:
    choice = ranking_page("#trade-metric")
    assert choice.locator("option").all_inner_texts() == RANKING_METRICS
    figure = ranking_page.section("shown").locator("figure").last
    before = figure.locator("circle").first.get_attribute("cy")
    choice.select_option("ap")
    assert figure.locator("svg text", has_text="ap").count() == 1
    assert figure.locator("circle").count() == MODELS
    assert figure.locator("circle").first.get_attribute("cy") != before


@pytest.mark.parametrize("key", ["shown-coverage", "shown-popularity"])
def test_long_tables_are_folded_away(ranking_page: Viewer, key: str) -> None:
    table = ranking_page(f'[data-table="{key}"]')
    assert not table.is_visible()
    folded = ranking_page.section("shown").locator("details").nth(int(key == "shown-popularity"))
    folded.locator("summary").click()
    table.wait_for(state="visible")
