"""Metrics for truths that judge only some of the items, worked: bpref and inferred AP."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.average_precision import geometric_mean
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import fraction, relevant_line
from pingce.metrics.ranking.incomplete import EPSILON, Bpref, GeometricMeanBpref, InferredAP


@explains(Bpref)
def bpref(_: Bpref, lesson: Lesson) -> Derivation:
    """How many judged non-relevant items stand above each relevant one."""
    view, top, total = lesson.view, lesson.top(None), lesson.total
    judged = view.judged_grade
    every = int(((judged >= 0) & ~view.is_relevant(judged)).sum())
    most = min(every, total)
    above = view.running((view.grade >= 0) & ~view.relevant)
    capped = np.minimum(above, total)
    of_hits = (1.0 - (capped / most if most else np.zeros(len(capped)))) * view.relevant
    value, terms = float(view.sum(of_hits)[0]), top.cells(of_hits, 0.0)
    grid = top.grid(
        ("above", "b", top.where_relevant(top.cells(above, None))),
        ("term", "1 − min(b, R) / min(N, R)", top.where_relevant(terms)),
        so_far(terms),
        counts=[row.grade is not None and row.grade >= 0 for row in top.rows],
    )
    words = Text("judged items that are not relevant", "已标注但不相关的条目数")
    steps: list[Step] = [relevant_line(lesson), Line("non_relevant", "N", words, (), every), grid]
    return fraction([*steps, sum_line("sum", "Σ", top.at_hits(terms), value)], value, total)


@explains(GeometricMeanBpref)
def geometric_mean_bpref(_: GeometricMeanBpref, lesson: Lesson) -> Derivation:
    """Bpref, but no less than the floor."""
    return geometric_mean(bpref(Bpref(), lesson), "bpref", "bpref")


@explains(InferredAP)
def inferred_ap(_: InferredAP, lesson: Lesson) -> Derivation:
    """Precision above each relevant item, as far as it was pooled and judged."""
    view, top = lesson.view, lesson.top(None)
    above = InferredAP.above(view)
    of_hits = above.precision * view.relevant
    terms, total = top.cells(of_hits, 0.0), float(view.sum(of_hits)[0])
    grid = top.grid(
        ("pooled", "p", top.where_relevant(top.cells(above.pooled, None))),
        ("relevant_above", "r", top.where_relevant(top.cells(above.relevant, None))),
        ("wrong_above", "w", top.where_relevant(top.cells(above.wrong, None))),
        ("term", "1/i + p/i · (r + ε)/(r + w + 2ε)", top.where_relevant(terms)),
        so_far(terms),
    )
    words = Text(
        f"p, r, w: items above that were pooled, relevant, judged and not relevant; ε = {EPSILON:g}",
        f"p、r、w：排在前面的条目中入池的、相关的、标注为不相关的个数；ε = {EPSILON:g}",
    )
    steps: list[Step] = [relevant_line(lesson), words, grid, sum_line("sum", "Σ", top.at_hits(terms), total)]
    return fraction(steps, total, lesson.total)
