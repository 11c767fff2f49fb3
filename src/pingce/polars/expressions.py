"""Functions of two columns as expressions: polars hands over the columns of a group, pingce gives its number."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final

import polars as pl

from pingce import functions
from pingce.base.errors import InputError, PingceError

COLUMNS: Final = ("weight", "sample_weight", "group")
"Keywords that hold a column too."


def expression_of(name: str) -> Callable[..., pl.Expr]:
    """The expression that stands for a function of two columns."""
    function = getattr(functions, name)
    signature = inspect.signature(function)

    @wraps(function)
    def expression(*arguments: Any, **options: Any) -> pl.Expr:
        bound = _bound(name, signature, arguments, options)
        columns = {key: value for key, value in bound.items() if _is_column(key, value, signature)}
        constant = {key: value for key, value in bound.items() if key not in columns}

        def value(series: Sequence[pl.Series]) -> float:
            try:
                return float(function(**dict(zip(columns, series, strict=True)), **constant))
            except PingceError as problem:  # polars makes the error again, from its text alone
                raise ValueError(str(problem)) from None

        expression = pl.map_groups(
            list(columns.values()),
            value,
            return_dtype=pl.Float64(),
            returns_scalar=True,
        )
        return expression.alias(name)

    changed = {each.name: each.replace(annotation=_Column) for each in signature.parameters.values() if _may(each)}
    parameters = [changed.get(each.name, each) for each in signature.parameters.values()]
    vars(expression)["__signature__"] = signature.replace(parameters=parameters, return_annotation=pl.Expr)
    return expression


_Column = str | pl.Expr


def _may(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is a column, or may be one."""
    return parameter.kind is not inspect.Parameter.KEYWORD_ONLY or parameter.name in COLUMNS


def _is_column(name: str, value: Any, signature: inspect.Signature) -> bool:
    return value is not None and _may(signature.parameters[name])


def _bound(name: str, signature: inspect.Signature, arguments: Any, options: Any) -> dict[str, object]:
    """What was given, by parameter; columns must be names or expressions."""
    bound = signature.bind(*arguments, **options).arguments
    for key, value in bound.items():
        if _is_column(key, value, signature) and not isinstance(value, (str, pl.Expr)):
            raise InputError(
                f"pingce.polars.{name}: {key} is {type(value).__name__}; give the name of a column or an expression, or call "
                f"pc.{name} with the columns themselves",
                f"pingce.polars.{name}：{key} 的类型是 {type(value).__name__}；请给出列名或表达式，或直接对列调用 pc.{name}",
            )
    return bound
