"""What `pingce.name` is: a function with its help, whatever was imported before; and which call `evaluate` means."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.errors import InputError

CALLS = ("check", "compare", "explain", "report")


def test_calls_are_functions_with_their_own_help() -> None:
    import pingce.explanations.derivation as worked

    for name in CALLS:
        call: Any = getattr(pc, name)
        assert inspect.isfunction(call)
        shown = pydoc.plain(pydoc.render_doc(call))
        assert f"function {name}" in shown.splitlines()[0]
        assert (call.__doc__ or "").splitlines()[0] in shown
        assert "PACKAGE CONTENTS" not in shown
    assert worked.Line.__module__ == "pingce.explanations.derivation"
    from pingce.comparison.call import compare_scores
    from pingce.comparison.result import Comparison

    assert callable(compare_scores)
    assert Comparison is pc.Comparison


def test_a_call_is_a_function_whichever_module_came_first() -> None:
    code = (
        "import pingce.comparison.rows, pingce.html.write, pingce as pc, sys; assert 'pingce.comparison.call' not in sys.modules; "
        "print(type(pc.compare).__name__, type(pc.report).__name__, type(pc.check).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["function"] * 3


@pytest.mark.parametrize(
    ("arguments", "options", "meant"),
    [
        (({"q": {"a": 1}}, {"q": ["a"]}), {}, "evaluate_ranking"),
        (("qrels.txt", "run.txt"), {}, "evaluate_ranking"),
        (([1, 0, 1], [0.2, 0.4, 0.6]), {}, "evaluate_binary"),
        ((np.array([1, 0]), np.array([0.2, 0.4])), {}, "evaluate_binary"),
        ((["a", "b", "c"], ["a", "b", "b"]), {}, "evaluate_multiclass"),
        (([1.5, 2.0], [1.0, 2.5]), {}, "evaluate_regression"),
        ((), {"proba": [[1.0]]}, "evaluate_multiclass"),
    ],
)
def test_evaluate_says_which_call_is_meant(arguments: Any, options: Any, meant: str) -> None:
    evaluate: Any = pc.evaluate  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=rf"looks like pc\.{meant}\(") as problem:
        evaluate(*arguments, **options)
    for name in ("evaluate_ranking", "evaluate_binary", "evaluate_multiclass", "evaluate_regression"):
        assert name in problem.value.text.en
        assert name in problem.value.text.zh
    assert f"应为 pc.{meant}" in problem.value.text.zh


def test_a_cached_property_of_a_subclass_has_the_last_word() -> None:
    from pingce.base.lazy import cached_property

    class Parent:
        @cached_property
        def value(self) -> str:
            return "table"

    class Child(Parent):
        @cached_property
        def value(self) -> str:
            return f"frame of {super().value}"

    child = Child()
    assert (child.value, child.value) == ("frame of table", "frame of table")
