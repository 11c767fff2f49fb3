"""Values that are no means over queries: shown, but neither tested nor lettered."""

from __future__ import annotations

import math

import numpy as np

import pingce as pc

SIX = {f"q{i}": {"a": 1} for i in range(6)}
FIRST = {query: ["a", "x"] for query in SIX}
SECOND = {query: ["x", "a"] for query in SIX}
TRUTH = {f"q{i}": {"d0": 3, "d1": 1, "d2": 2} for i in range(30)}
SOME = 300
NO_MEANS = ["gm_ap", "hit_rate(mode=micro)@5", "f(of=means)@5", "num_rel_ret"]
_NO_MEAN = "the value is not a mean over queries: there is no test, no letter and no interval; wins and losses count single queries"


def drawn(seed: int, skill: float) -> dict[str, dict[str, float]]:
    """A run whose good items tend to score higher."""
    scores = np.random.default_rng(seed).normal(size=(len(TRUTH), 10)) + skill * (np.arange(10) < 3)
    return {query: {f"d{j}": float(one) for j, one in enumerate(row)} for query, row in zip(TRUTH, scores, strict=True)}


def test_a_value_that_is_no_mean_has_neither_test_nor_letter_nor_interval() -> None:
    runs = {"a": drawn(1, 0.5), "b": drawn(2, 1.5), "c": drawn(3, 0.5)}
    found = pc.compare(TRUTH, runs, [*NO_MEANS, "mrr"], samples=SOME)
    for name in NO_MEANS:
        gap = found.difference(name, "b")
        assert gap.value == found.value(name, "b") - found.value(name, "a")
        unknown = (gap.p, gap.corrected, gap.effect, gap.detectable, *gap.interval, *found.interval(name, "a"))
        assert all(math.isnan(one) for one in unknown)
        assert all(found.letters(name, model) == "" for model in runs)
        notes = [text.en for text in found.warnings if text.en.startswith(f"{name}:")]
        assert notes == [f"{name}: {_NO_MEAN}"]
    said = " ".join(text.en for text in found.how)
    assert "2 comparisons with a" in said
    assert "all 3 pairs" in said
    alone = pc.compare(TRUTH, runs, "mrr", samples=SOME)
    assert found.difference("mrr", "b") == alone.difference("mrr", "b"), "what is not tested is not of the family"


def test_the_letter_does_not_go_to_the_loser() -> None:
    """Better on most queries, yet so bad on one that the geometric mean is lower."""
    truth = {f"q{i}": {"a": 1} for i in range(12)}
    mostly = {query: ["a"] if i else ["x"] for i, query in enumerate(truth)}
    evenly = {query: ["x", "a"] for query in truth}
    found = pc.compare(truth, {"mostly": mostly, "evenly": evenly}, ["gm_ap", "map"])
    assert found.letters("map", "mostly") == "b"
    assert found.best("gm_ap") == ["evenly"]
    assert found.letters("gm_ap", "evenly") == found.letters("gm_ap", "mostly") == ""


def test_what_is_no_mean_can_be_compared_alone_even_by_t() -> None:
    found = pc.compare(SIX, {"a": FIRST, "b": SECOND}, "gm_ap", test="t")
    assert found.difference("gm_ap", "b").value < 0
    assert found.how[0] == ("test: none", "检验：无")
    assert "nothing was tested" in found.how[1].en


def test_of_other_queries_what_is_no_mean_has_no_difference() -> None:
    short = {query: FIRST[query] for query in list(SIX)[:4]}
    found = pc.compare(SIX, {"a": SECOND, "b": short}, ["gm_ap", "mrr"], missing="skip", samples=SOME)
    gap = found.difference("gm_ap", "b")
    assert all(math.isnan(one) for one in (gap.value, gap.relative, gap.p))
    assert gap.left_out == 2
    assert found.value("gm_ap", "b") == 1
    assert any("gm_ap: some queries" in text.en and "have no difference" in text.en for text in found.warnings)
    assert found.difference("mrr", "b").value == 0.5
    alike = pc.compare({**SIX, "q9": {"a": 0}}, {"a": SECOND, "b": FIRST}, "gm_ap", undefined="skip")
    gap = alike.difference("gm_ap", "b")
    assert (gap.left_out, gap.value) == (1, alike.value("gm_ap", "b") - alike.value("gm_ap", "a"))
    assert not any("have no difference" in text.en for text in alike.warnings)


def test_no_letter_where_the_mean_and_the_order_disagree() -> None:
    """a is far better on two queries and a little worse on ten: most queries say b, the mean says a."""
    truth = {f"q{i:02}": {"x": 1} for i in range(12)}
    filler = [f"d{i}" for i in range(40)]
    a = {q: ["x"] if i < 2 else [*filler[:3], "x"] for i, q in enumerate(truth)}
    b = {q: [*filler, "x"] if i < 2 else [*filler[:2], "x"] for i, q in enumerate(truth)}
    found = pc.compare(truth, {"a": a, "b": b}, "rr", test="sign")
    (difference,) = found.measured["rr"].differences.values()
    assert difference.p < 0.05
    assert not found.measured["rr"].better("a", "b")
    assert not found.measured["rr"].better("b", "a")
