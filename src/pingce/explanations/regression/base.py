"""Numbers: errors, sums, variances and ranks, down to the value."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.text import Text
from pingce.evidence.policies import RegressionPolicies
from pingce.explanations.derivation import Explanation
from pingce.explanations.frame import explain_rows
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.regression.errors import row_grid
from pingce.inputs.regression import NumberRows, number_rows
from pingce.metrics.grammar import MetricRequest
from pingce.tasks.columns import NO_COLUMNS


def explain(inputs: ExplainInputs, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    more = dict(inputs.group_weight or {})
    named = [name for name in request.metric.needed_columns() if name not in more]
    if named:
        return explain_regression(_read_rows(inputs, named), request, policies)
    return explain_regression(inputs.once(_read_rows), request, policies)


def _read_rows(inputs: ExplainInputs, named: Sequence[str] = ()) -> NumberRows:
    roles = ("y_true", "y_pred", "weight")
    beside = {f"by.{name}": name for name in named}
    columns = inputs.read_columns("y_pred", roles, NO_COLUMNS, group=inputs.group, **beside)
    more = dict(inputs.group_weight or {}) | {name: columns[f"by.{name}"] for name in named if f"by.{name}" in columns}
    numbers = (columns[role] for role in roles)
    return number_rows(*numbers, group=columns["group"], group_weight=more)


def explain_regression(rows: NumberRows, request: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The worked calculation of one metric of numbers."""
    subject, left_out = Text(f"{len(rows)} rows", f"{len(rows)} 行"), len(rows) - len(rows.counted())
    return explain_rows(request, policies, rows, subject, row_grid, left_out)
