"""What must be reached: each bar compares a figure of pingce with a figure of a peer, or of pingce itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

TOLERANCE = 1e-9
"Largest difference between a peer's mean and pingce's; beyond it the peer computed something else and the row is void."

Measured = Mapping[str, Mapping[str, Any]]
"Figures by name of the measurement."


@dataclass(frozen=True)
class Bar:
    """One row of the table. `gain` divides theirs by ours (times faster), otherwise ours by theirs (times the cost)."""

    work: str
    ours: str
    theirs: str
    figure: str = "warm_s"
    their_figure: str = ""
    gain: bool = True
    limit: float | None = None

    def row(self, measured: Measured) -> dict[str, Any]:
        """The ratio, and whether it is reached; no ratio where one side was not measured, or where values disagree."""
        ours = measured.get(self.ours, {}).get(self.figure)
        theirs = measured.get(self.theirs, {}).get(self.their_figure or self.figure)
        ratio = None
        if ours is not None and theirs is not None and not self.void(measured):
            ratio = theirs / ours if self.gain else ours / theirs
        return {
            "work": self.work,
            "what": self.figure,
            "ours": self.ours,
            "theirs": self.theirs,
            "pingce": ours,
            "peer": theirs,
            "ratio": ratio,
            "bar": None if self.limit is None else f"{'≥' if self.gain else '≤'} {self.limit:g}",
            "reached": self.reached(ratio),
            "void": self.void(measured),
        }

    def reached(self, ratio: float | None) -> bool | None:
        """None where there is no bar or nothing to compare."""
        if ratio is None or self.limit is None:
            return None
        return ratio >= self.limit if self.gain else ratio <= self.limit

    def void(self, measured: Measured) -> bool:
        """Whether one of the two computed other values."""
        return any(measured.get(name, {}).get("difference", 0.0) > TOLERANCE for name in (self.ours, self.theirs))


def faster(work: str, ours: str, theirs: str, limit: float | None = None) -> Iterator[Bar]:
    """The bar stands on warm times; the cold ratio is shown."""
    yield Bar(work, ours, theirs, limit=limit)
    yield Bar(work, ours, theirs, "cold_s")


def cost(work: str, ours: str, theirs: str, limit: float, *, figure: str, their_figure: str = "") -> Bar:
    """A bar that must not be exceeded."""
    return Bar(work, ours, theirs, figure, their_figure, gain=False, limit=limit)


BARS = (
    *faster("text", "text/pingce", "text/pytrec_eval", 12),
    *faster("text", "text/pingce", "text/ranx", 60),
    cost("text", "text/pingce", "text/run file", 2, figure="peak_bytes", their_figure="size_bytes"),
    *faster("parquet", "parquet/pingce", "text/pingce"),
    *faster("in memory", "memory/arrow", "dicts/pytrec_eval", 15),
    *faster("in memory", "memory/polars", "dicts/pytrec_eval", 15),
    *faster("in memory", "memory/pandas", "dicts/pytrec_eval"),
    *faster("dict of dicts", "dicts/pingce", "dicts/pytrec_eval", 3),
    *faster("recommendation", "recommendation/pingce", "recommendation/rectools", 12),
    *faster("recommendation", "recommendation/pingce", "recommendation/ranx", 150),
    cost("cold small", "cold/pingce eval", "cold/import numpy", 3, figure="median_s"),
    cost("cold small", "cold/import pingce", "cold/import numpy", 1.3, figure="median_s"),
    cost("growth", "growth/10M", "growth/1M", 11, figure="warm_s"),
    cost("growth", "growth/100M", "growth/10M", 11, figure="warm_s"),
    Bar("evidence", "evidence/two threads", "evidence/one thread", limit=1.6),
    cost("60 metric@k", "sixty/sixty", "sixty/six", 2, figure="warm_s"),
)
