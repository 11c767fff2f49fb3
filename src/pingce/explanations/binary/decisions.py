"""The four cells, and the division."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, prod
from typing import Any

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.base import confusion_grid, decided_rows, decision_sentence
from pingce.explanations.binary.conditions import operating_point
from pingce.explanations.derivation import Derivation, Line, Number, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import numbers_in, plain
from pingce.metrics.binary import decisions


def division(kind: type[decisions.Decision], cells: Any) -> tuple[str, tuple[Number, ...]]:
    """Template and numbers of a metric that is one division; nothing for a metric that may compute another."""
    sides = [names.split() for names in vars(kind).get("division", ("", ""))]
    sums = [" + ".join(["{}"] * len(names)) for names in sides]
    template = " / ".join(f"({sum})" if "+" in sum else sum for sum in sums if sum)
    return template, filled(cells, " ".join(sides[0] + sides[1]))


def filled(cells: Any, names: str) -> tuple[Number, ...]:
    """The cells in the order of a template."""
    return tuple(plain(getattr(cells, name)) for name in names.split())


def rate_lines(cells: Any, *rates: tuple[type[decisions.Decision], Text]) -> list[Line]:
    """Metrics that are one division, on the way to another."""
    values = [(kind, name, kind().of(cells)) for kind, name in rates]
    return [Line(kind.name, name, *division(kind, cells), None if isnan(v) else v) for kind, name, v in values]


PRECISION_AND_RECALL = (
    (decisions.Precision, Text("precision P", "精确率 P")),
    (decisions.Recall, Text("recall R", "召回率 R")),
)


def f_division(beta: float, cells: Any) -> tuple[str, tuple[Number, ...]]:
    """Template and numbers of F."""
    tp, fn, fp = filled(cells, "tp fn fp")
    if beta == 1:
        return "2 · {} / (2 · {} + {} + {})", (tp, tp, fn, fp)
    b = plain(beta)
    return "(1 + {}²) · {} / ((1 + {}²) · {} + {}² · {} + {})", (b, tp, b, tp, b, fn, fp)


@explains(decisions.Decision)
def decision(metric: decisions.Decision, view: BinaryView) -> Derivation:
    """The rule, the rows where there are few, the cells, and what the metric makes of them."""
    if isinstance(metric, decisions.Operable) and metric.at:
        return operating_point(metric, view)
    cells = view.cells
    start: list[Step] = [decision_sentence(view), *decided_rows(view), confusion_grid(view)]
    value = metric.of(cells)
    template, numbers = division(type(metric), cells)
    if not template and type(metric) in _LONGER:
        lines, template, numbers = _LONGER[type(metric)](metric, cells)
        start += lines
    return Derivation(start, template, numbers, value)


_Rest = tuple[Sequence[Step], str, tuple[Number, ...]]


def _f(metric: decisions.FMeasure, cells: Any) -> _Rest:
    return (rate_lines(cells, *PRECISION_AND_RECALL), *f_division(metric.beta, cells))


def _balanced(metric: decisions.BalancedAccuracy, cells: Any) -> _Rest:
    positive = decisions.Recall, Text("true positive rate", "真正例率")
    negative = decisions.Specificity, Text("true negative rate", "真负例率")
    lines = rate_lines(cells, positive, negative)
    return lines, "({} + {}) / 2", tuple(line.value for line in lines if line.value is not None)


def _matthews(metric: decisions.Matthews, cells: Any) -> _Rest:
    tp, fp, tn, fn = filled(cells, "tp fp tn fn")
    sides = tuple(numbers_in((cells.tp + cells.fp, cells.positives, cells.negatives, cells.tn + cells.fn)))
    top, bottom = tp * tn - fp * fn, prod(sides)
    lines: list[Step] = [
        Line("together", "TP · TN − FP · FN", "{} · {} − {} · {}", (tp, tn, fp, fn), top),
        Line("margins", "(TP + FP)(TP + FN)(TN + FP)(TN + FN)", "{} · {} · {} · {}", sides, bottom),
    ]
    if all(sides):
        return lines, "{} / √({})", (top, bottom)
    words = Text(
        "A margin of the matrix is 0, so that the root is 0: mcc counts 0 by definition.",
        "矩阵有一个边缘合计为 0，根式为 0：按定义 mcc 取 0。",
    )
    return [*lines, words], "0", ()


def _kappa(metric: decisions.Kappa, cells: Any) -> _Rest:
    tp, fp, tn, fn = filled(cells, "tp fp tn fn")
    n = plain(cells.total)
    observed = decisions.Accuracy().of(cells)
    chance = ((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp)) / (n * n)
    template = "(({} + {}) · ({} + {}) + ({} + {}) · ({} + {})) / {}²"
    lines = [
        Line("observed", "p_o", "({} + {}) / {}", (tp, tn, n), observed),
        Line("expected", "p_e", template, (tp, fp, tp, fn, tn, fn, tn, fp, n), chance),
    ]
    return lines, "({} − {}) / (1 − {})", (observed, chance, chance)


_LONGER: dict[type[decisions.Decision], Callable[..., _Rest]] = {
    decisions.FMeasure: _f,
    decisions.BalancedAccuracy: _balanced,
    decisions.Matthews: _matthews,
    decisions.Kappa: _kappa,
}
