"""The points of every curve, against counts made by hand and against the metrics."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

import pingce as pc
from pingce.base.errors import InputError
from pingce.curves.base import Curve

from .cases import NOTE_17, Labelled, counted, labelled, pr_points, roc_points

KINDS = ("roc", "pr", "det", "lift", "gain", "ks")
FUNCTIONS = {kind: getattr(pc, f"{kind}_curve") for kind in KINDS} | {"confusion": pc.confusion_at_thresholds}


def points(curve: Curve, x: str, y: str) -> list[tuple[float, float]]:
    return list(zip(curve.columns[x].tolist(), curve.columns[y].tolist(), strict=True))


def rounded(exact: list[tuple[Fraction, Fraction]]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in exact]


def test_row_17() -> None:
    curve = pc.roc_curve(*NOTE_17)
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    expected = [(0, 0), (third, 0), (third, quarter), (2 * third, 3 * quarter), (1, 3 * quarter), (1, 1)]
    assert points(curve, "fpr", "tpr") == [(float(x), float(y)) for x, y in expected]
    assert curve.columns["threshold"].tolist() == [math.inf, 0.9, 0.8, 0.7, 0.6, 0.5]
    assert curve.summary["auc"] == 5 / 12
    assert curve.steps is not None
    assert [
        (Fraction(fp, 3), Fraction(tp, 4))
        for fp, tp in zip(curve.steps.fp.tolist(), curve.steps.tp.tolist(), strict=True)
    ] == expected


def test_row_18_every_negative_copied_ten_times() -> None:
    labels, scores = NOTE_17
    times = [1 if label else 10 for label in labels]
    copied = ([y for y, n in zip(labels, times, strict=True) for _ in range(n)],
              [s for s, n in zip(scores, times, strict=True) for _ in range(n)])  # fmt: skip
    plain, more = pc.roc_curve(*NOTE_17), pc.roc_curve(*copied)
    assert more.table == plain.table
    assert more.summary == plain.summary
    before, after = pc.pr_curve(*NOTE_17), pc.pr_curve(*copied)
    assert after.columns["recall"].tolist() == before.columns["recall"].tolist()
    assert (after.columns["precision"] < before.columns["precision"]).all()
    assert after.summary["pr_auc"] < before.summary["pr_auc"]


@pytest.mark.parametrize(
    ("blocks", "bep"),
    [([(1, 0), (0, 1), (1, 0), (1, 0), (0, 1), (0, 1)], 2 / 3), ([(1, 0), (1, 9), (2, 5)], 0.325),
     ([(0, 1), (1, 0), (1, 0), (0, 1)], 0.5)],
)  # fmt: skip
def test_row_26_the_break_even_point_lies_on_the_curve_in_counts(blocks: list[tuple[int, int]], bep: float) -> None:
    labels = [label for positives, negatives in blocks for label in [1] * positives + [0] * negatives]
    scores = [-float(i) for i, (positives, negatives) in enumerate(blocks) for _ in range(positives + negatives)]
    curve = pc.pr_curve(labels, scores)
    assert curve.summary["bep"] == pytest.approx(bep, rel=1e-12)
    steps, wanted = counted(labels, scores), sum(labels)
    (_, tp, fp), (_, next_tp, next_fp) = next(
        (one, two) for one, two in pairwise(steps) if one[1] + one[2] < wanted <= two[1] + two[2]
    )
    inside = Fraction(wanted - tp - fp, next_tp + next_fp - tp - fp)
    assert (tp + inside * (next_tp - tp)) / wanted == pytest.approx(Fraction(curve.summary["bep"]))


@given(labelled())
def test_points_are_exact(case: Labelled) -> None:
    assert points(case.curve("roc"), "fpr", "tpr") == rounded(roc_points(case.labels, case.scores))
    assert points(case.curve("pr"), "recall", "precision") == rounded(pr_points(case.labels, case.scores))
    steps, positives = counted(case.labels, case.scores), sum(case.labels)
    negatives = len(case.labels) - positives
    cells = pc.confusion_at_thresholds(case.labels, case.scores)
    assert [tuple(row.values()) for row in cells.table.to_pylist()] == [
        (limit, tp, fp, negatives - fp, positives - tp) for limit, tp, fp in steps
    ]
    assert points(case.curve("det"), "fpr", "fnr") == [
        (fp / negatives, (positives - tp) / positives) for _, tp, fp in steps
    ]
    for row, (limit, tp, fp) in zip(case.curve("ks").table.to_pylist(), steps, strict=True):
        assert row["threshold"] == limit
        assert row["difference"] == float(Fraction(tp, positives) - Fraction(fp, negatives))


@given(labelled())
def test_every_roc_point_is_a_pr_point_where_recall_is_above_0(case: Labelled) -> None:
    roc, pr = case.curve("roc").table.to_pylist(), case.curve("pr").table.to_pylist()
    assert [(row["threshold"], row["tpr"]) for row in roc if row["tpr"] > 0] == [
        (row["threshold"], row["recall"]) for row in pr
    ]


@given(labelled())
def test_the_cells_come_back_from_a_pr_point_and_the_class_counts(case: Labelled) -> None:
    positives = sum(case.labels)
    negatives = len(case.labels) - positives
    cells = {row["threshold"]: row for row in pc.confusion_at_thresholds(case.labels, case.scores).table.to_pylist()}
    for row in case.curve("pr").table.to_pylist():
        tp = round(row["recall"] * positives)
        fp = round(tp / row["precision"]) - tp
        found = {"threshold": row["threshold"], "tp": tp, "fp": fp, "tn": negatives - fp, "fn": positives - tp}
        assert found == cells[row["threshold"]]


@given(labelled())
def test_the_trapezoid_under_the_roc_points_is_the_share_of_pairs(case: Labelled) -> None:
    curve = case.curve("roc")
    assert curve.steps is not None
    tp, fp = curve.steps.tp.tolist(), curve.steps.fp.tolist()
    twice = sum((x1 - x0) * (y0 + y1) for (x0, x1), (y0, y1) in zip(pairwise(fp), pairwise(tp), strict=True))
    rows = list(zip(case.labels, case.scores, strict=True))
    pairs = [(a > b) * 2 + (a == b) for y, a in rows if y for z, b in rows if not z]
    assert twice == sum(pairs)
    assert curve.summary["auc"] == float(Fraction(twice, 2 * len(pairs)))


@given(labelled())
def test_lift_and_gain_are_the_metrics_at_the_ends_of_blocks(case: Labelled) -> None:
    total = len(case.labels)
    lift, gain = case.curve("lift").table.to_pylist(), case.curve("gain").table.to_pylist()
    assert lift[0]["share"] == gain[0]["share"] == gain[0]["gain"] == 0
    assert lift[0]["lift"] == lift[1]["lift"]
    for (_, tp, fp), a, b in list(zip(counted(case.labels, case.scores), lift, gain, strict=True))[1:]:
        assert a["share"] == b["share"] == (tp + fp) / total
        names = [f"{name}@{(tp + fp - 0.5) / total:.12f}" for name in ("lift", "gain")]
        scores = pc.evaluate_binary(case.labels, case.scores, names)
        assert [a["lift"], b["gain"]] == [scores[name] for name in names]


@given(labelled())
def test_the_largest_difference_is_marked(case: Labelled) -> None:
    curve = case.curve("ks")
    (mark,) = curve.marks
    scores = pc.evaluate_binary(case.labels, case.scores, ["ks", "ks_threshold"])
    assert mark.largest
    assert (mark.row["difference"], mark.threshold) == (scores["ks"], scores["ks_threshold"])
    assert mark.at is not None
    assert curve.table.slice(mark.at, 1).to_pylist()[0] == {"threshold": mark.threshold, **mark.row}


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_marked_thresholds(kind: str) -> None:
    labels, scores = NOTE_17
    curve = FUNCTIONS[kind](labels, scores, thresholds=[0.65, 0.7, 2, -1])
    given_marks = [mark for mark in curve.marks if not mark.largest]
    assert [mark.threshold for mark in given_marks] == [0.65, 0.7, 2, -1]
    assert given_marks[0].row == pytest.approx(given_marks[1].row)
    assert [mark.label for mark in given_marks] == ["0.65", "0.7", "2", "-1"]
    for mark in given_marks:
        if mark.at is not None:
            row = curve.table.slice(mark.at, 1).to_pylist()[0]
            assert {name: row[name] for name in mark.row} == mark.row
    if kind == "pr":
        assert given_marks[2].at is None
        assert math.isnan(given_marks[2].row["precision"])


def test_confusion_at_given_thresholds_only() -> None:
    labels, scores = NOTE_17
    curve = pc.confusion_at_thresholds(labels, scores, thresholds=[0.5, 0.75, 0.72])
    assert curve.table.to_pylist() == [
        {"threshold": 0.5, "tp": 4, "fp": 3, "tn": 0, "fn": 0},
        {"threshold": 0.75, "tp": 1, "fp": 1, "tn": 2, "fn": 3},
        {"threshold": 0.72, "tp": 1, "fp": 1, "tn": 2, "fn": 3},
    ]
    strict = pc.confusion_at_thresholds(labels, scores, thresholds=[0.7], compare="gt")
    assert strict.table.to_pylist() == [{"threshold": 0.7, "tp": 1, "fp": 1, "tn": 2, "fn": 3}]
    assert strict.marks[0].label == "> 0.7"


def test_the_cells_of_scores_and_of_their_curve_agree() -> None:
    labels, scores = NOTE_17
    found = pc.evaluate_binary(labels, scores, ["auc", "f1"], threshold=0.7, compare="gt")
    row = found.curve("confusion", thresholds=[0.7]).table.to_pylist()[0]
    cells = found.view.cells
    assert [row[name] for name in ("tp", "fp", "tn", "fn")] == [cells.tp, cells.fp, cells.tn, cells.fn]
    assert found.curve("roc", name="x").summary["auc"] == found["auc"]
    with pytest.raises(InputError, match=r"there is no curve 'rocc'.*did you mean 'roc'"):
        found.curve("rocc")


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_weight_2_is_the_row_twice_and_weight_0_no_row(kind: str) -> None:
    labels, scores = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.4, 0.3, 0.95]
    weighted = FUNCTIONS[kind](labels, scores, weight=[2, 1, 3, 1, 1, 0])
    repeated = FUNCTIONS[kind]([1, 1, 0, 1, 1, 1, 0, 1], [0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.4, 0.3])
    assert weighted.table == repeated.table
    assert weighted.summary == pytest.approx(dict(repeated.summary))


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_fractional_weights(kind: str) -> None:
    labels, scores = [1, 0, 1, 0, 1], [0.9, 0.8, 0.8, 0.4, 0.3]
    small = FUNCTIONS[kind](labels, scores, weight=[0.2, 0.1, 0.3, 0.1, 0.1])
    large = FUNCTIONS[kind](labels, scores, weight=[2, 1, 3, 1, 1])
    scale = 10 if kind == "confusion" else 1
    for name in set(small.column_names) - {"threshold"}:
        assert small.columns[name] * scale == pytest.approx(large.columns[name].astype(float), abs=1e-12)


def test_scores_that_are_equal_in_32_bits_are_one_point() -> None:
    labels, scores = [1, 0, 1, 0], [0.1, 0.1 + 1e-12, 0.7, 0.7]
    assert len(pc.roc_curve(labels, scores)) == 4
    narrow = pc.roc_curve(labels, np.array(scores, np.float32), thresholds=[0.1])
    assert len(narrow) == 3
    assert narrow.table.schema.field("threshold").type == pa.float32()
    assert narrow.marks[0].at == 2, "the threshold is rounded as the scores are"
    assert len(pc.roc_curve(labels, np.array(scores, np.float16))) == 3


def test_columns_of_a_table() -> None:
    frame = {"click": ["no", "yes", "yes"], "p": [0.1, 0.9, 0.4], "w": [1, 2, 1]}
    curve = pc.roc_curve("click", "p", data=frame, weight="w", positive="yes", name="wide")
    assert curve.summary["auc"] == 1
    assert curve.labels == ("yes", "no")
    assert repr(curve) == "Curve('roc', 'wide', 4 points, auc=1, ks=1)"


def test_examples_in_docstrings_run() -> None:
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(pc.roc_curve, "roc_curve", globs={}):
        runner.run(test)
    assert runner.summarize() == (0, 2)


def test_a_curve_is_a_table() -> None:
    curve = pc.roc_curve(*NOTE_17)
    assert len(curve) == 6
    assert curve.column_names == ["threshold", "fpr", "tpr"]
    assert pa.table(curve) == curve.to_arrow() == curve.table
    assert curve.to_pandas()["tpr"].tolist() == curve.to_polars()["tpr"].to_list() == curve.columns["tpr"].tolist()


@pytest.mark.parametrize(
    ("kind", "labels", "missing"),
    [("roc", [1, 1], "negative"), ("roc", [0, 0], "positive"), ("pr", [0, 0], "positive"), ("det", [1, 1], "negative"),
     ("lift", [0, 0], "positive"), ("gain", [0, 0], "positive"), ("ks", [1, 1], "negative")],
)  # fmt: skip
def test_one_class_only(kind: str, labels: list[int], missing: str) -> None:
    with pytest.raises(InputError, match=f"needs {missing} rows, and there are none"):
        FUNCTIONS[kind](labels, [0.2, 0.3])


def test_one_class_is_enough_for_some() -> None:
    assert pc.pr_curve([1, 1], [0.2, 0.3]).columns["precision"].tolist() == [1, 1]
    assert pc.confusion_at_thresholds([0, 0], [0.2, 0.3]).columns["fp"].tolist() == [0, 1, 2]
    assert pc.calibration_curve([0, 0], [0.2, 0.3]).columns["observed"].tolist() == [0, 0]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"thresholds": ["x"]}, "threshold='x'"),
    ({"thresholds": [math.nan]}, "threshold=nan"),
    ({"thin": 1}, "thin=1: it is how many points are kept at most"),
    ({"thin": True}, "thin=True"),
    ({"thin": 2.5}, "thin=2.5"),
    ({"thin": 2, "thresholds": [0.7]}, "both ends and the marked points are 3 already"),
]


@pytest.mark.parametrize(("options", "said"), BAD)
def test_bad_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        pc.roc_curve(*NOTE_17, **options)


@given(labelled())
def test_calibration_is_what_ece_is_made_of(case: Labelled) -> None:
    for binning in ("width", "quantile"):
        curve = pc.calibration_curve(case.labels, case.scores, bins=4, binning=binning)
        rows, predicted, observed = (curve.columns[name] for name in ("rows", "mean_predicted", "observed"))
        names = [f"ece(bins=4,binning={binning})", f"mce(bins=4,binning={binning})", "pcoc"]
        scores = pc.evaluate_binary(case.labels, case.scores, names)
        assert list(curve.summary.values()) == [scores[name] for name in names]
        assert (rows * np.abs(observed - predicted)).sum() / rows.sum() == pytest.approx(scores[names[0]], abs=1e-12)
        assert np.abs(observed - predicted).max() == pytest.approx(scores[names[1]], abs=1e-12)
        assert rows.dtype == np.int64
        assert rows.sum() == len(case.labels)
        assert (rows > 0).all()
        low, high = curve.columns["low"], curve.columns["high"]
        assert (low <= predicted + 1e-12).all()
        assert (predicted <= high + 1e-12).all()
        assert (high[:-1] <= low[1:]).all()


def test_calibration_bins() -> None:
    curve = pc.calibration_curve([0, 1, 1, 1], [0.05, 0.15, 0.12, 1.0], bins=10, weight=[0.5, 1, 1, 1])
    assert [tuple(row.values()) for row in curve.table.to_pylist()] == [
        (0.0, 0.1, 0.5, 0.05, 0.0), (0.1, 0.2, 2.0, pytest.approx(0.135), 1.0), (0.9, 1.0, 1.0, 1.0, 1.0)
    ]  # fmt: skip
    with pytest.raises(InputError, match="needs probabilities"):
        pc.calibration_curve([0, 1], [-1, 2])
    with pytest.raises(InputError, match="binning"):
        pc.calibration_curve([0, 1], [0, 1], binning="equal")
    with pytest.raises(InputError, match="bins"):
        pc.calibration_curve([0, 1], [0, 1], bins=0)
