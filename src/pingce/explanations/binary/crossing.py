"""FPR and FNR at each threshold, and where they meet."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.areas import class_counts
from pingce.explanations.binary.base import threshold_grid
from pingce.explanations.derivation import Derivation, Line
from pingce.explanations.frame import explains
from pingce.explanations.tables import around, plain
from pingce.metrics.binary.crossing import EqualErrorRate


@explains(EqualErrorRate)
def equal_error(metric: EqualErrorRate, view: BinaryView) -> Derivation:
    """The two thresholds between which the rates cross, or the one at which they are nearest."""
    counts = view.thresholds
    positives, negatives = plain(counts.positives), plain(counts.negatives)
    steps = class_counts(positives, negatives)
    if not counts.positives or not counts.negatives:
        return Derivation(steps)
    place, apart = metric.place(counts)
    value = float(metric.rate(counts, place, apart))
    fpr, fnr = counts.fp / counts.negatives, (counts.positives - counts.tp) / counts.positives
    rates = ("fpr", "FPR = FP / N", fpr), ("fnr", "FNR = FN / P", fnr), ("difference", "FPR − FNR", fpr - fnr)
    steps.append(threshold_grid(counts, around(len(counts), max(place, 0)), *rates))

    def both(at: int) -> tuple[float, float]:
        return (0.0, 1.0) if at < 0 else (float(fpr[at]), float(fnr[at]))

    if metric.interpolation == "nearest":
        words = Text(
            f"FPR and FNR are nearest at threshold #{place + 1}."
            if place >= 0
            else "They are nearest above all scores.",
            f"FPR 与 FNR 在第 {place + 1} 个阈值处最接近。" if place >= 0 else "两者在所有分数之上最接近。",
        )
        return Derivation([*steps, words], "({} + {}) / 2", both(place), value)
    (x0, y0), (x1, y1) = both(place - 1), both(place)
    words = Text(
        f"FPR reaches FNR at threshold #{place + 1}; the line leads there from {f'threshold #{place}' if place else 'above all scores'}.",
        f"FPR 在第 {place + 1} 个阈值处达到 FNR；折线由{f'第 {place} 个阈值' if place else '所有分数之上'}引来。",
    )
    gap = Line("before", Text("FNR − FPR before it", "此前的 FNR − FPR"), "{} − {}", (y0, x0), y0 - x0)
    over = Line("after", Text("FPR − FNR at it", "此处的 FPR − FNR"), "{} − {}", (x1, y1), x1 - y1)
    numbers = (x0, x1, x0, y0 - x0, y0 - x0, x1 - y1)
    return Derivation([*steps, words, gap, over], "{} + ({} − {}) · {} / ({} + {})", numbers, value)
