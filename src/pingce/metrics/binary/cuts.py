"""Metrics of one cut through the scores: where it is best, or after a share of the rows."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import NO_CLASS, NO_POSITIVE, BinaryMetric, LabelledList, ratio
from pingce.metrics.binary.decisions import FMeasure
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import Number, parameter

_NO_INTERVAL = Text(
    "where a curve is highest jumps from sample to sample, and drawing rows anew does not show how far",
    "曲线最高处的位置会随样本跳动，对行重新抽样也显不出跳动的范围",
)


def positives_within(table: ThresholdEvidence, rows: Fraction) -> Fraction:
    """Positives among the top rows; of a tie block that is cut, its share."""
    above = table.tp + table.fp
    at = int(np.searchsorted(above, float(rows), side="left"))
    at = min(at, len(table) - 1)
    tp, count = (Fraction(column[at].item()) for column in (table.tp, above))
    before = [Fraction(column[at - 1].item()) if at else Fraction(0) for column in (table.tp, above)]
    if rows >= count:
        return tp
    return before[0] + (rows - before[1]) * (tp - before[0]) / (count - before[1])


def _defined_within(rows: LabelledList, wanted: Fraction) -> Fraction:
    """The same, block by block."""
    tp = count = Fraction(0)
    for _, cells in rows.at_thresholds():
        block_tp, block = Fraction(cells.tp) - tp, Fraction(cells.tp) + Fraction(cells.fp) - count
        if count + block >= wanted:
            return tp + (wanted - count) * block_tp / block
        tp, count = tp + block_tp, count + block
    return tp


class BreakEvenPoint(BinaryMetric):
    """Where precision and recall are equal: as many rows predicted positive as there are positives.

    bep = TP among the P highest scores / P (there precision = recall)                                  [zhouzh2016]
    """

    name = "bep"
    aliases = ("break_even_point",)
    title = Text("Break-even point", "平衡点（BEP）")
    formula_zh = "bep = 得分最高的 P 行中的 TP / P（此处精确率 = 召回率）"
    needs = "thresholds"
    about = About(
        Text("What is precision where it equals recall?", "精确率等于召回率时是多少？"),
        Text("Comparing PR curves that cross.", "比较相交的 PR 曲线。"),
        Text("It is one point of the curve.", "只是曲线上的一点。"),
        ("pr_auc", "best_f"),
        Text(
            "Two positives; of the top two rows one is: 1 / 2 = 0.5", "正例 2 个；得分最高的 2 行中有 1 个：1 / 2 = 0.5"
        ),
        undefined=NO_POSITIVE,
        also=("平衡点",),
    )

    def value(self, view: BinaryView) -> float:
        """Counts inside the block in which the P-th row lies."""
        table = view.thresholds
        positives = Fraction(table.positives)
        return float(positives_within(table, positives) / positives) if positives else NAN

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        return quotients(stack.positives_within(stack.positives), stack.positives[:, 0])

    def define(self, rows: LabelledList) -> float:
        positives = Fraction(rows.count(1))
        return float(_defined_within(rows, positives) / positives) if positives else NAN


def highest(table: ThresholdEvidence, curve: NDArray[Any]) -> float:
    """The highest threshold with the largest value; sums of weights are rounded, so that equal values may differ a little."""
    if not table.weighted:
        return float(table.score[int(curve.argmax())])
    best = float(curve.max())
    return float(table.score[int(np.argmax(curve >= best - 1e-12 * abs(best)))])


def separation(table: ThresholdEvidence) -> NDArray[Any] | None:
    """P · N · (TPR − FPR) at each threshold: counts stay whole."""
    if not table.positives or not table.negatives:
        return None
    return table.widened(table.tp) * table.negatives - table.widened(table.fp) * table.positives


def _defined_separation(rows: LabelledList) -> tuple[float, float]:
    """Largest TPR − FPR, and the highest threshold with it."""
    positives, negatives = rows.count(1), rows.count(0)
    if not positives or not negatives:
        return NAN, NAN
    gaps = [(cells.tp * negatives - cells.fp * positives, score) for score, cells in rows.at_thresholds()]
    largest, threshold = max(gaps, key=itemgetter(0))  # of several the first, at the highest score
    return largest / (positives * negatives), threshold


class KolmogorovSmirnov(BinaryMetric):
    """Largest distance between the two classes' score distributions.

    ks = max over thresholds (TPR − FPR)                                                               [fawcett2006]
    """

    name = "ks"
    title = Text("KS (Kolmogorov-Smirnov)", "KS 值")
    formula_zh = "ks = 所有阈值下 (TPR − FPR) 的最大值"
    needs = "thresholds"
    bounded = True
    optimistic = True
    about = About(
        Text("How far apart are the two classes at best?", "好坏样本最多能拉开多大差距？"),
        Text("Credit scoring and risk control.", "信用评分、风控。"),
        Text("It is one point of the ROC curve.", "只是 ROC 曲线上的一点。"),
        ("auc", "ks_threshold"),
        Text("At 0.9: 1/2 − 0 = 0.5", "在 0.9 处：1/2 − 0 = 0.5"),
        undefined=NO_CLASS,
        also=("KS", "柯尔莫哥洛夫"),
    )

    def value(self, view: BinaryView) -> float:
        best = []
        for table in view.ranges():
            gaps = separation(table)
            if gaps is None:
                return NAN
            best.append(gaps[[int(gaps.argmax())]].tolist()[0])
        return float(max(best) / (table.positives * table.negatives))

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        gaps = stack.tp * stack.negatives - stack.fp * stack.positives
        return quotients(gaps.max(axis=1), (stack.positives * stack.negatives)[:, 0])

    def bound(self, table: ThresholdEvidence) -> float | None:
        """The exact value is not smaller, and at most that of all positives of a cell before its negatives."""
        if not table.positives or not table.negatives:
            return None
        tpr = table.tp.astype(np.float64) / float(table.positives)
        now = table.fp.astype(np.float64) / float(table.negatives)
        before = (table.fp - table.at[1]).astype(np.float64) / float(table.negatives)
        return float((tpr - before).max() - (tpr - now).max()) + 1e-12

    def define(self, rows: LabelledList) -> float:
        return _defined_separation(rows)[0]


class KsThreshold(BinaryMetric):
    """The threshold at which TPR − FPR is largest; of several, the highest.

    ks_threshold = argmax over thresholds (TPR − FPR), the highest of several                          [fawcett2006]
    """

    name = "ks_threshold"
    title = Text("Threshold of KS", "KS 阈值")
    formula_zh = "ks_threshold = 使 (TPR − FPR) 最大的阈值；有多个时取最高者"
    needs = "thresholds"
    uses = "scores"
    no_interval = _NO_INTERVAL
    about = About(
        Text("Where are the two classes furthest apart?", "在哪个分数上两类拉得最开？"),
        Text("Choosing a threshold for risk control.", "为风控选阈值。"),
        Text("It ignores what errors cost.", "不考虑误判的代价。"),
        ("ks", "best_f_threshold"),
        Text("TPR − FPR is 0.5 at 0.9 and at 0.7: the highest is 0.9", "0.9 与 0.7 处都是 0.5：取较高者 0.9"),
        undefined=NO_CLASS,
        range="a score",
        higher_is_better=None,
    )

    def value(self, view: BinaryView) -> float:
        """Scores descend: the first of the largest."""
        gaps = separation(view.thresholds)
        return NAN if gaps is None else highest(view.thresholds, gaps)

    def define(self, rows: LabelledList) -> float:
        return _defined_separation(rows)[1]


@dataclass(frozen=True, kw_only=True)
class BestF(BinaryMetric):
    """The largest F over all thresholds.

    best_f = max over thresholds F_β                                                             [vanrijsbergen1979]
    """

    name = "best_f"
    aliases: ClassVar[tuple[str, ...]] = ("best_f1", "max_f1")
    title = Text("Best F", "最佳 F 值")
    formula_zh = "best_f = 所有阈值下 F_β 的最大值"
    needs = "thresholds"
    optimistic = True
    about = About(
        Text("How good can F be with the right threshold?", "阈值选得最好时，F 能到多少？"),
        Text("Comparing models before a threshold is chosen.", "选定阈值之前比较模型。"),
        Text("A threshold chosen on the test data is too optimistic.", "在测试集上选阈值会偏乐观。"),
        ("f", "best_f_threshold"),
        Text("At 0.7: 4 / (4 + 0 + 1) = 0.8", "在 0.7 处：4 / (4 + 0 + 1) = 0.8"),
        undefined=NO_POSITIVE,
        also=("最佳F1", "最大F1"),
    )

    beta: float = parameter(
        1, Number(above=0), Text("How much more recall weighs than precision.", "召回相对精确的权重，β > 1 偏重召回。")
    )

    def curve(self, table: ThresholdEvidence) -> Floats:
        """F at each threshold: the bottom is never 0 where there are positives."""
        square = float(self.beta) ** 2  # whole numbers would leave 64 bits
        top = (1 + square) * table.tp
        values: Floats = top / (top + square * (table.positives - table.tp) + table.fp)
        return values

    def value(self, view: BinaryView) -> float:
        return float(self.curve(view.thresholds).max()) if view.thresholds.positives else NAN

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        square = float(self.beta) ** 2
        top = (1 + square) * stack.tp
        bottom = top + square * (stack.positives - stack.tp) + stack.fp
        best: Floats = quotients(top, np.where(stack.positives > 0, bottom, 0.0)).max(axis=1)
        return best

    def defined(self, rows: LabelledList) -> tuple[float, float]:
        """The largest, and the highest threshold with it."""
        if not rows.count(1):
            return NAN, NAN
        values = ((FMeasure(beta=self.beta).of(cells), score) for score, cells in rows.at_thresholds())
        return max(values, key=itemgetter(0))

    def define(self, rows: LabelledList) -> float:
        return self.defined(rows)[0]


class BestFThreshold(BestF):
    """The threshold at which F is largest; of several, the highest.

    best_f_threshold = argmax over thresholds F_β, the highest of several                        [vanrijsbergen1979]
    """

    name = "best_f_threshold"
    aliases = ("best_f1_threshold",)
    title = Text("Threshold of the best F", "最佳 F 阈值")
    formula_zh = "best_f_threshold = 使 F_β 最大的阈值；有多个时取最高者"
    uses = "scores"
    optimistic = False
    no_interval = _NO_INTERVAL
    about = About(
        Text("Which threshold makes F largest?", "阈值取多少时 F 最大？"),
        Text("Choosing a threshold, on data apart from the test.", "选阈值（在测试集之外的数据上）。"),
        Text("It ignores what errors cost.", "不考虑误判的代价。"),
        ("best_f",),
        Text("F is 0.8 at 0.7, less elsewhere: 0.7", "0.7 处 F 为 0.8，其余更小：0.7"),
        undefined=NO_POSITIVE,
        range="a score",
        higher_is_better=None,
    )

    def value(self, view: BinaryView) -> float:
        """Scores descend: the first of the largest."""
        table = view.thresholds
        return highest(table, self.curve(table)) if table.positives else NAN

    def define(self, rows: LabelledList) -> float:
        return self.defined(rows)[1]


class Share(BinaryMetric):
    """Base of the metrics of the top share of the rows: ⌈p · n⌉ of them; of fractional weights p · Σw."""

    takes: ClassVar[str] = "p"
    needs = "thresholds"

    def check(self) -> None:
        """The share is all of the metric: without it there is none."""
        if self.k is None:
            object.__setattr__(self, "k", 0.1)

    def rows_within(self, total: Fraction) -> Fraction:
        """How many rows the share is."""
        wanted = Fraction(repr(self.k)) * total
        return Fraction(ceil(wanted)) if total.denominator == 1 else wanted

    def of(self, inside: Fraction, taken: Fraction, positives: Fraction, total: Fraction) -> float:
        """The formula: positives found among the rows shown, of all positives and rows."""
        raise NotImplementedError

    def value(self, view: BinaryView) -> float:
        total, positives = view.evidence.totals
        if not positives:
            return NAN
        taken = self.rows_within(total)
        return self.of(positives_within(view.thresholds, taken), taken, positives, total)

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        """p · n rows of each table, not rounded up: what varies is the same."""
        total = stack.positives + stack.negatives
        inside = stack.positives_within(float(self.k or 0) * total)
        return self.shares(inside, stack.positives[:, 0], total[:, 0])

    def shares(self, inside: Floats, positives: Floats, total: Floats) -> Floats:
        """The formula, of several tables."""
        raise NotImplementedError

    def define(self, rows: LabelledList) -> float:
        positives = Fraction(rows.count(1))
        total = positives + Fraction(rows.count(0))
        if not positives:
            return NAN
        taken = self.rows_within(total)
        return self.of(_defined_within(rows, taken), taken, positives, total)


class Lift(Share):
    """How much denser positives are among the top rows than in all.

    lift@p = (positives in the top ⌈p · n⌉ rows / ⌈p · n⌉) / (P / n); a cut tie block counts by its share  [provost2013]
    """

    name = "lift"
    title = Text("Lift", "提升度")
    formula_zh = "lift@p = (得分最高的 ⌈p · n⌉ 行中的正例数 / ⌈p · n⌉) / (P / n)；同分的一组行被截断时，按比例计入"
    about = About(
        Text("How much better than picking at random?", "比随机挑选好几倍？"),
        Text("Campaigns with a budget for a share of the customers.", "预算只够触达一部分用户的营销。"),
        Text(
            "It ignores the order within the share; its maximum is 1 / max(p, base rate).",
            "不看占比以内的顺序；上限为 1 / max(p, 正例比例)。",
        ),
        ("gain", "precision"),
        Text(
            "The top row of 4 is positive, half of all are: 1 / 0.5 = 2",
            "4 行中最高的 1 行是正例，总体正例占一半：1 / 0.5 = 2",
        ),
        example=("lift@0.25",),
        range="0 … ∞",
        undefined=NO_POSITIVE,
        also=("提升图", "Lift"),
    )

    def of(self, inside: Fraction, taken: Fraction, positives: Fraction, total: Fraction) -> float:
        return float(inside * total / (taken * positives))

    def shares(self, inside: Floats, positives: Floats, total: Floats) -> Floats:
        return quotients(inside, float(self.k or 0) * positives)


class Gain(Share):
    """Share of the positives among the top rows.

    gain@p = positives in the top ⌈p · n⌉ rows / P; a cut tie block counts by its share                [provost2013]
    """

    name = "gain"
    title = Text("Cumulative gain", "累计增益（捕获率）")
    formula_zh = "gain@p = 得分最高的 ⌈p · n⌉ 行中的正例数 / P；同分的一组行被截断时，按比例计入"
    about = About(
        Text("How many of the positives are in the top share?", "前 p 的样本里有多少正例？"),
        Text("Campaigns with a budget for a share of the customers.", "预算只够触达一部分用户的营销。"),
        Text("It ignores the order within the share.", "不看占比以内的顺序。"),
        ("lift", "recall"),
        Text("The top row of 4 holds 1 of 2 positives: 0.5", "4 行中最高的 1 行含 2 个正例中的 1 个：0.5"),
        example=("gain@0.25",),
        undefined=NO_POSITIVE,
        also=("捕获率", "增益"),
    )

    def of(self, inside: Fraction, taken: Fraction, positives: Fraction, total: Fraction) -> float:
        return ratio(float(inside), float(positives))

    def shares(self, inside: Floats, positives: Floats, total: Floats) -> Floats:
        return quotients(inside, positives)
