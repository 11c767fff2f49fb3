"""Metrics of the order of the labels within each row."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, ClassVar

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import choice
from pingce.multilabel.base import MultilabelMetric
from pingce.multilabel.evidence import LabelView
from pingce.multilabel.plain import LabelList, plain_mean, plain_precision

if TYPE_CHECKING:
    from pingce.multilabel.ranks import RankSums

_EMPTY = choice(
    Text("A row of which the formula says nothing.", "公式没有定义的行。"),
    count=Text("it counts as perfect, as in scikit-learn", "按完美计，同 scikit-learn"),
    skip=Text("it is left out, and counted", "不计入均值，但计数"),
)
_NO_ROW = Text("every row is left out", "所有行都不计入")


@dataclass(frozen=True, kw_only=True)
class WithinRows(MultilabelMetric):
    """Base: a mean over rows of what the order of their labels comes to."""

    uses = "order"
    perfect: ClassVar[float] = 0.0
    "What a row without a value counts as."

    empty: str = _EMPTY

    @property
    def reads_ranks(self) -> bool:
        return True

    def total(self, ranks: RankSums, width: int) -> tuple[Fraction, Fraction, int]:
        """The sum over rows that have a value, their weight, and how many rows have none."""
        raise NotImplementedError

    def shares(self, view: LabelView) -> tuple[Fraction, Fraction]:
        """What is divided by what."""
        top, weight, _ = self.total(view.ranks, len(view.labels))
        if self.empty == "count":
            rest = sum(view.ranks.amounts, Fraction(0)) - weight
            top, weight = top + Fraction(self.perfect) * rest, weight + rest
        return top, weight

    def value(self, view: LabelView) -> float:
        top, weight = self.shares(view)
        return float(top / weight) if weight else NAN

    def undefined_parts(self, view: LabelView) -> int:
        return self.total(view.ranks, len(view.labels))[2]

    def of_row(self, true: tuple[int, ...], scores: tuple[float, ...]) -> float:
        """The value of one row, in plain Python; NaN where it has none."""
        raise NotImplementedError

    def define(self, rows: LabelList) -> float:
        values = [self.of_row(true, scores) for true, scores, _ in rows.rows()]
        values = [self.perfect if isnan(value) and self.empty == "count" else value for value in values]
        return plain_mean(values, [weight for _, _, weight in rows.rows()], "skip")


class CoverageError(WithinRows):
    """How far down the list of its labels one has to go to meet all that a row has; the best value is the mean number of labels.

    coverage_error = mean over rows of |{l : s_l ≥ min_{t ∈ T} s_t}|                                       [schapire2000]
    """

    name = "coverage_error"
    aliases = ("coverage",)
    title = Text("Coverage error", "覆盖误差")
    formula_zh = "coverage_error = 对各行取平均：|{l : s_l ≥ min_{t ∈ T} s_t}|"
    about = About(
        Text("How many labels must one look at to see all that hold?", "要看多少个标签才能看全？"),
        Text("Lists of suggested tags.", "推荐标签的列表。"),
        Text("The worst placed label decides; some authors count from 0.", "由排得最差的标签决定；有的文献从 0 数起。"),
        ("lrap", "label_ranking_loss"),
        Text("rows: 2, 1, 3; mean 2", "各行：2、1、3；平均 2"),
        range="0 … L",
        higher_is_better=False,
        undefined=_NO_ROW,
        also=("覆盖距离",),
    )

    def total(self, ranks: RankSums, width: int) -> tuple[Fraction, Fraction, int]:
        _, full, others = ranks.amounts
        return ranks.sums["coverage"] + full * width, full + others, ranks.rows[0]

    def of_row(self, true: tuple[int, ...], scores: tuple[float, ...]) -> float:
        true_scores = [score for y, score in zip(true, scores, strict=True) if y]
        return float(sum(score >= min(true_scores) for score in scores)) if true_scores else NAN


class RankingAveragePrecision(WithinRows):
    """How pure the list of labels is down to each label that holds; equal scores all stand above each other.

    lrap = mean over rows of (1/|T|) Σ_{t ∈ T} |{u ∈ T : s_u ≥ s_t}| / |{l : s_l ≥ s_t}|                    [schapire2000]
    """

    name = "lrap"
    aliases = ("label_ranking_average_precision",)
    title = Text("Label ranking average precision (LRAP)", "标签排序平均精度（LRAP）")
    formula_zh = "lrap = 对各行取平均：(1/|T|) Σ_{t ∈ T} |{u ∈ T : s_u ≥ s_t}| / |{l : s_l ≥ s_t}|"
    perfect = 1.0
    about = About(
        Text("Are the labels that hold ranked above the others?", "应有的标签是否排在前面？"),
        Text("Lists of suggested tags; the AP of each row.", "推荐标签的列表；即每行的 AP。"),
        Text(
            "Rows without labels count 1, unless empty=skip: many of them make it look good.",
            "没有标签的行计 1（除非 empty=skip）：这种行多时会显得很好。",
        ),
        ("coverage_error", "label_ranking_loss"),
        Text("rows: 1, 1, (1 + 2/3) / 2; mean 0.944444", "各行：1、1、(1 + 2/3) / 2；平均 0.944444"),
        undefined=_NO_ROW,
        also=("标签排序",),
    )

    def total(self, ranks: RankSums, width: int) -> tuple[Fraction, Fraction, int]:
        _, full, others = ranks.amounts
        return ranks.sums["precision"] + full, full + others, ranks.rows[0]

    def of_row(self, true: tuple[int, ...], scores: tuple[float, ...]) -> float:
        return plain_precision([(y, score, Fraction(1)) for y, score in zip(true, scores, strict=True)])


@dataclass(frozen=True, kw_only=True)
class LabelRankingLoss(WithinRows):
    """Share of the pairs (a label that holds, one that does not) in which the wrong one scores as much or more.

    label_ranking_loss = mean over rows of |{(t, u) : s_t ≤ s_u, t ∈ T, u not}| / (|T| · (L − |T|))          [schapire2000]
    """

    name = "label_ranking_loss"
    aliases = ("ranking_loss", "rank_loss")
    title = Text("Label ranking loss", "标签排序损失")
    formula_zh = "label_ranking_loss = 对各行取平均：|{(t, u) : s_t ≤ s_u, t ∈ T，u 不属于 T}| / (|T| · (L − |T|))"
    about = About(
        Text("How often does a wrong label stand above a right one?", "错误的标签有多常排在正确的标签之前？"),
        Text("As lrap, read as a loss.", "同 lrap，作为损失来看。"),
        Text("It does not see where in the list the pairs stand.", "不看标签对处于列表的什么位置。"),
        ("lrap", "auc"),
        Text("rows: 0, 0, 1/2; mean 0.166667", "各行：0、0、1/2；平均 0.166667"),
        higher_is_better=False,
        undefined=_NO_ROW,
        also=("排序损失",),
    )

    ties: str = choice(
        Text("A pair with equal scores.", "分数相同的一对。"),
        wrong=Text("it is wrong", "算错"),
        half=Text("it is half wrong, as in AUC", "算半错，同 AUC"),
    )

    def total(self, ranks: RankSums, width: int) -> tuple[Fraction, Fraction, int]:
        return ranks.sums[self.ties], ranks.amounts[2], ranks.rows[0] + ranks.rows[1]

    def of_row(self, true: tuple[int, ...], scores: tuple[float, ...]) -> float:
        cells = list(zip(true, scores, strict=True))
        pairs = [(a, b) for y, a in cells if y for z, b in cells if not z]
        tied = 1.0 if self.ties == "wrong" else 0.5
        return sum(1.0 if a < b else tied if a == b else 0.0 for a, b in pairs) / len(pairs) if pairs else NAN
