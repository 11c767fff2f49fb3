"""Several tasks of one table: a label and its scores each, perhaps a product of scores, on some of the rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import is_string
from pingce.inputs.cells import numbers_and_ends
from pingce.inputs.vectors import Vector

_FORM = re.compile(r"([^:@=*]+):([^:@=]+?)(?:@([^:@=*]+)=([^:@=*]*))?")


@dataclass(frozen=True)
class TaskPair:
    """A label, the columns whose product is its score, and the rows that count: `buy:pctr*pcvr`, `buy:pcvr@click=1`."""

    name: str
    truth: str
    factors: tuple[str, ...]
    where: tuple[str, str] | None = None
    "A column, and the value that it must have."

    @staticmethod
    def read(text: str) -> TaskPair:
        """The pair that a text says."""
        written = _FORM.fullmatch(text.strip()) if isinstance(text, str) else None
        factors = tuple(name.strip() for name in written[2].split("*")) if written else ()
        if written is None or not all(factors):
            raise InputError(
                f"pair {text!r}: write LABEL:SCORE, a product LABEL:SCORE*SCORE, and @COLUMN=VALUE for some of the rows, "
                "e.g. buy:pcvr@click=1",
                f"pair {text!r}：应写作 LABEL:SCORE，乘积写作 LABEL:SCORE*SCORE，只取部分行时加 @COLUMN=VALUE，例如 buy:pcvr@click=1",
            )
        where = (written[3].strip(), written[4].strip()) if written[3] else None
        return TaskPair(text.strip(), written[1].strip(), factors, where)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return (self.truth, *self.factors, *((self.where[0],) if self.where else ()))

    def rows(self, table: Mapping[str, Vector]) -> NDArray[np.intp] | None:
        """The rows that count; None for all. None at all is refused."""
        if self.where is None:
            return None
        name, value = self.where
        rows = np.flatnonzero(_equal(table[name], value))
        if not len(rows):
            raise InputError(
                f"pair {self.name}: no row has {name} = {value}, so that nothing is left to score; look at the values of {name}",
                f"pair {self.name}：没有一行满足 {name} = {value}，没有可评测的行；请检查 {name} 的取值",
            )
        return rows

    def score(self, table: Mapping[str, Vector]) -> Vector:
        """Its score, or the product of its scores, in double precision."""
        first = table[self.factors[0]]
        if len(self.factors) == 1:
            return first
        numbers = [numbers_and_ends(table[name])[0].astype(np.float64) for name in self.factors]
        title = " · ".join(self.factors)
        return replace(first, values=reduce(mul, numbers), name=Text(title, title), title=title)


def _equal(column: Vector, value: str) -> NDArray[np.bool_]:
    """The rows with a value, as a person writes it: 1, 1.0 and true are the same of numbers and truth values."""
    if not column.is_array and is_string(column.values.type):
        return _flags(column.values, value)
    number = _number(value)
    nowhere = np.zeros(len(column), bool)
    if number is None:
        return nowhere
    if column.is_array:
        return np.asarray(column.values == number)
    numbers = column.values.cast(pa.uint8()) if pa.types.is_boolean(column.values.type) else column.values
    if not pa.types.is_integer(numbers.type):
        return _flags(numbers.cast(pa.float64()), float(number))
    try:
        return _flags(numbers, pa.scalar(number, numbers.type))
    except (pa.ArrowInvalid, OverflowError):  # a fraction, or a number that the type does not hold
        return nowhere


def _number(value: str) -> int | float | None:
    """The number that a person writes, whole where it is, so that long ids keep every digit; None if it is none."""
    if value.lower() in ("true", "false"):
        return int(value.lower() == "true")
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


def _flags(values: Any, value: Any) -> NDArray[np.bool_]:
    """The rows of an Arrow column that equal a value; those without one do not."""
    flags: NDArray[np.bool_] = compute.equal(values, value).fill_null(False).to_numpy(zero_copy_only=False)
    return flags
