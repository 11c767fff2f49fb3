"""Which policies tell one view of lists from another, and which of them refuse queries or metrics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pingce.base.errors import InputError
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.fact_sums import MOST_NAMED, Facts
from pingce.metrics.grammar import MetricRequest


@lru_cache(maxsize=256)
def view_key(policies: Policies) -> Policies:
    """Without the policies that a view does not depend on."""
    return policies.but(undefined="skip", summation="exact")


@lru_cache(maxsize=256)
def list_key(policies: Policies) -> Policies:
    """Without those that the choice of queries and lists does not depend on either."""
    return view_key(policies).but(ties="id", relevant=1)


@lru_cache(maxsize=256)
def as_judged(policies: Policies) -> Policies:
    """With all judgements of the truth: what is said of queries is said of them, whatever metrics make of lists."""
    return policies.but(judged="truth")


@lru_cache(maxsize=256)
def with_ties(policies: Policies, ties: str) -> Policies:
    """The policies with another order of ties."""
    return policies.but(ties=ties)


def refuse_expected(request: MetricRequest, policies: Policies) -> None:
    """Refuse the mean over all orders of ties of a metric that has no closed form for it."""
    if policies.ties == "expected" and not request.metric.knows_expected():
        raise InputError(
            f"{request.name}: the mean over all orders of tied items has no closed form here; choose ties=id, worst or best",
            f"{request.name}：没有对并列条目所有排列求均值的闭式解；请选择 ties=id、worst 或 best",
        )


def refuse_condensed(request: MetricRequest, policies: Policies) -> None:
    """Refuse to take unjudged items out of lists before it is looked at what they show."""
    if request.metric.of_items and policies.judged_only == "yes":
        raise InputError(
            f"{request.name}: judged_only=yes takes unjudged items out of the lists, and {request.metric.name} looks at what lists show; "
            f"write {request.metric.name}(judged_only=no), or leave judged_only out",
            f"{request.name}：judged_only=yes 会从列表中去掉未标注的条目，而 {request.metric.name} 看的正是列表展示了什么；"
            f"请写 {request.metric.name}(judged_only=no)，或不用 judged_only",
        )


def tables_under(request: MetricRequest, policies: Policies) -> tuple[str, ...]:
    """What a metric reads beside the run; where it is corrected, the catalogue too."""
    tables: tuple[str, ...] = request.metric.tables
    return tables if request.under(policies).corrected == "none" else (*tables, "catalog")


def table_policies(metrics: Sequence[MetricRequest], policies: Policies) -> Policies:
    """Policies of the per-query table: rows as for the first metric; unanswered queries as soon as one counts them."""
    some = any(metric.under(policies).missing == "zero" for metric in metrics)
    return metrics[0].under(policies).but(missing="zero" if some else "skip")


def refuse_missing(queries: Facts, policies: Policies) -> None:
    """Under `missing=error`, name judged queries that the run does not answer."""
    missing = len(queries) - queries.answered_count
    if missing and policies.missing == "error":
        names = ", ".join(f"'{query}'" for query in queries.unanswered(MOST_NAMED))
        raise InputError(
            f"the run does not answer {missing} judged queries ({names}); missing=zero scores them 0, missing=skip leaves them out",
            f"预测没有回答 {missing} 个已标注的查询（{names}）；missing=zero 记 0 分，missing=skip 不计入",
        )
