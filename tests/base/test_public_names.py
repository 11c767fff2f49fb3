"""The stub is the only list of public names: what it says is what there is."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pingce as pc
from pingce.base.lazy import stub_importer

STUB = Path(pc.__file__).with_suffix(".pyi")
IMPORTS = [node for node in ast.parse(STUB.read_text("utf-8")).body if isinstance(node, ast.ImportFrom)]


def test_every_line_of_the_stub_is_a_public_name() -> None:
    names = [alias.name for node in IMPORTS for alias in node.names]
    assert all(alias.asname == alias.name for node in IMPORTS for alias in node.names)
    assert len(names) == len(set(names))
    assert sorted([*names, "__version__"]) == sorted(pc.__all__) == sorted(dir(pc))


@pytest.mark.parametrize("node", IMPORTS, ids=lambda node: node.names[0].name)
def test_a_name_comes_from_the_module_that_the_stub_says(node: ast.ImportFrom) -> None:
    name = node.names[0].name
    value = getattr(pc, name)
    assert getattr(sys.modules[str(node.module)], name) is value
    assert not inspect.ismodule(value)


def test_a_result_of_a_public_call_has_a_public_type() -> None:
    curve = pc.roc_curve([1, 0, 1], [0.9, 0.8, 0.7])
    scores = pc.evaluate_multiclass(["a", "b"], ["a", "b"], by={"part": ["x", "y"]})
    results = (curve, pc.compare_curves(curve, curve), scores, scores.confusion_matrix(), scores.slices)
    assert [type(result).__name__ for result in results if getattr(pc, type(result).__name__) is not type(result)] == []


@pytest.mark.parametrize("name", [name for name in dir(pc) if inspect.isfunction(getattr(pc, name))])
def test_what_a_public_call_says_it_returns_is_public(name: str) -> None:
    returned = str(getattr(pc, name).__annotations__["return"])
    types = set(re.findall(r"(?<!\.)\b[A-Z]\w+", returned)) - {"Any", "Figure", "NDArray", "None", "Path"}
    assert types <= set(dir(pc)), "the names of others aside, which come from other packages"


def test_the_stub_is_not_read_before_a_name_is_wanted() -> None:
    program = "import sys, pingce; print(pingce.__version__, len(pingce._names.__closure__[0].cell_contents))"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout == f"{pc.__version__} 0\n"


def test_another_name_is_refused_as_python_does() -> None:
    _, get = stub_importer("pingce")
    with pytest.raises(AttributeError, match="module 'pingce' has no attribute 'ndgc'"):
        get("ndgc")
