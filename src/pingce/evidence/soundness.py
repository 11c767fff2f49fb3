"""What must hold of a table that comes from outside, declared beside the table and checked before anything is computed.

Columns have types and rules, the text beside them has a form. A digest tells accidents; only meaning tells forgeries.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, ids_of
from pingce.inputs.columns import rows_of
from pingce.inputs.ids import Ids, IntIds, StringIds, changes, sorted_rows

if TYPE_CHECKING:
    from fractions import Fraction

MOST = 1 << 53
"Rows that anything can count: doubles hold such numbers exactly, and 64 bits the sum of a thousand of them."
LARGEST_SUM = 1e130
"Of weights, each of which is at most 1e100."
_DIGITS = 4000
"Of a whole number in words: sums of doubles have a quarter of that."
_FRACTION = rf"-?[0-9]{{1,{_DIGITS}}}(/(?!0+$)[0-9]{{1,{_DIGITS}}})?"


ArrowColumn: TypeAlias = "NDArray[Any] | pa.Array | list[str]"
"What a table of evidence is made of."
_KIND, _VERSION = b"pingce.evidence", b"pingce.version"


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

    en: str
    zh: str
    holds: Callable[[NDArray[Any]], Any]


FINITE = Rule("finite numbers", "有限的数", lambda column: np.isfinite(column).all())
NOT_INFINITE = Rule("numbers that are not infinite", "非无穷的数", lambda column: not np.isinf(column).any())
AMOUNT = Rule("numbers between 0 and 1e130", "0 到 1e130 之间的数", lambda column: _between(column, 0, LARGEST_SUM))
NOT_NEGATIVE = Rule("numbers that are not negative", "非负数", lambda column: (column >= 0).all())
COUNT = Rule(
    "counts between 0 and 2^53",
    "0 到 2^53 之间的计数",
    lambda column: _between(column, 0, MOST) and column.sum(dtype=np.float64) <= MOST * 512.0,
)
GRADE = Rule("grades between ±1e100", "±1e100 之间的等级", lambda column: _between(column, -1e100, 1e100))
FLAG = Rule("zeros and ones", "0 与 1", lambda column: (column <= 1).all())
SHARE = Rule("numbers between 0 and 1", "0 到 1 之间的数", lambda column: _between(column, 0, 1))
DESCENDING = Rule("numbers that strictly descend", "严格递减的数", lambda column: (column[1:] < column[:-1]).all())
ASCENDING = Rule("numbers that strictly ascend", "严格递增的数", lambda column: (column[1:] > column[:-1]).all())
RUNNING = Rule("running sums", "累计和", lambda column: (column[1:] >= column[:-1]).all())


def _between(column: NDArray[Any], low: float, high: float) -> Any:
    return ((column >= low) & (column <= high)).all()


@dataclass(frozen=True)
class Column:
    """The types that a column may have (as NumPy names them), and what holds of its numbers."""

    types: str
    rules: tuple[Rule, ...] = ()
    optional: bool = False


def stamped(columns: Mapping[str, ArrowColumn], kind: str, version: str = "1", **more: str) -> pa.Table:
    """A table of evidence that says what it is: its kind and its version beside the columns."""
    texts = {f"pingce.{name}".encode(): text.encode() for name, text in more.items()}
    metadata = {_KIND: kind.encode(), _VERSION: version.encode(), **texts}
    return pa.table(dict(columns)).replace_schema_metadata(metadata)


def checked_table(table: pa.Table, kind: str, version: str = "1", problem: InputError | None = None) -> dict[str, str]:
    """Refuse a table that is something else; what was written beside its columns."""
    metadata = table.schema.metadata or {}
    if metadata.get(_KIND) != kind.encode() or metadata.get(_VERSION) != version.encode():
        raise problem or InputError(
            f"this table is not {kind} evidence of version {version}; write it with its to_arrow",
            f"此表不是版本 {version} 的 {kind} 证据；请用其 to_arrow 写出",
        )
    texts = {key.decode("utf-8", "replace"): text.decode("utf-8", "replace") for key, text in metadata.items()}
    return {name.removeprefix("pingce."): text for name, text in texts.items()}


def checked_columns(table: pa.Table, columns: Mapping[str, Column]) -> dict[str, NDArray[Any]]:
    """The columns of a table by name, each as it is declared; those that are optional may lack."""
    numbers = {}
    for name, column in columns.items():
        if name in table.column_names:
            numbers[name] = checked_column(table.column(name), name, column)
        else:
            demand(column.optional, f"column '{name}' is missing", f"缺少列 '{name}'")
    return numbers


def checked_column(column: pa.ChunkedArray, name: str, declared: Column) -> NDArray[Any]:
    """The numbers of a column, which has no nulls."""
    kind = column.type
    plain = pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)
    demand(plain and not column.null_count, f"column '{name}' is not one of numbers", f"列 '{name}' 不全是数")
    values, types = array_of(column), declared.types.split()
    demand(
        values.dtype.name in types,
        f"column '{name}' is of type {values.dtype}, not {' or '.join(types)}",
        f"列 '{name}' 的类型是 {values.dtype}，而非 {' 或 '.join(types)}",
    )
    for en, zh, holds in declared.rules:
        demand(holds(values), f"column '{name}' does not hold {en}", f"列 '{name}' 应为{zh}")
    return values


def checked_ids(ids: Ids, name: str) -> Ids:
    """Ids that are sorted, each there once."""
    once = len(ids) < 2 or len(changes(ids)) == len(ids)
    in_order = len(ids) < 2 or np.array_equal(sorted_rows(ids), np.arange(len(ids), dtype=np.int64))
    demand(
        once and in_order, f"column '{name}' is not sorted, or holds an id twice", f"列 '{name}' 未排序，或有重复的编号"
    )
    return ids


def id_array(ids: Ids) -> pa.Array:
    """Ids as an Arrow array, from their memory."""
    plain = ids.take(np.arange(len(ids)))
    if isinstance(plain, IntIds):
        return pa.array(plain.comparable())
    length = (plain.ends - plain.starts).astype(np.int64)
    offsets = np.append(0, np.cumsum(length))
    letters = plain.data
    if not np.array_equal(plain.starts, offsets[:-1]):  # not yet one after another
        letters = letters[np.arange(offsets[-1]) + np.repeat(plain.starts - offsets[:-1], length)]
    array = pa.LargeStringArray.from_buffers(len(plain), pa.py_buffer(offsets), pa.py_buffer(letters))
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        plain.to_list()  # says which of them is not UTF-8
        raise
    return array


def ids_in(table: pa.Table, name: str) -> Ids:
    """The ids of a column that `id_array` made, perhaps in chunks since; its memory is kept."""
    demand(name in table.column_names, f"column '{name}' is missing", f"缺少列 '{name}'")
    column = table.column(name)
    if not len(column):
        return IntIds(np.zeros(0, np.int64)) if pa.types.is_integer(column.type) else StringIds.from_strings([])
    return ids_of(column, "query", rows_of(Text("evidence", "证据")), empty=True)


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


def _is_hexadecimal(value: Any) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float.fromhex(value))
    except (ValueError, OverflowError):
        return False


FRACTION = Condition(lambda value: isinstance(value, str) and re.fullmatch(_FRACTION, value, re.ASCII))
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

    fraction = Fraction(checked_value(text, FRACTION, name))
    demand(signed or fraction >= 0, f"'{name}' is negative", f"'{name}' 为负")
    return fraction
