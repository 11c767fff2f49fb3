"""Metrics as polars expressions: `pingce.polars.auc("click", "pctr")` in `group_by(...).agg(...)`, in `select`, or over a window.

Each has the name and the keywords of a function of pingce that gives one number from two columns; columns are names or expressions.
"""

from __future__ import annotations

from typing import Any

from pingce.polars.names import names

__all__ = names()  # noqa: PLE0605 - those of the functions, which are listed once, where they stand


def __getattr__(name: str) -> Any:
    """An expression, made when it is first wanted."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from pingce.polars.expressions import expression_of

    expression = globals()[name] = expression_of(name)
    return expression


def __dir__() -> list[str]:
    return [*__all__]
