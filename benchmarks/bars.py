"""What must be reached: each bar compares a figure of pingce with one of a peer, one of its own, or a plain limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import inf, isnan
from typing import Any

TOLERANCE = 1e-9
"Largest difference between a peer's mean and pingce's; beyond it the peer computed something else and the row is void."
FLOAT32_TOLERANCE = 1e-6
"The same for what a peer computes in float32 where pingce does not."
FLOAT32 = ("logloss", "brier")
"Which that is, where scores are float32."
UNITS = {"s": ("s", 1.0), "bytes": ("GB", 1e9)}
"How the limit of a figure without a peer is written."

Measured = Mapping[str, Mapping[str, Any]]
"Figures by name of the measurement."


def differences(
    values: Mapping[str, float], reference: Mapping[str, float], loose: Collection[str] = ()
) -> dict[str, float]:
    """The largest difference to the reference, that of the loose metrics apart; infinite where one is not a number."""
    largest: dict[str, float] = {}
    for name, value in values.items():
        difference = abs(value - reference[name])
        kind = "float32_difference" if name in loose else "difference"
        largest[kind] = max(largest.get(kind, 0.0), inf if isnan(difference) else difference)
    return largest


@dataclass(frozen=True)
class Bar:
    """One row of the table. `gain` divides theirs by ours (times faster), otherwise ours by theirs (times the cost).

    Without theirs the figure itself must not exceed the limit, in seconds or gigabytes.
    """

    title: str
    "In English and in Chinese, with | between."
    ours: str
    theirs: str = ""
    figure: str = "warm_s"
    their_figure: str = ""
    gain: bool = True
    limit: float | None = None

    def row(self, measured: Measured) -> dict[str, Any]:
        """The ratio, and whether it is reached.

        There is no ratio where one side was not measured or not in the same run, or where values disagree.
        """
        mine, other = measured.get(self.ours, {}), measured.get(self.theirs, {})
        ours, theirs = mine.get(self.figure), other.get(self.their_figure or self.figure)
        ratio = None
        if ours is not None and theirs is not None and mine.get("run") == other.get("run") and not self.void(measured):
            ratio = theirs / ours if self.gain else ours / theirs
        return {
            "title": self.title,
            "what": self.figure,
            "ours": self.ours,
            "theirs": self.theirs,
            "pingce": ours,
            "peer": theirs,
            "ratio": ratio,
            "bar": self.bar(),
            "reached": self.reached(ratio if self.theirs else ours),
            "void": self.void(measured),
            "run": mine.get("run"),
        }

    def bar(self) -> str | None:
        """What must be reached, as it is written."""
        if self.limit is None:
            return None
        if self.theirs:
            return f"{'≥' if self.gain else '≤'} {self.limit:g}"
        return f"≤ {self.limit:g} {UNITS[self.figure.split('_')[1]][0]}"

    def reached(self, figure: float | None) -> bool | None:
        """None where there is no bar or nothing to compare."""
        if figure is None or self.limit is None:
            return None
        if self.theirs:
            return figure >= self.limit if self.gain else figure <= self.limit
        return figure <= self.limit * UNITS[self.figure.split("_")[1]][1]

    def void(self, measured: Measured) -> bool:
        """Whether one of the two computed other values."""
        sides = [measured.get(name, {}) for name in (self.ours, self.theirs)]
        return any(
            side.get("difference", 0.0) > TOLERANCE or side.get("float32_difference", 0.0) > FLOAT32_TOLERANCE
            for side in sides
        )


def faster(title: str, ours: str, theirs: str, limit: float | None = None) -> Iterator[Bar]:
    """The bar stands on warm times; the cold ratio is shown."""
    yield Bar(title, ours, theirs, limit=limit)
    yield Bar(title, ours, theirs, "cold_s")


def cost(
    title: str, ours: str, theirs: str, limit: float | None, *, figure: str = "warm_s", their_figure: str = ""
) -> Bar:
    """A bar that must not be exceeded, by another figure."""
    return Bar(title, ours, theirs, figure, their_figure, gain=False, limit=limit)


def within(title: str, ours: str, limit: float | None = None, *, figure: str = "warm_s") -> Bar:
    """A bar that must not be exceeded, in seconds or gigabytes."""
    return Bar(title, ours, figure=figure, limit=limit)
