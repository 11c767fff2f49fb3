"""The four cells, and the division."""

from __future__ import annotations

from math import isnan
from typing import Any

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.tables import confusion_grid, decided_rows, decision_sentence
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.numbers import Number, plain
from pingce.explanations.registry import explains
from pingce.metrics.binary import decisions


def _division(metric: decisions.Decision) -> tuple[str, str]:
    """The template of a metric that is one division, and the cells in it; nothing for a metric that may compute another."""
    sides = [names.split() for names in vars(type(metric)).get("division", ("", ""))]
    sums = [" + ".join(["{}"] * len(names)) for names in sides]
    return " / ".join(f"({sum})" if "+" in sum else sum for sum in sums if sum), " ".join(sides[0] + sides[1])


def filled(cells: Any, names: str) -> tuple[Number, ...]:
    """The cells in the order of a template."""
    return tuple(plain(getattr(cells, name)) for name in names.split())


def division_line(metric: decisions.Decision, cells: Any, name: str | Text) -> Line:
    """A metric that is one division, on the way to another."""
    template, names = _division(metric)
    value = metric.of(cells)
    return Line(metric.name, name, template, filled(cells, names), None if isnan(value) else value)


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
    cells = view.cells
    start: list[Step] = [decision_sentence(view), *decided_rows(view), confusion_grid(view)]
    value = metric.of(cells)
    template, names = _division(metric)
    if template:
        return Derivation(start, template, filled(cells, names), value)
    longer = _LONGER.get(type(metric))
    if longer is None:
        return Derivation(start, "", (), value)
    lines, template, numbers = longer(metric, cells)
    return Derivation([*start, *lines], template, numbers, value)


_Rest = tuple[list[Step], str, tuple[Number, ...]]


def _f(metric: decisions.FMeasure, cells: Any) -> _Rest:
    lines: list[Step] = [
        division_line(decisions.Precision(), cells, Text("precision P", "精确率 P")),
        division_line(decisions.Recall(), cells, Text("recall R", "召回率 R")),
    ]
    return (lines, *f_division(metric.beta, cells))


def _balanced(metric: decisions.BalancedAccuracy, cells: Any) -> _Rest:
    lines = [
        division_line(decisions.Recall(), cells, Text("true positive rate", "真正例率")),
        division_line(decisions.Specificity(), cells, Text("true negative rate", "真负例率")),
    ]
    rates = tuple(line.value for line in lines if line.value is not None)
    return [*lines], "({} + {}) / 2", rates


def _matthews(metric: decisions.Matthews, cells: Any) -> _Rest:
    tp, fp, tn, fn = filled(cells, "tp fp tn fn")
    sides = tuple(map(plain, (cells.tp + cells.fp, cells.positives, cells.negatives, cells.tn + cells.fn)))
    together = Line("together", "TP · TN − FP · FN", "{} · {} − {} · {}", (tp, tn, fp, fn), tp * tn - fp * fn)
    margins = Line(
        "margins",
        "(TP + FP)(TP + FN)(TN + FP)(TN + FN)",
        "{} · {} · {} · {}",
        sides,
        sides[0] * sides[1] * sides[2] * sides[3],
    )
    if all(sides):
        return [together, margins], "{} / √({})", (together.value or 0, margins.value or 0)
    words = Text(
        "A margin of the matrix is 0, so that the root is 0: mcc counts 0 by definition.",
        "矩阵有一个边缘合计为 0，根式为 0：按定义 mcc 取 0。",
    )
    return [together, margins, words], "0", ()


def _kappa(metric: decisions.Kappa, cells: Any) -> _Rest:
    tp, fp, tn, fn = filled(cells, "tp fp tn fn")
    n = plain(cells.total)
    observed = Line("observed", "p_o", "({} + {}) / {}", (tp, tn, n), decisions.Accuracy().of(cells))
    chance = ((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp)) / (n * n)
    expected = Line(
        "expected",
        "p_e",
        "(({} + {}) · ({} + {}) + ({} + {}) · ({} + {})) / {}²",
        (tp, fp, tp, fn, tn, fn, tn, fp, n),
        chance,
    )
    return [observed, expected], "({} − {}) / (1 − {})", (observed.value or 0, chance, chance)


_LONGER: dict[type[decisions.Decision], Any] = {
    decisions.FMeasure: _f,
    decisions.BalancedAccuracy: _balanced,
    decisions.Matthews: _matthews,
    decisions.Kappa: _kappa,
}
