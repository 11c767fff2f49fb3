"""Miscalibration, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.diversity import list_grid
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_of
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.miscalibration import Miscalibration


@explains(Miscalibration)
def miscalibration(metric: Miscalibration, lesson: Lesson) -> Derivation:
    """The shares of each category, and what each adds."""
    display = item_view(lesson.view)
    proportions = metric.proportions(display)
    names = display.background.features.table.categories.names
    (p, q), terms = proportions.shares, metric.terms(proportions).tolist()
    columns: list[Cells] = [
        ("category", Text("category", "类目"), [names[each] for each in proportions.category.tolist()]),
        ("past", Text("in the past", "过去"), proportions.past.astype(int).tolist()),
        ("p", "p", p.tolist()),
        ("listed", Text("in the list", "列表中"), proportions.listed.astype(int).tolist()),
        ("q", "q", q.tolist()),
        ("term", Text("adds", "贡献"), terms),
        so_far(terms),
    ]
    grid = table("categories", Text("Categories of the user", "用户的类目"), columns)
    return sum_of([list_grid(metric, display), grid], terms, float(metric.values(lesson.view)[0]))
