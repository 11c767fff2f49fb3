"""The value of one metric on one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.evidence import Policies, RankingEvidence
from pingce.metrics.averages import is_counted, refuse_undefined, settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.tied import tie_ends
from pingce.run.views import Views
from pingce.scores.ranking import RankingValue, TieSpread

if TYPE_CHECKING:
    from numpy.typing import NDArray


def table_policies(metrics: Sequence[MetricRequest], policies: Policies) -> Policies:
    """Policies of the per-query table: rows as for the first metric; unanswered queries as soon as one counts them."""
    some = any(metric.under(policies).missing == "zero" for metric in metrics)
    return metrics[0].under(policies).but(missing="zero" if some else "skip")


@lru_cache(maxsize=256)
def _with_ties(policies: Policies, ties: str) -> Policies:
    return policies.but(ties=ties)


def value_of(request: MetricRequest, policies: Policies, views: Views, shown: RankingEvidence) -> RankingValue:
    """The value; that of each query stands in the rows of the evidence that is shown."""
    metric, view = request.metric, views.view(policies)
    if view.expected and not metric.knows_expected():
        raise InputError(
            f"{request.name}: the mean over all orders of tied items has no closed form here; choose ties=id, worst or best",
            f"{request.name}：没有对并列条目所有排列求均值的闭式解；请选择 ties=id、worst 或 best",
        )
    values = metric.values(view)
    refuse_undefined(request.name, values, view.evidence.queries, policies)
    settled = settle_undefined(values, policies)
    return RankingValue(
        name=request.name,
        id=request.id,
        metric=metric,
        policies=policies,
        value=views.summary(metric, policies, values),
        per_query=_aligned(settled, view.evidence, shown),
        count=int(is_counted(settled, policies).sum()),
        resolved=metric.resolved(view),
        undefined=int(np.isnan(values).sum()),
        weighted=(metric, policies) in views.weighted,
        spread=_spread(metric, policies, views),
    )


def _aligned(values: NDArray[np.float64], evidence: RankingEvidence, shown: RankingEvidence) -> NDArray[np.float64]:
    """Values in the rows of the per-query table: a metric that skips unanswered queries has none there."""
    if len(evidence) == len(shown):
        return values
    column = np.full(len(shown), np.nan)
    column[shown.answered] = values
    return column


def _spread(metric: RankingMetric, policies: Policies, views: Views) -> TieSpread | None:
    """How many queries have ties that change the value, and the value in the worst and in the best order."""
    if metric.counts or not (views.evidence(policies).block > 1).any():
        return None
    ends = tie_ends(metric, lambda ties: views.view(_with_ties(policies, ties)))
    changed = int(np.count_nonzero(ends.apart))
    if not changed:
        return None

    def value(ties: str, values: NDArray[np.float64]) -> float:
        return views.summary(metric, _with_ties(policies, ties), values)

    mean = None if ends.mean is None else value("expected", ends.mean)
    return TieSpread(changed, value("worst", ends.low), value("best", ends.high), mean)
