"""Metrics of uplift: one function over the table of both arms, one over plain rows as definition."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import ceil, floor

import numpy as np

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About, Basis, Metric
from pingce.metrics.parameters import choice
from pingce.uplift.curve_values import Points, PointsOf, curve_level, one_step, qini_points, uplift_points
from pingce.uplift.evidence import ArmTable, UpliftEvidence
from pingce.uplift.plain import ArmList, best_steps, best_uplift_steps, plain_level, steps_by_score

ONE_ARM = Text(
    "no row of an arm is among those that count, or the curve to divide by is level",
    "计入的行中缺少某一组，或作为分母的曲线是平的",
)
about = partial(About, range="−∞ … ∞", undefined=ONE_ARM)


@dataclass(frozen=True, kw_only=True)
class UpliftMetric(Metric):
    """Base of all metrics of uplift."""

    task = "uplift"
    uses = "order"
    symbols = Text(
        "N_t, N_c: treated and control rows so far, by descending score · Y_t, Y_c: their outcomes",
        "N_t、N_c：按分数从高到低，到目前为止的干预组与对照组行数 · Y_t、Y_c：其结果之和",
    )
    example_data = ((1, 1, 0, 1, 0, 0, 1, 0), (0.8, 0.1, 0.5, 0.7, 0.6, 0.4, 0.3, 0.2), (1, 0, 1, 1, 0, 0, 1, 0))
    "Outcomes, scores and treatments."
    example_form = Text("outcomes {}; scores {}; treated {}", "结果 {}；分数 {}；干预 {}")

    @classmethod
    def example_rows(cls) -> ArmList:
        outcomes, scores, treated = cls.about.example[1:]
        return ArmList(outcomes, treated, scores)

    def value(self, evidence: UpliftEvidence) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, rows: ArmList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    def basis(self, evidence: UpliftEvidence, *, undefined: bool) -> Basis:
        """What its value stands on."""
        return Basis(evidence.count, undefined=int(undefined))


@dataclass(frozen=True, kw_only=True)
class Uplift(UpliftMetric):
    """How much better treated rows fare than control rows among the top share; without @p among all: the average effect.

    uplift@p = Y_t / N_t − Y_c / N_c of the top ⌈p · n⌉ rows (p · Σ w where weights are not whole); a cut tie block counts by its share      [gutierrez2017]
    """

    name = "uplift"
    aliases = ("uplift_at_k", "ate")
    title = Text("Uplift of the top share", "头部增益")
    formula_zh = "uplift@p = 得分最高的 ⌈p · n⌉ 行（权重不是整数时为 p · Σ w）中的 Y_t / N_t − Y_c / N_c；同分的一组行被截断时，按比例计入"
    takes = "p"
    about = about(
        Text("How much does treating the top share bring per row?", "只干预得分最高的一部分，平均每行多得多少？"),
        Text(
            "Coupons, pushes and calls with a budget for a share of the users.",
            "预算只够触达一部分用户的发券、推送、外呼。",
        ),
        Text(
            "It ignores the order within the share; of few rows of an arm it is mostly noise: look at its interval.",
            "不看占比以内的顺序；某一组行数很少时多为噪声，请看其区间。",
        ),
        ("qini", "auuc"),
        Text(
            "Of the top 4 of 8, 2 of 3 treated rows respond and 0 of 1 control rows: 2/3 − 0 = 0.666667",
            "8 行中前 4 行：干预组 3 行中 2 行响应，对照组 1 行中 0 行：2/3 − 0 = 0.666667",
        ),
        example=("uplift@0.5",),
        also=("增益", "提升量", "平均处理效应", "ATE"),
    )
    by: str = choice(
        Text("What the share is of", "占比的对象"),
        all=Text("all rows in one order", "全部行，统一排序"),
        arm=Text("each arm, in its own order", "干预组与对照组各自排序"),
    )
    cut: str = choice(
        Text("Where p · n is no whole number", "p · n 不是整数时"),
        ceil=Text("the next row counts too", "向上取整"),
        floor=Text("it does not", "向下取整"),
    )

    def rows_within(self, total: Fraction, *, whole: bool) -> Fraction:
        """How many rows the share is; where weights are no whole numbers it is cut exactly, whatever their sum happens to be."""
        wanted = Fraction(repr(1.0 if self.k is None else self.k)) * total
        if not whole:
            return wanted
        return Fraction(ceil(wanted) if self.cut == "ceil" else floor(wanted))

    def sides(self, table: ArmTable) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Outcomes and rows of each arm within the share."""
        columns, whole = [np.append(0, column) for column in (table.treated, table.control)], table.is_whole
        sums = [np.append(0, column) for column in (table.treated_sum, table.control_sum)]
        if self.by == "all":
            upto = columns[0] + columns[1]
            at = _place(upto, self.rows_within(Fraction(upto[-1].item()), whole=whole))
            places = [at, at]
        else:
            places = [_place(column, self.rows_within(Fraction(column[-1].item()), whole=whole)) for column in columns]
        treated, control = (
            (_at(total, at), _at(rows, at)) for total, rows, at in zip(sums, columns, places, strict=True)
        )
        return treated, control

    def value(self, evidence: UpliftEvidence) -> float:
        return _difference(*self.sides(evidence.table))

    def define(self, rows: ArmList) -> float:
        arms = [rows, rows] if self.by == "all" else [rows.arm(1), rows.arm(0)]
        sides = []
        for arm, flag in zip(arms, (1, 0), strict=True):
            shares = arm.shares(self.rows_within(arm.total(), whole=rows.is_whole()))
            count = sum((share for (_, treated, _), share in shares if treated == flag), Fraction(0))
            total = sum((share * outcome for (outcome, treated, _), share in shares if treated == flag), Fraction(0))
            sides.append((total, count))
        return _difference(*sides)


