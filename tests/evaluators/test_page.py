"""The page on evaluators: its code runs, it names what there is, and its twin says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pingce as pc

DOCS = Path(__file__).parents[2] / "docs"
PAGE, TWIN = ((DOCS / name).read_text(encoding="utf-8") for name in ("evaluators.md", "evaluators.zh-CN.md"))
CHINESE = re.compile("[\u4e00-\u9fff]")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_every_block_runs_and_holds_what_it_asserts(code: str) -> None:
    assert "assert " in code
    exec(code, {})


def test_every_evaluator_and_every_call_has_a_row() -> None:
    named = set(re.findall(r"^\| `(\w+Evaluator)`", PAGE, flags=re.MULTILINE))
    assert named == {name for name in pc.__all__ if name.endswith("Evaluator")} - {"Evaluator"}
    calls = set(re.findall(r"`(\w+)\(", PAGE.split("| call")[1].split("\n\n")[0]))
    public = {name for name, of in vars(pc.Evaluator).items() if name[0] != "_" and not isinstance(of, property)}
    assert calls == public - {"score", "of", "over", "update_rows"}  # which are for feeds


def paragraphs(page: str) -> list[str]:
    """The prose, without code, tables, headings and the link to the other language."""
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    return [text.strip() for text in prose.split("\n\n") if text.strip()[:1] not in ("|", "#", "[", "")]


def test_each_paragraph_is_there_in_both_languages() -> None:
    for english, chinese in zip(paragraphs(PAGE), paragraphs(TWIN), strict=True):
        assert not CHINESE.search(english)
        assert CHINESE.search(chinese)
        assert sorted(re.findall(r"`[^`]+`|\d+", english)) == sorted(re.findall(r"`[^`]+`|\d+", chinese))
