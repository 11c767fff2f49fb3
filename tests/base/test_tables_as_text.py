"""Tables as text, letter by letter: rules and gaps, words left and numbers right, with rich's rule where it is a terminal."""

from __future__ import annotations

import re

import pytest

from pingce.base.tables import Table, draw, markdown_text

TABLE = Table(["metric", "指标", "n"], [["a\tb", 0.5, 7], ["中文", None, 12345]], frozenset({(0, 1)}))


def test_plain_text() -> None:
    assert draw(TABLE, 2, fancy=False).split("\n") == [
        "metric  指标      n",
        "------  ----  -----",
        "a\\tb    0.50      7",
        "中文       –  12345",
    ]


def test_plain_text_has_no_room_behind_words() -> None:
    assert draw(Table(["x", "words"], [[1, "a"]]), 2, fancy=False) == "x  words\n-  -----\n1  a"


def test_rich_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")
    assert draw(TABLE, 2, fancy=True).split("\n") == [
        "                       ",
        " metric   指标       n ",
        " ───────────────────── ",
        " a\\tb     0.50       7 ",
        " 中文        –   12345 ",
        "                       ",
    ]


def test_only_the_best_is_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    body = draw(TABLE, 2, fancy=True).split("\n")[3:]
    assert re.findall(r"\x1b\[1m([^\x1b]+)\x1b\[0m", "".join(body)) == ["0.50"]


def test_rich_text_folds_what_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    monkeypatch.setenv("TERM", "dumb")
    lines = draw(Table(["words"], [["0123456789" * 2]]), 2, fancy=True).split("\n")
    assert "".join(line.strip() for line in lines[3:]) == "0123456789" * 2


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("@octocat", "@&#8203;octocat"),
        ("(@octocat) 的@org/team", "(@&#8203;octocat) 的@&#8203;org/team"),
        ("ap)@10x", "ap)@&#8203;10x"),
        ("see https://a.example/b", "see https:&#8203;//a.example/b"),
        ("WWW.a.example www.b", "WWW.a.example www&#8203;.b"),
        ("<@x>", "&lt;@&#8203;x&gt;"),
        *(
            (text, text)
            for text in ("ndcg@10", "ap(norm=min)@10: 0.5", "Σ@4 =", "a@b", "@", "a: // b", "1://2", "wwww.")
        ),
    ],
)
def test_ids_in_markdown_call_nobody_and_link_nowhere(text: str, written: str) -> None:
    assert markdown_text(text) == written