def _place(upto: np.ndarray, wanted: Fraction) -> tuple[int, Fraction]:
    """The step that so many rows lie in, and the share of it."""
    if not wanted:
        return 0, Fraction(0)
    at = int(np.searchsorted(upto, float(wanted), side="left"))
    at = max(1, min(at, len(upto) - 1))
    before, after = (Fraction(upto[place].item()) for place in (at - 1, at))
    return at, min((wanted - before) / (after - before), Fraction(1)) if after > before else Fraction(1)


def _at(running: np.ndarray, place: tuple[int, Fraction]) -> Fraction:
    """A running sum within a step."""
    at, share = place
    if not at:
        return Fraction(0)
    before, after = (Fraction(running[each].item()) for each in (at - 1, at))
    return before + share * (after - before)


def _difference(treated: tuple[Fraction, Fraction], control: tuple[Fraction, Fraction]) -> float:
    """Y_t / N_t − Y_c / N_c, rounded once; undefined where an arm has no row."""
    if treated[1] <= 0 or control[1] <= 0:
        return NAN
    return float(treated[0] / treated[1] - control[0] / control[1])


_AREA = choice(
    Text("How the height of the curve is averaged", "曲线高度如何平均"),
    trapezoid=Text("the area by trapezoids, over the number of rows", "按梯形求面积，再除以行数"),
    mean=Text("the mean of its points, one for each row and one before the first", "各点的均值：每行一点，另加起点"),
)
_EMPTY = choice(
    Text("The mean outcome of an arm that has no row yet", "某一组尚无样本时的平均结果"),
    zero=Text("0", "记 0"),
    interpolate=Text(
        "the curve starts as a line to the first step that has both arms", "曲线从起点以直线连到两组都有样本的第一步"
    ),
)


