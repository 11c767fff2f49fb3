"""Every format shows the same calculation; ids are untrusted; long tables fold; two calculations are contrasted."""

from __future__ import annotations

import json
import math
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import one_line
from pingce.base.latex import latex_text as _latex
from pingce.base.tables import width
from pingce.base.text import Text, use_language
from pingce.explanations.derivation import Column, Explanation, Grid, Line, Row, Step, summed
from pingce.explanations.layout import figure, folded, sum_of

NAME = Text("name", "名称")


def explanation(*steps: Step, value: float = 1.0, subject: str = "it") -> Explanation:
    same = Text(subject, subject)
    return Explanation("m", "m", "m|pingce", NAME, NAME, NAME, same, steps, value)


def table(rows: list[Row], *columns: Column, key: str = "list") -> Grid:
    return Grid(key, Text("The list", "列表"), columns or (Column("rank", NAME), Column("item", NAME)), tuple(rows))


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (12.77964, 4, "12.7796"),
        (9.0, 4, "9"),
        (3, 4, "3"),
        (0.000012, 4, "1.2e-05"),
        (-0.5, 2, "-0.50"),
        (0.0, 4, "0"),
        (1 / 3, -1, "0.3333333333333333"),
        (1e300, 4, "1e+300"),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "−∞"),
        (math.nan, 4, "–"),
        (None, 4, "–"),
        (2.5, 0, "2"),
    ],
)
def test_figures(value: float | None, places: int, shown: str) -> None:
    assert figure(value, places) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (Line("v", "NDCG@5", "{} / {}", (12.7796, 13.3472), 0.95747), "NDCG@5 = 12.7796 / 13.3472 = 0.9575"),
        (Line("v", "h", "", (), 3), "h = 3"),
        (Line("v", "h", "{}", (3,), 3.0), "h = 3"),
        (Line("v", Text("a", "b"), Text("rows {1:1}", "行"), (), math.nan), "a = rows {1:1} = –"),
        (Line("v", "Σ", *summed([1, 2, 3]), 6), "Σ = 1 + 2 + 3 = 6"),
        (Line("v", "Σ", *summed(list(range(1, 11))), 55), "Σ = 1 + 2 + 3 + 4 + 5 + 6 + … + 10 = 55"),
        (Line("v", "Σ", *summed([]), 0), "Σ = 0"),
    ],
)
def test_lines(line: Line, shown: str) -> None:
    assert sum_of(line, 4) == shown


def test_a_line_whose_numbers_do_not_fill_it_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="zip"):
        sum_of(Line("v", "x", "{} + {}", (1,), 1), 4)


def cells(grid: Grid, places: int = 4) -> list[list[str]]:
    lines = explanation(grid).to_text(places).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("---"))
    return [line.split() for line in lines[start + 1 : start + 1 + len(grid.rows)]]


def test_columns_are_whole_or_have_decimals_and_scores_stay_apart() -> None:
    columns = (Column("a", NAME), Column("b", NAME), Column("s", Text("score", "分数"), exact=True))
    rows = [Row((7.0, 1.0, 0.12345678)), Row((0.0, 0.5, 0.12345679)), Row((3, 0.0, None))]
    assert cells(table(rows, *columns)) == [
        ["7", "1.0000", "0.12345678"],
        ["0", "0.5000", "0.12345679"],
        ["3", "0", "–"],
    ]


def test_scores_that_only_all_digits_tell_apart() -> None:
    rows = [Row((0.1,)), Row((0.1 + 2**-56,)), Row((1e-320,))]
    shown = [row[0] for row in cells(table(rows, Column("s", NAME, exact=True)))]
    assert [float(one) for one in shown] == [0.1, 0.1 + 2**-56, 1e-320]


# Folding: short tables are whole, long ones keep the rows that count.


def test_short_tables_are_not_folded() -> None:
    assert folded([Row((1,), counts=False)] * 24) == list(range(24))


def test_long_tables_fold_around_the_rows_that_count() -> None:
    rows = [Row((rank, "d"), counts=rank in (1, 3, 98)) for rank in range(1, 101)]
    text = explanation(table(rows)).to_text()
    assert re.findall(r"^ *(\d+)  d", text, re.M) == ["1", "2", "3", "98", "99", "100"]
    assert "\n… 94 rows that do not count …\n" in text
    use_language("zh")
    assert "…… 略去不影响结果的 94 行 ……" in explanation(table(rows)).to_text()


def test_many_counting_rows_are_cut_in_the_middle() -> None:
    rows = [Row((rank, "d")) for rank in range(1, 201)]
    shown = folded(rows)
    assert [one for one in shown if isinstance(one, int)] == [*range(30), *range(190, 200)]
    assert [one.en for one in shown if isinstance(one, Text)] == ["… 160 more rows …"]
    mixed = [Row((rank,), counts=rank % 2 == 0) for rank in range(200)]
    assert any("of which count" in one.en for one in folded(mixed) if isinstance(one, Text))


def test_a_marked_row_is_never_folded() -> None:
    rows = [Row((rank,), counts=False) for rank in range(100)]
    assert 50 in folded(rows, marked=50)


