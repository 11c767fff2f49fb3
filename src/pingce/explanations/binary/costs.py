"""What each kind of error costs, at the threshold of the call or at each."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.base import confusion_grid, decided_rows, decision_sentence, threshold_grid
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import around, numbers_in, plain
from pingce.metrics.binary import costs

_TEMPLATE = "({} · {} + {} · {}) / {}"


@explains(costs.Cost)
def cost(metric: costs.Cost, view: BinaryView) -> Derivation:
    """The cells, and the prices of two of them."""
    cells = view.cells
    steps: list[Step] = [decision_sentence(view), *decided_rows(view), confusion_grid(view)]
    numbers = tuple(numbers_in((metric.fp, cells.fp, metric.fn, cells.fn, cells.total)))
    return Derivation(steps, _TEMPLATE, numbers, metric.of(cells))


@explains(costs.BestCost)
def least_cost(metric: costs.BestCost, view: BinaryView) -> Derivation:
    """The cost at each threshold, and the least."""
    table = view.thresholds
    curve = costs.cost_curve(table, metric.fp, metric.fn)
    place = costs.CostThreshold(fp=metric.fp, fn=metric.fn).place(table)
    chooses = isinstance(metric, costs.CostThreshold)
    if not chooses:
        place = int(curve.argmin())
    excerpt = around(len(table), max(place - 1, 0))
    columns = [("fn", "FN", excerpt.of(table.positives - table.tp)), ("cost", Text("cost", "代价"), curve[1:])]
    nothing = Text("to call nothing positive costs", "一律判为负的代价")
    fn, positives = plain(metric.fn), plain(table.positives)
    steps: list[Step] = [
        threshold_grid(table, excerpt, *columns),
        Line("nothing", nothing, "{} · {}", (fn, positives), float(curve[0])),
    ]
    if chooses:
        if not place:
            return Derivation(steps)
        words = Text(
            "threshold #{}, which costs least ({}); of several the highest",
            "第 {} 个阈值，代价最低（{}）；有多个时取最高者",
        )
        return Derivation(steps, words, (place, float(curve[place])), float(table.score[place - 1]))
    where = (
        Text(f"threshold #{place}", f"第 {place} 个阈值") if place else Text("calling nothing positive", "一律判为负")
    )
    steps.append(Text(f"Cheapest is {where.en}.", f"最便宜的是{where.zh}。"))
    tp, fp = (plain(column[place - 1]) if place else 0 for column in (table.tp, table.fp))
    total = table.positives + table.negatives
    numbers = (plain(metric.fp), fp, fn, positives - tp, plain(total))
    return Derivation(steps, _TEMPLATE, numbers, float(curve[place]) / float(total))
