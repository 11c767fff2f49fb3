"""What nobody has judged, worked: its share of a list, and how far a value could change by it."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import SHARE, Lesson, sum_line, top_words
from pingce.explanations.ranking.precision_recall import fraction, smaller
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.unjudged import RankBiasedResidual, Unjudged
from pingce.metrics.ranking.user_models import Patience


@explains(Unjudged)
def unjudged(metric: Unjudged, lesson: Lesson) -> Derivation:
    """Items of the top k without a judgement, over k or over what was shown."""
    view, top, name = lesson.view, lesson.top(metric.k), Text("unjudged", "未标注")
    flags = [1 - flag for flag in top.cells((view.grade >= 0).astype(int))]
    columns: list[Cells] = [("unjudged", name, flags)]
    if view.expected and metric.k is not None:
        columns.append((*SHARE, top.shares()))
    count, part = float(metric.count(view)[0]), top_words(metric.k)
    words = Text(f"items in {part.en} without a judgement", f"{part.zh}中没有标注的条目数")
    steps: list[Step] = [top.grid(*columns, counts=[bool(flag) for flag in flags])]
    steps.append(Line("unjudged", name, words, (), count))
    if metric.over == "list" and metric.k is not None:
        steps.append(smaller("min(n, k)", lesson.n, metric.k))
    return fraction(steps, count, int(metric.length(view)[0]))


@explains(RankBiasedResidual)
def rank_biased_residual(metric: RankBiasedResidual, lesson: Lesson) -> Derivation:
    """What is left of a reader's attention once judged items had theirs."""
    view, top, readers = lesson.view, lesson.top(metric.k), Patience(float(metric.p))
    parts = view.weight(readers, metric.k) * (view.grade >= 0)
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    grid = top.terms_grid(
        terms,
        ("judged", Text("judged", "已标注"), top.cells((view.grade >= 0).astype(int))),
        ("readers", Text("mean p^(i−1)", "p^(i−1) 的均值") if view.expected else "p^(i−1)", top.weights(readers)),
    )
    if not metric.leaves_rest(view)[0]:
        words = Text("0, since every item is judged (complete=zero)", "0，因为全部条目都已标注（complete=zero）")
        return Derivation((grid,), words, (), 0.0)
    steps = (grid, sum_line("sum", "Σ", terms, total))
    return Derivation(steps, "1 − (1 − {}) · {}", (metric.p, total), 1.0 - (1.0 - metric.p) * total)
