"""The page on evaluators: its code runs, it names what there is, and it speaks both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pingce as pc

PAGE = (Path(__file__).parents[2] / "docs" / "evaluators.md").read_text(encoding="utf-8")
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


def test_each_paragraph_is_there_in_both_languages() -> None:
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    for paragraph in prose.split("\n\n"):
        lines = [line for line in paragraph.strip().splitlines() if line[:1] not in ("|", "#", "")]
        if lines:
            english, chinese = lines
            assert not CHINESE.search(english)
            assert CHINESE.search(chinese)
            assert sorted(re.findall(r"`[^`]+`|\d+", english)) == sorted(re.findall(r"`[^`]+`|\d+", chinese))
