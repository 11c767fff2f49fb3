"""What each row lacks to be on the right side of 0 by 1."""

from __future__ import annotations

from fractions import Fraction

from pingce.base.exact import weighted_sum
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.base import label_column
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, largest, mean_steps
from pingce.metrics.binary.margins import Hinge


@explains(Hinge)
def hinge(metric: Hinge, view: BinaryView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    rows, title = view.evidence.rows, "max(0, 1 − t · s)"
    terms = metric.row_losses(view)
    excerpt = largest(terms, rows.weight)
    columns: list[Cells] = [
        excerpt.row,
        label_column(rows, excerpt),
        ("score", Text("score s", "分数 s"), rows.scores),
        ("loss", title, terms),
        *excerpt.weighted(terms, rows.weight, title),
    ]
    heading = Text("What each row contributes, largest first", "各行的贡献，从大到小")
    count = view.evidence.totals[0]
    total: Fraction = weighted_sum(terms, rows.weight)
    grid = excerpt.table("contributions", heading, columns)
    steps = mean_steps(grid, title, total, count, weighted=rows.weight is not None)
    value = metric.value(view)
    return Derivation(steps, "{} / {}", (float(total), float(count)), value)
