"""The docstrings that the reference shows, read from the source: nothing is imported, Spark and Keras need not be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from inspect import cleandoc
from pathlib import Path

from website.nav import ROOT
from website.reference import shown_names

_Definition = ast.FunctionDef | ast.ClassDef


@cache
def shown_docstrings() -> dict[str, str]:
    """Every docstring of the reference, by the full name of what it belongs to where that is defined."""
    return {path: text for name in shown_names() for path, text in _of_definition(*_find(name))}


@cache
def definition_of(name: str) -> str:
    """The full name of a public name where it is defined: packages hand some on."""
    return _find(name)[0]


@cache
def _find(path: str) -> tuple[str, _Definition]:
    module, _, name = path.rpartition(".")
    for node in _tree(module).body:
        if isinstance(node, _Definition) and node.name == name:
            return path, node
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            return _find(f"{node.module}.{name}")
    raise LookupError(path)


@cache
def _tree(module: str) -> ast.Module:
    place: Path = ROOT / "src" / module.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def _of_definition(path: str, node: _Definition) -> Iterator[tuple[str, str]]:
    text = ast.get_docstring(node)
    if text:
        yield path, text
    if isinstance(node, ast.ClassDef):
        for name, words in _of_members(node.body):
            if words and not name.startswith("_"):
                yield f"{path}.{name}", words


def _of_members(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Methods with their docstrings, attributes with the string after them, also those that `__init__` sets."""
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.FunctionDef):
            yield node.name, ast.get_docstring(node) or ""
            if node.name == "__init__":
                yield from _of_members(node.body)
        elif isinstance(node, ast.If):
            yield from _of_members(node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield _name(node), _string(after)


def _name(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "_")


def _string(node: ast.stmt) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return cleandoc(text)
    return ""
