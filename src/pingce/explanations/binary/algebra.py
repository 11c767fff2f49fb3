"""Rates of the four cells, and what is made of two of them."""

from __future__ import annotations

from math import isnan
from typing import Any

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.base import confusion_grid, decided_rows, decision_sentence
from pingce.explanations.binary.decisions import rate_lines
from pingce.explanations.derivation import Derivation, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import numbers_in
from pingce.metrics.binary import algebra, decisions

_TPR = decisions.Recall, Text("true positive rate", "真正例率")
_FPR = decisions.FalsePositiveRate, Text("false positive rate", "假正例率")
_TNR = decisions.Specificity, Text("true negative rate", "真负例率")
_FNR = decisions.FalseNegativeRate, Text("false negative rate", "假负例率")
_PRECISION = decisions.Precision, Text("precision", "精确率")
_RECALL = decisions.Recall, Text("recall", "召回率")
_NPV = decisions.NegativePredictiveValue, Text("negative predictive value", "阴性预测值")
_OF_RATES: dict[Any, Any] = {
    algebra.Informedness: ("{} + {} − 1", (_TPR, _TNR)),
    algebra.Markedness: ("{} + {} − 1", (_PRECISION, _NPV)),
    algebra.PositiveLikelihoodRatio: ("{} / {}", (_TPR, _FPR)),
    algebra.NegativeLikelihoodRatio: ("{} / {}", (_FNR, _TNR)),
    algebra.FowlkesMallows: ("√({} · {})", (_PRECISION, _RECALL)),
}
"What each metric makes of which two rates."


@explains(*_OF_RATES)
def two_rates(metric: decisions.Decision, view: BinaryView) -> Derivation:
    """The cells, two of their rates, and the metric."""
    template, rates = _OF_RATES[type(metric)]
    lines, value = rate_lines(view.cells, *rates), metric.of(view.cells)
    steps: list[Step] = [*_start(view), *lines]
    if isnan(value):
        return Derivation(steps)
    return Derivation(steps, template, tuple(line.value for line in lines if line.value is not None), value)


@explains(algebra.DiagnosticOddsRatio)
def odds_ratio(metric: algebra.DiagnosticOddsRatio, view: BinaryView) -> Derivation:
    """The cells, crosswise."""
    cells, value = view.cells, metric.of(view.cells)
    if isnan(value):
        return Derivation(_start(view))
    numbers = tuple(numbers_in((cells.tp, cells.tn, cells.fp, cells.fn)))
    return Derivation(_start(view), "({} · {}) / ({} · {})", numbers, value)


def _start(view: BinaryView) -> list[Step]:
    return [decision_sentence(view), *decided_rows(view), confusion_grid(view)]
