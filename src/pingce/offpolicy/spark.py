"""The call on Spark data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.inputs.data import one_weight
from pingce.offpolicy.policies import OffpolicyKeywords
from pingce.offpolicy.scores import OffpolicyScores
from pingce.request import Intervals, MetricNames, Request
from pingce.run.score import warn
from pingce.spark.rows import MOST_ROWS, DriverLimits, FrameColumns, score_rows
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checked_options("offpolicy")
def evaluate_offpolicy(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    prediction: str | None = None,
    propensity: str | None = None,
    logged_estimate: str | None = None,
    target_estimate: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    collect: int = MOST_ROWS,
    **policies: Unpack[OffpolicyKeywords],
) -> OffpolicyScores:
    """Estimate what a target policy would have earned, from a log that stands in a Spark data frame.

    `label` is the column of rewards, `prediction` that of the target policy's probabilities, `propensity` that of the logging
    policy's; the other columns, keywords and numbers are those of `pingce.evaluate_offpolicy`. Rows stay where they are; only exact
    sums travel. With `ci` up to `collect` rows go to the driver.
    """
    intervals = Intervals(ci, samples, seed)
    request = Request.of(
        "offpolicy", metrics, convention=convention, policies=policies, intervals=intervals, min_n=min_n
    )
    roles = {"propensity": propensity, "logged_estimate": logged_estimate, "target_estimate": target_estimate}
    columns = FrameColumns(label, prediction, one_weight(weight, sample_weight), roles=roles, by=by)
    scores: OffpolicyScores = score_rows(request, data, columns, limits=DriverLimits(rows=collect))
    warn(scores)
    return scores
