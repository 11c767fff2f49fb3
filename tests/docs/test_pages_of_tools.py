"""The pages about tools that people work with: their examples run, and their numbers are those that pingce gives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pingce.training.measure import Measure

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_numbers_of_rag_frameworks() -> None:
    names: dict[str, Any] = {}
    exec(next(block for block in blocks("retrieval.md") if "ragas" in block), names)
    page = (DOCS / "retrieval.md").read_text(encoding="utf-8").partition("## Your RAG")[2]
    said = {spelling: number for number, spellings in re.findall(r"^\| (0\.\d+) \| ([^|]*) \|", page, re.MULTILINE) for spelling in spellings.strip().split(", ")}  # fmt: skip
    values = {name: value for tool in names["values"].values() for name, value in tool.items()}
    assert {name: f"{values[name]:.4f}" for name in said} == said
    assert len(said) == 6
    assert names["usual"]["recall@3"] == pytest.approx(values["id_based_context_recall"])


def test_the_examples_of_the_page_of_tables() -> None:
    names: dict[str, Any] = {}
    for block in blocks("tables.md"):
        exec(block, names)
    assert names["by_user"]["auc"].to_list() == [0.75, 0.75]
    assert names["whole"].row(0) == (0.75, 7 / 9)
    assert "FROM 'log.parquet'" in names["text"]


@pytest.mark.parametrize("page", ["migrate/torchmetrics.md", "migrate/torchmetrics.zh-CN.md"])
def test_rows_of_the_page_of_torchmetrics_say_where_its_numbers_differ(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+\([^`]*\))` \| `(\w[^`]*)` \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) == 4
    for theirs, own, words in rows:
        there = _meaning(theirs, convention="torchmetrics")
        assert (_meaning(own) == there) == (words in ("nothing", "相同")), theirs
        for spelling in re.findall(r"`(gauc\([^`]+\))`", words):
            assert _meaning(spelling) == there


def _meaning(name: str, **options: str) -> Any:
    """What is computed under a name."""
    task = "multiclass" if "ccuracy" in name else None
    (request,) = Measure.of(name, task, options, "here").request.metrics or ()
    return request.metric.id, request.policies
