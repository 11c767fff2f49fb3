"""Parameters of metrics: declared once, with their check and their words; error texts and help follow from it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from keyword import iskeyword
from math import inf
from operator import ge, gt, le, lt
from typing import Any, Protocol, TypeAlias

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text

Parameters: TypeAlias = "Mapping[str, object]"
"Parameters by name, as they are written or as they were found."


class Check(Protocol):
    """Turns what a caller wrote into a value, or says why not."""

    def accept(self, name: str, value: Any) -> Any:
        """The value to keep."""

    def describe(self) -> str:
        """What is allowed, in a few words that need no translation."""


@dataclass(frozen=True)
class Choice:
    """One of some words; each word has a sentence of its own."""

    words: Mapping[str, Text]

    def accept(self, name: str, value: Any) -> str:
        """The word itself; booleans stand for yes and no."""
        word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        if isinstance(word, str) and word in self.words:
            return word
        hint = did_you_mean(str(value), self.words)
        raise InputError(
            f"{name}={value}: choose one of {self.describe()}{hint.en}",
            f"{name}={value}：可选 {self.describe()}{hint.zh}",
        )

    def describe(self) -> str:
        return " | ".join(self.words)


LARGEST = 1e100
"Of any parameter: its square, times all rows there are, is still a double."


@dataclass(frozen=True)
class Number:
    """A real number in an interval; None where it may be left out."""

    above: float | None = None
    least: float | None = None
    below: float | None = None
    most: float | None = None
    optional: bool = False

    def accept(self, name: str, value: Any) -> float | int | None:
        """The number; whole numbers stay integers, so that names print as they were written."""
        if value is None and self.optional:
            return None
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if LARGEST < abs(number) < inf:
            raise InputError(
                f"{name}={number:g}: must be a number of at most {LARGEST:g}",
                f"{name}={number:g}：须为不超过 {LARGEST:g} 的数",
            )
        holds = abs(number) <= LARGEST and all(compare(number, bound) for _, compare, bound in self._bounds)
        if isinstance(value, bool) or not holds:
            raise InputError(
                f"{name}={value}: must be a number, {self.describe()}", f"{name}={value}：须为数字，{self.describe()}"
            )
        return int(number) if number.is_integer() else number

    @property
    def _bounds(self) -> list[tuple[str, Callable[[float, float], bool], float]]:
        signs = (">", gt, self.above), ("≥", ge, self.least), ("<", lt, self.below), ("≤", le, self.most)
        return [(sign, compare, bound) for sign, compare, bound in signs if bound is not None]

    def describe(self) -> str:
        return ", ".join(f"{sign} {bound:g}" for sign, _, bound in self._bounds) or "…"


@dataclass(frozen=True)
class GainCheck:
    """A gain: a word, or a table from grade to gain such as {1:1,2:3}."""

    words: Mapping[str, Text]
    most: float = sys.float_info.max
    "The largest gain of a table."

    def accept(self, name: str, value: Any) -> str | tuple[tuple[float, float], ...]:
        """The word, or the table as sorted pairs (grades as floats), so that metrics stay hashable."""
        if isinstance(value, str):
            return Choice(self.words).accept(name, value)
        pairs = list(value.items()) if isinstance(value, Mapping) else list(value or ())
        try:
            table = tuple(sorted((float(grade), float(gain)) for grade, gain in pairs))
        except (TypeError, ValueError):
            table = ()
        finite = all(0 <= gain <= self.most and 0 < grade < inf for grade, gain in table)
        if not table or not finite or len(dict(table)) < len(table):
            bounds = Text("≥ 0", "≥ 0") if self.most > 1 else Text("from 0 to 1", "0 到 1")
            example = "{1:1,2:3}" if self.most > 1 else "{1:0.5,2:1}"
            raise InputError(
                f"{name}={value}: choose one of {self.describe()}, or a table of gains {bounds.en} for grades > 0, each once, such as {example}",
                f"{name}={value}：可选 {self.describe()}，或给出等级（> 0，各一次）到增益（{bounds.zh}）的表，如 {example}",
            )
        return table

    def describe(self) -> str:
        """All words, and the form of a table."""
        return " | ".join([*self.words, "{grade:gain,…}"])


def parameter(default: Any, check: Check, help: Text, *, minor: bool = False) -> Any:
    """Declare a parameter of a metric; a signature says a minor one only where it is not at its default."""
    return dataclasses.field(default=default, metadata={"check": check, "help": help, "minor": minor})


def choice(help: Text, *, minor: bool = False, **words: Text) -> Any:
    """Declare a parameter that is one of some words; the first is the default."""
    return parameter(next(iter(words)), Choice(words), help, minor=minor)


def field_name(name: str) -> str:
    """The field that a parameter stands in: a word of Python, such as `as`, has a line after it there."""
    return f"{name}_" if iskeyword(name) else name


def spelled(name: str) -> str:
    """The parameter that a field is written as."""
    return name.removesuffix("_")


def shown(value: Any) -> str:
    """A parameter's value as the grammar writes it."""
    if isinstance(value, tuple):
        return "{" + ",".join(f"{_digits(grade)}:{_digits(gain)}" for grade, gain in value) + "}"
    return str(value)


def _digits(number: float) -> str:
    """Every digit, and no more."""
    return str(int(number)) if number.is_integer() else repr(number)
