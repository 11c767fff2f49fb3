"""Which policies tell one view of lists from another, and which of them refuse queries or metrics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pingce.base.errors import InputError
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.fact_sums import MOST_NAMED, Facts
from pingce.inputs import Rows
from pingce.metrics.declared import registry
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
def counted_key(policies: Policies) -> Policies:
    """The same without what only metrics see of lists."""
    return list_key(policies).but(unjudged="zero")


@lru_cache(maxsize=256)
def of_all(policies: Policies) -> Policies:
    """The policies under which values of all queries are kept, also of those without a list."""
    return view_key(policies).but(missing="zero")


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


def refuse_completed(request: MetricRequest, policies: Policies) -> None:
    """Refuse to judge the unjudged items of lists where there are none, or where it is not looked at grades of lists."""
    name, choice = request.metric.name, f"unjudged={policies.unjudged}"
    if policies.unjudged == "zero":
        return
    if policies.judged_only == "yes":
        raise InputError(
            f"{request.name}: judged_only=yes leaves no unjudged item in the lists, and {choice} is about these; give one of the two",
            f"{request.name}：judged_only=yes 之后列表中没有未标注的条目，而 {choice} 正是针对它们的；请只给其一",
        )
    if request.metric.of_items or request.metric.of_subtopics:
        raise InputError(
            f"{request.name}: {choice} gives unjudged items a grade, and {name} looks at which items lists show, or at their subtopics; "
            f"write {name}(unjudged=zero), or leave unjudged out",
            f"{request.name}：{choice} 给未标注的条目一个等级，而 {name} 看的是列表展示了哪些条目或其子主题；"
            f"请写 {name}(unjudged=zero)，或不用 unjudged",
        )


def refuse_item_weights(requests: Sequence[MetricRequest], policies: Policies) -> None:
    """Refuse weights of items where a metric gives them no meaning, or beside policies that make judgements of their own."""
    for request in requests:
        metric, under = request.metric, request.under(policies)
        if not metric.takes_item_weight:
            inside = [kind.name for kind in registry().values() if kind.weighs_items]
            raise InputError(
                f"{request.name} takes no weights of items (item_weight=): they stand inside the sums of {', '.join(inside)}, with the default norm "
                "and without ideal=full, and weigh the lists of other means over queries, such as precision, recall and rr; leave out one of the two",
                f"{request.name} 不接受条目权重（item_weight=）：{'、'.join(inside)}（norm 取默认值，且不用 ideal=full）将其计入求和，"
                "precision、recall、rr 等其他按查询平均的指标以其为列表加权；请去掉其一",
            )
        choice = {"unjudged": "zero", "corrected": "none"}
        odd = next(
            (f"{name}={getattr(under, name)}" for name, plain in choice.items() if getattr(under, name) != plain), None
        )
        if odd is not None:
            raise InputError(
                f"{request.name}: {odd} makes judgements that have no weights of items (item_weight=); give one of the two",
                f"{request.name}：{odd} 得出的判断没有条目权重（item_weight=）；请只给其一",
            )


def refuse_numbered_items(requests: Sequence[MetricRequest], truth: Rows) -> None:
    """Refuse to ask whether any query has judged an item where items have no ids."""
    request = next((each for each in requests if each.metric.needs_judged_items), None)
    if request is not None and truth.source.numbers_items:
        raise InputError(
            f"{request.name} asks whether any query has judged an item, and items have no ids here, but their rows; give items= with the item of "
            f"each row, or take {request.metric.name} without of=any",
            f"{request.name} 要看条目是否被任一查询标注，而这里的条目没有编号，只有行号；请用 items= 给出每行的条目，"
            f"或去掉 {request.metric.name} 的 of=any",
        )


def weightless() -> InputError:
    """What to say where no judged item weighs anything."""
    return InputError(
        "no judged item of the queries that count weighs anything: all weights are 0, and nothing is left to be measured; name another column with item_weight= (--item-weight)",
        "计入的查询没有一个已标注条目的权重大于 0：没有可评测的内容；请用 item_weight=（--item-weight）指定另一列",
    )


def needs_top_grade(request: MetricRequest, policies: Policies) -> bool:
    """Whether the largest grade of the truth must be known before the first value."""
    return bool(request.metric.needs_top_grade) or request.under(policies).unjudged == "best"


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
