"""What relevant items are worth at their ranks, worked: mean recall, reciprocal ranks, binary G."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.ranking.view import reciprocal, weights_at
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import counted, fraction, relevant_line, smaller
from pingce.metrics.ranking.rank_sums import DAMPENED, BinaryG, CumulativeReciprocalRank, MeanRecall, dampened_sum


@explains(MeanRecall)
def mean_recall(metric: MeanRecall, lesson: Lesson) -> Derivation:
    """At how many depths each relevant item has been found, over all depths and all relevant items."""
    if metric.norm != "depths":
        return _recall_at_hits(metric, lesson)
    view, top = lesson.view, lesson.top(metric.k)
    parts = metric.depths(view) * view.relevant
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    k = lesson.n if metric.k is None else metric.k
    name = Text("depths j ≥ i", "深度 j ≥ i 的个数")
    grid = top.grid(("depths", name, top.where_relevant(terms)), so_far(terms))
    steps: list[Step] = [grid, sum_line("sum", "Σ_j h_j", top.at_hits(terms), total), relevant_line(lesson)]
    if not k:
        return fraction(steps, total, 0)
    return Derivation(steps, "{} / ({} · {})", (total, k, lesson.total), total / (k * lesson.total))


def _recall_at_hits(metric: MeanRecall, lesson: Lesson) -> Derivation:
    """1 + 2 + … + h_k, since the j-th hit is where recall is j / R."""
    steps, hits = counted(lesson, metric.k)
    total, k = hits * (hits + 1.0) / 2.0, lesson.n if metric.k is None else metric.k
    steps += [Line("sum", "1 + … + h_k", "{} · ({} + 1) / 2", (hits, hits), total), relevant_line(lesson)]
    norm = lesson.total
    if metric.norm == "min":
        norm = min(norm, k)
        steps.append(smaller("min(R, k)", lesson.total, k, key="norm"))
    if not norm:
        return fraction(steps, total, 0)
    return Derivation(steps, "{} / ({} · {})", (total, norm, lesson.total), total / (norm * lesson.total))


@explains(CumulativeReciprocalRank)
def cumulative_reciprocal_rank(metric: CumulativeReciprocalRank, lesson: Lesson) -> Derivation:
    """1/rank of each relevant item, over the same with all of them first."""
    view, top = lesson.view, lesson.top(metric.k)
    parts = view.weight(reciprocal, metric.k) * view.relevant
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    name = Text("mean 1 / rank", "1 / 名次的均值") if view.expected else Text("1 / rank", "1 / 名次")
    grid = top.grid(("reciprocal", name, top.weights(reciprocal)), ("term", "rel_i / i", terms), so_far(terms))
    count = lesson.total if metric.k is None else min(lesson.total, metric.k)
    steps: list[Step] = [grid, sum_line("sum", "Σ", terms, total), relevant_line(lesson)]
    if metric.k is not None:
        steps.append(smaller("min(R, k)", lesson.total, metric.k, key="most"))
    ideal = float(metric.most(view)[0])
    steps.append(sum_line("ideal", Text("ideal", "理想值"), [1 / rank for rank in range(1, count + 1)], ideal))
    return fraction(steps, total, ideal)


@explains(BinaryG)
def binary_g(_: BinaryG, lesson: Lesson) -> Derivation:
    """What each relevant item is worth below the wrong ones above it."""
    view, top, total = lesson.view, lesson.top(None), lesson.total
    name = "1 / log2(2 + w)"
    if view.expected:
        steps, terms = tied.block_steps(
            lesson, None, dampened_sum, ("dampened", Text(f"mean Σ {name}", f"Σ {name} 的均值"))
        )
        value = 0.0
        for term in terms:  # one after another, as the metric does
            value += term
        return fraction([*steps, sum_line("sum", "Σ", terms, value), relevant_line(lesson)], value, total)
    wrong = view.rank - view.running(view.relevant)
    parts = weights_at(DAMPENED, wrong + 1) * view.relevant
    terms, value = top.cells(parts, 0.0), float(view.sum(parts)[0])
    grid = top.grid(
        ("wrong", "w", top.where_relevant(top.cells(wrong, None))),
        ("term", name, top.where_relevant(terms)),
        so_far(terms),
    )
    words = Text("w: items above that are not relevant", "w：排在前面的不相关条目数")
    return fraction([words, grid, sum_line("sum", "Σ", top.at_hits(terms), value), relevant_line(lesson)], value, total)
