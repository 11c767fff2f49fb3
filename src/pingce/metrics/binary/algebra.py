"""The rest of the algebra of the four cells: what follows from several of their rates at once."""

from __future__ import annotations

import math
from fractions import Fraction

from pingce.base.exact import root
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import Cells
from pingce.metrics.binary.base import NO_CLASS
from pingce.metrics.binary.decisions import Decision
from pingce.metrics.declared import NAN, About

_SCREENING = Text("Screening and diagnosis: what does an answer change?", "筛查、诊断：一个判断能改变多少？")


def together(cells: Cells) -> Fraction:
    """TP · TN − FP · FN, without a rounding."""
    return Fraction(cells.tp) * Fraction(cells.tn) - Fraction(cells.fp) * Fraction(cells.fn)


def exact_ratio(top: Fraction, bottom: Fraction) -> float:
    """top / bottom, rounded once; undefined where the bottom is 0, ∞ beyond the largest double."""
    if not bottom:
        return NAN
    try:
        return float(top / bottom)
    except OverflowError:
        return math.inf


def product(*factors: float) -> Fraction:
    """The product, without a rounding."""
    return math.prod(map(Fraction, factors), start=Fraction(1))


class FalseDiscoveryRate(Decision):
    """Share of the predicted positives that are negative.

    fdr = FP / (TP + FP) = 1 − precision                                                               [fawcett2006]
    """

    name = "fdr"
    aliases = ("false_discovery_rate",)
    title = Text("False discovery rate", "错误发现率")
    division = ("fp", "tp fp")
    about = About(
        Text("Of those called positive, how many are not?", "判为正的有多少其实是负？"),
        Text("Where every alarm is looked into by a person.", "每个警报都要人工核查的场景。"),
        Text("It ignores the positives that were missed.", "不管漏掉了多少正例。"),
        ("precision", "for"),
        Text("FP 1, TP 2: 1 / 3 = 0.333333", "FP 1，TP 2：1 / 3 = 0.333333"),
        undefined=Text("no row is predicted positive", "没有一行被判为正"),
        higher_is_better=False,
        also=("误发现率",),
    )


class FalseOmissionRate(Decision):
    """Share of the predicted negatives that are positive.

    for = FN / (TN + FN) = 1 − npv                                                                     [fawcett2006]
    """

    name = "for"
    aliases = ("false_omission_rate",)
    title = Text("False omission rate", "错误遗漏率")
    division = ("fn", "tn fn")
    about = About(
        Text("Of those called negative, how many are not?", "判为负的有多少其实是正？"),
        Text("What is let pass unseen: fraud, disease.", "放行而不再核查的部分：欺诈、疾病。"),
        Text("It ignores false alarms.", "不管误报。"),
        ("npv", "fdr"),
        Text("FN 0, TN 1: 0 / 1 = 0", "FN 0，TN 1：0 / 1 = 0"),
        undefined=Text("no row is predicted negative", "没有一行被判为负"),
        higher_is_better=False,
        also=("误遗漏率",),
    )


class Informedness(Decision):
    """How much more often a positive is called positive than a negative is (Youden's J).

    informedness = TPR + TNR − 1 = (TP · TN − FP · FN) / (P · N)                                        [powers2011]
    """

    name = "informedness"
    aliases = ("youden", "youden_j", "bookmaker")
    title = Text("Informedness (Youden's J)", "约登指数（Youden's J）")
    about = About(
        Text("How much does the decision know of the label?", "判断对标签知道多少？"),
        _SCREENING,
        Text(
            "It ignores how frequent the classes are: precision may still be low.", "不管类别频率：精确率仍可能很低。"
        ),
        ("markedness", "ks", "balanced_accuracy"),
        Text("2/2 + 1/2 − 1 = 0.5", "2/2 + 1/2 − 1 = 0.5"),
        range="−1 … 1",
        undefined=NO_CLASS,
        also=("约登指数", "约登", "尤登"),
    )

    def of(self, cells: Cells) -> float:
        return exact_ratio(together(cells), product(cells.positives, cells.negatives))


class Markedness(Decision):
    """How much more often a row is positive where it is called so than where it is not.

    markedness = precision + npv − 1 = (TP · TN − FP · FN) / ((TP + FP)(TN + FN))                       [powers2011]
    """

    name = "markedness"
    aliases = ("delta_p",)
    title = Text("Markedness", "标记度（Markedness）")
    about = About(
        Text("How much does the label follow from the decision?", "由判断能推知标签多少？"),
        _SCREENING,
        Text("It moves with the base rate: do not compare data sets.", "随正例比例变化：不同数据集之间不可比。"),
        ("informedness", "mcc"),
        Text("2/3 + 1/1 − 1 = 0.666667", "2/3 + 1/1 − 1 = 0.666667"),
        range="−1 … 1",
        undefined=Text("all rows are predicted alike", "所有行的判断都相同"),
        also=("标记度",),
    )

    def of(self, cells: Cells) -> float:
        return exact_ratio(together(cells), product(cells.tp + cells.fp, cells.tn + cells.fn))


