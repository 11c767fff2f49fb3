"""The copy buttons: each form of the table, read back by a reader of that form, has the numbers of `evaluate`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable

import pytest

import pingce as pc

from .made import DRAWS, RANKING_METRICS, Rankings
from .viewer import Viewer

Values = dict[str, dict[str, float]]


def copied(page: Viewer, form: str) -> str:
    """What the button of the summary puts on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page(f'section[data-section="summary"] button[data-copy="{form}"]')
    button.click()
    text: str = page.page.evaluate("navigator.clipboard.readText()")
    assert text.splitlines() == (button.get_attribute("data-copied") or "").splitlines()
    return text


def by_model(rows: list[list[str]]) -> dict[str, dict[str, str]]:
    """A grid with a row a metric, as text by model and metric."""
    head, *body = rows
    return {model: {row[0]: row[place] for row in body} for place, model in enumerate(head) if place}


@pytest.fixture(scope="module")
def expected(rankings: Rankings) -> Values:
    """Value by model and metric."""
    return {
        model: dict(pc.evaluate_ranking(rankings.truth, run, RANKING_METRICS)) for model, run in rankings.runs.items()
    }


def test_json_and_csv_keep_every_digit(ranking_page: Viewer, expected: Values) -> None:
    rows = json.loads(copied(ranking_page, "json"))
    found = {model: {row["metric"]: row[model] for row in rows} for model in expected}
    assert found == expected
    grid = by_model(list(csv.reader(io.StringIO(copied(ranking_page, "csv")))))
    assert {model: {name: float(text) for name, text in own.items()} for model, own in grid.items()} == expected


def markdown(text: str) -> list[list[str]]:
    """The cells of a Markdown table."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert set(lines[1]) <= {"---", "---:"}
    return [[re.sub(r"\\\\(.)", r"\1", cell) for cell in line] for line in (lines[0], *lines[2:])]


def latex(text: str) -> list[list[str]]:
    """The cells of a booktabs table."""
    lines = text.splitlines()
    assert re.fullmatch(r"\\begin\{tabular\}\{l[lr]+\}", lines[0])
    assert [lines[1], lines[3], *lines[-2:]] == ["\\toprule", "\\midrule", "\\bottomrule", "\\end{tabular}"]
    assert all(line.endswith(r"\\") for line in (lines[2], *lines[4:-2]))
    return [[cell.strip() for cell in line[:-2].split("&")] for line in (lines[2], *lines[4:-2])]


FORMS = [
    ("markdown", markdown, r"(?:\*\*)?(\d\.\d{4})(?:\*\*)?(?: <sup>([a-c]+)</sup>)?"),
    ("latex", latex, r"(?:\\textbf\{)?(\d\.\d{4})\}?(?:\$\^\{([a-c]+)\}\$)?"),
]


@pytest.mark.parametrize(("form", "read", "cell"), FORMS, ids=["markdown", "latex"])
def test_tables_for_people_have_what_is_shown(
    ranking_page: Viewer, rankings: Rankings, form: str, read: Callable[[str], list[list[str]]], cell: str
) -> None:
    compared = pc.compare(rankings.truth, rankings.runs, RANKING_METRICS, samples=DRAWS)
    found = by_model(read(copied(ranking_page, form)))
    assert list(found) == list(rankings.runs)
    for model, own in found.items():
        assert list(own) == RANKING_METRICS
        for name, text in own.items():
            shown = re.fullmatch(cell, text)
            assert shown is not None, text
            assert shown.groups("") == (f"{compared[name].value(model):.4f}", compared.letters(name, model))


def test_copies_speak_the_language_of_the_page(ranking_page: Viewer) -> None:
    ranking_page("#lang").click()
    heads = {key for row in json.loads(copied(ranking_page, "json")) for key in row}
    assert "指标" in heads
    assert "metric" not in heads
