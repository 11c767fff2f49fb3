"""Areas: how well scores order rows, over all thresholds at once."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import NO_CLASS, NO_POSITIVE, BinaryMetric, LabelledList, ratio
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import Number, choice, parameter

_SMALL = 0.05
"Below it 1 − ln(1 + x) / x is taken from its series."
_ROUNDED = 1 + 1e-12
"Bounds are rounded up by this much, since they are sums of rounded numbers."


def area(pairs: Pairs) -> float:
    """The share of concordant pairs; of weights, whose sums are rounded, no more than all."""
    share = ratio(pairs.twice_concordant, 2 * pairs.positives * pairs.negatives)
    return share if share <= 1 or math.isnan(share) else 1.0


class OfPairs(BinaryMetric):
    """Base of the metrics of pairs (positive, negative), whose area has a test of its own."""

    needs = "pairs"
    paired_test = "delong"
    bounded = True

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        """Σ of positives at a score × (the negatives below + half of those with it), of all pairs."""
        won = (stack.positive * (stack.negatives - stack.fp + stack.negative / 2)).sum(axis=1)
        areas = quotients(won, (stack.positives * stack.negatives)[:, 0])
        return areas if self.about.higher_is_better else 1 - areas

    def bound(self, table: ThresholdEvidence) -> float | None:
        """½ Σ of the pairs within a cell, of all pairs: each of them may be right or wrong, and counts half."""
        if not table.positives or not table.negatives:
            return None
        positives, negatives = (column.astype(np.float64) for column in table.at)
        within = float((positives * negatives).sum()) / (2 * float(table.positives) * float(table.negatives))
        return within * _ROUNDED + (_ROUNDED - 1 if table.weighted else 0)  # sums of counts are exact


class Auc(OfPairs):
    """Share of pairs (positive, negative) that the scores order rightly; equal scores count half.

    auc = (pairs with s⁺ > s⁻ + ½ · pairs with s⁺ = s⁻) / (P · N)                                      [fawcett2006]
    """

    name = "auc"
    aliases = ("roc_auc", "auroc")
    chance = 0.5
    title = Text("AUC (area under the ROC curve)", "AUC（ROC 曲线下面积）")
    formula_zh = "auc = (满足 s⁺ > s⁻ 的样本对数量 + ½ · 满足 s⁺ = s⁻ 的样本对数量) / (P · N)"
    about = About(
        Text("Does a click score higher than a non-click?", "随便取一个点击和一个未点击，点击的得分更高吗？"),
        Text("CTR models and rankers: the order over all rows.", "CTR、排序模型：全体样本上的排序能力。"),
        Text(
            "It ignores the probabilities themselves, and compares rows of different users; it does not move with the base rate.",
            "不看概率本身是否准确；会拿不同用户的样本相比；与正负比例无关。",
        ),
        ("gauc", "logloss", "pr_auc"),
        Text(
            "0.9 beats 0.8 and 0.1, 0.7 beats 0.1 only: 3 of 4 pairs = 0.75",
            "0.9 胜 0.8 与 0.1，0.7 只胜 0.1：4 对中 3 对 = 0.75",
        ),
        undefined=NO_CLASS,
        also=("ROC", "曲线下面积", "AUROC"),
    )

    def value(self, view: BinaryView) -> float:
        return area(view.pairs)

    def define(self, rows: LabelledList) -> float:
        """All pairs, one by one."""
        pairs = [(a, b, v * w) for y, a, v in rows.rows() if y == 1 for z, b, w in rows.rows() if z == 0]
        won = sum(weight * (1.0 if a > b else 0.5 if a == b else 0.0) for a, b, weight in pairs)
        return ratio(won, sum(weight for _, _, weight in pairs))


class RankLoss(OfPairs):
    """Share of pairs that the scores order wrongly; equal scores count half.

    rank_loss = (pairs with s⁺ < s⁻ + ½ · pairs with s⁺ = s⁻) / (P · N) = 1 − auc                       [zhouzh2016]
    """

    name = "rank_loss"
    aliases = ("ranking_loss",)
    title = Text("Ranking loss", "排序损失")
    formula_zh = "rank_loss = (满足 s⁺ < s⁻ 的样本对数量 + ½ · 满足 s⁺ = s⁻ 的样本对数量) / (P · N) = 1 − auc"
    about = About(
        Text("How often is a non-click put before a click?", "未点击排在点击前面的有多少？"),
        Text("The same as AUC, read as a loss.", "与 AUC 相同，作为损失来看。"),
        Text("As AUC.", "同 AUC。"),
        ("auc",),
        Text("1 of 4 pairs is in the wrong order: 0.25", "4 对中有 1 对顺序错误：0.25"),
        undefined=NO_CLASS,
        higher_is_better=False,
    )

    def value(self, view: BinaryView) -> float:
        """From the pairs that are not concordant, so that nothing is lost in 1 − auc."""
        pairs = view.pairs
        all_pairs = 2 * pairs.positives * pairs.negatives
        return ratio(max(all_pairs - pairs.twice_concordant, 0), all_pairs)

    def define(self, rows: LabelledList) -> float:
        return 1 - Auc().define(rows)


@dataclass(frozen=True, kw_only=True)
class PartialAuc(BinaryMetric):
    """Area under the ROC curve up to a false positive rate, on the scale of AUC.

    partial_auc = ½ · (1 + (A − x²/2) / (x − x²/2)), A = area under the ROC curve for FPR ≤ x          [mcclish1989]
    """

    name = "partial_auc"
    aliases = ("pauc",)
    title = Text("Partial AUC (standardised)", "部分 AUC（标准化）")
    formula_zh = "partial_auc = ½ · (1 + (A − x²/2) / (x − x²/2))，A = ROC 曲线下 FPR ≤ x 部分的面积"
    needs = "thresholds"
    decided_by_few = True
    about = About(
        Text("How good is the order where few alarms are allowed?", "误报率受限时，排序有多好？"),
        Text("Few false alarms are affordable: fraud, screening, ads.", "只容许少量误报：风控、筛查、广告。"),
        Text("It ignores everything beyond x.", "不看误报率超过 x 的部分。"),
        ("auc", "ks"),
        Text(
            "Up to FPR 0.5 the area is 0.25: ½ · (1 + (0.25 − 0.125) / (0.5 − 0.125)) = 0.666667",
            "FPR 到 0.5 的面积为 0.25：½ · (1 + (0.25 − 0.125) / (0.5 − 0.125)) = 0.666667",
        ),
        example=("partial_auc(max_fpr=0.5)",),
        undefined=NO_CLASS,
        also=("部分AUC",),
    )

    max_fpr: float = parameter(0.1, Number(above=0, most=1), Text("x, the largest FPR.", "x，最大的假正例率。"))

    def value(self, view: BinaryView) -> float:
        table = view.thresholds
        if not table.positives or not table.negatives:
            return NAN
        return self.scaled(self.covered(table) / (table.positives * table.negatives))

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        """Trapezoids up to x, of which one is cut."""
        limit, before = self.max_fpr * stack.negatives, stack.tp - stack.positive
        inside = np.clip(limit - (stack.fp - stack.negative), 0.0, stack.negative)
        share = np.divide(inside, stack.negative, out=np.zeros_like(inside), where=stack.negative > 0)
        covered = (inside * (before + share * stack.positive / 2)).sum(axis=1)
        areas: Floats = self.scaled(quotients(covered, (stack.positives * stack.negatives)[:, 0]))  # type: ignore[arg-type, assignment]
        return areas

    def covered(self, table: ThresholdEvidence) -> float:
        """P · N · A: trapezoids of counts up to x, the last one cut where the line crosses x."""
        tp, fp = (np.concatenate([[0], column]) for column in (table.tp, table.fp))
        limit = self.max_fpr * table.negatives
        whole = int(np.searchsorted(fp, limit, side="right")) - 1
        twice: Any = (table.widened(fp[1 : whole + 1] - fp[:whole]) * (tp[1 : whole + 1] + tp[:whole])).sum()
        covered = float(twice) / 2
        if whole + 1 < len(fp):
            step = (limit - float(fp[whole])) / float(fp[whole + 1] - fp[whole])
            height = float(tp[whole]) + step * float(tp[whole + 1] - tp[whole])
            covered += (limit - float(fp[whole])) * (float(tp[whole]) + height) / 2
        return covered

    def define(self, rows: LabelledList) -> float:
        positives, negatives = rows.count(1), rows.count(0)
        if not positives or not negatives:
            return NAN
        points = [(0.0, 0.0), *((cells.fp / negatives, cells.tp / positives) for _, cells in rows.at_thresholds())]
        covered = 0.0
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 >= self.max_fpr:
                break
            end = min(x1, self.max_fpr)
            height = y0 + (y1 - y0) * ((end - x0) / (x1 - x0)) if x1 > x0 else y1
            covered += (end - x0) * (y0 + height) / 2
        return self.scaled(covered)

    def scaled(self, covered: float) -> float:
        """The formula: ½ for a random order, 1 at best."""
        x = self.max_fpr
        least = x * x / 2
        return (1 + (covered - least) / (x - least)) / 2


@dataclass(frozen=True, kw_only=True)
class PrAuc(BinaryMetric):
    """Area under the precision-recall curve; tied scores are one step.

    pr_auc = Σ_n (R_n − R_{n−1}) · P_n over distinct thresholds, from the highest                      [manning2008]
    """

    name = "pr_auc"
    aliases = ("average_precision", "ap", "auprc")
    title = Text("Area under the PR curve (average precision)", "PR 曲线下面积（平均精度 AP）")
    formula_zh = "pr_auc = Σ_n (R_n − R_{n−1}) · P_n，对互不相同的阈值由高到低求和"
    needs = "thresholds"
    decided_by_few = True
    bounded = True
    about = About(
        Text("How precise is it on the way to finding all?", "把正例都找出来的路上，有多准？"),
        Text("Rare positives: more telling than ROC.", "正例稀少时，比 ROC 更能说明问题。"),
        Text(
            "It moves with the base rate, which is the value of a random order: do not compare data sets.",
            "随正例比例变化（随机排序的值就是正例比例）：不同数据集之间不可比。",
        ),
        ("auc", "precision", "recall"),
        Text("½ · 1 + ½ · 2/3 = 0.833333", "½ · 1 + ½ · 2/3 = 0.833333"),
        undefined=NO_POSITIVE,
        also=("PR曲线", "平均精度", "AP", "AUPRC"),
    )

    interpolation: str = choice(
        Text("How points are joined.", "各点如何连接。"),
        step=Text("steps: average precision, never too optimistic", "阶梯：即平均精度，不会偏乐观"),
        trapezoid=Text("straight lines, from (0, 1); too optimistic", "直线，从 (0, 1) 起；偏乐观"),
        first=Text(
            "straight lines, from recall 0 with the precision of the first point (Spark)",
            "直线，从召回率 0 与第一个点的精确率起（Spark）",
        ),
        counts=Text(
            "TP and FP grow in proportion between two points, so that precision is a hyperbola (Davis and Goadrich; XGBoost)",
            "两点之间 TP 与 FP 按比例增长，精确率为双曲线（Davis 与 Goadrich；XGBoost）",
        ),
    )

    def value(self, view: BinaryView) -> float:
        """Σ ΔTP · P over P, range by range of the scores."""
        covered = Fraction(0)
        for table in view.ranges():
            if not table.positives:
                return NAN
            covered += self.covered(table)
        return min(1.0, float(covered / Fraction(table.positives)))

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        """Σ ΔTP · P over P, of each table."""
        if self.interpolation == "counts":
            return super().values(stack, policies)
        above = stack.tp + stack.fp
        precision = np.divide(stack.tp, above, out=np.ones_like(above), where=above > 0)
        if self.interpolation == "trapezoid":
            precision[:, 1:] = (precision[:, 1:] + precision[:, :-1]) / 2
            precision[:, 0] = (precision[:, 0] + 1) / 2
        if self.interpolation == "first":
            return super().values(stack, policies)
        return quotients((stack.positive * precision).sum(axis=1), stack.positives[:, 0])

    def covered(self, table: ThresholdEvidence) -> Fraction:
        """Σ ΔTP · P of the rounded terms, exact: a row of weight 2 is that row twice, to the last bit."""
        return exact_sum(self.terms(table)[1])

    def terms(self, table: ThresholdEvidence) -> tuple[NDArray[np.intp], Floats]:
        """The thresholds that count, of steps only those at which recall grows, and ΔTP · P there."""
        gained = table.at[0]
        if self.interpolation == "step":
            at = np.flatnonzero(gained)
            tp = table.tp[at]
            return at, gained[at] * (tp / (tp + table.fp[at]))
        if self.interpolation == "counts":
            at = np.flatnonzero(gained)
            return at, _hyperbolas(table.tp[at], table.fp[at], gained[at], table.at[1][at])
        before, precision = sum(table.above), table.tp / (table.tp + table.fp)
        start = precision[0] if self.interpolation == "first" and len(precision) else 1.0
        precision = np.concatenate([[table.above[0] / before if before else start], precision])
        return np.arange(len(table)), gained * ((precision[1:] + precision[:-1]) / 2)

    def bound(self, table: ThresholdEvidence) -> float | None:
        """From the worst to the best order within each cell.

        With t positives and f negatives above a cell of p positives and n negatives, Σ ΔTP · P of the cell is at most
        p (t + p) / (t + p + f), all positives as one step before the negatives. As steps it is at least
        ∫ x / (x + f + n) dx from t to t + p, all negatives first; as lines at least p t / (t + f + n).
        """
        if not table.positives:
            return None
        p, n = (column.astype(np.float64) for column in table.at)
        tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
        t, f = tp - p, fp - n
        some = p > 0
        best = float((p[some] * (tp[some] / (tp[some] + f[some]))).sum())
        if self.interpolation == "step":
            least = np.where(fp > 0, p - fp * np.log1p(p / np.where(fp > 0, t + fp, 1)), p)
        else:
            least = p * t / np.where(t + fp > 0, t + fp, 1)
        now = float(self.covered(table))
        away = max(best - now, now - float(least.sum())) / float(table.positives)
        return min(1.0, max(0.0, away) * _ROUNDED + _ROUNDED - 1)

    def define(self, rows: LabelledList) -> float:
        positives = rows.count(1)
        if not positives:
            return NAN
        covered, tp, fp, precision = 0.0, 0.0, 0.0, 1.0
        for place, (_, cells) in enumerate(rows.at_thresholds()):
            now = cells.tp / (cells.tp + cells.fp)
            if self.interpolation == "first" and not place:
                precision = now
            height = now if self.interpolation == "step" else (now + precision) / 2
            if self.interpolation == "counts" and cells.tp > tp:
                more = cells.tp - tp + cells.fp - fp
                logarithm, bend = _bend(more / (tp + fp)) if tp + fp else (0.0, 1.0)
                height = (bend * (cells.tp - tp) + logarithm * tp) / more
            covered += (cells.tp - tp) / positives * height
            tp, fp, precision = cells.tp, cells.fp, now
        return covered


def _hyperbolas(tp: NDArray[Any], fp: NDArray[Any], gained: NDArray[Any], lost: NDArray[Any]) -> Floats:
    """Where TP and FP grow in proportion: ∫ x / (a x + b) dx from TP before to TP, a = 1 + ΔFP / ΔTP, a TP + b = TP + FP."""
    above, before = tp - gained, (tp - gained) + (fp - lost)
    growth = np.divide(gained + lost, before, out=np.full(len(tp), np.inf), where=before > 0)
    logarithms, bends = np.array([_bend(each) for each in growth.tolist()]).reshape(-1, 2).T
    areas: Floats = (gained * bends + above * np.where(before > 0, logarithms, 0.0)) / (1.0 + lost / gained)
    return areas


def _bend(x: float) -> tuple[float, float]:
    """ln(1 + x), and 1 − ln(1 + x) / x, of which nothing is lost where x is small."""
    if x < _SMALL:
        return math.log1p(x), sum((-x) ** (n - 1) * x / (n + 1) for n in range(1, 14))
    return math.log1p(x), 1.0 if math.isinf(x) else 1.0 - math.log1p(x) / x
