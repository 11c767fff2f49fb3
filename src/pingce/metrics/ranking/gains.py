"""Gains and discounts shared by CG, DCG, NDCG, RBP: small functions of a grade and of a rank."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, reciprocal
from pingce.metrics.parameters import GainCheck, choice, parameter

if TYPE_CHECKING:
    from pingce.metrics.ranking.base import RankedList

Gain: TypeAlias = "str | tuple[tuple[float, float], ...]"

BINARY_GAIN = "binary"
GAIN_WORDS = {
    "exp2": Text("2^g − 1: a higher grade is worth much more", "2^g − 1：等级越高，增益拉得越开"),
    "linear": Text("g, the grade itself", "g，等级本身"),
    BINARY_GAIN: Text("1 if relevant, else 0", "相关为 1，否则为 0"),
}


def gain_parameter(default: str) -> Any:
    """The parameter `gain`, with a default."""
    help_text = Text("What an item of grade g is worth; 0 for g ≤ 0.", "等级为 g 的条目值多少；g ≤ 0 时为 0。")
    return parameter(default, GainCheck({default: GAIN_WORDS[default]} | GAIN_WORDS), help_text)


def gain_below_parameter() -> Any:
    """The parameter `gain_below`."""
    return choice(
        Text("Whether grades under `relevant` still gain.", "低于 relevant 的等级是否仍有增益。"),
        minor=True,
        keep=Text("grades below the relevance level still gain", "低于相关阈值的等级仍有增益"),
        zero=Text("grades below the relevance level gain nothing", "低于相关阈值的等级没有增益"),
    )


def discount_parameter() -> Any:
    """The parameter `discount`."""
    return choice(
        Text("What a place at rank i weighs.", "第 i 位的权重。"),
        log2=Text("1 / log2(i + 1)", "1 / log2(i + 1)"),
        zipf=Text("1 / i", "1 / i"),
        jarvelin=Text("1 / max(1, log2 i): ranks 1 and 2 weigh the same", "1 / max(1, log2 i)：第 1、2 位同权"),
    )


DISCOUNTS: dict[str, Callable[[int], float]] = {
    "log2": lambda rank: 1.0 / math.log2(rank + 1),
    "zipf": reciprocal,
    "jarvelin": lambda rank: 1.0 / max(1.0, math.log2(rank)),
}
_FEW_GRADES = 100


def gains(view: RankingView, grades: Floats, gain: Gain, gain_below: str) -> Floats:
    """The gain of each grade."""
    relevant = view.is_relevant(grades)
    if gain == BINARY_GAIN:
        return relevant.astype(np.float64)
    worth = np.maximum(grades, 0.0) if gain == "linear" else _by_distinct_grade(grades, gain)
    return np.where(relevant, worth, 0.0) if gain_below == "zero" else worth


def _by_distinct_grade(grades: Floats, gain: Gain) -> Floats:
    """Each distinct grade is looked up once; small whole grades, which most are, need no search for them."""
    if not len(grades):
        return grades
    low, high = float(grades.min()), float(grades.max())
    if low == high:
        return np.full(len(grades), grade_gain(high, gain) if high > 0 else 0.0)
    if high <= _FEW_GRADES:
        positive = np.maximum(grades, 0.0)
        whole = positive.astype(np.intp)
        if np.array_equal(whole, positive):
            counts = enumerate(np.bincount(whole).tolist())
            return np.array([grade_gain(float(grade), gain) if grade and n else 0.0 for grade, n in counts])[whole]
    distinct, place = np.unique(grades, return_inverse=True)
    worth = [grade_gain(grade, gain) if grade > 0 else 0.0 for grade in distinct.tolist()]
    return np.array(worth)[place.reshape(-1)]


def exp2(grade: float) -> float:
    """2^grade, refused where a double cannot hold it."""
    try:
        return math.pow(2.0, grade)
    except OverflowError:
        raise InputError(
            f"the grade {grade:g} is too large for 2^g; choose gain=linear or a gain table",
            f"等级 {grade:g} 太大，无法计算 2^g；请用 gain=linear 或增益表",
        ) from None


def top_grade(maximum: float | None, in_truth: float) -> float:
    """The grade that counts as full: what was given, else the largest of the truth."""
    top = in_truth if maximum is None else float(maximum)
    if in_truth > top:
        raise InputError(
            f"max={maximum}, but the truth has grade {in_truth:g}; raise max",
            f"max={maximum}，但真值中有等级 {in_truth:g}；请调大 max",
        )
    return top


def found_top_grade(maximum: float | None, in_truth: float) -> dict[str, float]:
    """The parameter `max` as it was found in the data; nothing where no grade is above 0."""
    top = top_grade(maximum, in_truth)
    return {"max": int(top) if top.is_integer() else top} if top > 0 else {}


def grade_gain(grade: float, gain: Gain) -> float:
    """The gain of one positive grade under exp2, linear or a table; binary: 1."""
    if gain == "exp2":
        return exp2(grade) - 1.0
    if isinstance(gain, str):
        return grade if gain == "linear" else 1.0
    for table, worth in gain:
        if table == grade:
            return worth
    listed = ", ".join(f"{table:g}" for table, _ in gain)
    raise InputError(
        f"the truth has grade {grade:g}, but the gain table has only {listed}; add it to gain={{…}}",
        f"真值中有等级 {grade:g}，而增益表只有 {listed}；请补入 gain={{…}}",
    )


def plain_gain(ranked: RankedList, grade: float | None, gain: Gain, gain_below: str) -> float:
    """The definition, for one item of a list."""
    if gain == BINARY_GAIN:
        return 1.0 if ranked.is_relevant(grade) else 0.0
    if grade is None or grade <= 0 or (gain_below == "zero" and not ranked.is_relevant(grade)):
        return 0.0
    if gain == "linear":
        return grade
    return exp2(grade) - 1 if gain == "exp2" else dict(gain)[grade]  # type: ignore[arg-type]
