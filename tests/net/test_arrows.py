"""The order of the rooms: which package of pingce may import which, wherever in a file the import stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import pingce
from pingce.tasks import TASKS

ROOT = Path(pingce.__file__).parent
LAYERS: list[tuple[str, ...]] = [
    ("base",),
    ("tasks",),
    ("inputs",),
    ("evidence",),
    ("factors",),
    ("metrics",),
    ("conventions",),
    ("scores",),
    ("stats",),
    ("slices",),
    ("request",),
    ("run",),
    (
        "curves",
        "diagnosis",
        "explanations",
        "comparison",
        "checks",
        "html",
        "similarity",
        "fusion",
        "protocols",
        "training",
        "sql",
    ),
    ("api", "functions", "lists", "demo", "__init__"),
    (
        "cli",
        "spark",
        "torch",
        "keras",
        "sentence_transformers",
        "ir_measures",
        "polars",
        "__main__",
        "pytest_plugin",
        *(task.name for task in TASKS.values() if task.in_folder),
    ),
]
"From below: a room imports only from rooms below it and from those beside it."
ORDER = {room: at for at, rooms in enumerate(LAYERS) for room in rooms}

UPWARD: dict[str, int] = {}
"Wrong arrows that are still there: how many modules of the first room import from the second. Numbers may only shrink."
KNOTS: list[set[str]] = []
"Rooms that import each other, round and round. They may only become fewer and smaller."


class Imports(ast.NodeVisitor):
    """All modules that a file imports, in functions too; but not what is there for types only."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.names += [alias.name for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        names = [alias.name for alias in node.names if alias.name not in ("__version__", "_core")]
        self.names += [f"{node.module}.{name}" for name in names] if node.module == "pingce" else [str(node.module)]


def room(module: str) -> str:
    """The package of a module of pingce."""
    part = [*module.split("."), "__init__"][1]
    return part if (ROOT / part).is_dir() or (ROOT / f"{part}.py").exists() else "__init__"


@cache
def arrows() -> dict[str, set[str]]:
    """The modules behind each arrow between two rooms."""
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(["pingce", *path.relative_to(ROOT).with_suffix("").parts])
        imports = Imports()
        imports.visit(ast.parse(path.read_text("utf-8")))
        for name in imports.names:
            if name.split(".")[0] == "pingce" and room(name) != room(module):
                found.setdefault(f"{room(module)} → {room(name)}", set()).add(module)
    return found


def upward() -> Iterator[tuple[str, set[str]]]:
    for arrow, modules in arrows().items():
        here, there = arrow.split(" → ")
        if ORDER[there] > ORDER[here]:
            yield arrow, modules


def test_every_room_has_a_place_in_the_order() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    rooms |= {path.stem for path in ROOT.glob("*.py")}
    assert rooms <= set(ORDER)


def test_no_room_imports_from_above_but_for_the_list_which_only_shrinks() -> None:
    counted = {arrow: len(modules) for arrow, modules in upward()}
    where = {arrow: sorted(modules) for arrow, modules in upward()}
    for arrow, count in counted.items():
        assert count <= UPWARD.get(arrow, 0), f"{arrow} is against the order: one of {where[arrow]}"
    gone = {arrow: counted.get(arrow, 0) for arrow, count in UPWARD.items() if counted.get(arrow, 0) < count}
    assert not gone, (
        f"fewer wrong arrows than listed, well done: write these numbers into UPWARD (0: remove the line): {gone}"
    )


def knots() -> list[set[str]]:
    """Rooms from which one comes back to them."""
    graph: dict[str, set[str]] = {}
    for arrow in arrows():
        here, there = (name for name in arrow.split(" → "))
        if here != there:
            graph.setdefault(here, set()).add(there)
    reach = {name: _reached(name, graph) for name in graph}
    tied = {
        frozenset(other for other in seen if name in reach.get(other, ()))
        for name, seen in reach.items()
        if name in seen
    }
    return sorted(map(set, tied), key=sorted)


def _reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = graph.get(waiting.pop(), set()) - seen
        seen |= fresh
        waiting += fresh
    return seen


def test_rooms_are_knotted_only_as_listed() -> None:
    for knot in knots():
        assert any(knot <= listed for listed in KNOTS), f"these import each other: {sorted(knot)}"
    for listed in KNOTS:
        assert listed in knots(), (
            f"this knot is smaller now, or gone; write what is left: {[sorted(knot) for knot in knots()]}"
        )


@pytest.mark.parametrize(("code", "names"), [
    ("def f():\n    from pingce.scores import Scores", ["pingce.scores"]),
    ("if TYPE_CHECKING:\n    from pingce.scores import Scores", []),
    ("from pingce import __version__", []),
    ("from pingce import spark", ["pingce.spark"]),
])  # fmt: skip
def test_imports_are_found_wherever_they_stand(code: str, names: list[str]) -> None:
    imports = Imports()
    imports.visit(ast.parse(code))
    assert imports.names == names
