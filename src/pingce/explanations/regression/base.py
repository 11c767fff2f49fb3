"""Numbers: errors, sums, variances and ranks, down to the value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.evaluate.regression import score_numbers
from pingce.explanations.derivation import Explanation
from pingce.explanations.parts import Worked, explained, numbering_note, silently, weight_note, worked_kind
from pingce.explanations.regression.errors import largest_error, median_error, root_of_mean, row_mean, weighted_share
from pingce.explanations.regression.explained import explained_variance, pearson, r_squared, spearman
from pingce.metrics.regression import RegressionMetric, errors
from pingce.metrics.regression import explained as following

if TYPE_CHECKING:
    from pingce.evidence.policies import RegressionPolicies
    from pingce.evidence.regression.evidence import ErrorEvidence
    from pingce.inputs.regression import NumberRows
    from pingce.metrics.grammar import MetricRequest

_WORKED: dict[type[RegressionMetric], Callable[[Any, ErrorEvidence, NumberRows], Worked]] = {
    errors.RowMean: row_mean,
    errors.RootMeanSquaredError: root_of_mean,
    errors.RootMeanSquaredLogError: root_of_mean,
    errors.MaxError: largest_error,
    errors.WeightedMeanAbsolutePercentageError: weighted_share,
    errors.MedianAbsoluteError: median_error,
    following.RSquared: r_squared,
    following.ExplainedVariance: explained_variance,
    following.Pearson: pearson,
    following.Spearman: spearman,
}


def explain_regression(rows: NumberRows, asked: MetricRequest, policies: RegressionPolicies) -> Explanation:
    """The worked calculation of one metric of numbers."""
    with silently():
        scores = score_numbers(rows, [asked], policies)
    kind = worked_kind(asked, _WORKED)
    weighted = Text(", weighted", "，已加权") if rows.weight is not None else Text("", "")
    subject = Text(f"{len(rows)} rows{weighted.en}", f"{len(rows)} 行{weighted.zh}")
    counted = rows.counted()
    worked = _WORKED[kind](asked.metric, scores.evidence, counted)
    notes = (*weight_note(rows.weight is not None), *numbering_note(len(rows) - len(counted)))
    return explained(asked, scores, subject, replace(worked, notes=notes))
