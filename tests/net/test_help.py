"""`help()` of every public name: its own signature, and a docstring whose first line stands alone."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import pydoc
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import pingce as pc
import pingce.spark

NAMES = [("pingce", name) for name in pc.__all__ if name != "__version__"]
NAMES += [("pingce.spark", name) for name in pingce.spark.__all__]
_ENDS = (".", ":", "。", "?")
UNTOLD = ("Of ", "Those ", "These ", "And ", "But ", "It ")
"How a first line that needs another one begins."


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_help_shows_the_name_its_signature_and_a_line_that_stands_alone(module: str, name: str) -> None:
    thing: Any = getattr(import_module(module), name)
    shown = pydoc.plain(pydoc.render_doc(thing))
    assert name in shown.splitlines()[0]
    if not inspect.isclass(thing):
        assert inspect.isfunction(thing)
        assert f"{name}(" in shown
        assert "(*arguments, **options)" not in shown
    lines = (inspect.getdoc(thing) or "").splitlines()
    assert lines, "no docstring"
    assert "__doc__" in vars(thing) or inspect.isfunction(thing), "the docstring is that of a parent"
    assert lines[0].endswith(_ENDS)
    assert not lines[0].startswith(UNTOLD)
    assert len(lines) == 1 or not lines[1].strip(), "the first line runs into the second"


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_parameters_of_public_names_are_typed(module: str, name: str) -> None:
    thing: Any = getattr(import_module(module), name)
    if inspect.isclass(thing) and (issubclass(thing, Warning) or thing is pc.Evaluator):
        return
    signature = inspect.signature(thing)
    assert all(each.annotation is not each.empty for each in signature.parameters.values()), signature
    assert inspect.isclass(thing) or signature.return_annotation is not signature.empty


HEAVY = (
    *(f"pingce.{name}." for name in ("torch", "keras", "sentence_transformers", "factors.devices")),
    "pingce.training.classes",
    "pingce.ir_measures",
)
"Modules that import torch, Triton, ir_measures or a library that trains; tests/training, tests/factors and tests/tools try them."


def modules() -> Iterator[str]:
    """All modules of pingce that can be imported without a further package."""
    for module in pkgutil.walk_packages(pc.__path__, "pingce."):
        if module.name != "pingce.__main__" and not module.name.startswith(HEAVY):
            yield module.name


class Finder(doctest.DocTestFinder):
    """Finds the examples of functions that are wrapped, too."""

    def _from_module(self, module: Any, object: Any) -> bool:
        found: bool = super()._from_module(module, inspect.unwrap(object) if callable(object) else object)  # type: ignore[misc]
        return found


EXEMPLARY = (
    "pingce",
    "pingce.lists",
    "pingce.functions",
    "pingce.api",
    "pingce.run.evaluators.ranking",
    "pingce.run.evaluators.rows",
    "pingce.training.boosters",
)
"Modules whose calls are shown by example."


def test_every_doctest_of_the_source_holds() -> None:
    attempted: dict[str, int] = {}
    broken: list[str] = []
    finder, runner = Finder(), doctest.DocTestRunner(verbose=False)
    for name in ["pingce", *modules()]:
        for test in finder.find(import_module(name), name):
            lines: list[str] = []
            results = runner.run(test, out=lines.append)
            attempted[name] = attempted.get(name, 0) + results.attempted
            broken += lines if results.failed else []
    assert not broken, "".join(broken)
    assert all(attempted[name] for name in EXEMPLARY), attempted
