"""The area under the ROC curve of a whole catalogue, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.areas import ABOVE
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import relevant_line
from pingce.metrics.ranking.areas import others_above
from pingce.metrics.ranking.catalog_area import CatalogArea

_OTHERS = {
    "catalog": Text("items of the catalogue that are not relevant", "目录中不相关的条目数"),
    "unseen": Text("of these, those that the user did not have before", "其中该用户过去没有的条目数"),
    "unseen_1": Text(
        "of these, those that the user did not have before, and one more", "其中该用户过去没有的条目数，再加一"
    ),
}


@explains(CatalogArea)
def catalog_area(metric: CatalogArea, lesson: Lesson) -> Derivation:
    """Others below each relevant item that is shown, and half of the rest below each that is not."""
    view, top = lesson.view, lesson.top(metric.k)
    others, hits = int(metric.others(view)[0]), int(metric.hits(view)[0])
    above = top.cells(others_above(view), 0.0)
    right, rest = (float(total[0]) for total in metric.sums(view))
    terms = [others - count if here else 0.0 for count, here in zip(above, top.relevant, strict=True)]
    grid = top.grid(
        ("above", ABOVE, top.where_relevant(above)),
        ("below", Text("N − others above", "N − 之前的其他条目"), top.where_relevant(terms)),
        so_far(terms),
    )
    steps: list[Step] = [relevant_line(lesson), Line("others", "N", _OTHERS[metric.negatives], (), others), grid]
    steps.append(sum_line("sum", "Σ", top.at_hits(terms), right))
    total = right
    if metric.mean == "users" and metric.unranked == "random":
        left, missed = others - (int(view.depth(metric.k)[0]) - hits), lesson.total - hits
        name = Text("those not shown", "未展示的部分")
        steps.append(Line("rest", name, "{} · {} / 2", (missed, left), rest))
        total = right + rest
        steps.append(Line("total", Text("together", "合计"), "{} + {}", (right, rest), total))
    elif metric.mean == "users":
        total = right + rest
    count = int(metric.bottom(view)[0])
    return Derivation(steps, "{} / ({} · {})", (total, count, others), total / (count * others))