class PositiveLikelihoodRatio(Decision):
    """How many times as often a positive is called positive as a negative is.

    lr_plus = TPR / FPR = (TP / P) / (FP / N)                                                             [glas2003]
    """

    name = "lr_plus"
    aliases = ("positive_likelihood_ratio",)
    title = Text("Positive likelihood ratio (LR+)", "阳性似然比（LR+）")
    about = About(
        Text("How much more likely is a positive after a yes?", "判为正之后，是正例的几率翻几倍？"),
        _SCREENING,
        Text("One false alarm more or less decides it where they are rare.", "误报很少时，多一个或少一个就能左右它。"),
        ("lr_minus", "dor"),
        Text("(2/2) / (1/2) = 2", "(2/2) / (1/2) = 2"),
        range="0 … ∞",
        undefined=Text("there is no positive row, or FP is 0", "没有正例，或 FP 为 0"),
        also=("似然比", "阳性似然比"),
    )

    def of(self, cells: Cells) -> float:
        return exact_ratio(product(cells.tp, cells.negatives), product(cells.fp, cells.positives))


class NegativeLikelihoodRatio(Decision):
    """How many times as often a positive is called negative as a negative is.

    lr_minus = FNR / TNR = (FN / P) / (TN / N)                                                            [glas2003]
    """

    name = "lr_minus"
    aliases = ("negative_likelihood_ratio",)
    title = Text("Negative likelihood ratio (LR−)", "阴性似然比（LR−）")
    about = About(
        Text("How much less likely is a positive after a no?", "判为负之后，是正例的几率还剩几成？"),
        _SCREENING,
        Text("It ignores false alarms as far as they leave TNR high.", "只要 TNR 仍高，就看不出误报。"),
        ("lr_plus", "dor"),
        Text("(0/2) / (1/2) = 0", "(0/2) / (1/2) = 0"),
        range="0 … ∞",
        undefined=Text("there is no positive row, or TN is 0", "没有正例，或 TN 为 0"),
        higher_is_better=False,
        also=("似然比", "阴性似然比"),
    )

    def of(self, cells: Cells) -> float:
        return exact_ratio(product(cells.fn, cells.negatives), product(cells.tn, cells.positives))


class DiagnosticOddsRatio(Decision):
    """The odds of being called positive of a positive over those of a negative.

    dor = lr_plus / lr_minus = (TP · TN) / (FP · FN)                                                      [glas2003]
    """

    name = "dor"
    aliases = ("diagnostic_odds_ratio",)
    title = Text("Diagnostic odds ratio", "诊断比值比（DOR）")
    about = About(
        Text("How strongly are decision and label tied?", "判断与标签的关联有多强？"),
        _SCREENING,
        Text(
            "It does not tell which kind of error is made, and has no value without errors of both kinds.",
            "看不出错在哪一种；两种错误缺其一就没有值。",
        ),
        ("lr_plus", "lr_minus"),
        Text(
            "labels 1, 1, 0, 0 called 1, 0, 1, 0: (1 · 1) / (1 · 1) = 1",
            "标签 1、1、0、0 判为 1、0、1、0：(1 · 1) / (1 · 1) = 1",
        ),
        example=("dor", (1, 1, 0, 0), (0.9, 0.2, 0.8, 0.1)),
        range="0 … ∞",
        undefined=Text("FP or FN is 0", "FP 或 FN 为 0"),
        also=("比值比", "诊断优势比"),
    )

    def of(self, cells: Cells) -> float:
        return exact_ratio(product(cells.tp, cells.tn), product(cells.fp, cells.fn))


class FowlkesMallows(Decision):
    """Geometric mean of precision and recall.

    fowlkes_mallows = √(precision · recall) = TP / √((TP + FP)(TP + FN))                               [fowlkes1983]
    """

    name = "fowlkes_mallows"
    aliases = ("fm", "g_measure")
    title = Text("Fowlkes–Mallows index", "Fowlkes–Mallows 指数")
    about = About(
        Text("Are precision and recall good at once, as a product?", "又准又全吗（几何平均）？"),
        Text("Rare positives, at one threshold.", "正例稀少、阈值已定时。"),
        Text("It ignores TN, and hides which of the two is low.", "不看 TN，也看不出是精确率低还是召回率低。"),
        ("f", "mcc"),
        Text("√(2/3 · 2/2) = 0.816497", "√(2/3 · 2/2) = 0.816497"),
        undefined=Text("there is no positive row, or none is predicted positive", "没有正例，或没有一行被判为正"),
        also=("几何平均",),
    )

    def of(self, cells: Cells) -> float:
        return root(product(cells.tp, cells.tp), product(cells.tp + cells.fp, cells.positives))