@dataclass(frozen=True, kw_only=True)
class CurveMetric(UpliftMetric):
    """Base of the metrics of a curve: its mean height, above that of a random order, over that of the best order."""

    norm: str
    area: str
    empty: str

    @staticmethod
    def points() -> PointsOf:
        """What makes the curve of a table."""
        raise NotImplementedError

    def curve(self, evidence: UpliftEvidence) -> Points:
        """The curve of the scores."""
        return self.points()(evidence.table, self.empty)

    def best(self, evidence: UpliftEvidence) -> Points | None:
        """The curve of the best order; None where it is not known."""
        raise NotImplementedError

    def levels(self, evidence: UpliftEvidence) -> dict[str, Fraction]:
        """Mean heights: of the curve, of a random order, and of the best order where that is what is divided by; and the end."""
        level, end = curve_level(self.points(), evidence.table, self.empty, self.area, evidence.threads)
        levels = {"curve": level, "random": end / 2, "end": end}
        best = self.best(evidence) if self.norm == "perfect" else None
        return levels if best is None else levels | {"best": best.level(self.area)}

    def value(self, evidence: UpliftEvidence) -> float:
        treated, control, _, _ = evidence.table.totals
        return NAN if not treated or not control else self.of(self.levels(evidence))

    def of(self, levels: dict[str, Fraction]) -> float:
        """The formula."""
        raise NotImplementedError


def _over(top: Fraction, bottom: Fraction) -> float:
    return float(top / bottom) if bottom else NAN


def _over_best(levels: dict[str, Fraction]) -> float:
    """Above a random order, over what the best order has above it; where these two differ by rounding only, by nothing."""
    if "best" not in levels:
        return NAN
    room = levels["best"] - levels["random"]
    is_level = abs(room) <= _ROUNDING * max(abs(levels["best"]), abs(levels["random"]))
    return NAN if is_level else float((levels["curve"] - levels["random"]) / room)


_ROUNDING = Fraction(1, 1 << 40)


@dataclass(frozen=True, kw_only=True)
class Qini(CurveMetric):
    """Qini coefficient: how far the Qini curve lies above that of a random order, as a share of what the best order reaches.

    qini = (A − A_random) / (A_perfect − A_random), A: area under Q = Y_t − Y_c · N_t / N_c               [radcliffe2007]
    """

    name = "qini"
    aliases = ("qini_auc", "qini_coefficient", "qini_auc_score")
    title = Text("Qini coefficient", "Qini 系数")
    formula_zh = "qini = (A − A_随机) / (A_最佳 − A_随机)，A 为 Q = Y_t − Y_c · N_t / N_c 的曲线下面积"
    about = about(
        Text("How well do the scores put those first whom the treatment helps?", "分数能否把干预有效的人排在前面？"),
        Text("Choosing among uplift models on data of a randomised trial.", "在随机实验数据上挑选增益模型。"),
        Text(
            "It says nothing of the size of the effect; a few rows at the top may decide it, and tools that use the same name divide by other things.",
            "不反映效果的大小；可能由头部少数行决定；同名的工具所除的分母各不相同。",
        ),
        ("auuc", "uplift"),
        Text(
            "areas: curve 16, random 8, best 19: (16 − 8) / (19 − 8) = 0.727273",
            "面积：曲线 16，随机 8，最佳 19：(16 − 8) / (19 − 8) = 0.727273",
        ),
        also=("Qini", "基尼"),
    )
    norm: str = choice(
        Text("What is divided by", "分母"),
        perfect=Text("the same of the best order", "最佳排序的同一差值"),
        end=Text(
            "the size of the curve's end; the mean height less that of a random order is above it",
            "曲线终点的绝对值；分子为平均高度减去随机排序的平均高度",
        ),
        none=Text("nothing: the mean height less that of a random order", "不除：平均高度减去随机排序的平均高度"),
    )
    negative: str = choice(
        Text("Whether the best order knows of rows that a treatment harms", "最佳排序是否允许干预有害"),
        yes=Text("yes: control rows that respond come last", "允许：有响应的对照行排在最后"),
        no=Text(
            "no: its curve rises by a row each to the end's height, and stays; undefined where the end lies below 0",
            "不允许：曲线每行升 1，到终点高度后保持不变；终点低于 0 时没有定义",
        ),
    )
    area: str = _AREA
    empty: str = _EMPTY

    @staticmethod
    def points() -> PointsOf:
        return qini_points

    def best(self, evidence: UpliftEvidence) -> Points | None:
        if self.negative == "yes":
            return qini_points(evidence.best_table, self.empty)
        curve = self.curve(evidence)
        return one_step(curve) if 0 <= curve.end <= curve.size else None

    def of(self, levels: dict[str, Fraction]) -> float:
        above = levels["curve"] - levels["random"]
        if self.norm == "none":
            return float(above)
        if self.norm == "end":
            return _over(above, abs(levels["end"]))
        return _over_best(levels)

    def define(self, rows: ArmList) -> float:
        if not rows.has_both():
            return NAN
        points = steps_by_score(rows, "qini", self.empty)
        end = points[-1][1]
        levels = {"curve": plain_level(points, self.area), "random": end / 2, "end": end}
        best = best_steps(rows, self.empty)
        if self.negative == "no":
            best = [(Fraction(0), Fraction(0)), (end, end), (points[-1][0], end)]
            if not 0 <= end <= points[-1][0]:
                return self.of(levels)
        return self.of(levels | {"best": plain_level(best, self.area)})


