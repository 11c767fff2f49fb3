"""The call on Spark data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.inputs.data import one_weight
from pingce.request import Intervals, MetricNames, Request
from pingce.run.score import warn
from pingce.spark.rows import MOST_ROWS, DriverLimits, FrameColumns, score_rows
from pingce.tasks.options import checked_options
from pingce.uplift.policies import UpliftKeywords
from pingce.uplift.scores import UpliftScores

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
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    collect: int = MOST_ROWS,
    **policies: Unpack[UpliftKeywords],
) -> UpliftScores:
    """Score a model that says whom a treatment helps, with outcomes, treatments and scores in a Spark data frame.

    `label`, `score`, `treatment`, `propensity` and `weight` are names of columns. Keywords and numbers are those of
    `pingce.evaluate_uplift`. Rows stay where they are; the distinct ones travel, each with how often it occurs. With `ci` up to
    `collect` rows go to the driver.
    """
    intervals = Intervals(ci, samples, seed)
    request = Request.of("uplift", metrics, convention=convention, policies=policies, intervals=intervals, min_n=min_n)
    roles = {"treatment": treatment, "propensity": propensity}
    columns = FrameColumns(label, score, one_weight(weight, sample_weight), roles=roles, by=by)
    scores: UpliftScores = score_rows(request, data, columns, limits=DriverLimits(rows=collect))
    warn(scores)
    return scores
