"""What is read out of the values of another metric; and the quantiles over queries that are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About, Metric, listed
from pingce.metrics.parameters import Number, parameter
from pingce.tasks import TASKS


@dataclass(frozen=True)
class MetricCheck:
    """A metric of a task, by name; its policies stand outside the brackets."""

    task: str

    def accept(self, name: str, value: Any) -> Any:
        """The metric; one that is itself a reading is refused."""
        from pingce.metrics.grammar import parse_metric

        if value is None or value == "":
            raise InputError(
                f"{name}= is missing: say which metric, e.g. {name}={TASKS[self.task].example}",
                f"缺少 {name}=：请写明是哪个指标，例如 {name}={TASKS[self.task].example}",
            )
        request = parse_metric(value, task=self.task)
        if request.metric.is_reading:
            raise InputError(
                f"{name}={value}: it is read out of another metric itself; name that one",
                f"{name}={value}：它本身是由另一个指标得出的；请写那个指标",
            )
        if request.policies:
            policies = ", ".join(request.policies)
            raise InputError(
                f"{name}={value}: {policies} is a policy; write it outside, after {name}={request.metric.id}",
                f"{name}={value}：{policies} 是策略；请写在外面，放在 {name}={request.metric.id} 之后",
            )
        return request.metric

    def describe(self) -> str:
        return "METRIC"


@dataclass(frozen=True, kw_only=True)
class Reading(Metric):
    """Base of what is read out of values of other metrics."""

    is_reading = True
    of_slices: ClassVar[bool] = False
    "Whether it is read out of slices, and not out of queries."
    is_mean: ClassVar[bool] = False
    of_items: ClassVar[bool] = False
    level: ClassVar[float | None] = None
    needs: ClassVar[str] = ""
    "No evidence of its own."
    symbols = Text("v_g: the value of the metric on the group g", "v_g：指标在组 g 上的值")

    @classmethod
    def is_plain_mean(cls) -> bool:
        """Never: it is no mean over queries."""
        return False

    def measured(self) -> tuple[Metric, ...]:
        """The metrics whose values are read."""
        raise NotImplementedError

    def reads_table(self) -> bool:
        """Whether what it is read out of looks at the table of scores."""
        return any(metric.reads_table() for metric in self.measured())  # type: ignore[attr-defined]

    @classmethod
    def example_rows(cls) -> Any:
        """The values of the groups, or of the queries."""
        return cls.about.example[1]

    @classmethod
    def example_words(cls) -> Text:
        values = listed(cls.example_rows())
        return Text(f"values {values}", f"各值 {values}")


def refuse_no_query_values(metric: Any, name: str) -> None:
    """Refuse quantiles over queries of a metric that has no value for each, or one that is more than these together."""
    if metric.is_whole:
        raise InputError(
            f"{name}: {metric.id} is one value of the whole run, and no query has one; name a metric with a value for each query, "
            "e.g. ndcg@10",
            f"{name}：{metric.id} 是整个预测的一个值，单个查询没有值；请改用每个查询都有值的指标，例如 ndcg@10",
        )
    if not (metric.is_mean or metric.counts or metric.level is not None):
        raise InputError(
            f"{name}: {metric.id} is no mean of values of queries, so that their quantile says nothing of it; name a metric that is, "
            "e.g. ndcg@10",
            f"{name}：{metric.id} 不是各查询的值的均值，其分位数没有意义；请改用取均值的指标，例如 ndcg@10",
        )


@dataclass(frozen=True, kw_only=True)
class Quantile(Reading):
    """The value that a share q of the queries does not exceed; the mean of two where both do.

    quantile = min { v : |{queries with a value ≤ v}| ≥ q · n }
    """

    task = "ranking"
    name = "quantile"
    aliases = ("median",)
    title = Text("Quantile over queries", "查询的分位数（中位数）")
    formula = Text(
        "quantile = min { v : |{queries with a value ≤ v}| ≥ q · n }", "quantile = min { v：值 ≤ v 的查询数 ≥ q · n }"
    )
    symbols = Text("n: queries with a value", "n：有值的查询数")
    about = About(
        Text("How good is it for the typical query, or for the worst tenth?", "一般的查询、最差的十分之一表现如何？"),
        Text("Beside a mean, which a few queries may carry.", "与均值并看：均值可能由少数查询决定。"),
        Text("It does not see how far the others lie beyond it.", "看不出其余查询偏离多远。"),
        ("ndcg", "ap"),
        Text("queries 0.2, 0.4, 0.9: the middle one, 0.4", "各查询 0.2、0.4、0.9：取中间的 0.4"),
        ("quantile(of=ndcg@10)", (0.2, 0.4, 0.9)),
        range="0 … ∞",
        undefined=Text("no query has a value", "没有一个查询有值"),
        also=("中位数", "分位数", "percentile"),
        reference="hyndman1996",
    )

    of: Any = parameter(
        None,
        MetricCheck("ranking"),
        Text("The metric whose values of queries are sorted.", "将其各查询的值排序的指标。"),
    )
    q: float = parameter(0.5, Number(above=0, below=1), Text("The share of the queries.", "查询所占的比例。"))

    def check(self) -> None:
        """There must be values of queries to sort."""
        refuse_no_query_values(self.of, f"quantile(of={self.of.id})")

    def measured(self) -> tuple[Metric, ...]:
        return (self.of,)

    def define(self, values: Sequence[float]) -> float:
        """The least value that enough queries do not exceed, in plain Python."""
        ranked = sorted(values)
        if not ranked:
            return NAN
        place = self.q * len(ranked)
        if abs(place - round(place)) < 1e-9:
            return (ranked[round(place) - 1] + ranked[round(place)]) / 2
        return ranked[math.ceil(place) - 1]