@dataclass(frozen=True, kw_only=True)
class AreaUnderUplift(CurveMetric):
    """Area under the uplift curve, above that of a random order, as a share of what the best order reaches.

    auuc = (A − A_random) / (A_perfect − A_random), A: area under V = (Y_t / N_t − Y_c / N_c) (N_t + N_c)  [gutierrez2017]
    """

    name = "auuc"
    aliases = ("uplift_auc", "uplift_auc_score", "auuc_score")
    title = Text("Area under the uplift curve (AUUC)", "增益曲线下面积（AUUC）")
    formula_zh = "auuc = (A − A_随机) / (A_最佳 − A_随机)，A 为 V = (Y_t / N_t − Y_c / N_c)(N_t + N_c) 的曲线下面积"
    about = about(
        Text("How much is gained by treating in the order of the scores?", "按分数的次序干预，能多得多少？"),
        Text(
            "As qini; the curve counts the gain over all rows so far, not over the treated ones.",
            "同 qini；曲线按到目前为止的全部行计，而非只按干预组。",
        ),
        Text(
            "Of the same eight rows one tool says −0.82 and another 0.19: name the norm beside the number.",
            "同样的八行数据，一个工具给出 −0.82，另一个给出 0.19：报告数值时请写明 norm。",
        ),
        ("qini", "uplift"),
        Text(
            "areas: curve 95/4, random 16, best 113/4: (95/4 − 16) / (113/4 − 16) = 0.632653",
            "面积：曲线 95/4，随机 16，最佳 113/4：(95/4 − 16) / (113/4 − 16) = 0.632653",
        ),
        also=("AUUC", "增益曲线"),
    )
    norm: str = choice(
        Text("What is divided by", "分母"),
        perfect=Text(
            "what the best order has above a random one, of outcomes 0 and 1; the curve's own height above it is divided",
            "最佳排序高出随机排序的部分（结果须为 0 与 1）；分子为曲线高出随机排序的部分",
        ),
        end=Text(
            "the size of the curve's end; the mean height itself is divided", "曲线终点的绝对值；分子为平均高度本身"
        ),
        none=Text("nothing: the mean height itself", "不除：平均高度本身"),
    )
    area: str = _AREA
    empty: str = _EMPTY

    @staticmethod
    def points() -> PointsOf:
        return uplift_points

    def best(self, evidence: UpliftEvidence) -> Points | None:
        table = evidence.best_uplift_table
        return None if table is None else uplift_points(table, self.empty)

    def of(self, levels: dict[str, Fraction]) -> float:
        if self.norm == "none":
            return float(levels["curve"])
        if self.norm == "end":
            return _over(levels["curve"], abs(levels["end"]))
        return _over_best(levels)

    def define(self, rows: ArmList) -> float:
        if not rows.has_both():
            return NAN
        points = steps_by_score(rows, "uplift", self.empty)
        end = points[-1][1]
        levels = {"curve": plain_level(points, self.area), "random": end / 2, "end": end}
        best = best_uplift_steps(rows, self.empty)
        return self.of(levels if best is None else levels | {"best": plain_level(best, self.area)})
