"""Whether predictions order rows as the truth does, over all pairs of rows: watch time, value, anything that is ranked by a number."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints, exact_dot, exact_sum, root, weighted_dot
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.evidence.regression.pairs import PairSums, pair_units, row_pairs, twice_below
from pingce.evidence.regression.ranks import mid_ranks
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.parameters import choice
from pingce.metrics.regression.base import CONSTANT, NumberList, RegressionMetric, about

EXAMPLE = ((1.0, 3.0, 3.0, 5.0), (0.2, 0.4, 0.6, 0.6))
"Of 6 pairs 4 are concordant, one is tied in the truth, one in the prediction."
_MOST = 3000
"Rows of which a matrix of pairs is made, for draws."


_SYMBOLS = Text(
    "C, D: pairs of rows that truth and prediction order alike, and against each other · T_p, T_y: pairs that are equal in ŷ only, in y only",
    "C、D：真值与预测次序一致、相反的样本对 · T_p、T_y：仅 ŷ 相等、仅 y 相等的样本对",
)


@dataclass(frozen=True, kw_only=True)
class PairRules(RegressionMetric):
    """Base of the shares of pairs that are ordered right, with what ties count."""

    symbols = _SYMBOLS

    pairs: str = choice(
        Text("The pairs that are counted.", "计入哪些样本对。"),
        different=Text("those with different true numbers", "真值不同的样本对"),
        all=Text("all pairs of rows (TorchRec, TorchEasyRec)", "全部样本对（TorchRec、TorchEasyRec）"),
    )
    tied: str = choice(
        Text("A pair whose predicted numbers only are equal.", "仅预测值相等的样本对。"),
        half=Text("counts half, as in auc", "记一半，与 auc 相同"),
        wrong=Text("counts nothing (TF-Ranking, TorchRec)", "记 0（TF-Ranking、TorchRec）"),
        right=Text("counts as right", "记为正确"),
    )
    both: str = choice(
        Text("With pairs=all, a pair equal in truth and prediction.", "pairs=all 时，真值与预测都相等的样本对。"),
        minor=True,
        skip=Text("counts nothing", "记 0"),
        right=Text("counts as right (TorchRec)", "记为正确（TorchRec）"),
    )
    level: str = choice(
        Text("With pairs=all, a pair whose true numbers only are equal.", "pairs=all 时，仅真值相等的样本对。"),
        minor=True,
        wrong=Text("counts nothing", "记 0"),
        right=Text("counts as right (RAUC of TorchRec)", "记为正确（TorchRec 的 RAUC）"),
    )

    def check(self) -> None:
        for name, default in (("both", "skip"), ("level", "wrong")):
            if self.pairs == "different" and (word := getattr(self, name)) != default:
                raise InputError(
                    f"{self.name}({name}={word}): pairs with equal true numbers are not counted at all with pairs=different; write pairs=all too",
                    f"{self.name}({name}={word})：pairs=different 时不计真值相等的样本对；请同时写 pairs=all",
                )

    @property
    def shares(self) -> dict[str, tuple[float, int]]:
        """What a pair of each kind counts for, and whether it is counted at all."""
        every = int(self.pairs == "all")
        return {
            "concordant": (1.0, 1),
            "discordant": (0.0, 1),
            "tied_predicted": ({"half": 0.5, "wrong": 0.0, "right": 1.0}[self.tied], 1),
            "tied_truth": (float(self.level == "right"), every),
            "tied_both": (float(self.both == "right"), every),
        }

    def right_and_all(self, counts: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
        """Pairs that are right, and all that are counted."""
        parts = [(counts[name], Fraction(share), counted) for name, (share, counted) in self.shares.items()]
        return (
            sum((count * share for count, share, counted in parts if counted), Fraction(0)),
            sum((count for count, _, counted in parts if counted), Fraction(0)),
        )

    def define_share(self, rows: NumberList) -> float:
        """Pair by pair."""
        right = counted = 0.0
        for truth, predicted, weight in rows.pairs():
            share, counts = self.shares[kind_of(truth, predicted)]
            right, counted = right + weight * share * counts, counted + weight * counts
        return right / counted if counted else NAN


def kind_of(truth: float, predicted: float) -> str:
    """What a pair with such differences is."""
    if not truth or not predicted:
        return "tied_both" if truth == predicted else "tied_predicted" if truth else "tied_truth"
    return "concordant" if (truth > 0) == (predicted > 0) else "discordant"


def counts_of(sums: PairSums) -> dict[str, Fraction]:
    """Pairs by kind."""
    return {name: getattr(sums, name) for name in PairSums.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class Xauc(PairRules):
    """Share of the pairs of rows that predictions order as the truth does.

    xauc = (C + ½ T_p) / (C + D + T_p) over pairs with different true numbers                          [harrell1982]
    """

    name = "xauc"
    aliases = ("concordance", "c_index", "concordance_index")
    title = Text("Ordered pairs (XAUC, concordance)", "序对准确率（XAUC）")
    formula_zh = "xauc = (C + ½ T_p) / (C + D + T_p)，只数真值不同的样本对"
    needs_rows = True
    about = about(
        Text(
            "Of two videos, does the one that is watched longer get the larger prediction?",
            "两个视频里，看得更久的那个预测得更大吗？",
        ),
        Text(
            "Watch time, dwell time, value: whatever is ranked by a predicted number; beside mae as auc is beside logloss.",
            "时长、停留、价值等按预测值排序的场景；与 mae 的关系如同 auc 与 logloss。",
        ),
        Text(
            "It ignores sizes: predictions ten times too large can reach 1. Tools count ties and pairs in seven ways; it compares rows of different users (see xgauc).",
            "不看大小：预测大了十倍也可以是 1。各工具对并列与样本对的算法有七种；会把不同用户的行互相比较（见 xgauc）。",
        ),
        ("mae", "xgauc", "kendall"),
        Text(
            "y 1, 3, 3, 5 and ŷ 0.2, 0.4, 0.6, 0.6: 5 pairs differ in y, 4 are in order, 1 is tied in ŷ: (4 + ½) / 5 = 0.9",
            "y 为 1、3、3、5，ŷ 为 0.2、0.4、0.6、0.6：真值不同的 5 对中 4 对次序正确，1 对 ŷ 并列：(4 + ½) / 5 = 0.9",
        ),
        example=("", *EXAMPLE),
        range="0 … 1",
        higher_is_better=True,
        undefined=Text("no two rows differ in the truth", "没有任何两行真值不同"),
        also=("XAUC", "序对", "逆序对", "一致性指数", "观看时长"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        return self.quotient(*self.right_and_all(counts_of(evidence.pairs)))

    def row_terms(self, rows: NumberRows) -> RowTerms | None:
        """(A − xauc · B) · Σ w / Σ B of each row, A and B its own pairs: what it moves the value by.          [hoeffding1948]"""
        counts, weights = row_pairs(rows), np.ones(len(rows)) if rows.weight is None else rows.weight
        columns = {name: counts.column(name) for name in self.shares}
        right = sum(columns[name] * share * counted for name, (share, counted) in self.shares.items())
        every = sum(columns[name] * counted for name, (_, counted) in self.shares.items())
        return ratio_terms(np.asarray(right, np.float64), np.asarray(every, np.float64), weights)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats | None:
        if len(rows) > _MOST:
            return None
        truth, predicted = _signs(rows.true), _signs(rows.predicted)
        share = {name: share for name, (share, _) in self.shares.items()}
        counted = {name: float(counted) for name, (_, counted) in self.shares.items()}
        right, every = (_by_kind(truth, predicted, words) for words in (share, counted))
        right = right * (every > 0)
        copies = np.maximum(often * (often - 1), 0.0).sum(axis=1) * counted["tied_both"]
        total = ((often @ every) * often).sum(axis=1) + copies - np.square(often).sum(axis=1) * every[0, 0]
        top = ((often @ right) * often).sum(axis=1) + copies * share["tied_both"]
        top -= np.square(often).sum(axis=1) * right[0, 0]
        values: Floats = np.divide(top, total, out=np.full(len(often), np.nan), where=total > 0)
        return values

    def define(self, rows: NumberList) -> float:
        return self.define_share(rows)


def ratio_terms(top: Floats, bottom: Floats, weights: Floats) -> RowTerms | None:
    """What each row moves a ratio of sums over pairs by, of which it has `top` and `bottom`; None where there are no pairs."""
    pairs = exact_dot(bottom, weights) / 2
    if not pairs:
        return None
    value = float(exact_dot(top, weights) / 2 / pairs)
    scale = float(exact_sum(weights) / pairs)
    return RowTerms((top - value * bottom) * scale, value=value)


def _signs(values: Floats) -> Floats:
    """Of each pair of rows, whether the first is above, equal or below."""
    signs: Floats = np.sign(values[:, None] - values[None, :])
    return signs


def _by_kind(truth: Floats, predicted: Floats, words: dict[str, float]) -> Floats:
    """A number for each pair of rows, by what it is."""
    together = truth * predicted
    level, alike = truth == 0, predicted == 0
    kinds = [level & alike, level, alike, together > 0]
    names = ("tied_both", "tied_truth", "tied_predicted", "concordant")
    return np.select(kinds, [words[name] for name in names], words["discordant"])


class Kendall(RegressionMetric):
    """Concordant less discordant pairs, over what pairs without ties in either would be.

    τ_b = (C − D) / √((C + D + T_p) · (C + D + T_y))                                                   [kendall1945]
    """

    name = "kendall"
    aliases = ("kendalltau", "kendall_tau", "tau_b")
    title = Text("Kendall rank correlation (τ_b)", "肯德尔等级相关系数（τ_b）")
    symbols = _SYMBOLS
    needs_rows = True
    about = about(
        Text("How many more pairs are in order than out of order?", "次序正确的样本对比错误的多多少？"),
        Text(
            "Agreement of two orders; without ties it is 2 · xauc − 1.",
            "两种次序的一致程度；没有并列时等于 2 · xauc − 1。",
        ),
        Text("It ignores how far apart the numbers are.", "不管数值相差多远。"),
        ("spearman", "xauc"),
        Text(
            "y 1, 3, 3, 5 and ŷ 0.2, 0.4, 0.6, 0.6: C = 4, D = 0, one tie in each: 4 / √(5 · 5) = 0.8",
            "y 为 1、3、3、5，ŷ 为 0.2、0.4、0.6、0.6：C = 4，D = 0，两边各一个并列：4 / √(5 · 5) = 0.8",
        ),
        example=("", *EXAMPLE),
        range="−1 … 1",
        higher_is_better=True,
        undefined=Text("truth or prediction is constant", "真值或预测全部相同"),
        also=("肯德尔", "秩相关", "tau"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        """The root of τ², which is at most 1 before it is rounded, with the sign of C − D."""
        sums = evidence.pairs
        apart, untied = sums.concordant - sums.discordant, sums.concordant + sums.discordant
        size = root(apart**2, (untied + sums.tied_predicted) * (untied + sums.tied_truth))
        return -size if apart < 0 else size

    def row_terms(self, rows: NumberRows) -> RowTerms | None:
        """What each row moves τ_b by, of C − D and of both sides under the root.                      [hoeffding1948]"""
        counts, weights = row_pairs(rows), np.ones(len(rows)) if rows.weight is None else rows.weight
        agree, against = counts.column("concordant"), counts.column("discordant")
        sides = [agree + against + counts.column(name) for name in ("tied_predicted", "tied_truth")]
        tops = [float(exact_dot(side, weights)) / 2 for side in (agree - against, *sides)]
        if not tops[1] or not tops[2]:
            return None
        scale = sqrt(tops[1]) * sqrt(tops[2])
        value = tops[0] / scale
        moved = (agree - against) / scale - value / 2 * (sides[0] / tops[1] + sides[1] / tops[2])
        return RowTerms(moved * float(exact_sum(weights)), value=value)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats | None:
        if len(rows) > _MOST:
            return None
        truth, predicted = _signs(rows.true), _signs(rows.predicted)
        kinds = truth * predicted, np.abs(truth), np.abs(predicted)
        apart, of_truth, of_predicted = (((often @ kind) * often).sum(axis=1) for kind in kinds)
        with np.errstate(invalid="ignore", divide="ignore"):
            values: Floats = apart / np.sqrt(of_truth) / np.sqrt(of_predicted)
        return values

    def define(self, rows: NumberList) -> float:
        pairs = rows.pairs()
        untied = [sum(w for pair in pairs if pair[side] for w in pair[2:]) for side in (0, 1)]
        signs = sum(w * ((y > 0) - (y < 0)) * ((p > 0) - (p < 0)) for y, p, w in pairs)
        return signs / sqrt(untied[0]) / sqrt(untied[1]) if all(untied) else NAN


class NormalizedGini(RegressionMetric):
    """How much of the inequality of the truth the order of the predictions finds: 1 for the truth's own order, 0 for chance.

    gini_norm = Σ y · (2 rank ŷ − n − 1) / Σ y · (2 rank y − n − 1); equal numbers share the mean of their ranks  [frees2011]
    """

    name = "normalized_gini"
    aliases = ("gini_norm",)
    title = Text("Normalized Gini coefficient", "归一化基尼系数")
    formula_zh = "gini_norm = Σ y · (2 ŷ 的名次 − n − 1) / Σ y · (2 y 的名次 − n − 1)；相等的数都取其名次的平均"
    needs_rows = True
    about = about(
        Text("Do those who bring most stand first?", "贡献最大的排在最前吗？"),
        Text(
            "Lifetime value, claims, payments: few rows with most of the sum. For labels 0 and 1 it is 2 · auc − 1.",
            "用户价值、赔付、付费等少数行占去大部分总量的场景。标签为 0、1 时等于 2 · auc − 1。",
        ),
        Text(
            "It ignores sizes of predictions; a few large rows decide it. Many scripts break ties by the order of rows; here they count as all orders do on average.",
            "不看预测的大小；由少数大的行决定。许多脚本按行的先后打破并列；这里取各种次序的平均。",
        ),
        ("xauc", "total_ratio"),
        Text(
            "y 0, 0, 10, 90, 5 and ŷ 1, 2, 20, 40, 30: (90 · 4 + 5 · 2) / (90 · 4 + 10 · 2) = 370 / 380 = 0.973684",
            "y 为 0、0、10、90、5，ŷ 为 1、2、20、40、30：(90 · 4 + 5 · 2) / (90 · 4 + 10 · 2) = 370 / 380 = 0.973684",
        ),
        example=("", (0.0, 0.0, 10.0, 90.0, 5.0), (1.0, 2.0, 20.0, 40.0, 30.0)),
        range="−1 … 1",
        higher_is_better=True,
        undefined=CONSTANT,
        also=("基尼", "洛伦兹", "LTV", "用户价值"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        rows = evidence.rows_for_pairs(self.name)
        lift, best = lifted_sums(rows, evidence.threads)
        return self.quotient(lift, best)

    def row_terms(self, rows: NumberRows) -> RowTerms | None:
        """(y − y') · sign(ŷ − ŷ') over the pairs of each row, and |y − y'|.                           [hoeffding1948]"""
        weights = np.ones(len(rows)) if rows.weight is None else rows.weight
        top, bottom = (_apart(rows.true, side, weights) for side in (rows.predicted, rows.true))
        return ratio_terms(top, bottom, weights)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats | None:
        if len(rows) > _MOST:
            return None
        apart = rows.true[:, None] - rows.true[None, :]
        top, bottom = (
            ((often @ pairs) * often).sum(axis=1) for pairs in (apart * _signs(rows.predicted), np.abs(apart))
        )
        values: Floats = np.divide(top, bottom, out=np.full(len(often), np.nan), where=bottom > 0)
        return values

    def define(self, rows: NumberList) -> float:
        pairs = rows.pairs()
        best = sum(w * abs(y) for y, _, w in pairs)
        return sum(w * y * ((p > 0) - (p < 0)) for y, p, w in pairs) / best if best else NAN


