"""The call on Spark data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.inputs.data import one_weight
from pingce.request import MetricNames, Request
from pingce.run.score import warn
from pingce.spark.rows import FrameColumns, score_rows
from pingce.tasks.options import checked_options
from pingce.tasks.uplift.policies import UpliftKeywords
from pingce.tasks.uplift.scores import UpliftScores

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checked_options("uplift")
def evaluate_uplift(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    score: str | None = None,
    treatment: str | None = None,
    propensity: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    **policies: Unpack[UpliftKeywords],
) -> UpliftScores:
    """Score a model that says whom a treatment helps, with outcomes, treatments and scores in a Spark data frame.

    `label`, `score`, `treatment`, `propensity` and `weight` are names of columns. Keywords and numbers are those of
    `pingce.evaluate_uplift`. Rows stay where they are; the distinct ones travel, each with how often it occurs.
    """
    request = Request.of("uplift", metrics, convention=convention, policies=policies)
    roles = {"treatment": treatment, "propensity": propensity}
    columns = FrameColumns(label, score, one_weight(weight, sample_weight), roles=roles)
    scores: UpliftScores = score_rows(request, data, columns)
    warn(scores)
    return scores
