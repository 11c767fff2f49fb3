"""Numbers as explanations of labels, classes and numbers show them, and the lines in which they stand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from pingce.base.text import Text
from pingce.explanations.derivation import Line

Number: TypeAlias = "int | float"


def plain(value: Any) -> Number:
    """A number of Python; whole ones as integers, so that counts read as counts."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, int) or (abs(number) < 2**53 and number == int(number)):
        return int(number)
    return real(number)


def numbers_in(values: Iterable[Any]) -> list[Number]:
    """Numbers of Python, as cells hold them."""
    return [plain(value) for value in values]


def real(value: Fraction | float) -> float:
    """A sum as a double; one beyond their range is shown as infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def whole(text: str | Text) -> Text:
    """The same in both languages where there is only one."""
    return text if isinstance(text, Text) else Text(text, text)


def number_line(key: str, name: str | Text, value: Any) -> Line:
    """A number that is there to begin with."""
    number = plain(value)
    return Line(key, name, "{}", (number,), number)


def exact_sum_line(key: str, name: str | Text, total: Fraction, weighted: bool) -> Line:
    """A sum that was not rounded on the way."""
    sign = "Σ w · " if weighted else "Σ "
    names = (f"({word})" if " / " in word else word for word in whole(name))
    words = Text(*(f"{sign}{word}" for word in names))
    return Line(key, words, Text("the exact sum over all rows", "对全部行精确求和"), (), real(total))


def count_line(total: Fraction, weighted: bool) -> Line:
    """What a mean is divided by."""
    return number_line("rows", Text("Σ w", "Σ w") if weighted else Text("rows n", "行数 n"), total)
