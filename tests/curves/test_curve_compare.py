"""Which curve dominates and where two cross, against a comparison by fractions, interval by interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.curves.above import above_pr, above_roc
from pingce.curves.base import Steps

from .cases import Labelled, labelled, pr_points, roc_points

Points = list[tuple[Fraction, Fraction]]
Verdict = tuple[str, tuple[float, ...]]


def height(points: Points, x: Fraction) -> Fraction:
    """Of the joined points, at a place where the curve does not rise straight up."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 < x < x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError


def meeting(one: Points, other: Points) -> set[Fraction]:
    """Where a line of one curve meets a line of the other, between the ends of both."""
    found = set()
    for (x0, y0), (x1, y1) in pairwise(one):
        for (u0, v0), (u1, v1) in pairwise(other):
            if x0 == x1 or u0 == u1:
                continue
            slope, other_slope = (y1 - y0) / (x1 - x0), (v1 - v0) / (u1 - u0)
            if slope != other_slope:
                x = (v0 - other_slope * u0 - y0 + slope * x0) / (slope - other_slope)
                if max(x0, u0) <= x <= min(x1, u1):
                    found.add(x)
    return found


def judged(places: list[Fraction], difference: Callable[[Fraction, Fraction], Fraction]) -> Verdict:
    """The verdict from intervals on each of which the difference has one sign."""
    where, last, seen = [], 0, set()
    for left, right in pairwise(places):
        value = difference(left, right)
        sign = (value > 0) - (value < 0)
        seen.add(sign)
        if sign and last and sign != last:
            where.append(float(left))
        last = sign or last
    if seen <= {0}:
        return "equal", ()
    return ("cross" if {1, -1} <= seen else "first" if 1 in seen else "second"), tuple(where)


def judged_roc(one: Points, other: Points) -> Verdict:
    places = sorted({x for x, _ in one + other} | meeting(one, other))
    return judged(places, lambda a, b: height(one, (a + b) / 2) - height(other, (a + b) / 2))


def judged_pr(one: Points, other: Points) -> Verdict:
    def precision(points: Points, recall: Fraction) -> Fraction:
        return next(y for x, y in points if x >= recall)

    places = sorted({Fraction(0)} | {x for x, _ in one + other})
    return judged(places, lambda _, b: precision(one, b) - precision(other, b))


def verdict(kind: str, case: Labelled, other: Labelled | None = None, **options: Any) -> Verdict:
    found = pc.compare_curves(
        case.curve(kind, name="first", **options), (other or case).curve(kind, "others", name="second", **options)
    )
    assert found.better == (None if found.verdict in ("equal", "cross") else found.better)
    return (found.better or found.verdict), found.where


@given(labelled(most=16))
def test_roc_as_by_fractions(case: Labelled) -> None:
    expected = judged_roc(roc_points(case.labels, case.scores), roc_points(case.labels, case.others))
    assert verdict("roc", case) == expected
    assert verdict("roc", case, thin=2) == expected, "points that were left out count too"


@given(labelled(most=16))
def test_pr_as_by_fractions(case: Labelled) -> None:
    expected = judged_pr(pr_points(case.labels, case.scores), pr_points(case.labels, case.others))
    assert verdict("pr", case) == expected


@given(labelled(most=12), labelled(most=12))
def test_curves_of_different_rows(one: Labelled, two: Labelled) -> None:
    assert verdict("roc", one, two) == judged_roc(
        roc_points(one.labels, one.scores), roc_points(two.labels, two.others)
    )
    assert verdict("pr", one, two) == judged_pr(pr_points(one.labels, one.scores), pr_points(two.labels, two.others))


@given(labelled(most=12), st.sampled_from([10**9 + 7, 3 * 10**10]))
def test_counts_beyond_64_bits(case: Labelled, times: int) -> None:
    """All counts times a large number: products no longer fit, places and signs stay."""
    small = [case.curve("roc", which).steps for which in ("scores", "others")]

    def large(steps: Steps | None) -> Steps:
        assert steps is not None
        return replace(
            steps,
            tp=steps.tp * times,
            fp=steps.fp * times,
            positives=steps.positives * times,
            negatives=steps.negatives * times,
        )

    for compare in (above_roc, above_pr):
        signs, where = compare(*small)  # type: ignore[arg-type]
        large_signs, large_where = compare(*map(large, small))
        assert signs.tolist() == large_signs.tolist()
        assert where == large_where


