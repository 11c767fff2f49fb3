"""Interpolated precision, worked: the best precision once enough has been found, at one level or at eleven."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Grid, Line
from pingce.explanations.ranking.lesson import Lesson, by_columns, column, only_where, sum_line
from pingce.explanations.ranking.precision_recall import relevant_line
from pingce.explanations.registry import explains
from pingce.metrics.ranking.interpolated import LEVELS, ElevenPoint, InterpolatedPrecision, needed_hits

_ROUNDED = {
    "ceil": "⌈{} · {}⌉",
    "nearest": "⌊{} · {} + 0.5⌋",
    "trec9": "⌊{} · {} + 0.9⌋",
}


def _found(lesson: Lesson) -> list[tuple[int, float]]:
    """The number of hits and the precision at each hit."""
    view = lesson.view
    number = view.running(view.relevant)
    precision = (number / view.rank)[view.relevant].tolist()
    return list(zip(number[view.relevant].tolist(), precision, strict=True))


def _best(hits: list[tuple[int, float]], needed: int) -> float:
    return max([0.0, *(precision for number, precision in hits if number >= needed)])


def _grid(lesson: Lesson, needed: int = 0) -> Grid:
    rows, view = lesson.within(None), lesson.view
    number = view.running(view.relevant)
    relevant = [lesson.is_relevant(row) for row in rows]
    hits = lesson.cells(rows, number, None)
    precision = lesson.cells(rows, number / view.rank, None)
    return lesson.grid(
        rows,
        (column("hits", "h_i"), only_where(relevant, hits)),
        (column("precision", "h_i / i"), only_where(relevant, precision)),
        counts=[here and value >= needed for value, here in zip(hits, relevant, strict=True)],
    )


@explains(InterpolatedPrecision)
def interpolated_precision(metric: InterpolatedPrecision, lesson: Lesson) -> Derivation:
    """The best precision from the level on."""
    needed = needed_hits(str(metric.recall), lesson.total, metric.rounding)
    hits = _found(lesson)
    chosen = [precision for number, precision in hits if number >= needed]
    line = Line(
        "needed", Text("needed", "所需命中数"), _ROUNDED[metric.rounding], (metric.recall, lesson.total), needed
    )
    steps = (_grid(lesson, needed), relevant_line(lesson), line)
    if not chosen:
        return Derivation(steps, Text("0, since so many were not found", "0，因为没有命中这么多"), (), 0.0)
    written = chosen if len(chosen) <= 8 else sorted(chosen, reverse=True)[:8]
    more = "" if len(chosen) <= 8 else ", …"
    template = f"max({', '.join(['{}'] * len(written))}{more})" if len(chosen) > 1 else "{}"
    return Derivation(steps, template, tuple(written), _best(hits, needed))


@explains(ElevenPoint)
def eleven_point(metric: ElevenPoint, lesson: Lesson) -> Derivation:
    """The mean over eleven levels."""
    hits = _found(lesson)
    needed = [needed_hits(level, lesson.total, metric.rounding) for level in LEVELS]
    best = [_best(hits, share) for share in needed]
    total = 0.0
    for share in best:
        total += share
    levels = by_columns(
        "levels",
        Text("The best precision from each level of recall on", "各召回水平之后的最高精确率"),
        [
            (column("recall", "x"), list(LEVELS)),
            (column("needed", "hits needed", "所需命中数"), needed),
            (column("precision", "iprec(x)"), best),
        ],
    )
    steps = (_grid(lesson), relevant_line(lesson), levels, sum_line("sum", "Σ", best, total))
    return Derivation(steps, "{} / {}", (total, len(LEVELS)), total / len(LEVELS))
