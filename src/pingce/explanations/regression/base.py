"""Numbers: errors, sums, variances and ranks, down to the value."""

from __future__ import annotations

from dataclasses import replace

from pingce.base.text import Text
from pingce.evidence.policies import RegressionPolicies
from pingce.explanations.derivation import Derivation, Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.parts import explained, numbering_note, silently, weight_note
from pingce.explanations.registry import derive
from pingce.explanations.regression.errors import row_grid
from pingce.inputs.regression import NumberRows, number_rows
from pingce.metrics.grammar import MetricRequest
from pingce.run.score import score_metric


def explain(inputs: ExplainInputs, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    return explain_regression(inputs.once(_read_rows), request, policies)


def _read_rows(inputs: ExplainInputs) -> NumberRows:
    columns = inputs.read_columns("y_pred", numbers=("y_true", "y_pred", "weight"))
    return number_rows(columns["y_true"], columns["y_pred"], columns["weight"])


def explain_regression(rows: NumberRows, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The worked calculation of one metric of numbers."""
    with silently():
        scores = score_metric(request, policies, rows)
    weighted = Text(", weighted", "，已加权") if rows.weight is not None else Text("", "")
    subject = Text(f"{len(rows)} rows{weighted.en}", f"{len(rows)} 行{weighted.zh}")
    counted = rows.counted()
    metric, evidence = request.metric, scores.evidence
    plain = Derivation([row_grid(counted)], "", (), metric.value(evidence))
    derivation = derive(metric, lambda: plain, evidence, counted)
    notes = (*weight_note(rows.weight is not None), *numbering_note(len(rows) - len(counted)))
    return explained(request, scores, subject, replace(derivation, notes=notes))
