"""How far apart groups lie: gaps between the values that a metric has on slices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About, Metric
from pingce.metrics.parameters import Choice, choice, parameter
from pingce.metrics.readings import MetricCheck, Reading
from pingce.tasks import TASKS, Task


@dataclass(frozen=True)
class ColumnCheck:
    """The name of what slices are by."""

    def accept(self, name: str, value: Any) -> str:
        """Any text without brackets and commas, which the grammar uses."""
        if not isinstance(value, str) or any(letter in value for letter in "(){},"):
            raise InputError(
                f"{name}={value!r}: it is the name of what slices are by, without brackets or commas",
                f"{name}={value!r}：应为切片依据的名称，不含括号与逗号",
            )
        return value

    def describe(self) -> str:
        return "NAME"


FORMS = {
    "difference": Text("the largest less the smallest", "最大值减最小值"),
    "ratio": Text("the smallest over the largest: 1 is no gap", "最小值除以最大值：1 表示没有差距"),
    "cv": Text("the standard deviation of the groups over their mean", "各组的标准差除以均值（变异系数）"),
    "mad": Text("the mean absolute difference over pairs of groups", "两两之差绝对值的平均"),
}
FORMULAS = {
    "difference": "max_g v_g − min_g v_g",
    "ratio": "min_g v_g / max_g v_g",
    "cv": "√(Σ_g (v_g − v̄)² / n) / v̄",
    "mad": "Σ_{g<h} |v_g − v_h| / (n (n − 1) / 2)",
}
"Of the distance of n groups, v̄ the mean of their values."


def _about(
    question: Text, use: Text, worked: Text, example: tuple[Any, ...], pairs: tuple[str, ...] | None = None, **more: Any
) -> About:
    blind = Text(
        "It does not say which group is right, nor why; of many small groups the extremes lie apart by chance, so look at the interval.",
        "它不说明哪一组合理、为何如此；小组很多时，两端的差距多出于偶然，须看区间。",
    )
    undefined = Text("fewer than two groups have enough rows and a value", "行数足够且有值的组不足两个")
    return About(
        question,
        use,
        blind,
        ("recall",) if pairs is None else pairs,
        worked,
        example,
        undefined=undefined,
        **{"higher_is_better": None} | more,
    )


def _by() -> Any:
    return parameter(
        "",
        ColumnCheck(),
        Text("What groups are by; without it the only slicing there is.", "按什么分组；不写则为唯一的切片依据。"),
    )


def _form() -> Any:
    return parameter("difference", Choice(FORMS), Text("How the distance is written.", "差距的写法。"))


def _correction() -> Any:
    return choice(
        Text("Of the tests of two groups each, for their number.", "两两检验按个数的校正。"),
        minor=True,
        holm=Text("family-wise error, step by step", "逐步控制族错误率"),
        bonferroni=Text("family-wise error", "控制族错误率"),
        bh=Text("false discovery rate", "控制错误发现率"),
        none=Text("none", "不校正"),
    )


class SliceReading(Reading):
    """Base of gaps between slices. Groups of fewer than `min_n` rows or queries do not count, nor do rows without a value."""

    of_slices: ClassVar[bool] = True
    by: str
    as_: str
    correction: str

    def distance(self, values: Floats) -> Floats:
        """How far the rows of a matrix, one per group, lie apart in each column; NaN where a group has no value."""
        with np.errstate(invalid="ignore", divide="ignore"):
            least, most = values.min(axis=0), values.max(axis=0)
            if self.as_ == "difference":
                return np.asarray(most - least)
            if self.as_ == "ratio":
                return np.where((most > 0) & (least >= 0), least / np.where(most > 0, most, 1.0), NAN)
            if self.as_ == "cv":
                mean = values.mean(axis=0)
                return np.where(mean > 0, values.std(axis=0) / np.where(mean > 0, mean, 1.0), NAN)
            return _mean_distance(values)

    def draws(self, values: Sequence[Floats]) -> Floats:
        """The worst distance of each draw; a matrix for each metric that is measured, with a row per group."""
        distances = np.stack([self.distance(each) for each in values])
        return np.asarray(distances.min(axis=0) if self.as_ == "ratio" else distances.max(axis=0))

    def define(self, values: Sequence[float] | Mapping[str, float]) -> float:
        """The distance of the values of the groups, in plain Python."""
        groups = list(values.values() if isinstance(values, Mapping) else values)
        if len(groups) < 2:
            return NAN
        if self.as_ == "difference":
            return max(groups) - min(groups)
        if self.as_ == "ratio":
            return min(groups) / max(groups) if max(groups) > 0 and min(groups) >= 0 else NAN
        if self.as_ == "cv":
            mean = math.fsum(groups) / len(groups)
            squares = math.fsum((each - mean) ** 2 for each in groups)
            return math.sqrt(squares / len(groups)) / mean if mean > 0 else NAN
        pairs = [abs(a - b) for at, a in enumerate(groups) for b in groups[:at]]
        return math.fsum(pairs) / len(pairs)

    def worst(self, distances: Sequence[float]) -> float:
        """The one that says most against the model, of several metrics; NaN where one has none."""
        if any(map(math.isnan, distances)):
            return NAN
        return min(distances) if self.as_ == "ratio" else max(distances)


def _mean_distance(values: Floats) -> Floats:
    """The mean of |a − b| over pairs, from the sorted values: Σ (2i − n − 1) v_(i) over the number of pairs."""
    count = len(values)
    weights = 2.0 * np.arange(1, count + 1) - count - 1
    return np.asarray((np.sort(values, axis=0) * weights[:, None]).sum(axis=0) / (count * (count - 1) / 2))


def _gap_of(owner: Task) -> type[SliceReading]:
    """The gap of a task; its `of` is a metric of that task."""

    @dataclass(frozen=True, kw_only=True)
    class Gap(SliceReading):
        """How far the values of a metric lie apart between groups."""

        task = owner.name
        name = "gap"
        title = Text("Gap between groups", "组间差距")
        formula = "gap = max_g v_g − min_g v_g"
        about = _about(
            Text("How far apart do groups lie?", "各组之间差多少？"),
            Text(
                "Fairness between users, regions or classes of queries; any metric, any slice.",
                "用户、地区或查询类别之间的公平性；适用于任何指标与切片。",
            ),
            Text("groups 0.9, 0.7, 0.8: 0.9 − 0.7 = 0.2", "各组 0.9、0.7、0.8：0.9 − 0.7 = 0.2"),
            (f"gap(of={owner.example},by=region)", (0.9, 0.7, 0.8)),
            (owner.example.partition("@")[0],),
            range="0 … ∞",
            also=("公平性", "fairness", "disparity", "差异"),
            reference="ekstrand2022",
        )

        of: Any = parameter(
            None,
            MetricCheck(owner.name),
            Text("The metric that is compared between groups.", "在组间比较的指标。"),
        )
        by: str = _by()
        as_: str = _form()
        correction: str = _correction()

        def measured(self) -> tuple[Metric, ...]:
            return (self.of,)

    return Gap


GAPS = {name: _gap_of(task) for name, task in TASKS.items()}


@dataclass(frozen=True, kw_only=True)
class Parity(SliceReading):
    """Base of gaps of a classifier that have a name."""

    by: str = _by()
    as_: str = _form()
    correction: str = _correction()

    task = "binary"
    rates: ClassVar[tuple[str, ...]]
    "The metrics of a decision that are compared."

    def measured(self) -> tuple[Metric, ...]:
        from pingce.metrics.grammar import parse_metric

        return tuple(parse_metric(name, task=self.task).metric for name in self.rates)


_CLASSIFIER = Text(
    "A classifier whose decisions concern people; at the threshold of the call.", "决策涉及人的分类器；按调用时的阈值。"
)


class DemographicParity(Parity):
    """How far apart the shares of rows that are predicted positive lie between groups.

    demographic_parity = max_g P(ŷ = 1 | g) − min_g P(ŷ = 1 | g)
    """

    name = "demographic_parity"
    aliases = ("statistical_parity",)
    title = Text("Demographic parity", "人口均等（统计均等）")
    formula = "demographic_parity = max_g P(ŷ = 1 | g) − min_g P(ŷ = 1 | g)"
    rates = ("positive_rate",)
    about = _about(
        Text("Are groups called positive equally often?", "各组被判为正的比例一样吗？"),
        _CLASSIFIER,
        Text("groups 0.5, 0.3: 0.5 − 0.3 = 0.2", "各组 0.5、0.3：0.5 − 0.3 = 0.2"),
        ("demographic_parity(by=sex)", (0.5, 0.3)),
        also=("公平性", "fairness", "统计均等"),
        reference="dwork2012",
    )


class EqualOpportunity(Parity):
    """How far apart the recalls of groups lie.

    equal_opportunity = max_g TPR_g − min_g TPR_g
    """

    name = "equal_opportunity"
    title = Text("Equal opportunity", "机会均等")
    formula = "equal_opportunity = max_g TPR_g − min_g TPR_g"
    rates = ("recall",)
    about = _about(
        Text("Are the positives of all groups found equally often?", "各组的正例被找出的比例一样吗？"),
        _CLASSIFIER,
        Text("groups 0.9, 0.6: 0.9 − 0.6 = 0.3", "各组 0.9、0.6：0.9 − 0.6 = 0.3"),
        ("equal_opportunity(by=sex)", (0.9, 0.6)),
        also=("公平性", "fairness"),
        reference="hardt2016",
    )


class EqualizedOdds(Parity):
    """The larger of two gaps between groups: of recall and of the false positive rate.

    equalized_odds = max(gap of TPR, gap of FPR)
    """

    name = "equalized_odds"
    title = Text("Equalized odds", "均等化赔率（几率均等）")
    formula = Text("equalized_odds = max(gap of TPR, gap of FPR)", "equalized_odds = max（TPR 的差距，FPR 的差距）")
    rates = ("recall", "fpr")
    about = _about(
        Text("Does the classifier err alike in all groups?", "分类器在各组犯的错一样吗？"),
        _CLASSIFIER,
        Text("one of the two gaps, groups 0.9, 0.6: 0.9 − 0.6 = 0.3", "两个差距之一，各组 0.9、0.6：0.9 − 0.6 = 0.3"),
        ("equalized_odds(by=sex)", (0.9, 0.6)),
        also=("公平性", "fairness"),
        reference="hardt2016",
    )
