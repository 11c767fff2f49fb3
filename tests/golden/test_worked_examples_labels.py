"""Worked examples of labels, clicks, classes and numbers, and the plain functions of lessons as oracles.

Beside each figure stands the arithmetic that gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.evidence.binary.thresholds import ThresholdEvidence, threshold_evidence
from pingce.inputs.binary import binary_rows

Labels = Sequence[int]
Scores = Sequence[float]

# The oracles: what a lesson would write.


def auc_over_all_pairs(labels: Labels, scores: Scores) -> Fraction:
    """Each positive against each negative: 1 if it scores higher, ½ if both score the same."""
    won, pairs = Fraction(0), 0
    for y, a in zip(labels, scores, strict=True):
        for z, b in zip(labels, scores, strict=True):
            if y == 1 and z == 0:
                pairs += 1
                won += Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)
    return won / pairs


def auc_by_ranks(labels: Labels, scores: Scores) -> Fraction:
    """The sum of the positives' ranks from below, equal scores sharing the mean of theirs (Mann-Whitney)."""
    ranks = Fraction(0)
    for y, score in zip(labels, scores, strict=True):
        if y == 1:
            below = sum(other < score for other in scores)
            beside = sum(other == score for other in scores)
            ranks += below + Fraction(1 + beside, 2)
    positives = sum(labels)
    return (ranks - Fraction(positives * (positives + 1), 2)) / (positives * (len(labels) - positives))


def roc_points(labels: Labels, scores: Scores) -> list[tuple[Fraction, Fraction]]:
    """(FPR, TPR) at each distinct score, from the highest, after (0, 0)."""
    positives = sum(labels)
    points = [(Fraction(0), Fraction(0))]
    for limit in sorted(set(scores), reverse=True):
        called = [y for y, score in zip(labels, scores, strict=True) if score >= limit]
        points.append(
            (Fraction(called.count(0), len(labels) - positives), Fraction(called.count(1), positives)),
        )
    return points


