"""Metrics of a decision at a threshold: functions of TP, FP, TN and FN."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import copysign, isnan, prod

import numpy as np

from pingce.base.exact import Floats, root
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack
from pingce.evidence.binary.thresholds import Cells
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import NO_CLASS, NO_POSITIVE, BinaryMetric, LabelledList, ratio
from pingce.metrics.binary.conditions import AT, ConditionCheck, columns_of, condition, share
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import Number, parameter

_USE = Text("A classifier whose decisions are acted upon.", "按阈值做决策的分类器。")


class Decision(BinaryMetric):
    """Base of the metrics that follow from the four cells."""

    needs = "cells"
    uses = "scores"

    def of(self, cells: Cells) -> float:
        """The formula: its division, unless a metric has another."""
        top, bottom = (sum(getattr(cells, name) for name in names.split()) for names in type(self).division)
        return ratio(top, bottom)

    def value(self, view: BinaryView) -> float:
        """At the threshold of the call."""
        return self.of(view.cells)

    def define(self, rows: LabelledList) -> float:
        """Count the cells, then the formula."""
        return self.of(rows.cells())


@dataclass(frozen=True, kw_only=True)
class Operable(Decision):
    """Base of the shares that may be asked for at the best threshold at which another rate is good enough."""

    at: str = parameter("", ConditionCheck(), AT, minor=True)

    def check(self) -> None:
        """An operating point reads the table of thresholds, and is the best of several."""
        if self.at:
            for name, value in _OPERATING.items():
                object.__setattr__(self, name, value)

    @classmethod
    def signed_policies(cls, always: tuple[str, ...], parameters: Collection[str] = ()) -> tuple[str, ...]:
        """An operating point chooses its threshold: that of the call does not matter."""
        signed = super().signed_policies(always)
        return tuple(name for name in signed if name == "undefined") if "at" in parameters else signed

    @property
    def undefined_when(self) -> Text:
        if not self.at:
            return self.about.undefined
        words = condition(self.at).words
        return Text(f"there is no threshold with {words}", f"没有阈值满足 {words}")

    def allowed(self, cells: Cells) -> Floats:
        """The share at each threshold, of columns of cells; NaN where the condition does not hold."""
        return np.where(condition(self.at).holds(cells), share(type(self).division, cells), NAN)

    def value(self, view: BinaryView) -> float:
        if not self.at:
            return self.of(view.cells)
        best = NAN
        for table in view.ranges():
            none = self.of_none(table.positives, table.negatives)
            curve = self.allowed(columns_of(table.tp, table.fp, table.positives, table.negatives))
            best = np.fmax.reduce([best, none, np.fmax.reduce(curve)])
        return float(best)

    def of_none(self, positives: float, negatives: float) -> float:
        """The share at a threshold above all scores, where nothing is predicted positive; NaN where the condition does not hold."""
        none = np.zeros(1)
        return float(self.allowed(columns_of(none, none, positives, negatives))[0])

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        if not self.at:
            return super().values(stack, policies)
        tp, fp = (np.pad(counts, ((0, 0), (1, 0))) for counts in (stack.tp, stack.fp))
        best: Floats = np.fmax.reduce(self.allowed(columns_of(tp, fp, stack.positives, stack.negatives)), axis=1)
        return best

    def define(self, rows: LabelledList) -> float:
        """Threshold by threshold: a share that is asked for, where the other is good enough."""
        if not self.at:
            return self.of(rows.cells())
        wanted, none = condition(self.at), Cells(0, 0, rows.count(0), rows.count(1))
        decisions = [none, *(cells for _, cells in rows.at_thresholds())]
        values = [self.of(cells) for cells in decisions if wanted.holds(cells)]
        return max((value for value in values if not isnan(value)), default=NAN)


_OPERATING = {"needs": "thresholds", "optimistic": True, "division": ("", "")}
"What an operating point has otherwise than the same share at a threshold."


class Accuracy(Decision):
    """Share of rows that were decided rightly.

    accuracy = (TP + TN) / (TP + FP + TN + FN)                                                         [fawcett2006]
    """

    name = "accuracy"
    aliases = ("acc",)
    title = Text("Accuracy", "准确率")
    division = ("tp tn", "tp fp tn fn")
    paired_test = "mcnemar"
    about = About(
        Text("How often is the decision right?", "判断对了多少？"),
        _USE,
        Text(
            "It misleads under imbalance: with 1 % positives, saying no to everything reaches 0.99.",
            "类别不平衡时会误导：正例占 1 % 时，全判为负也有 0.99。",
        ),
        ("f", "balanced_accuracy", "mcc"),
        Text("TP 2, TN 1 of 4 rows: 3 / 4 = 0.75", "4 行中 TP 2、TN 1：3 / 4 = 0.75"),
        also=("正确率", "精度"),
    )

    def of(self, cells: Cells) -> float:
        return ratio(cells.tp + cells.tn, cells.total)

    def row_losses(self, view: BinaryView) -> Floats:
        """Whether the decision is right."""
        rows = view.evidence.rows
        limit = rows.scores.dtype.type(view.threshold)
        chosen = rows.scores >= limit if view.policies.compare == "ge" else rows.scores > limit
        return np.asarray(chosen == rows.positive.view(bool), np.float64)


class Precision(Operable):
    """Share of the predicted positives that are positive.

    precision = TP / (TP + FP)                                                                         [fawcett2006]
    """

    name = "precision"
    aliases = ("p", "ppv")
    title = Text("Precision", "精确率（查准率）")
    division = ("tp", "tp fp")
    about = About(
        Text("Of those called positive, how many are?", "判为正的有多少真是正？"),
        Text("Where a false alarm is costly.", "误报代价高的场景。"),
        Text("It ignores the positives that were missed.", "不管漏掉了多少正例。"),
        ("recall", "f", "pr_auc"),
        Text("TP 2, FP 1: 2 / 3 = 0.666667", "TP 2，FP 1：2 / 3 = 0.666667"),
        undefined=Text("no row is predicted positive", "没有一行被判为正"),
        also=("查准率", "精度"),
    )


class Recall(Operable):
    """Share of the positives that were predicted positive.

    recall = TP / (TP + FN)                                                                            [fawcett2006]
    """

    name = "recall"
    aliases = ("r", "tpr", "sensitivity")
    title = Text("Recall (true positive rate)", "召回率（查全率、真正例率）")
    division = ("tp", "tp fn")
    about = About(
        Text("Of the positives, how many were caught?", "正例抓住了多少？"),
        Text("Where a miss is costly.", "漏报代价高的场景。"),
        Text("It ignores false alarms: calling all positive reaches 1.", "不管误报：全判为正即为 1。"),
        ("precision", "specificity"),
        Text("TP 2, FN 0: 2 / 2 = 1", "TP 2，FN 0：2 / 2 = 1"),
        undefined=NO_POSITIVE,
        also=("查全率", "灵敏度", "真正例率", "覆盖率"),
    )


@dataclass(frozen=True, kw_only=True)
class FMeasure(Decision):
    """Harmonic mean of precision and recall, weighted by beta.

    F_β = (1 + β²) · TP / ((1 + β²) · TP + β² · FN + FP)                                         [vanrijsbergen1979]
    """

    name = "f"
    aliases = ("f1", "fbeta")
    title = Text("F measure", "F 值（F1、Fβ）")
    about = About(
        Text("Are precision and recall good at once?", "又准又全吗？"),
        Text("Rare positives, at one threshold.", "正例稀少、阈值已定时。"),
        Text("It ignores TN, and hides which of the two is low.", "不看 TN，也看不出是精确率低还是召回率低。"),
        ("precision", "recall", "best_f"),
        Text("TP 2, FP 1, FN 0: 4 / (4 + 0 + 1) = 0.8", "TP 2，FP 1，FN 0：4 / (4 + 0 + 1) = 0.8"),
        undefined=Text("TP, FP and FN are all 0", "TP、FP、FN 都为 0"),
        also=("F1", "F1值", "F值", "调和平均"),
    )

    beta: float = parameter(
        1, Number(above=0), Text("How much more recall weighs than precision.", "召回相对精确的权重，β > 1 偏重召回。")
    )

    def of(self, cells: Cells) -> float:
        square = self.beta * self.beta
        return ratio((1 + square) * cells.tp, (1 + square) * cells.tp + square * cells.fn + cells.fp)


class Specificity(Operable):
    """Share of the negatives that were predicted negative.

    specificity = TN / (TN + FP)                                                                       [fawcett2006]
    """

    name = "specificity"
    aliases = ("tnr",)
    title = Text("Specificity (true negative rate)", "特异度（真负例率）")
    division = ("tn", "tn fp")
    about = About(
        Text("Of the negatives, how many were left alone?", "负例有多少没被误判？"),
        _USE,
        Text("It ignores the positives.", "不管正例。"),
        ("recall",),
        Text("TN 1, FP 1: 1 / 2 = 0.5", "TN 1，FP 1：1 / 2 = 0.5"),
        undefined=Text("there is no negative row", "没有负例"),
        also=("真负例率", "特异性"),
    )


class FalsePositiveRate(Decision):
    """Share of the negatives that were predicted positive.

    fpr = FP / (FP + TN)                                                                               [fawcett2006]
    """

    name = "fpr"
    aliases = ("false_positive_rate",)
    title = Text("False positive rate", "假正例率（误报率）")
    division = ("fp", "fp tn")
    about = About(
        Text("Of the negatives, how many raise an alarm?", "负例有多少被误报？"),
        Text("The horizontal axis of the ROC curve.", "ROC 曲线的横轴。"),
        Text("It ignores the positives.", "不管正例。"),
        ("recall",),
        Text("FP 1, TN 1: 1 / 2 = 0.5", "FP 1，TN 1：1 / 2 = 0.5"),
        undefined=Text("there is no negative row", "没有负例"),
        higher_is_better=False,
        also=("误报率", "假阳性率"),
    )


class PositiveRate(Decision):
    """Share of the rows that were predicted positive.

    positive_rate = (TP + FP) / (TP + FP + TN + FN)                                                    [fawcett2006]
    """

    name = "positive_rate"
    aliases = ("selection_rate",)
    title = Text("Predicted positive rate", "预测为正的比例")
    division = ("tp fp", "tp fp tn fn")
    about = About(
        Text("How many rows are called positive?", "有多少行被判为正？"),
        Text("Its gap between groups is demographic parity.", "它在组间的差距即人口均等。"),
        Text("It does not look at the labels.", "不看标签。"),
        ("recall", "precision"),
        Text("TP 2, FP 1 of 4 rows: 3 / 4 = 0.75", "4 行中 TP 2、FP 1：3 / 4 = 0.75"),
        higher_is_better=None,
        also=("选择率", "通过率", "预测正例率"),
    )


class FalseNegativeRate(Decision):
    """Share of the positives that were missed.

    fnr = FN / (FN + TP)                                                                               [fawcett2006]
    """

    name = "fnr"
    aliases = ("false_negative_rate", "miss_rate")
    title = Text("False negative rate", "假负例率（漏报率）")
    division = ("fn", "fn tp")
    about = About(
        Text("Of the positives, how many were missed?", "正例漏掉了多少？"),
        Text("Where a miss is costly; an axis of the DET curve.", "漏报代价高的场景；DET 曲线的一轴。"),
        Text("It ignores false alarms.", "不管误报。"),
        ("fpr",),
        Text("FN 0, TP 2: 0 / 2 = 0", "FN 0，TP 2：0 / 2 = 0"),
        undefined=NO_POSITIVE,
        higher_is_better=False,
        also=("漏报率", "假阴性率"),
    )


class NegativePredictiveValue(Decision):
    """Share of the predicted negatives that are negative.

    npv = TN / (TN + FN)                                                                               [fawcett2006]
    """

    name = "npv"
    title = Text("Negative predictive value", "阴性预测值")
    division = ("tn", "tn fn")
    about = About(
        Text("Of those called negative, how many are?", "判为负的有多少真是负？"),
        Text("Screening: may one trust a no?", "筛查：判为负是否可信。"),
        Text("It ignores the positives that were caught.", "不管抓住的正例。"),
        ("precision",),
        Text("TN 1, FN 0: 1 / 1 = 1", "TN 1，FN 0：1 / 1 = 1"),
        undefined=Text("no row is predicted negative", "没有一行被判为负"),
        also=("负预测值",),
    )


class BalancedAccuracy(Decision):
    """Mean of the true positive rate and the true negative rate.

    balanced_accuracy = (TP / P + TN / N) / 2                                                          [fawcett2006]
    """

    name = "balanced_accuracy"
    title = Text("Balanced accuracy", "平衡准确率")
    about = About(
        Text("How often right, were the classes equally frequent?", "两类一样多时，判断对了多少？"),
        Text("Imbalanced classes.", "类别不平衡时。"),
        Text(
            "It ignores how frequent the classes are: precision may still be low.", "不管类别频率：精确率仍可能很低。"
        ),
        ("accuracy", "mcc"),
        Text("(2/2 + 1/2) / 2 = 0.75", "(2/2 + 1/2) / 2 = 0.75"),
        undefined=NO_CLASS,
        also=("均衡准确率",),
    )

    def of(self, cells: Cells) -> float:
        return (ratio(cells.tp, cells.positives) + ratio(cells.tn, cells.negatives)) / 2


class Jaccard(Decision):
    """Overlap of the predicted and the true positives.

    jaccard = TP / (TP + FP + FN)                                                                      [fawcett2006]
    """

    name = "jaccard"
    aliases = ("iou",)
    title = Text("Jaccard index", "杰卡德系数")
    division = ("tp", "tp fp fn")
    about = About(
        Text("How much do the two sets of positives overlap?", "判为正的与真正的正例重合多少？"),
        Text("Sets and segments.", "集合、分割任务。"),
        Text("It ignores TN.", "不看 TN。"),
        ("f",),
        Text("TP 2, FP 1, FN 0: 2 / 3 = 0.666667", "TP 2，FP 1，FN 0：2 / 3 = 0.666667"),
        undefined=Text("TP, FP and FN are all 0", "TP、FP、FN 都为 0"),
        also=("交并比",),
    )


class Matthews(Decision):
    """Correlation of decision and label.

    mcc = (TP · TN − FP · FN) / √((TP + FP)(TP + FN)(TN + FP)(TN + FN)); 0 if the root is 0           [matthews1975]
    """

    name = "mcc"
    aliases = ("matthews",)
    title = Text("Matthews correlation", "马修斯相关系数（MCC）")
    formula_zh = "mcc = (TP · TN − FP · FN) / √((TP + FP)(TP + FN)(TN + FP)(TN + FN))；根式为 0 时取 0"
    about = About(
        Text("Do decision and label go together?", "判断与标签一致吗？"),
        Text("Imbalanced classes, one number for all four cells.", "类别不平衡，用一个数概括四格。"),
        Text("It hides which kind of error is made.", "看不出错在哪一种。"),
        ("f", "kappa"),
        Text("(2·1 − 1·0) / √(3·2·2·1) = 0.57735", "(2·1 − 1·0) / √(3·2·2·1) = 0.57735"),
        range="−1 … 1",
        also=("马修斯",),
    )

    def of(self, cells: Cells) -> float:
        """The correlation of two columns of 0 and 1."""
        sides = (cells.tp + cells.fp, cells.positives, cells.negatives, cells.tn + cells.fn)
        if not all(sides):
            return 0.0
        together = Fraction(cells.tp) * Fraction(cells.tn) - Fraction(cells.fp) * Fraction(cells.fn)
        return copysign(root(together**2, prod(map(Fraction, sides), start=Fraction(1))), together)


class Kappa(Decision):
    """Agreement of decision and label beyond chance.

    κ = (p_o − p_e) / (1 − p_e), p_e = ((TP+FP)(TP+FN) + (TN+FN)(TN+FP)) / n²                            [cohen1960]
    """

    name = "kappa"
    aliases = ("cohen_kappa",)
    title = Text("Cohen's kappa", "Kappa 系数")
    about = About(
        Text("How much better than chance?", "比碰运气好多少？"),
        Text("Agreement of two judges, or of model and label.", "两位标注者之间，或模型与标注的一致性。"),
        Text("It depends on how frequent the classes are.", "受类别频率影响。"),
        ("mcc", "accuracy"),
        Text("p_o = 3/4, p_e = 1/2: (3/4 − 1/2) / (1/2) = 0.5", "p_o = 3/4，p_e = 1/2：(3/4 − 1/2) / (1/2) = 0.5"),
        range="−1 … 1",
        undefined=Text("p_e = 1: only one class in truth and decision", "p_e = 1：真值与判断都只有同一类"),
        also=("一致性", "科恩"),
    )

    def of(self, cells: Cells) -> float:
        bottom = (cells.tp + cells.fp) * cells.negatives + cells.positives * (cells.fn + cells.tn)
        return ratio(2 * (cells.tp * cells.tn - cells.fp * cells.fn), bottom)
