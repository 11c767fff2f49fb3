"""Drops that are tested: the way they go, weights, the level, definitions."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.stats.paired import paired_p

TRUTH = {f"q{i}": {"a": 1, "b": 1} for i in range(12)}
GOOD = {query: ["a", "b", "c"] for query in TRUTH}
WORSE = {query: ["c", "a", "b"] if i < 10 else ["a", "b"] for i, query in enumerate(TRUTH)}
A_LITTLE_WORSE = {query: ["c", "a", "b"] if i < 2 else ["a", "b"] for i, query in enumerate(TRUTH)}


def scores(run: Any, metrics: Any = ("mrr",), **options: Any) -> pc.RankingScores:
    return pc.evaluate_ranking(TRUTH, run, list(metrics), **options)


def only(result: pc.CheckResult) -> Any:
    (row,) = result.rows
    return row


@pytest.mark.parametrize(("metric", "sign"), [("mrr", 1), ("fallout(catalog=9)@1", -1)])
def test_a_drop_that_the_common_queries_do_not_show_is_not_judged(metric: str, sign: int) -> None:
    """Better on every query of both, but there are easy queries that only the baseline has."""
    old = json.loads(scores(WORSE, [metric]).to_json(per_query=True))
    new = json.loads(scores(GOOD, [metric]).to_json(per_query=True))
    new["metrics"][0]["value"] = old["metrics"][0]["value"] - 0.1 * sign
    old["per_query"]["query"].append("easy")
    old["per_query"]["values"][metric].append(1.0 if sign > 0 else 0.0)
    row = only(pc.check(new, baseline=old, max_drop={metric: 0}, significant=True))
    assert (row.passed, row.p) == (None, None)
    assert "on the 12 queries with a value in both it is not worse" in row.reason.en
    assert "12 个查询" in row.reason.zh


def test_a_drop_of_weighted_queries_is_not_tested() -> None:
    """The weights are not in the scores, and a plain test would be of another mean."""
    weighted = {"query_weight": {query: 1.0 + (i > 9) for i, query in enumerate(TRUTH)}}
    new, old = scores(WORSE, ["mrr"], **weighted), scores(GOOD, ["mrr"], **weighted)
    row = only(pc.check(new, baseline=old, max_drop={"mrr": 0.01}, significant=True))
    assert row.passed is None
    assert "queries are weighted" in row.reason.en
    assert only(pc.check(new, baseline=old, max_drop={"mrr": 0.01})).passed is False


def test_p_that_equals_alpha_is_significant_as_in_a_comparison() -> None:
    new, old = scores(A_LITTLE_WORSE, ["mrr"]), scores(GOOD, ["mrr"])
    row = only(pc.check(new, baseline=old, max_drop={"mrr": 0}, significant=True, alpha=0.5))
    assert (row.p, row.passed) == (0.5, False)
    found = pc.compare(TRUTH, {"new": A_LITTLE_WORSE, "old": GOOD}, "mrr", confidence=0.5)
    assert found.letters("mrr", "old") == "a"


def test_excluded_pairs_that_only_one_run_has_do_not_matter() -> None:
    """As in a comparison: the same pairs were excluded from both, but only one of the two had them."""
    pairs = [("q0", "z")]
    new, old = scores({**GOOD, "q0": ["z", "a", "b"]}, exclude=pairs), scores(GOOD, exclude=pairs)
    assert "exclude:given" in new.signature("mrr")
    assert "exclude:given" not in old.signature("mrr")
    assert pc.check(new, baseline=old, max_drop={"mrr": 0}).passed
    documents = {name: one.to_dict(per_query=True) for name, one in (("new", new), ("old", old))}
    assert pc.compare(None, documents, "mrr").difference("mrr", "old").value == 0


def test_a_metric_whose_mode_makes_it_a_mean_is_tested() -> None:
    new, old = (scores(run, ["hit_rate@1"]) for run in (WORSE, GOOD))
    row = only(pc.check(new, baseline=old, max_drop={"hit_rate@1": 0}, significant=True))
    assert row.passed is False
    assert row.p == paired_p(np.array([-1.0] * 10 + [0.0] * 2)[:, None])[0]


RANDOM = np.random.default_rng(6)
LABELS = RANDOM.integers(0, 2, 600)
STRONG, WEAK = LABELS + RANDOM.normal(size=600), LABELS + 3 * RANDOM.normal(size=600)


def areas(score: Any, **options: Any) -> pc.BinaryScores:
    return pc.evaluate_binary(LABELS, score, ["auc"], **options)


def test_a_drop_of_auc_is_judged_by_saved_intervals() -> None:
    old, new = (json.loads(areas(score, ci=0.95).to_json()) for score in (STRONG, WEAK))
    row = only(pc.check(new, baseline=old, max_drop={"auc": 0.01}, significant=True))
    higher, lower = old["metrics"][0], new["metrics"][0]
    sides = higher["value"] - higher["interval"]["low"], lower["interval"]["high"] - lower["value"]
    z = 1.959964 * (higher["value"] - lower["value"]) / np.hypot(*sides)
    assert row.passed is False and row.p < 1e-6
    assert row.p == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-4)
    assert "unpaired z test" in row.reason.en and "不配对 z 检验" in row.reason.zh
    little = only(
        pc.check(areas(np.where(np.arange(600) < 9, WEAK, STRONG)), baseline=old, max_drop={"auc": 0}, significant=True)
    )
    assert little.passed is True and little.p > 0.05 and "one saved interval for both" in little.reason.en


def test_without_an_interval_the_reason_says_what_to_save() -> None:
    row = only(pc.check(areas(WEAK), baseline=areas(STRONG), max_drop={"auc": 0.01}, significant=True))
    assert row.passed is None
    assert "save the baseline with pingce eval --ci 0.95 -f json" in row.reason.en
    assert "--ci 0.95" in row.reason.zh


def test_rankings_that_are_no_means_are_judged_by_their_intervals() -> None:
    truth = {f"q{at:02}": {"a": 1} for at in range(40)}
    good = {query: ["a"] if at % 4 else ["x", "a"] for at, query in enumerate(truth)}
    bad = {query: ["x", "y", "z", "a"] for query in truth} | {"q00": ["a"]}
    old, new = (pc.evaluate_ranking(truth, run, ["gm_ap", "mrr"], ci=0.95, samples=200) for run in (good, bad))
    result = pc.check(new, baseline=old.to_dict(), max_drop={"gm_ap": 0, "mrr": 0}, significant=True)
    assert not result.passed
    assert all("unpaired z test by saved intervals" in row.reason.en for row in result.rows if row.reason)
    assert [row.p < 0.05 for row in result.rows if row.p is not None] == [True, True]
