"""Worked examples of decisions, calibration by field and costs; and 300 random tables against oracles of their own."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.errors import InputError

FIELDS: dict[str, list[Any]] = {
    "y": [1, 0, 0, 1, 0, 1, 0, 0],
    "p": [0.5, 0.25, 0.25, 0.5, 0.5, 0.5, 0.25, 0.2],
    "ad": list("mmmmnnno"),
}
FIVE = ([1, 0, 1, 0, 0], [0.8, 0.3, 0.6, 0.2, 0.4])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("field_ece(by=ad)", 0.11875), ("field_rce(by=ad)", 1 / 4), ("field_rce(by=ad,zero=keep)", 7 / 32)],
)
def test_fields(name: str, wanted: float) -> None:
    """m (1,.5)(0,.25)(0,.25)(1,.5), n (0,.5)(1,.5)(0,.25), o (0,.2)."""
    scores = pc.evaluate_binary("y", "p", [name], data=FIELDS)
    assert scores[name] == pytest.approx(wanted, rel=1e-12)
    assert scores.counts["fields"][name] == {"all": 3, "without_positives": 1, "without_positives_rows": 1}


def test_the_worst_fields_come_first() -> None:
    scores = pc.evaluate_binary("y", "p", ["field_rce(by=ad)"], data=FIELDS)
    rows = scores.fields("ad").to_pylist()
    assert [(row["field"], row["rows"], row["rows_times_error"]) for row in rows] == [
        ("m", 4, 1.0),
        ("n", 3, 0.75),
        ("o", 1, None),
    ]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("rig", 0.4577766230391),
        ("copc", 20 / 23),
        ("ne", 1 - 0.4577766230391),
        ("ne(recalibrate=total)", 0.5288469341021),
        ("ne(recalibrate=isotonic)", 0.0),
    ],
)
def test_losses_of_five_rows(name: str, wanted: float) -> None:
    assert pc.evaluate_binary(*FIVE, [name])[name] == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_cal_n_of_two_buckets() -> None:
    """PCOC .9 and .7: √((1/.9 − 1)² + (1/.7 − 1)²) / 2)."""
    wanted = math.sqrt(((1 / 0.9 - 1) ** 2 + (1 / 0.7 - 1) ** 2) / 2)
    found = pc.evaluate_binary([0, 1, 0, 1, 1], [0.2, 0.3, 0.4, 0.6, 0.8], ["cal_n(bins=2)"])["cal_n(bins=2)"]
    assert found == pytest.approx(wanted, rel=1e-12)
    assert round(found, 4) == 0.3131


def test_rela_impr_of_an_area() -> None:
    """An AUC of .75 against .70 orders a quarter more: (.75 − .5) / (.70 − .5) − 1."""
    y = [1] * 10 + [0] * 10
    first = [10.0 if i < 5 else 0.0 for i in range(10)] + [5.0] * 5 + [-1.0] * 5
    second = [10.0 if i < 4 else 0.0 for i in range(10)] + [5.0] * 5 + [-1.0] * 5
    comparison = pc.compare(y, {"a": second, "b": first}, ["auc", "accuracy"], task="binary", baseline="a")
    assert [comparison.value("auc", model) for model in "ab"] == [0.7, 0.75]
    assert comparison.difference("auc", "b").rela_impr == pytest.approx(0.25, rel=1e-12)
    assert math.isnan(comparison.difference("accuracy", "b").rela_impr)
    by_metric = {entry["name"]: entry["models"][1]["against_baseline"] for entry in comparison.to_dict()["metrics"]}
    assert by_metric["auc"]["rela_impr"] == pytest.approx(0.25, rel=1e-12)
    assert "rela_impr" not in by_metric["accuracy"]


def test_rela_impr_of_an_area_within_users() -> None:
    y, user = [1, 0, 0] * 2, ["u"] * 3 + ["v"] * 3
    models = {"a": [0.5, 0.9, 0.1, 0.9, 0.2, 0.1], "b": [0.9, 0.2, 0.1, 0.8, 0.3, 0.2]}
    comparison = pc.compare(y, models, ["gauc"], task="binary", group=user)
    assert [comparison.value("gauc", model) for model in "ab"] == [0.75, 1.0]
    assert comparison.difference("gauc", "b").rela_impr == pytest.approx(1.0, rel=1e-12)


SEVEN = ([1, 1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ('recall(at="precision>=0.75")', 3 / 4),
        ("recall(at=precision>=0.9)", 2 / 4),
        ("precision(at=recall>=0.8)", 4 / 6),
        ("recall(at=fpr<=0.01)", 2 / 4),
        ("specificity(at='tpr ≥ 0.95')", 1 / 3),
        ("cost(fp=1,fn=20,threshold=0.6)", 21 / 7),
        ("best_cost(fp=1,fn=20)", 2 / 7),
        ("cost_threshold(fp=1,fn=20)", 0.4),
        ("cost_threshold(fp=20,fn=1)", 0.8),
        ("hinge", (0.1 + 0.2 + 1.7 + 0.4 + 1.5 + 0.6 + 1.3) / 7),
    ],
)
def test_operating_points_and_costs(name: str, wanted: float) -> None:
    assert pc.evaluate_binary(*SEVEN, [name])[name] == pytest.approx(wanted, rel=1e-12)


def test_an_operating_point_that_no_threshold_reaches_is_undefined_and_counted() -> None:
    """Never 0 at a threshold of a million."""
    name = "recall(at=precision>=0.9)"
    scores = pc.evaluate_binary([0, 1], [0.9, 0.1], [name])
    assert math.isnan(scores[name])
    assert scores.counts["undefined"] == {name: 1}
    with pytest.raises(InputError, match=r"no threshold with precision ≥ 0\.9"):
        pc.evaluate_binary([0, 1], [0.9, 0.1], [name], undefined="error")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("recall(at=fpr<=0.1)", 0.0),
        ("recall(at=specificity>=1)", 0.0),
        ("specificity(at=fpr<=0.4)", 1.0),
        ("specificity(at=recall>=0.5)", 0.5),
        ("precision(at=fpr<=0.1)", math.nan),
        ("recall(at=precision>=0.9)", math.nan),
    ],
)
@pytest.mark.parametrize("weight", [None, [1.0, 1.0, 1.0], [0.5, 0.5, 0.5]])
def test_nothing_predicted_is_an_operating_point(name: str, wanted: float, weight: Any) -> None:
    """Above all scores fpr is 0 and recall 0; precision is undefined there."""
    rows = ([0, 1, 0], [0.9, 0.5, 0.1])
    scores = pc.evaluate_binary(*rows, [name], weight=weight)
    assert scores[name] == pytest.approx(wanted, nan_ok=True)
    explained = pc.explain(name, *rows, task="binary", weight=weight)
    assert explained.value == pytest.approx(wanted, nan_ok=True)
    if name.startswith("recall") and wanted == 0:
        assert "predicts nothing positive" in str(explained)


def test_a_threshold_beside_an_operating_point_is_not_signed() -> None:
    """It does nothing: the operating point chooses its threshold."""
    names = ["recall(at=precision>=0.75)", "recall"]
    scores = pc.evaluate_binary(*SEVEN, names, threshold=0.3, compare="gt")
    assert scores.signature(names[0]) == pc.evaluate_binary(*SEVEN, names[:1]).signature(names[0])
    assert "threshold" not in scores.signature(names[0])
    assert "threshold:0.3" in scores.signature("recall")
    again = pc.evaluate_binary(*SEVEN, pc.from_signature(scores.signature(names[0])))
    assert again[names[0]] == scores[names[0]]
    old = scores.signature(names[0]).replace("|undefined", "|threshold:0.3|compare:ge|undefined")
    assert pc.evaluate_binary(*SEVEN, pc.from_signature(old))[names[0]] == scores[names[0]]


def test_the_explanation_says_the_threshold() -> None:
    explained = str(pc.explain("recall(at=precision>=0.75)", *SEVEN, task="binary"))
    assert "#4 (0.6) has the best recall" in explained


@pytest.mark.parametrize("at", ["precision", "precision>0.9", "precision>=2", "colour>=0.5", "f>=0.5"])
def test_what_is_no_condition_is_refused(at: str) -> None:
    with pytest.raises(InputError, match="at="):
        pc.evaluate_binary(*SEVEN, [f"recall(at={at})"])


def test_groups_that_are_constant_or_small() -> None:
    """u is ordered rightly, v has one score, w has one row of each class in the wrong order."""
    y, s, g = [1, 0, 0, 1, 0, 1, 0], [0.9, 0.5, 0.1, 0.5, 0.5, 0.1, 0.9], list("uuuvvww")[:7]
    g = ["u", "u", "u", "v", "v", "w", "w"]
    names = [
        "gauc(by=uniform)",
        "gauc(by=uniform,constant=drop)",
        "gauc(by=uniform,min_rows=3)",
        "gauc(by=uniform,min_positives=2)",
    ]
    scores = pc.evaluate_binary(y, s, names, group=g)
    assert [scores[name] for name in names[:3]] == [0.5, 0.5, 1.0]
    assert math.isnan(scores[names[3]])
    assert scores.counts["groups"]["left_out"] == {names[1]: 1, names[2]: 2, names[3]: 3}


def test_fields_in_batches_and_through_bytes() -> None:
    names = ["field_ece(by=ad)", "field_rce(by=ad)"]
    whole = pc.evaluate_binary("y", "p", names, data=FIELDS)
    evaluator = pc.BinaryEvaluator(names, split="never")
    for begin in range(0, 8, 3):
        batch = {name: column[begin : begin + 3] for name, column in FIELDS.items()}
        evaluator.update(batch["y"], batch["p"], group_weight={"ad": batch["ad"]})
    again = pc.BinaryEvaluator.from_bytes(evaluator.to_bytes())
    assert {name: again.compute()[name].hex() for name in names} == {name: whole[name].hex() for name in names}


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'ad'"):
        pc.evaluate_binary("y", "p", ["field_ece(by=adx)"], data=FIELDS)
    with pytest.raises(InputError, match="no fields were given"):
        pc.evaluate_binary(FIELDS["y"], FIELDS["p"], ["field_ece"])


# 300 random tables against oracles that share nothing with the metrics.


def random_table(seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    random = np.random.default_rng(seed)
    n = int(random.integers(4, 60))
    p = np.round(random.beta(1, 2, n), int(random.integers(1, 5)))
    y = (random.random(n) < p).astype(int)
    y[:2] = [1, 0]
    return y, p, random.integers(0, 6, n)


def errors_of(y: Any, p: Any) -> list[tuple[float, float]]:
    """(FPR, FNR) from above all scores down."""
    points = [(0.0, 1.0)]
    for t in sorted(set(p.tolist()), reverse=True):
        points.append((((p >= t) & (y == 0)).sum() / (y == 0).sum(), ((p < t) & (y == 1)).sum() / (y == 1).sum()))
    return points


def equal_errors(y: Any, p: Any) -> float:
    for (x0, y0), (x1, y1) in pairwise(errors_of(y, p)):
        if x1 >= y1:
            t = (y0 - x0) / ((y0 - x0) + (x1 - y1))
            return float(x0 + t * (x1 - x0))
    raise AssertionError


def field_oracle(y: Any, p: Any, z: Any, *, relative: bool) -> float:
    total = rows = 0.0
    for field in sorted(set(z.tolist())):
        inside = z == field
        off, clicks = abs(float((y[inside] - p[inside]).sum())), float(y[inside].sum())
        if not relative:
            total, rows = total + off, rows + inside.sum()
        elif clicks:
            total, rows = total + inside.sum() * off / clicks, rows + inside.sum()
    return total / rows


@pytest.mark.sweep
def test_300_random_tables() -> None:
    names = ["eer", "hinge", "rig", "copc", "field_ece(by=z)", "field_rce(by=z)", "rmsce(bins=5)", "ecce"]
    names += ["recall(at=precision>=0.5)", "best_cost(fp=1,fn=3)", "informedness", "dor"]
    for seed in range(300):
        y, p, z = random_table(seed)
        scores = pc.evaluate_binary(y, p, names, group_weight={"z": z})
        rate = y.mean()
        kept = np.clip(p, 2.220446049250313e-16, 1 - 2.220446049250313e-16)
        loss = -(y * np.log(kept) + (1 - y) * np.log1p(-kept)).mean()
        base = -(rate * math.log(rate) + (1 - rate) * math.log(1 - rate))
        t = np.where(y == 1, 1, -1)
        place = np.minimum((p * 5).astype(int), 4)
        bins = [((y - p)[place == b].sum() ** 2) / (place == b).sum() for b in set(place.tolist())]
        levels = sorted(set(p.tolist()))
        running = np.cumsum([(y - p)[p == level].sum() for level in levels])
        cells = {
            v: ((p >= v) & (y == 1), (p >= v) & (y == 0), (p < v) & (y == 0), (p < v) & (y == 1))
            for v in (*levels, 0.5)
        }
        counts = {v: [int(cell.sum()) for cell in four] for v, four in cells.items()}
        tp, fp, tn, fn = counts[0.5]
        points = [a / (a + d) for a, b, _, d in (counts[v] for v in levels) if a / (a + b) >= 0.5]
        costs = [(b + 3 * d) / len(y) for _, b, _, d in (counts[v] for v in levels)] + [3 * y.sum() / len(y)]
        wanted = {
            "eer": equal_errors(y, p),
            "hinge": np.maximum(0, 1 - t * p).mean(),
            "rig": 1 - loss / base,
            "copc": y.sum() / p.sum() if p.sum() else math.nan,
            "field_ece(by=z)": field_oracle(y, p, z, relative=False),
            "field_rce(by=z)": field_oracle(y, p, z, relative=True),
            "rmsce(bins=5)": math.sqrt(sum(bins) / len(y)),
            "ecce": (max(0, running.max()) - min(0, running.min())) / len(y),
            "recall(at=precision>=0.5)": max(points, default=math.nan),
            "best_cost(fp=1,fn=3)": min(costs),
            "informedness": tp / (tp + fn) + tn / (tn + fp) - 1,
            "dor": tp * tn / (fp * fn) if fp * fn else math.nan,
        }
        for name in names:
            assert scores[name] == pytest.approx(wanted[name], rel=1e-9, abs=1e-12, nan_ok=True), (seed, name)
