"""Mutants: what Cosmic Ray can change in a module, one thing at a time, without what no test could notice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("src/pingce/metrics", "src/pingce/base", "src/pingce/run")
LEFT_OUT = re.compile("NoOp|RemoveDecorator|Variable|Bit|Shift|_Is|Is_|IsNot")
"Operators that change nothing or ask for names, and those that floats do not have: no test is needed to notice these."


class Place(NamedTuple):
    """What an operator can change, by its number in the module."""

    path: Path
    operator: str
    number: int


@dataclass(frozen=True)
class Mutant:
    """A module with one thing changed."""

    path: str
    line: int
    before: str
    after: str
    code: str

    @property
    def key(self) -> str:
        """What stays the same while other lines of the module change."""
        return f"{self.path}: {self.before} -> {self.after}"


def modules() -> list[Path]:
    """The modules that are mutated, of the rooms that are there."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def places_of(path: Path) -> Iterator[Place]:
    """Everything that can be changed in a module."""
    nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
    for name in operator_names():
        operator = get_operator(name)
        if not LEFT_OUT.search(name) and not operator.arguments():
            count = sum(len(list(operator().mutation_positions(node))) for node in nodes)
            yield from (Place(path, name, number) for number in range(count))


def mutant_at(place: Place) -> Mutant | None:
    """The changed module; None if only types, documentation or the check of a zip's lengths are changed."""
    source = place.path.read_text(encoding="utf-8")
    code = mutate_code(source, get_operator(place.operator)(), place.number)
    if code is None or _meaning(code) in (_meaning(source), None):
        return None
    return _told(place.path, source, code)


def _told(path: Path, source: str, code: str) -> Mutant:
    before, after = source.splitlines(), code.splitlines()
    line = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(after) - 1)
    return Mutant(str(path.relative_to(ROOT)), line + 1, before[line].strip(), after[line].strip(), code)


def _meaning(code: str) -> str | None:
    """The program without annotations, examples of the documentation and `strict`; None if it is no program."""
    try:
        return ast.dump(_Bare().visit(ast.parse(code)))
    except (SyntaxError, ValueError):
        return None


class _Bare(ast.NodeTransformer):
    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg in ("strict", "example") else self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test) in ("TYPE_CHECKING", "not TYPE_CHECKING") else self.generic_visit(node)