@given(labelled(most=14), st.data())
def test_fractional_weights_as_whole_ones(case: Labelled, data: st.DataObject) -> None:
    """Sums of tenths are rounded, and another order of rows rounds them otherwise: that decides nothing."""
    whole = data.draw(
        st.lists(st.integers(1, 9), min_size=len(case.labels), max_size=len(case.labels)).filter(
            lambda found: any(number % 10 for number in found)
        )
    )
    for kind in ("roc", "pr"):
        exact, where = verdict(kind, case, weight=whole)
        rounded, places = verdict(kind, case, weight=[number / 10 for number in whole])
        assert rounded == exact
        assert places == pytest.approx(where, abs=1e-9)


@given(labelled())
def test_a_curve_equals_itself_and_any_increasing_function_of_its_scores(case: Labelled) -> None:
    for kind in ("roc", "pr"):
        same = replace(case, others=[3 * score**3 + 1 for score in case.scores])
        assert verdict(kind, same) == ("equal", ())


def test_the_worked_crossing() -> None:
    """One model finds a positive at once, the other finds both after one mistake: the lines meet at FPR 1/3."""
    labels = [1, 1, 0, 0]
    first = pc.roc_curve(labels, [0.9, 0.5, 0.5, 0.5], name="sharp")
    second = pc.roc_curve(labels, [0.9, 0.9, 0.9, 0.1], name="broad")
    found = pc.compare_curves(first, second)
    assert (found.verdict, found.better, found.where) == ("cross", None, (1 / 3,))
    assert found.models == ("sharp", "broad")


def test_sentences_in_both_languages() -> None:
    labels = [1, 1, 0, 0]
    crossing = [[0.9, 0.5, 0.5, 0.5], [0.9, 0.9, 0.9, 0.1]]
    one, other = (pc.pr_curve(labels, scores, name=name) for scores, name in zip(crossing, ("a", "b\n"), strict=True))
    text = pc.compare_curves(one, other).text
    assert text.en == (
        "the PR curves of a and b\\n cross at recall 0.5, by no more than chance explains (joint 95 % band): neither is better "
        "everywhere, the areas or the break-even point must decide (PR AUC 0.7500 against 0.6667; BEP 0.6667 against 0.6667)"
    )
    assert text.zh == (
        "a 与 b\\n 的 PR 曲线在召回率 = 0.5 处相交，差异可由偶然解释（95 % 联合置信带）：谁也不是处处更优，应由曲线下面积或平衡点来判断"
        "（PR AUC 0.7500 对 0.6667；BEP 0.6667 对 0.6667）"
    )
    one, other = (pc.roc_curve(labels, scores) for scores in crossing)
    assert "ROC 曲线在 FPR = 0.3333 处相交" in pc.compare_curves(one, other).text.zh
    best = pc.roc_curve(labels, [4, 3, 2, 1])
    found = pc.compare_curves(one, best)
    assert (found.verdict, found.better) == ("dominates", "model (2)")
    assert str(found) == (
        "the ROC curve of model (2) is nowhere below that of model: at every FPR its TPR is at least as high"
    )
    use_language("zh")
    assert str(found) == "model (2) 的 ROC 曲线处处不低于 model：在任何 FPR 下，TPR 都不更低"
    assert str(pc.compare_curves(best, best)) == "model 与 model (2) 的 ROC 曲线完全相同"


def test_many_crossings_by_chance_are_no_finding() -> None:
    draw = np.random.default_rng(4)
    labels = draw.integers(0, 2, 400)
    one, other = (pc.roc_curve(labels, draw.random(400)) for _ in range(2))
    found = pc.compare_curves(one, other)
    assert len(found.where) > 3
    assert (found.verdict, found.leads, found.is_finding) == ("cross", (), False)
    assert "cross, by no more than chance explains (joint 95 % band): neither" in found.text.en
    assert "ROC 曲线相交，差异可由偶然解释（95 % 联合置信带）：" in found.text.zh
    assert "crossings" not in found.text.en
    assert list(found.where) == sorted(found.where)


def test_other_rows_are_said() -> None:
    text = pc.compare_curves(pc.roc_curve([1, 0], [1, 0]), pc.roc_curve([1, 0, 0], [2, 1, 0])).text
    assert text.en.endswith("but they stand on different rows: 1 positives and 1 negatives against 1 and 2")
    assert text.zh.endswith("但两者的数据不同：正例 1、负例 1，对正例 1、负例 2")


def test_what_cannot_be_compared() -> None:
    roc, pr, lift = (getattr(pc, f"{kind}_curve")([1, 0], [1, 0]) for kind in ("roc", "pr", "lift"))
    with pytest.raises(InputError, match="a ROC curve cannot be compared with a PR curve"):
        pc.compare_curves(roc, pr)
    others: list[Any] = [lift, 3]
    for wrong in others:
        with pytest.raises(InputError, match="only ROC curves and PR curves can be compared"):
            pc.compare_curves(roc, wrong)
