"""Runs what a page shows: its Python, line by line where a line states its value, and its commands."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Any

from pingce.cli import run

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLAIM = re.compile(r"  # (-?\d[\d.]*)$")


def blocks(path: Path, kind: str) -> list[str]:
    """The code of one kind on a page."""
    return [code for name, code in BLOCK.findall(path.read_text(encoding="utf-8")) if name == kind]


def commands(path: Path) -> list[list[str]]:
    """The commands of pingce on a page, in words."""
    shown = [*blocks(path, "console"), *blocks(path, "sh"), *blocks(path, "")]
    lines = [line.removeprefix("$ ") for code in shown for line in code.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("pingce ")]


def run_python(path: Path) -> int:
    """Run all Python of a page in one namespace; how many lines stated their value."""
    names: dict[str, Any] = {}
    return sum(_run_block(code, names) for code in blocks(path, "python"))


def _run_block(code: str, names: dict[str, Any]) -> int:
    lines, stated = code.splitlines(), 0
    for statement in ast.parse(code).body:
        end = lines[(statement.end_lineno or statement.lineno) - 1]
        claim = CLAIM.search(end)
        if claim is None or not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), "page", "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), "page", "eval"), names)
        places = len(claim[1].partition(".")[2])
        assert f"{value:.{places}f}" == claim[1], (end, value)
        stated += 1
    return stated


def exit_code(words: list[str]) -> int:
    """How a command ends, also one that leaves by itself."""
    try:
        return int(run(words))
    except SystemExit as end:
        return int(end.code or 0)


def run_commands(path: Path, allowed: tuple[int, ...] = (0,)) -> int:
    """Run all commands of a page where we are; how many there were."""
    listed = commands(path)
    for words in listed:
        assert exit_code(words) in allowed, words
    return len(listed)
