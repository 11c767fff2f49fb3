"""Non-inferiority and equivalence: a proof that little was lost, by one-sided tests; and what changed beside it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.checks.margins import DropEstimate

RANDOM = np.random.default_rng(3)
QUERIES = [f"q{at:03}" for at in range(200)]
TRUTH = {query: {"a": 1} for query in QUERIES}
OLD = {query: ["a"] if at % 2 else ["x", "a"] for at, query in enumerate(QUERIES)}
ALIKE = {query: ["w", *run] if at % 40 == 0 else run for at, (query, run) in enumerate(OLD.items())}
BETTER = {query: ["a"] for query in QUERIES}
WORSE = {query: ["v", "w", *run] for query, run in OLD.items()}


def scores(run: Any, metrics: Any = ("mrr",), **options: Any) -> pc.RankingScores:
    return pc.evaluate_ranking(TRUTH, run, list(metrics), **options)


def only(result: pc.CheckResult) -> Any:
    (row,) = result.rows
    return row


def judge(run: Any, **rules: Any) -> Any:
    return only(pc.check(scores(run), baseline=scores(OLD), **rules))


def test_the_bound_and_p_are_those_of_a_one_sided_paired_t_test() -> None:
    row = judge(ALIKE, non_inferior={"mrr": 0.02})
    each = [scores(run).per_query["mrr"].to_numpy() for run in (OLD, ALIKE)]
    drops = each[0] - each[1]
    theirs = stats.ttest_1samp(drops, 0.02, alternative="less")
    assert row.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert row.bound == pytest.approx(theirs.confidence_interval(0.95).high, rel=1e-9)
    assert row.margin == pytest.approx(0.02 - row.bound, rel=1e-9)
    assert row.passed is True
    assert row.rule == "non-inferior, margin 0.02"
    assert row.reason.en == (
        f"worse by at most {row.bound:.4g} with confidence 0.95, p = {row.p:.4g} (paired t test, 200 queries)"
    )
    assert "变差不超过" in row.reason.zh
    assert "配对 t 检验，200 个查询" in row.reason.zh


@pytest.mark.parametrize(
    ("run", "not_worse", "no_other"),
    [(OLD, True, True), (ALIKE, True, True), (BETTER, True, False), (WORSE, False, False)],
)
def test_better_is_not_worse_but_is_another(run: Any, not_worse: bool, no_other: bool) -> None:
    result = pc.check(scores(run), baseline=scores(OLD), non_inferior={"mrr": 0.02}, equivalent={"mrr": "2%"})
    assert [row.passed for row in result.rows] == [not_worse, no_other]
    assert result.exit_code == (0 if not_worse and no_other else 1)


def test_what_is_far_better_says_so() -> None:
    row = judge(BETTER, non_inferior={"mrr": 0.001})
    assert row.reason.en.startswith("better by at least 0.2")
    assert row.reason.zh.startswith("至少变好 0.2")


def test_few_queries_prove_nothing_although_nothing_was_lost() -> None:
    few = QUERIES[:6]
    truth = {query: TRUTH[query] for query in few}
    new = {"q000": ["a"], "q001": ["x", "a"]}
    old, new_scores = (pc.evaluate_ranking(truth, {q: run[q] for q in few}, ["mrr"]) for run in (OLD, {**OLD, **new}))
    result = pc.check(new_scores, baseline=old, max_drop={"mrr": 0.02}, non_inferior={"mrr": 0.02})
    assert [row.passed for row in result.rows] == [True, False]
    assert pc.check(new_scores, baseline=old, non_inferior={"mrr": 0.02}, alpha=0.49).passed


def test_of_a_loss_a_rise_is_a_drop() -> None:
    labels = RANDOM.integers(0, 2, 900)
    good = np.clip(0.5 + (labels - 0.5) * 0.6 + RANDOM.normal(size=900) * 0.05, 0.01, 0.99)
    old = pc.evaluate_binary(labels, good, ["logloss", "auc"], ci=0.95)
    worse = pc.evaluate_binary(labels, np.where(np.arange(900) < 300, 0.5, good), ["logloss", "auc"], ci=0.95)
    limits = {"logloss": 0.03, "auc": 0.03}
    assert [row.passed for row in pc.check(old, baseline=old, non_inferior=limits).rows] == [True, True]
    failed = pc.check(worse, baseline=old, non_inferior=limits)
    assert [row.passed for row in failed.rows] == [False, False]
    assert all("unpaired z test by saved intervals" in row.reason.en for row in failed.rows if row.reason)
    assert all(row.bound is not None and row.bound > 0.03 for row in failed.rows)


def test_queries_of_one_of_the_two_only_cannot_hide_a_drop() -> None:
    """The pairs are alike, but easy queries of the baseline are missing: the drop of the values counts."""
    old, new = (json.loads(scores(OLD).to_json(per_query=True)) for _ in range(2))
    new["metrics"][0]["value"] = old["metrics"][0]["value"] - 0.1
    old["per_query"]["query"].append("easy")
    old["per_query"]["values"]["mrr"].append(1.0)
    row = only(pc.check(new, baseline=old, non_inferior={"mrr": 0.02}))
    assert row.passed is False
    assert "1 in one of the two only" in row.reason.en


def test_without_values_of_queries_it_is_not_judged() -> None:
    row = only(pc.check(scores(OLD), baseline=scores(OLD).to_dict(), non_inferior={"mrr": 0.02}))
    assert row.passed is None
    assert "save it with pingce eval -q -f json" in row.reason.en


@given(
    drop=st.floats(-1, 1), error=st.floats(1e-6, 1), degrees=st.one_of(st.integers(1, 500), st.just(math.inf)),
    margin=st.floats(1e-6, 1), alpha=st.floats(0.001, 0.4),
)  # fmt: skip
def test_the_bound_is_below_the_margin_where_p_is_below_alpha(
    drop: float, error: float, degrees: float, margin: float, alpha: float
) -> None:
    estimate = DropEstimate((drop,), error, degrees, Text("", ""))
    bound, p = estimate.bound(alpha), estimate.p(margin)
    if not math.isclose(bound, margin, rel_tol=1e-6, abs_tol=1e-9):
        assert (p <= alpha) == (bound <= margin)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"non_inferior": {"mrr": 0}}, "non_inferior mrr: no test shows that nothing at all was lost"),
        ({"equivalent": {"mrr": -0.1}}, "give a margin above 0"),
        ({"equivalent": {"mrr": "x"}}, "'x' is no limit"),
    ],
)
def test_margins_that_make_no_sense_are_refused(rules: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        pc.check(scores(OLD), baseline=scores(OLD), **rules)
    assert words in caught.value.text.en
    assert caught.value.text.zh != caught.value.text.en
    with pytest.raises(InputError, match="non_inferior needs a baseline"):
        pc.check(scores(OLD), non_inferior={"mrr": 0.1})


def test_a_file_of_checks_has_margins(tmp_path: Path) -> None:
    file = tmp_path / "checks.toml"
    file.write_text('alpha = 0.01\n[[check]]\nmetric = "mrr"\nnon_inferior = 0.02\nequivalent = "4%"\n')
    result = pc.check(scores(ALIKE), baseline=scores(OLD), checks=file)
    assert [row.kind for row in result.rows] == ["non_inferior", "equivalent"]
    assert all(row.reason is not None and "confidence 0.99" in row.reason.en for row in result.rows)


def test_changes_list_every_metric_and_who_lost_most() -> None:
    new, old = (scores(run, ["mrr", "ndcg@10", "num_ret"]) for run in (ALIKE, OLD))
    result = pc.check(new, baseline=old, max_drop={"rr": 0}, changes=True)
    assert [change.metric for change in result.changes] == ["mrr", "ndcg@10", "num_ret"]
    first = result.changes[0]
    assert (first.better, first.worse, len(first.lost)) == (0, 5, 5)
    assert first.change == first.value - first.baseline
    assert [str(line) for line in result.lost][:2] == ["mrr of q000: 0.5000 → 0.3333", "mrr of q040: 0.5000 → 0.3333"]
    assert result.changes[2].better is None  # neither more nor fewer results are better
    written = result.to_markdown()
    assert "| metric | baseline | value | change | better on | worse on |" in written
    assert "- mrr of q000: 0.5000 → 0.3333" in written
    assert json.loads(result.to_json())["changes"][0]["lost"][0] == {"unit": "q000", "baseline": 0.5, "value": 1 / 3}
    assert "changes" not in pc.check(new, baseline=old, max_drop={"rr": 0}).to_dict()


def test_intervals_of_the_scores_are_shown() -> None:
    result = pc.check(scores(OLD, ci=0.9, samples=200), min={"mrr": 0.5})
    low, high = only(result).interval
    assert low < 0.75 < high
    assert result.table().titles[:4] == ["metric", "value", "low", "high"]
    assert result.to_dict()["checks"][0]["interval"] == (low, high)
    assert "interval" not in pc.check(scores(OLD), min={"mrr": 0.5}).to_dict()["checks"][0]


def saved(metric: str, value: float, interval: tuple[float, float]) -> Any:
    labels = [0, 1, 0, 1]
    document = pc.evaluate_binary(labels, [0.1, 0.9, 0.6, 0.4], [metric], ci=0.95).to_dict()
    document["metrics"][0]["value"] = value
    document["metrics"][0]["interval"] |= {"low": interval[0], "high": interval[1]}
    return document


def normal_p(distance: float) -> float:
    return float(stats.norm.sf(distance))


Z = stats.norm.ppf(0.975)


@pytest.mark.parametrize(("metric", "sign"), [("auc", 1), ("logloss", -1)])
def test_each_side_of_a_margin_is_judged_by_its_own_halves(metric: str, sign: int) -> None:
    """Half-widths: candidate 0.03 towards worse and 0.01 towards better, baseline 0.002 and 0.006."""

    def ends(value: float, worse: float, better: float) -> tuple[float, float]:
        low, high = sorted((value - sign * worse, value + sign * better))
        return low, high

    new = saved(metric, 0.8 - sign * 0.005, ends(0.8 - sign * 0.005, 0.03, 0.01))
    old = saved(metric, 0.8, ends(0.8, 0.002, 0.006))
    rules: Any = {"non_inferior": {metric: 0.04}, "equivalent": {metric: 0.04}}
    first, second = pc.check(new, baseline=old, **rules).rows
    drop = normal_p((0.04 - 0.005) / (math.hypot(0.03, 0.006) / Z))
    rise = normal_p((0.04 + 0.005) / (math.hypot(0.01, 0.002) / Z))
    assert first.p == pytest.approx(drop, rel=1e-6)
    assert second.p == pytest.approx(max(drop, rise), rel=1e-6)
    narrow = pc.check(old, baseline=new, **rules).rows  # what was the rise is the drop
    assert narrow[0].p == pytest.approx(rise, rel=1e-6)
    assert narrow[1].p == pytest.approx(max(drop, rise), rel=1e-6)


def test_an_interval_without_width_proves_nothing() -> None:
    row = only(
        pc.check(saved("auc", 1.0, (1.0, 1.0)), baseline=saved("auc", 0.9, (0.8, 0.95)), non_inferior={"auc": 0.1})
    )
    assert row.passed is None
    assert "a saved interval has no width" in row.reason.en


def test_the_error_of_gauc_is_that_of_a_ratio_of_sums() -> None:
    sizes = [2, 3, 4, 5, 6, 8, 10, 15, 150, 300]
    groups = np.repeat(np.arange(len(sizes)), [size + 1 for size in sizes])
    labels = np.concatenate([[1] + [0] * size for size in sizes])
    ramps = [np.arange(size) / size for size in sizes]
    good = np.concatenate([[2.0, *ramp] for ramp in ramps])
    worse = np.concatenate([[ramp[-1] - 1e-6, *ramp] for ramp in ramps])  # each group loses one pair
    old, new = (pc.evaluate_binary(labels, column, ["gauc"], group=groups) for column in (good, worse))
    row = only(pc.check(new, baseline=old, non_inferior={"gauc": 0.05}))
    before, after = (each.per_group.to_pandas() for each in (old, new))
    weight, drops = before["weight"].to_numpy(), (before["auc"] - after["auc"]).to_numpy()
    drop = float((weight * drops).sum() / weight.sum())
    away = weight * (drops - drop) / weight.mean()
    bound = drop + stats.t.ppf(0.95, len(sizes) - 1) * away.std(ddof=1) / math.sqrt(len(sizes))
    assert drop == pytest.approx(old["gauc"] - new["gauc"], rel=1e-9)
    assert row.bound == pytest.approx(bound, rel=1e-9)


@pytest.mark.parametrize(("count", "passed"), [(2, None), (4, None), (5, True), (200, True)])
def test_where_nothing_changed_a_sign_test_judges(count: int, passed: bool | None) -> None:
    few = QUERIES[:count]
    same = pc.evaluate_ranking({q: TRUTH[q] for q in few}, {q: OLD[q] for q in few}, ["mrr"])
    for kind in ("non_inferior", "equivalent"):
        rules: Any = {kind: {"mrr": 1e-9}}
        row = only(pc.check(same, baseline=same, **rules))
        assert row.passed is passed
        assert row.p == (0.5**count if passed else None)
        words = f"(sign test, all differ alike, {count} queries)" if passed else "a sign test of so few proves nothing"
        assert words in row.reason.en
