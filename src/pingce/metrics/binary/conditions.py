"""Conditions of operating points: `precision>=0.9`, `fpr<=0.01`. At which thresholds do they hold?"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.stack import quotients
from pingce.evidence.binary.thresholds import Cells
from pingce.metrics.declared import registry

_FORM = re.compile(r"(\w+)\s*(>=|<=|≥|≤)\s*([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)", re.ASCII | re.IGNORECASE)
_LONGEST = 60


def share(division: tuple[str, str], cells: Cells) -> Floats:
    """Cells over cells, of columns of cells; NaN where the bottom is 0."""
    top, bottom = (sum(getattr(cells, name) for name in names.split()) for names in division)
    return quotients(np.asarray(top), np.asarray(bottom))


@dataclass(frozen=True)
class Condition:
    """A rate of the cells, and how large it must be at least, or may be at most."""

    rate: str
    sign: str
    limit: float
    division: tuple[str, str]

    def holds(self, cells: Cells) -> NDArray[np.bool_]:
        """Of columns of cells, where it holds; nowhere where the rate is undefined."""
        rates = share(self.division, cells)
        with np.errstate(invalid="ignore"):
            return np.asarray(rates >= self.limit if self.sign == ">=" else rates <= self.limit)

    @property
    def words(self) -> str:
        """For readers."""
        return f"{self.rate} {'≥' if self.sign == '>=' else '≤'} {self.limit:g}"

    def __str__(self) -> str:
        return f"{self.rate}{self.sign}{int(self.limit) if self.limit.is_integer() else self.limit!r}"


def rates() -> dict[str, type[Any]]:
    """The metrics that a condition may name: every decision that is one division, by name and alias."""
    kinds = [kind for kind in registry("binary").values() if kind.division[0]]
    return {name: kind for kind in kinds for name in (kind.name, *kind.aliases)}


@cache
def condition(text: str) -> Condition:
    """The condition that a text says."""
    written = _FORM.fullmatch(text.strip().strip("\"'").strip())
    if written is None or not 0 <= float(written[3]) <= 1:
        excerpt = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise InputError(
            f"at={excerpt}: it is a rate, >= or <=, and a number from 0 to 1, e.g. at=precision>=0.9",
            f"at={excerpt}：应为比率、>= 或 <=，以及 0 到 1 的数，例如 at=precision>=0.9",
        )
    kinds = rates()
    kind = kinds.get(written[1].lower())
    if kind is None:
        hint, names = did_you_mean(written[1].lower(), kinds), [kind.name for kind in dict.fromkeys(kinds.values())]
        raise InputError(
            f"at={text}: '{written[1]}' is no rate of a decision; choose one of {', '.join(names)}{hint.en}",
            f"at={text}：'{written[1]}' 不是判断的比率；可选 {'、'.join(names)}{hint.zh}",
        )
    sign = {"≥": ">=", "≤": "<="}.get(written[2], written[2])
    return Condition(kind.name, sign, float(written[3]), kind.division)


@dataclass(frozen=True)
class ConditionCheck:
    """A condition, in one spelling; nothing where there is none."""

    def accept(self, name: str, value: Any) -> str:
        """Read it once."""
        if value == "" or value is None:
            return ""
        if not isinstance(value, str):
            raise InputError(
                f"{name}={value!r}: it is a condition such as precision>=0.9",
                f"{name}={value!r}：应为条件，例如 precision>=0.9",
            )
        return str(condition(value))

    def describe(self) -> str:
        return "RATE>=x | RATE<=x"


AT = Text(
    "The best value over the thresholds, one above all scores among them, at which another rate is large or small enough, e.g. at=precision>=0.9; of several the highest.",
    "在另一比率满足条件的各阈值（含高于一切分数的阈值）中取最好的值，例如 at=precision>=0.9；有多个阈值时取最高者。",
)


def columns_of(tp: NDArray[Any], fp: NDArray[Any], positives: Any, negatives: Any) -> Cells:
    """The cells at each threshold."""
    return Cells(tp, fp, negatives - fp, positives - tp)
