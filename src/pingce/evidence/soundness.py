"""What must hold of a table that comes from outside, declared beside the table and checked before anything is computed.

Columns have types and rules, the text beside them has a form. A digest tells accidents; only meaning tells forgeries.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.arrow import array_of
from pingce.inputs.ids import Ids, changes, sorted_rows

MOST = 1 << 53
"Rows that anything can count: doubles hold such numbers exactly, and 64 bits the sum of a thousand of them."
LARGEST_SUM = 1e130
"Of weights, each of which is at most 1e100."
_DIGITS = 4000
"Of a whole number in words: sums of doubles have a quarter of that."
_FRACTION = re.compile(rf"-?[0-9]{{1,{_DIGITS}}}(/[0-9]{{1,{_DIGITS}}})?", re.ASCII)


def damaged(problem: Text) -> InputError:
    """What to say of a state that cannot be what pingce wrote."""
    return InputError(
        f"this state is damaged or was not written by pingce: {problem.en}; write it again with to_bytes() or to_arrow()",
        f"该状态已损坏，或不是由 pingce 写出的：{problem.zh}；请用 to_bytes() 或 to_arrow() 重新写出",
    )


def demand(holds: Any, en: str, zh: str) -> None:
    """Refuse a state in which something that always holds does not."""
    if not holds:
        raise damaged(Text(en, zh))


class Rule(NamedTuple):
    """What holds of the numbers of a column."""

    text: Text
    holds: Callable[[NDArray[Any]], Any]


FINITE = Rule(Text("finite numbers", "有限的数"), lambda values: np.isfinite(values).all())
AMOUNT = Rule(
    Text("numbers between 0 and 1e130", "0 到 1e130 之间的数"),
    lambda values: ((values >= 0) & (values <= LARGEST_SUM)).all(),
)
NOT_NEGATIVE = Rule(Text("numbers that are not negative", "非负数"), lambda values: (values >= 0).all())
COUNT = Rule(
    Text("counts between 0 and 2^53", "0 到 2^53 之间的计数"),
    lambda values: (values >= 0).all() and (values <= MOST).all() and values.sum(dtype=np.float64) <= MOST * 512.0,
)
GRADE = Rule(Text("grades between ±1e100", "±1e100 之间的等级"), lambda values: (np.abs(values) <= 1e100).all())
FLAG = Rule(Text("zeros and ones", "0 与 1"), lambda values: (values <= 1).all())
SHARE = Rule(Text("numbers between 0 and 1", "0 到 1 之间的数"), lambda values: ((values >= 0) & (values <= 1)).all())
DESCENDING = Rule(
    Text("numbers that strictly descend", "严格递减的数"), lambda values: (values[1:] < values[:-1]).all()
)
ASCENDING = Rule(Text("numbers that strictly ascend", "严格递增的数"), lambda values: (values[1:] > values[:-1]).all())
RUNNING = Rule(Text("running sums", "累计和"), lambda values: (values[1:] >= values[:-1]).all())


@dataclass(frozen=True)
class Column:
    """The types that a column may have (as NumPy names them), and what holds of its numbers."""

    types: str
    rules: tuple[Rule, ...] = ()
    optional: bool = False


def checked_columns(table: pa.Table, columns: Mapping[str, Column]) -> dict[str, NDArray[Any]]:
    """The columns of a table by name, each as it is declared; those that are optional may lack."""
    numbers = {}
    for name, column in columns.items():
        if name not in table.column_names:
            demand(column.optional, f"column '{name}' is missing", f"缺少列 '{name}'")
            continue
        numbers[name] = checked_column(table.column(name), name, column)
    return numbers


def checked_column(column: pa.ChunkedArray, name: str, declared: Column) -> NDArray[Any]:
    """The numbers of a column, which has no nulls."""
    kind = column.type
    plain = pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)
    demand(plain and not column.null_count, f"column '{name}' is not one of numbers", f"列 '{name}' 不全是数")
    values = array_of(column)
    types = declared.types.split()
    demand(
        values.dtype.name in types,
        f"column '{name}' is of type {values.dtype}, not {' or '.join(types)}",
        f"列 '{name}' 的类型是 {values.dtype}，而非 {' 或 '.join(types)}",
    )
    for text, holds in declared.rules:
        demand(holds(values), f"column '{name}' does not hold {text.en}", f"列 '{name}' 应为{text.zh}")
    return values


def checked_ids(ids: Ids, name: str) -> Ids:
    """Ids that are sorted, each there once."""
    each = len(ids) < 2 or (
        len(changes(ids)) == len(ids) and np.array_equal(sorted_rows(ids), np.arange(len(ids), dtype=np.int64))
    )
    demand(each, f"column '{name}' is not sorted, or holds an id twice", f"列 '{name}' 未排序，或有重复的编号")
    return ids


@dataclass(frozen=True)
class Condition:
    """A condition on a value beside a table, where a type is not enough."""

    holds: Callable[[Any], Any]


def row_of(*forms: Any) -> Condition:
    """A list with a form for each of its places."""
    return Condition(lambda row: type(row) is list and len(row) == len(forms) and all(map(fits, row, forms)))


def fits(value: Any, form: Any) -> bool:
    """Whether a value that was read from JSON has a form.

    That is a type, None, alternatives (a tuple), a list of one form, a mapping with forms by key (`str`: of any key), or
    a condition. A number may be written as a whole one.
    """
    if isinstance(form, Condition):
        return bool(form.holds(value))
    if isinstance(form, tuple):
        return any(fits(value, each) for each in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(each, form[0]) for each in value)
    if isinstance(form, Mapping):
        named = form.keys() - {str}
        return (
            isinstance(value, dict)
            and named <= value.keys()
            and all(fits(value[key], form[key if key in named else str]) for key in (value if str in form else named))
        )
    if form is float:
        return type(value) in (int, float) and abs(value) < math.inf
    return value is None if form is None else type(value) is form


def _is_fraction(value: Any) -> bool:
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None and not re.search(r"/0+$", value)


def _is_hexadecimal(value: Any) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float.fromhex(value))
    except (ValueError, OverflowError):
        return False


FRACTION = Condition(_is_fraction)
HEXADECIMAL = Condition(_is_hexadecimal)
DECIMAL = Condition(lambda value: isinstance(value, str) and value.isdecimal() and len(value) < 20)
WHOLE = Condition(lambda value: type(value) is int and 0 <= value <= MOST)
TEXTS = row_of(str, str)
LABELS = Condition(
    lambda names: (
        isinstance(names, list) and len({*map(type, names), str}) <= 2 and len({*map(str, names)}) == len(names)
    )
)
"Distinct, of one type."


def checked_json(text: Any, form: Any, name: str) -> Any:
    """What a text beside a table says, if it has the form that is declared."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        value = fits
    return checked_value(value, form, name)


def checked_value(value: Any, form: Any, name: str) -> Any:
    """The value itself, if it has the form that is declared."""
    demand(fits(value, form), f"'{name}' is not what it should be", f"'{name}' 的内容不合规定")
    return value


def checked_fraction(text: Any, name: str, *, signed: bool = False) -> Fraction:
    """A sum that was written in words: whole numbers, not powers that take for ever."""
    from fractions import Fraction

    checked_value(text, FRACTION, name)
    fraction = Fraction(text)
    demand(signed or fraction >= 0, f"'{name}' is negative", f"'{name}' 为负")
    return fraction
