"""Results in notebooks: a table that is seen, details that fold, no colour of their own, and nothing that an id could start."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import pingce as pc
from pingce.base.notebook import fold, folded_settings, long_table, notebook
from pingce.base.tables import Table
from pingce.base.text import Text

HOSTILE = "<img src=x onerror=alert(1)>\"'&\x1b[31m"
ALLOWED = {"div", "table", "thead", "tbody", "tr", "th", "td", "b", "details", "summary", "p", "caption", "code", "span",
           "h2", "h3", "h4", "small", "ul", "li", "em", "strong", "sup", "sub"}  # fmt: skip


class Tags(HTMLParser):
    """Every element of a piece of HTML, the depth of its folds, and whether all are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.summaries: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.names.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "summary":
            self.summaries.append(data)


def results() -> dict[str, tuple[Any, set[str]]]:
    """A result of every kind with a hostile id in it, and titles of its folds."""
    truth, run = {HOSTILE: {"a": 1, "b": 0}, "r": {"c": 1}}, {HOSTILE: {"b": 2, "a": 1}, "r": {"c": 1}}
    log = {"user": [HOSTILE, "v"] * 10, "item": list("abcdefghij") * 2, "time": list(range(20))}
    ranking = pc.evaluate_ranking(truth, run, ["rr", "ndcg@10"], by={HOSTILE: HOSTILE, "r": "x"})
    compared = pc.compare(truth, {HOSTILE: run, "other": {"r": {"c": 1}}}, ["rr"], samples=100)
    return {
        "scores": (ranking, {"definitions", "policies", "what the values stand on", "slices"}),
        "classes": (pc.evaluate_multiclass([HOSTILE, "b"], [HOSTILE, HOSTILE]), {"definitions", "policies"}),
        "comparison": (compared, {"definitions", "settings", "how models were compared"}),
        "check": (pc.check(ranking, min={"rr": 0.9}), {"definitions"}),
        "similarity": (pc.similar(run, {HOSTILE: ["a"], "r": ["c"]}), {"queries that changed most", "settings"}),
        "fusion": (
            pc.fuse([run, {HOSTILE: ["a"]}], qrels=truth, metric="rr"),
            {"how its numbers were found", "settings"},
        ),
        "explanation": (pc.explain("rr", truth=truth, prediction=run, query=HOSTILE), set()),
        "split": (pc.split(log, how="last"), {"settings"}),
        "leak": (pc.leak(log, log), {"what the values stand on"}),
        "conventions": (pc.compare_conventions(truth, run, ["ndcg@10"], ["ranx"]), {"definitions"}),
    }


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_every_result_folds_and_starts_nothing() -> None:
    for name, (result, folds) in results().items():
        text = result._repr_html_()
        tags = Tags(text)
        assert set(tags.names) <= ALLOWED, name
        assert "<img" not in text, name
        assert "table" in tags.names, name
        assert folds <= set(tags.summaries), name
        assert not [key for key, _ in tags.attributes if key.startswith("on")], name
        colours = [
            value for key, value in tags.attributes if key == "style" and re.search("color|background", value or "")
        ]
        assert colours == [], "a notebook is dark or light"
        assert "<style" not in text


def test_a_long_table_shows_its_first_rows() -> None:
    table = Table(["n"], [[number] for number in range(100)], frozenset({(0, 0), (50, 0)}))
    text = long_table(table, 4)
    head, _, rest = text.partition("<details>")
    assert head.count("<td>") == 20
    assert rest.startswith("<summary>80 more rows</summary>")
    assert rest.count("<td>") == 80
    assert "<td><b>0</b></td>" in head
    assert "<td><b>50</b></td>" in rest
    assert "<details>" not in long_table(Table(["n"], [[1]] * 30), 4)


def test_a_fused_run_shows_its_first_rows_and_says_how_many_there_are() -> None:
    runs = [{"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b"], "q2": ["c", "d"]}]
    fused = pc.fuse(runs)
    text = fused._repr_html_()
    (first,) = (row for row in text.split("<tr>") if ">q1<" in row and ">1<" in row)
    assert ">b<" in first
    assert f">{fused.score[0]:.4f}<" in first
    assert str(fused.count_text) in text
    assert "of 4 rows" not in text
    long = pc.fuse([{"q": list(range(300))}] * 2)._repr_html_()
    assert "the first 200 of 300 rows; .table has all of them" in long
    assert "<summary>180 more rows</summary>" in long
    assert ">199<" in long
    assert ">200</td>" in long  # the rank
    assert ">201</td>" not in long


def test_pieces() -> None:
    assert notebook("a", "b") == '<div class="pingce">ab</div>'
    assert fold("<x>\n", "") == ""
    assert fold("<x>", "y") == "<details><summary>&lt;x&gt;</summary>y</details>"
    settings = folded_settings(Text("settings", "设置"), {"ties": "<id>"}, {"ties": Text("what ties do", "并列")})
    left = '<td style="text-align:left">'
    assert f"{left}ties</td>{left}&lt;id&gt;</td>{left}what ties do</td>" in settings
    assert folded_settings(Text("settings", "设置"), {}) == ""
    assert [title in settings for title in (">name</th>", ">value</th>", ">meaning</th>")] == [True] * 3