def trapezoid(points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The area under straight lines between points."""
    return sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points)), Fraction(0))


def average_precision(labels: Labels, scores: Scores) -> Fraction:
    """Σ (R_n − R_{n−1}) P_n over distinct thresholds."""
    covered, before = Fraction(0), Fraction(0)
    for limit in sorted(set(scores), reverse=True):
        called = [y for y, score in zip(labels, scores, strict=True) if score >= limit]
        recall = Fraction(sum(called), sum(labels))
        covered += (recall - before) * Fraction(sum(called), len(called))
        before = recall
    return covered


def log_loss(labels: Labels, probabilities: Scores) -> float:
    """−mean ln of what was given to what happened."""
    return -sum(log(p if y else 1 - p) for y, p in zip(labels, probabilities, strict=True)) / len(labels)


def points_of(labels: Labels, scores: Scores) -> list[tuple[Fraction, Fraction]]:
    """The points of the table of thresholds."""
    table = table_of(labels, scores)
    counts = zip(table.fp.tolist(), table.tp.tolist(), strict=True)
    return [
        (Fraction(0), Fraction(0)),
        *((Fraction(fp, int(table.negatives)), Fraction(tp, int(table.positives))) for fp, tp in counts),
    ]


def table_of(labels: Labels, scores: Scores) -> ThresholdEvidence:
    return threshold_evidence(binary_rows(list(labels), list(scores), positive=1))


def value(metric: str, labels: Labels, scores: Scores, **more: object) -> float:
    return pc.evaluate_binary(list(labels), list(scores), [metric], **more)[metric]  # type: ignore[arg-type]


# Example 17: labels 0, 1, (1, 1, 0), 0, 1 in descending score, the three in brackets tied.
SEVEN: Labels = (0, 1, 1, 1, 0, 0, 1)
SEVEN_SCORES: Scores = (0.9, 0.8, 0.6, 0.6, 0.6, 0.4, 0.1)
SEVEN_POINTS = [
    (Fraction(0), Fraction(0)),
    (Fraction(1, 3), Fraction(0)),
    (Fraction(1, 3), Fraction(1, 4)),
    (Fraction(2, 3), Fraction(3, 4)),
    (Fraction(1), Fraction(3, 4)),
    (Fraction(1), Fraction(1)),
]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_example_17_auc_rank_loss_and_the_roc_curve(kind: Any) -> None:
    """Of 12 pairs 4 are won and 2 tied: (4 + 1) / 12."""
    scores = np.array(SEVEN_SCORES, kind)
    found = pc.evaluate_binary(list(SEVEN), scores, ["auc", "rank_loss", "pr_auc"])
    assert found["auc"] == float(Fraction(5, 12))
    assert found["rank_loss"] == float(Fraction(7, 12))
    assert points_of(SEVEN, scores.tolist()) == SEVEN_POINTS
    assert auc_over_all_pairs(SEVEN, SEVEN_SCORES) == auc_by_ranks(SEVEN, SEVEN_SCORES) == Fraction(5, 12)
    assert roc_points(SEVEN, SEVEN_SCORES) == SEVEN_POINTS
    assert trapezoid(SEVEN_POINTS) == Fraction(5, 12)


def test_example_18_ten_times_as_many_negatives() -> None:
    """Neither AUC nor any ROC point moves; precision and the PR curve fall."""
    places = [i for i, y in enumerate(SEVEN) for _ in range(1 if y else 10)]
    many, many_scores = [SEVEN[i] for i in places], [SEVEN_SCORES[i] for i in places]
    assert points_of(many, many_scores) == points_of(SEVEN, SEVEN_SCORES)
    assert value("auc", many, many_scores) == value("auc", SEVEN, SEVEN_SCORES) == float(Fraction(5, 12))
    assert value("precision", SEVEN, SEVEN_SCORES) == float(Fraction(3, 5))
    assert value("precision", many, many_scores) == float(Fraction(3, 23))
    # ¼ · 1/2 + ½ · 3/5 + ¼ · 4/7, and with 10 negatives for each ¼ · 1/11 + ½ · 3/23 + ¼ · 4/34.
    assert average_precision(SEVEN, SEVEN_SCORES) == Fraction(1, 8) + Fraction(3, 10) + Fraction(1, 7)
    assert average_precision(many, many_scores) == Fraction(1, 44) + Fraction(3, 46) + Fraction(1, 34)
    for labels, scores in ((SEVEN, SEVEN_SCORES), (many, many_scores)):
        assert value("pr_auc", labels, scores) == pytest.approx(float(average_precision(labels, scores)), rel=1e-15)
    assert value("pr_auc", many, many_scores) < value("pr_auc", SEVEN, SEVEN_SCORES)


@st.composite
def two_classes(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    """A few rows of both classes, with many ties."""
    size = draw(st.integers(2, 12))
    labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size).filter(lambda ys: len(set(ys)) == 2))
    scores = st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 0.9]) if draw(st.booleans()) else st.floats(0, 1)
    return labels, draw(st.lists(scores, min_size=size, max_size=size))


@given(rows=two_classes(), often=st.integers(2, 10))
def test_the_oracles_and_pingce_agree(rows: tuple[list[int], list[float]], often: int) -> None:
    """AUC over all pairs, by ranks, as the area under the curve; average precision; example 18 on any rows."""
    labels, scores = rows
    wanted = auc_over_all_pairs(labels, scores)
    assert wanted == auc_by_ranks(labels, scores) == trapezoid(roc_points(labels, scores))
    assert points_of(labels, scores) == roc_points(labels, scores)
    assert value("auc", labels, scores) == float(wanted)
    assert value("rank_loss", labels, scores) == float(1 - wanted)
    ap = average_precision(labels, scores)
    assert value("pr_auc", labels, scores) == pytest.approx(float(ap), rel=1e-14)
    places = [i for i, y in enumerate(labels) for _ in range(1 if y else often)]
    more, more_scores = [labels[i] for i in places], [scores[i] for i in places]
    assert value("auc", more, more_scores) == float(wanted)
    assert points_of(more, more_scores) == points_of(labels, scores)
    assert average_precision(more, more_scores) <= ap
    assert value("pr_auc", more, more_scores) <= value("pr_auc", labels, scores) + 1e-15


@pytest.mark.parametrize(
    ("scores", "figure", "arithmetic"),
    [
        ((0.51, 0.49), 0.6733445532638, -log(0.51)),
        ((0.99, 0.01), 0.01005033585350, -log(0.99)),
    ],
)
def test_example_19_the_same_order_another_loss(scores: Scores, figure: float, arithmetic: float) -> None:
    assert figure == pytest.approx(arithmetic, rel=1e-12)
    found = pc.evaluate_binary([1, 0], list(scores), ["auc", "logloss"])
    assert found["auc"] == 1
    assert found["logloss"] == pytest.approx(figure, rel=1e-12)
    assert found["logloss"] == pytest.approx(log_loss([1, 0], scores), rel=1e-14)


def test_example_20_a_click_that_was_thought_impossible() -> None:
    assert pytest.approx(log(1000), rel=1e-12) == 6.907755278982
    found = pc.evaluate_binary([1], [0.001], ["logloss", "auc"], positive=1)
    assert found["logloss"] == pytest.approx(6.907755278982, rel=1e-12)
    assert np.isnan(found["auc"])


def test_example_21_over_estimation() -> None:
    """(0.9 + 0.4) / 1 click: 1.3 predicted for each."""
    found = pc.evaluate_binary([1, 0], [0.9, 0.4], ["auc", "logloss", "pcoc"])
    assert pytest.approx(-(log(0.9) + log(0.6)) / 2, rel=1e-12) == 0.3080930697119
    assert found["auc"] == 1
    assert found["logloss"] == pytest.approx(0.3080930697119, rel=1e-12)
    assert found["pcoc"] == pytest.approx(1.3, rel=1e-15)
    text = found.diagnosis["text"]
    assert "over-estimates (pcoc 1.300)" in text["en"]
    assert "高估（pcoc 1.300）" in text["zh"]


def test_example_22_predicting_nobody() -> None:
    """19 of 800 million: two weighted rows, both predicted negative."""
    with pytest.warns(pc.PingceWarning, match="0.99999997625"):
        found = pc.evaluate_binary(
            [1, 0], [0.0, 0.0], ["accuracy", "recall", "precision", "f1"], weight=[19, 800_000_000 - 19]
        )
    assert found["accuracy"] == float(1 - Fraction(19, 800_000_000)) == 0.99999997625
    assert found["recall"] == 0
    assert np.isnan(found["precision"])
    assert found["f1"] == 0
    assert found.counts["undefined"] == {"accuracy": 0, "recall": 0, "precision": 1, "f1": 0}
    (said,) = [warning for warning in found.warnings if "constant" in warning.en]
    assert "always negative" in said.en
    assert "reaches an accuracy of 0.99999997625, this model 0.99999997625" in said.en
    assert "一律判为负的准确率就有 0.99999997625" in said.zh


@pytest.mark.parametrize(
    ("metric", "figure"),
    [
        ("f1(average=macro)", Fraction(85, 126)),
        ("f1(average=micro)", Fraction(5, 7)),
        ("f1(average=weighted)", Fraction(107, 147)),
        ("f1(average=macro,of=averages)", Fraction(12, 17)),
    ],
)
def test_example_23_averages_over_classes(metric: str, figure: Fraction) -> None:
    """a: P = 3/3, R = 3/4, F = 6/7; b: P = 1/2, R = 1/2, F = 1/2; c: P = 1/2, R = 1, F = 2/3."""
    half = Fraction(1, 2)
    f = [Fraction(6, 7), half, Fraction(2, 3)]
    precision, recall = (1 + half + half) / 3, (Fraction(3, 4) + half + 1) / 3
    averages = {
        Fraction(85, 126): sum(f) / 3,
        Fraction(5, 7): Fraction(5, 7),
        Fraction(107, 147): (4 * f[0] + 2 * f[1] + f[2]) / 7,
        Fraction(12, 17): 2 * precision * recall / (precision + recall),
    }
    assert averages[figure] == figure
    found = pc.evaluate_multiclass(list("aaaabbc"), list("aaabbcc"), [metric])
    assert found[metric] == pytest.approx(float(figure), rel=1e-15)


def test_example_24_errors_of_numbers() -> None:
    """Errors −½, ½, 0, 1: mean of sizes ½, mean of squares 3/8."""
    found = pc.evaluate_regression([3, -0.5, 2, 7], [2.5, 0.0, 2, 8], ["mae", "mse", "rmse"])
    assert found["mae"] == 0.5
    assert found["mse"] == float(Fraction(3, 8))
    assert pytest.approx(sqrt(3 / 8), rel=1e-12) == 0.6123724356958
    assert found["rmse"] == pytest.approx(0.6123724356958, rel=1e-12)


# Example 25: u1 has 1 click of 6, above all others; u2 3 of 4, and one of three pairs right; u3 clicks only, u4 none.
USERS = ["u1"] * 6 + ["u2"] * 4 + ["u3"] * 3 + ["u4"] * 2
CLICKS = [*(1, 0, 0, 0, 0, 0), *(1, 0, 1, 1), *(1, 1, 1), *(0, 0)]
CLICK_SCORES = [*(0.9, 0.8, 0.5, 0.4, 0.2, 0.1), *(0.9, 0.7, 0.5, 0.3), *(0.6, 0.5, 0.1), *(0.9, 0.2)]


def gauc(by: str) -> Fraction:
    """Group by group, from the oracle."""
    top = bottom = Fraction(0)
    for user in sorted(set(USERS)):
        places = [i for i, one in enumerate(USERS) if one == user]
        labels = [CLICKS[i] for i in places]
        if len(set(labels)) == 2:
            weight = {"impressions": len(places), "clicks": sum(labels), "uniform": 1}[by]
            top += weight * auc_over_all_pairs(labels, [CLICK_SCORES[i] for i in places])
            bottom += weight
    return top / bottom


@pytest.mark.parametrize(
    ("by", "figure"),
    [("impressions", Fraction(11, 15)), ("clicks", Fraction(1, 2)), ("uniform", Fraction(2, 3))],
)
@pytest.mark.parametrize("order", [1, -1])
def test_example_25_gauc(by: str, figure: Fraction, order: int) -> None:
    """(6·1 + 4·⅓) / 10, (1·1 + 3·⅓) / 4, (1 + ⅓) / 2; two users dropped."""
    assert gauc(by) == figure
    metric = f"gauc(by={by})"
    found = pc.evaluate_binary(CLICKS[::order], CLICK_SCORES[::order], [metric], group=USERS[::order])
    assert found[metric] == pytest.approx(float(figure), rel=1e-15)
    assert found.counts["groups"] == {"all": 4, "scored": 2, "single_class": 2, "single_class_rows": 5}
    assert found.find(metric).undefined == 2
    table = found.per_group.to_pydict()
    assert table["group"] == ["u1", "u2", "u3", "u4"]
    assert table["auc"] == [1, pytest.approx(1 / 3, rel=1e-15), None, None]


@pytest.mark.parametrize(
    ("labels", "scores", "figure"),
    [
        ([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], Fraction(2, 3)),
        # Blocks (pos, neg) (1,0), (1,9), (2,5): four positives; three of the second block's ten rows are within them.
        ([1] + [1] + [0] * 9 + [1] * 2 + [0] * 5, [3] + [2] * 10 + [1] * 7, Fraction(13, 40)),
        ([0, 1, 1, 0], [4, 3, 2, 1], Fraction(1, 2)),
    ],
)
def test_example_26_break_even_point(labels: list[int], scores: list[float], figure: Fraction) -> None:
    found = value("bep", labels, scores)
    assert found == float(figure)
    weighted = value("bep", labels, scores, weight=[1.0] * len(labels))
    assert weighted == float(figure)
