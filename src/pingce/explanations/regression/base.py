"""Numbers: errors, sums, variances and ranks, down to the value."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.policies import RegressionPolicies
from pingce.explanations.derivation import Explanation
from pingce.explanations.frame import explain_rows
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.regression.errors import row_grid
from pingce.inputs.regression import NumberRows, number_rows
from pingce.metrics.grammar import MetricRequest


def explain(inputs: ExplainInputs, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    return explain_regression(inputs.once(_read_rows), request, policies)


def _read_rows(inputs: ExplainInputs) -> NumberRows:
    columns = inputs.read_columns("y_pred", ("y_true", "y_pred", "weight"))
    return number_rows(columns["y_true"], columns["y_pred"], columns["weight"])


def explain_regression(rows: NumberRows, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The worked calculation of one metric of numbers."""
    subject, left_out = Text(f"{len(rows)} rows", f"{len(rows)} 行"), len(rows) - len(rows.counted())
    return explain_rows(request, policies, rows, subject, row_grid, left_out)
