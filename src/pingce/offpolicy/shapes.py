"""What becomes of an importance weight before it counts: nothing, or one of four ways to tame the large ones."""

from __future__ import annotations

import math
import re

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass

KINDS = ("clip", "switch", "shrink", "smooth")
_NAME = re.compile(rf"raw|(?P<kind>{'|'.join(KINDS)}):(?P<number>[0-9.e+-]+)")


@dataclass(frozen=True)
class Shape:
    """A way, and its number; raw leaves weights as they are."""

    kind: str = "raw"
    number: float = 0.0

    @property
    def name(self) -> str:
        """What sums of such weights are called by."""
        return self.kind if self.kind == "raw" else f"{self.kind}:{self.number!r}"

    @classmethod
    def named(cls, name: str) -> Shape | None:
        """The shape of a name; None where it is none."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        if match["kind"] is None:
            return cls()
        try:
            number = float(match["number"])
        except ValueError:
            return None
        return cls(match["kind"], number) if math.isfinite(number) and number >= 0 else None

    def of(self, weight: Floats) -> Floats:
        """Weights in this shape, each rounded as `plain` rounds it."""
        number = self.number
        if self.kind == "clip":
            return np.minimum(weight, number)
        if self.kind == "switch":
            return np.where(weight <= number, weight, 0.0)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.kind == "shrink":
                shrunk: Floats = np.where(weight < _HUGE, number * weight / (weight * weight + number), number / weight)
                return np.where(weight > 0, shrunk, 0.0)
            if self.kind == "smooth":
                smooth: Floats = weight / (1 - number + number * weight) if number < 1 else np.sign(weight)
                return smooth
        return weight

    def plain(self, weight: float) -> float:
        """The same of one weight, in plain Python."""
        number = self.number
        if self.kind == "clip":
            return min(weight, number)
        if self.kind == "switch":
            return weight if weight <= number else 0.0
        if self.kind == "shrink" and weight > 0:
            return number * weight / (weight * weight + number) if weight < _HUGE else number / weight
        if self.kind == "smooth":
            return weight / (1 - number + number * weight) if number < 1 else float(weight > 0)
        return weight


_HUGE = 1e150
"From here on a square is beyond the range of doubles."