def lifted_sums(rows: NumberRows, threads: int | None = None) -> tuple[Fraction, Fraction]:
    """Σ w y (m − Σ w) over both orders, m twice the weight below a row and once that of its equals, itself among them."""
    if rows.weight is None:
        ranks = (mid_ranks(side, threads) - len(rows) for side in (rows.predicted, rows.true))
        lift, best = (exact_dot(rows.true, rank, threads) for rank in ranks)
        return lift, best
    units, power = pair_units(rows)
    lift, best = (
        _whole_dot(rows.true, twice_below(side, units) - int(units.sum()), units) / Fraction(4) ** power
        for side in (rows.predicted, rows.true)
    )
    return lift, best


def _whole_dot(values: Floats, first: Ints, second: Ints) -> Fraction:
    """Σ of numbers times two whole numbers below 2^62, whose halves doubles hold."""
    low = (1 << 31) - 1
    halves = [[(part >> 31, 31), (part & low, 0)] for part in (first, second)]
    return sum(
        (
            weighted_dot(values, a.astype(np.float64), b.astype(np.float64)) * (1 << (p + q))
            for a, p in halves[0]
            for b, q in halves[1]
        ),
        Fraction(0),
    )


def _apart(true: Floats, by: Floats, weights: Floats) -> Floats:
    """Σ w' (y − y') · sign of the order by a column, of each row."""
    order = np.lexsort((weights, true, by))
    first = np.flatnonzero(np.concatenate([[True], np.diff(by[order]) != 0]))
    sizes = np.diff(first, append=len(by))

    def signed(added: Floats) -> Floats:
        """Σ below less Σ above, of each row."""
        equal = np.add.reduceat(added[order], first)
        upto = np.cumsum(equal)
        out = np.empty(len(by))
        out[order] = np.repeat(2 * upto - equal - upto[-1], sizes)
        return out

    apart: Floats = true * signed(weights) - signed(weights * true)
    return apart
