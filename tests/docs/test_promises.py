"""The page of promises names the exit codes there are, and every module that the pages import."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pingce import cli

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["promises.md", "promises.zh-CN.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_exit_code_is_named(page: str) -> None:
    [line] = re.findall(r"\| \*\*(?:Exit codes|退出码)\*\* \|(.*)\|", (DOCS / page).read_text(encoding="utf-8"))
    codes = {cli.OK, cli.CHECK_FAILED, cli.BAD_INPUT, cli.DEFECT, cli.INTERRUPTED}
    assert {int(code) for code in re.findall(r"\d+", line)} == codes


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_pages_import_is_promised(page: str) -> None:
    texts = (path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    imported = {name for text in texts for name in re.findall(r"^(?:from|import) (pingce\.\w+)", text, re.MULTILINE)}
    assert len(imported) >= 7
    promised = (DOCS / page).read_text(encoding="utf-8")
    assert not {name for name in imported if f"`{name}`" not in promised}
