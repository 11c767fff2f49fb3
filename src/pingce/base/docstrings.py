"""Docstrings that are read out to the user, although Python may be told to drop them (`python -OO`)."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


def docstring_of(cls: type[Any]) -> str:
    """The docstring of a class as it is written; from its source where Python has dropped it."""
    if cls.__doc__ is None and sys.flags.optimize > 1:
        return _docstrings(cls.__module__).get(cls.__name__, "")
    return cls.__doc__ or ""


@cache
def _docstrings(module: str) -> dict[str, str]:
    """The docstrings of the classes of a module; none where its source is not at hand."""
    import ast
    import inspect

    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}
    return {
        node.name: ast.get_docstring(node, clean=False) or "" for node in tree.body if isinstance(node, ast.ClassDef)
    }
