"""Precision where R says, worked: at a multiple of R, or the best once enough has been found, at one level or at eleven."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, sum_line
from pingce.explanations.ranking.precision_recall import counted, fraction, relevant_line
from pingce.explanations.tables import table
from pingce.metrics.ranking.interpolated import LEVELS, ElevenPoint, InterpolatedPrecision, RPrecision, needed_hits

_ROUNDED = {"ceil": "⌈{} · {}⌉", "nearest": "⌊{} · {} + 0.5⌋", "trec9": "⌊{} · {} + 0.9⌋"}
_MOST = 8


def _precisions(lesson: Lesson, needed: int) -> list[float]:
    """The precision at each hit, once enough have been found."""
    view = lesson.view
    number = view.running(view.relevant)
    precisions: list[float] = (number / view.rank)[view.relevant & (number >= needed)].tolist()
    return precisions


def _grid(lesson: Lesson, needed: int = 0) -> Grid:
    top, view = lesson.top(None), lesson.view
    number = view.running(view.relevant)
    hits = top.where_relevant(top.cells(number, None))
    precision = top.where_relevant(top.cells(number / view.rank, None))
    counts = [count is not None and count >= needed for count in hits]
    return top.grid(("hits", "h_i", hits), ("precision", "h_i / i", precision), counts=counts)


@explains(RPrecision)
def r_precision(metric: RPrecision, lesson: Lesson) -> Derivation:
    """Precision at R, or at a multiple of it."""
    depth = int(metric.depth(lesson.view)[0])
    steps, count = counted(lesson, depth)
    first: list[Step] = [relevant_line(lesson)]
    if metric.times != 1:
        first.append(Line("depth", "c", _ROUNDED[metric.rounding], (metric.times, lesson.total), depth))
    return fraction([*first, *steps], count, depth)


@explains(InterpolatedPrecision)
def interpolated_precision(metric: InterpolatedPrecision, lesson: Lesson) -> Derivation:
    """The best precision from the level on."""
    needed = needed_hits(str(metric.recall), lesson.total, metric.rounding)
    chosen, numbers = _precisions(lesson, needed), (metric.recall, lesson.total)
    line = Line("needed", Text("needed", "所需命中数"), _ROUNDED[metric.rounding], numbers, needed)
    steps = (_grid(lesson, needed), relevant_line(lesson), line)
    if not chosen:
        return Derivation(steps, Text("0, since so many were not found", "0，因为没有命中这么多"), (), 0.0)
    written = chosen if len(chosen) <= _MOST else sorted(chosen, reverse=True)[:_MOST]
    more = "" if len(chosen) <= _MOST else ", …"
    template = f"max({', '.join(['{}'] * len(written))}{more})" if len(chosen) > 1 else "{}"
    return Derivation(steps, template, tuple(written), max(chosen))


@explains(ElevenPoint)
def eleven_point(metric: ElevenPoint, lesson: Lesson) -> Derivation:
    """The mean over eleven levels."""
    needed = [needed_hits(level, lesson.total, metric.rounding) for level in LEVELS]
    best = [max(_precisions(lesson, share), default=0.0) for share in needed]
    total = 0.0
    for share in best:  # one after another, as the metric does
        total += share
    levels = table(
        "levels",
        Text("The best precision from each level of recall on", "各召回水平之后的最高精确率"),
        [
            ("recall", "x", LEVELS),
            ("needed", Text("hits needed", "所需命中数"), needed),
            ("precision", "iprec(x)", best),
        ],
    )
    steps = (_grid(lesson), relevant_line(lesson), levels, sum_line("sum", "Σ", best, total))
    return Derivation(steps, "{} / {}", (total, len(LEVELS)), total / len(LEVELS))
