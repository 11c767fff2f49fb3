"""The value of one metric on one ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.evidence import Policies
from pingce.evidence.ranking.facts import Facts
from pingce.metrics.averages import is_counted, refuse_undefined, settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.run.views import Views, with_ties
from pingce.scores.ranking import RankingValue, TieSpread


def table_policies(metrics: Sequence[MetricRequest], policies: Policies) -> Policies:
    """Policies of the per-query table: rows as for the first metric; unanswered queries as soon as one counts them."""
    some = any(metric.under(policies).missing == "zero" for metric in metrics)
    return metrics[0].under(policies).but(missing="zero" if some else "skip")


def value_of(request: MetricRequest, policies: Policies, views: Views, table: Facts) -> RankingValue:
    """The value; that of each query stands in the rows of the per-query table."""
    metric = request.metric
    if policies.ties == "expected" and not metric.knows_expected():
        raise InputError(
            f"{request.name}: the mean over all orders of tied items has no closed form here; choose ties=id, worst or best",
            f"{request.name}：没有对并列条目所有排列求均值的闭式解；请选择 ties=id、worst 或 best",
        )
    queries = views.chosen(policies)
    values = views.values(metric, policies)
    refuse_undefined(request.name, values, queries.queries, policies)
    settled = settle_undefined(values, policies)
    column = settled
    if len(queries) != len(table):  # a metric that skips unanswered queries has no value there
        column = np.full(len(table), np.nan)
        column[table.answered] = settled
    return RankingValue(
        name=request.name,
        id=request.id,
        metric=metric,
        policies=policies,
        value=views.summary(metric, policies, values),
        per_query=column,
        count=int(is_counted(settled, policies).sum()),
        resolved=metric.resolved(views.view(policies)),
        undefined=int(np.isnan(values).sum()),
        weighted=(metric, policies) in views.weighted,
        spread=_spread(metric, policies, views),
    )


def _spread(metric: RankingMetric, policies: Policies, views: Views) -> TieSpread | None:
    """How many queries have ties that change the value, and the value in the worst and in the best order."""
    ends = None if metric.counts else views.ends(metric, policies)
    changed = 0 if ends is None else int(np.count_nonzero(ends.apart))
    if ends is None or not changed:
        return None

    def value(ties: str, values: NDArray[np.float64]) -> float:
        return views.summary(metric, with_ties(policies, ties), values)

    mean = None if ends.mean is None else value("expected", ends.mean)
    return TieSpread(changed, value("worst", ends.low), value("best", ends.high), mean)