@pytest.mark.parametrize("fancy", [False, True])
def test_a_folded_table_on_a_terminal(fancy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    rows = [Row((rank, "d"), counts=rank < 3) for rank in range(1, 101)]
    lines = explanation(table(rows)).to_text(fancy=fancy).splitlines()
    fold = lines.index("… 97 rows that do not count …")
    assert lines[fold - 1].split() == ["2", "d"]
    assert lines[fold + 1].split() == ["100", "d"]


def test_json_keeps_every_row() -> None:
    rows = [Row((rank, "d"), counts=rank < 3) for rank in range(1, 1001)]
    found = json.loads(explanation(table(rows)).to_json())["steps"][0]
    assert len(found["rows"]) == 1000
    assert found["rows"][0] == {"counts": True, "cells": {"rank": 1, "item": "d"}}
    assert found["rows_left_out"] == 0


def test_json_of_a_huge_table_keeps_the_rows_that_count() -> None:
    rows = [Row((rank,), counts=rank == 15_000) for rank in range(20_001)]
    found = json.loads(explanation(table(rows, Column("rank", NAME))).to_json())["steps"][0]
    assert found["rows_left_out"] == 10_001
    assert [row["cells"]["rank"] for row in found["rows"] if row["counts"]] == [15_000]


def test_json_has_both_languages_all_digits_and_no_nan() -> None:
    steps = (Text("a", "甲"), table([Row((math.inf, None))]), Line("value", "x", "{}", (1 / 3,), math.nan))
    found = json.loads(explanation(*steps, value=math.nan).to_json())
    assert found["value"] is None
    assert found["steps"][0] == {"type": "text", "text": {"en": "a", "zh": "甲"}}
    assert found["steps"][1]["rows"][0]["cells"] == {"rank": "inf", "item": None}
    assert found["steps"][2]["numbers"] == [1 / 3]
    assert set(found) == {
        "formula", "id", "kind", "metric", "notes", "pingce_version", "question", "schema_version", "signature",
        "steps", "subject", "title", "value",
    }  # fmt: skip


def test_chinese_columns_align() -> None:
    use_language("zh")
    truth, run = {"q": {"苹果": 2, "b": 1}}, {"q": {"苹果": 0.9, "b": 0.5, "香蕉牛奶": 0.1}}
    text = str(pc.explain("ndcg@3", truth, run))
    lines = text.splitlines()
    rule = next(at for at, line in enumerate(lines) if line.startswith("--"))
    widths = {width(line) for line in lines[rule - 1 : rule + 4]}
    assert len(widths) == 1


# Ids are untrusted: whatever they hold is shown, and nothing of it is sent or run.

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a|b\n| c |",
    "**bold** _x_ [l](http://x) `c` #",
    r"\input{/etc/passwd} $x$ %& {}~^#_",
    "\x1b[31mred\x1b[0m\x07",
    "a\rb\u2028c\u202e",
    "&lt;b&gt;",
]


class Page(HTMLParser):
    """Tags and text of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile(id_: str) -> Any:
    return pc.explain("ndcg@5", {id_: {id_: 1, "b": 2}}, {id_: {id_: 1.0, "b": 0.5}}, query=id_)


@pytest.mark.parametrize("id_", HOSTILE)
def test_html_shows_ids_and_runs_nothing(id_: str) -> None:
    page = Page()
    page.feed(hostile(id_).to_html())
    assert page.tags <= {"div", "h3", "p", "small", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert page.attributes <= {"class", "style"}
    assert page.text.count(one_line(id_)) >= 2


@pytest.mark.parametrize("id_", HOSTILE)
def test_text_stays_in_its_line(id_: str) -> None:
    text = hostile(id_).to_text()
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text.split("\n")) == len(hostile("plain").to_text().split("\n"))


@pytest.mark.parametrize("id_", HOSTILE)
def test_markdown_tables_keep_their_columns(id_: str) -> None:
    for line in hostile(id_).to_markdown().splitlines():
        assert "<" not in line
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) in (8, 10)
    assert not re.search(r"(?<!\\)[`\[\]]", hostile(id_).to_markdown())


SAFE = re.compile(r"\\text(?:backslash|asciitilde|asciicircum|less|greater|bar)\{\}|\\[&%$#_{}]|\{[][*]\}")


@pytest.mark.parametrize("id_", HOSTILE)
def test_latex_escapes_every_command(id_: str) -> None:
    row = next(line for line in hostile(id_).to_latex().splitlines() if line.startswith("1 & "))
    cell = row.removeprefix("1 & ").split(" & 1.0000 & 1 & 1")[0]
    assert not re.search(r"[\\#%&~^$_{}|]", SAFE.sub("", cell))
    assert not re.search(r"[\\#%&~^$_{}|]", SAFE.sub("", _latex(id_)))
    assert _latex(id_) == cell


def test_the_notebook_folds_the_calculation_to_its_result() -> None:
    explanation = hostile("<script>")
    shown = explanation._repr_html_()
    head, _, rest = shown.partition("</summary>")
    assert head.startswith(f"<details open><summary>{explanation.metric} = {explanation.value:.4f}")
    assert rest == f"{explanation.to_html()}</details>"
    assert "<script>" not in shown
