"""Compatibility, worked: from which depth on each relevant item is in both lists, and what that weighs."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import relevant_line
from pingce.metrics.ranking.compatibility import Compatibility


@explains(Compatibility)
def compatibility(metric: Compatibility, lesson: Lesson) -> Derivation:
    """What the items in both lists weigh, over what all relevant items could."""
    view, top = lesson.view, lesson.top(None)
    both, weights = metric.terms(view)
    terms, total = top.cells(weights, 0.0), float(view.sum(weights)[0])
    depth, best = int(metric.depth(view)[0]), float(metric.best(view)[0])
    grid = top.grid(
        ("ideal_rank", Text("ideal rank", "理想名次"), top.where_relevant(top.cells(metric.ideal_rank(view), None))),
        ("both", Text("in both from", "两者都有的起点"), top.where_relevant(top.cells(both, None))),
        ("term", f"Σ p^(d−1) / d, d ≤ {depth}", top.where_relevant(terms)),
        so_far(terms),
    )
    words = (
        Text(f"Σ p^(d−1) · min(d, R) / d over d ≤ {depth}", f"Σ p^(d−1) · min(d, R) / d，d ≤ {depth}")
        if metric.norm == "ideal"
        else Text(f"Σ p^(d−1) over d ≤ {depth}", f"Σ p^(d−1)，d ≤ {depth}")
    )
    steps: list[Step] = [
        Text("ideal rank: by grade, within a grade by the order of the list", "理想名次：按等级，同等级按列表中的先后"),
        grid,
        sum_line("sum", Text("overlap", "重合度"), top.at_hits(terms), total),
        relevant_line(lesson),
        Line("ideal", Text("ideal", "理想值"), words, (), best),
    ]
    return Derivation(steps, "{} / {}", (total, best), total / best)
