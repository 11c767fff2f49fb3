"""What must be reached: each bar compares a figure of pingce with a figure of a peer, or of pingce itself."""

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

AUC_SAMPLES = tuple(f"{dtype}, {share} % positive" for dtype in ("float32", "float64") for share in (3, 50))
"Names in samples.py."
BATCHES = ("ranking", "binary", "grouped")
LOOP = "pandas + sklearn on 2,000 users, scaled by rows"

Measured = Mapping[str, Mapping[str, Any]]
"Figures by name of the measurement."


def differences(
    values: Mapping[str, float], reference: Mapping[str, float], loose: Collection[str] = ()
) -> dict[str, float]:
    """The largest difference to the reference, that of the loose metrics apart; infinite where one is not a number."""
    apart = {name: abs(value - reference[name]) for name, value in values.items()}
    found: dict[str, float] = {}
    for name, difference in apart.items():
        kind = "float32_difference" if name in loose else "difference"
        found[kind] = max(found.get(kind, 0.0), inf if isnan(difference) else difference)
    return found


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
        sides = [measured.get(name, {}) for name in (self.ours, self.theirs)]
        return any(
            side.get("difference", 0.0) > TOLERANCE or side.get("float32_difference", 0.0) > FLOAT32_TOLERANCE
            for side in sides
        )


def faster(work: str, ours: str, theirs: str, limit: float | None = None) -> Iterator[Bar]:
    """The bar stands on warm times; the cold ratio is shown."""
    yield Bar(work, ours, theirs, limit=limit)
    yield Bar(work, ours, theirs, "cold_s")


def cost(work: str, ours: str, theirs: str, limit: float | None, *, figure: str, their_figure: str = "") -> Bar:
    """A bar that must not be exceeded."""
    return Bar(work, ours, theirs, figure, their_figure, gain=False, limit=limit)


def aucs() -> Iterator[Bar]:
    """Time and memory of one AUC; a byte a row is there to divide by."""
    for sample in AUC_SAMPLES:
        limit = 20 if sample.startswith("float32") else 12
        yield from faster(f"auc, {sample}", f"auc/{sample}/pingce", f"auc/{sample}/sklearn", limit)
    for sample in AUC_SAMPLES:
        yield beyond_input(f"auc, {sample}", f"auc_memory/{sample}", 12)
    yield beyond_input("auc and pr_auc, float64", "auc_memory/pr_auc")
    table = "auc_memory/table"
    yield cost("table of thresholds, float64", table, table, 24, figure="beyond_bytes", their_figure="size_bytes")


def below(work: str, ours: str, limit: float | None = None) -> Bar:
    """Gigabytes that a process takes at its peak."""
    return cost(work, ours, "scale/a gigabyte", limit, figure="peak_bytes", their_figure="size_bytes")


def beyond_input(work: str, ours: str, limit: float | None = None) -> Bar:
    """Bytes a row that a call takes at its peak, beyond its input."""
    return cost(work, ours, "auc_memory/a byte a row", limit, figure="beyond_bytes", their_figure="size_bytes")


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
    *aucs(),
    cost("auc growth", "auc_growth/10M", "auc_growth/1M", 11.5, figure="warm_s"),
    cost("auc growth", "auc_growth/100M", "auc_growth/10M", 11.5, figure="warm_s"),
    *faster("six metrics together", "together/pingce", "together/sklearn", 20),
    *faster("gauc, 1M users", "gauc/pingce", "gauc/polars", 8),
    Bar("gauc, 1M users", "gauc/pingce", f"gauc/{LOOP}", limit=500),
    *faster("multi-class report", "multiclass/pingce", "multiclass/sklearn", 10),
    *faster("mae, rmse and r2", "regression/pingce", "regression/sklearn", 2),
    Bar("100,000 permutations, 5 runs × 6 metrics", "permutations/pingce", "permutations/ranx", limit=20),
    Bar("10,000 bootstrap draws of the same", "bootstrap/pingce", "bootstrap/scipy", limit=20),
    *(
        Bar("batches of 100k rows", f"batches/{work}, batches", f"batches/{work}, one call", limit=0.5)
        for work in BATCHES
    ),
    Bar("100M rows grouped, streamed, a tenth", "scale/grouped", "scale/tenth", "tenth_s", limit=0.7),
    below("100M rows grouped, streamed", "scale/grouped", 2),
    cost("100M rows shuffled, streamed", "scale/shuffled", "scale/grouped", 4, figure="warm_s"),
    below("100M rows shuffled, streamed", "scale/shuffled"),
    below("auc and gauc of 100M rows, streamed", "scale/clicks", 3),
    *faster("Spark local[2], 10M rows, six metrics", "spark/pingce", "spark/MLlib", 3),
    *faster("the same, MLlib's lists cut at 10 before", "spark/pingce", "spark/MLlib, lists cut"),
)
