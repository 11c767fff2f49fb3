"""Tables as text, letter by letter: rules and gaps, words left and numbers right, with rich's rule where it is a terminal."""

from __future__ import annotations

import pytest

from pingce.base.tables import Table, draw

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


def test_rich_text_folds_what_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    monkeypatch.setenv("TERM", "dumb")
    lines = draw(Table(["words"], [["0123456789" * 2]]), 2, fancy=True).split("\n")
    assert "".join(line.strip() for line in lines[3:]) == "0123456789" * 2
