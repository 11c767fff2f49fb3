"""The table of queries: sorting, searching, and the worked calculation behind a click."""

from __future__ import annotations

import pytest

import pingce as pc

from .made import RANKING_METRICS, Rankings
from .viewer import Viewer

ROWS = """() => [...document.querySelectorAll('#query-table tr[data-query]')]
    .filter(row => row.offsetParent !== null).map(row => row.dataset.query)"""
VALUES = """() => [...document.querySelectorAll('#query-table tr[data-query]')].map(row => [row.dataset.query,
    [...row.querySelectorAll('td')].map(cell => Number(cell.dataset.value))])"""
COLUMN = """(sort) => {
    const heads = [...document.querySelectorAll('#query-table thead tr:last-child > *')];
    const place = heads.findIndex(head => head.querySelector(`button[data-sort="${CSS.escape(sort)}"]`));
    return [...document.querySelectorAll('#query-table tr[data-query]')].filter(row => row.offsetParent !== null)
        .map(row => row.children[place].dataset.value ?? row.children[place].textContent.trim());
}"""

PerQuery = dict[str, dict[str, dict[str, float]]]


def rows(page: Viewer) -> list[str]:
    """The queries that are shown, from the top."""
    found: list[str] = page.page.evaluate(ROWS)
    return found


def test_every_column_sorts_both_ways(ranking_page: Viewer, rankings: Rankings) -> None:
    buttons = ranking_page("#query-table th button[data-sort]")
    assert buttons.count() == 1 + len(rankings.runs) + 1
    for place in range(buttons.count()):
        key = buttons.nth(place).get_attribute("data-sort")
        ends = {}
        for _ in range(2):
            buttons.nth(place).click()
            direction = ranking_page("#query-table th[aria-sort]").get_attribute("aria-sort")
            column = ranking_page.page.evaluate(COLUMN, key)
            values = [float(text.removeprefix("Q")) for text in column]
            assert values == sorted(values, reverse=direction == "descending")
            ends[direction] = values
        assert set(ends) == {"ascending", "descending"}
        assert ends["ascending"][0] < ends["descending"][0]


def test_search_leaves_what_matches(ranking_page: Viewer) -> None:
    field = ranking_page("#query-search")
    everything = rows(ranking_page)
    for typed in ("q7", "Q7"):
        field.fill(typed)
        assert sorted(rows(ranking_page)) == sorted(f"Q7{digit}" for digit in ("", *"0123456789"))
    field.fill("no such query")
    assert rows(ranking_page) == []
    field.fill("")
    assert rows(ranking_page) == everything


@pytest.fixture(scope="module")
def per_query(rankings: Rankings) -> PerQuery:
    """Value by model, query and metric."""
    found: PerQuery = {}
    for model, run in rankings.runs.items():
        rows = pc.evaluate_ranking(rankings.truth, run, RANKING_METRICS).per_query.to_pylist()
        found[model] = {row["query"]: {name: row[name] for name in RANKING_METRICS} for row in rows}
    return found


def test_rows_have_the_values_of_evaluate(ranking_page: Viewer, per_query: PerQuery) -> None:
    for metric in RANKING_METRICS:
        ranking_page("#query-metric").select_option(metric)
        shown = ranking_page.page.evaluate(VALUES)
        assert len(shown) >= 20
        for query, values in shown:
            assert values[: len(per_query)] == [own[query][metric] for own in per_query.values()]


@pytest.mark.parametrize("by", ["click", "keyboard"])
def test_a_row_opens_the_lists_and_the_working(
    ranking_page: Viewer, rankings: Rankings, per_query: PerQuery, by: str
) -> None:
    query = rows(ranking_page)[2]
    row = ranking_page(f'tr[data-query="{query}"]')
    row.click() if by == "click" else row.locator("button").press("Enter")
    detail = ranking_page("#query-detail")
    assert query in detail.locator("h3").inner_text()
    for place, (model, run) in enumerate(rankings.runs.items()):
        values = detail.locator("table").first.locator("tbody tr").nth(place).locator("td")
        shown = [float(cell.get_attribute("data-value") or "nan") for cell in values.all()]
        assert shown == list(per_query[model][query].values())
        ranked = sorted(run[query], key=lambda item: -run[query][item])[:20]
        listed = detail.locator(f'[data-list="{model}"] tr td:nth-child(2)').all_text_contents()
        assert listed == ranked
        grades = detail.locator(f'[data-list="{model}"] tr td:nth-child(3)').all_text_contents()
        assert grades == [str(rankings.truth[query][item]) for item in ranked]
        worked = detail.locator(f'[data-worked="{model}"]')
        results = [cell.get_attribute("data-value") for cell in worked.locator("b[data-value]").all()]
        assert len(results) > 2
        value = per_query[model][query][RANKING_METRICS[0]]
        assert [float(results[0] or "nan"), float(results[-1] or "nan")] == [value, value]


def test_a_query_without_its_list_says_how_to_see_it(ranking_page: Viewer, rankings: Rankings) -> None:
    """All eighty are in this page; the command must still be there for the metrics that are not worked out."""
    ranking_page("#query-metric").select_option(RANKING_METRICS[1])
    ranking_page("tr[data-query]").first.click()
    command = ranking_page("#query-detail code", has_text="pingce explain").first.inner_text()
    assert command.startswith(f"pingce explain {RANKING_METRICS[1]} ")
    assert f"--query {rows(ranking_page)[0]}" in command
