"""Runs against runs: hand-worked differences, alignment by id, policies, families of p, letters."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.text import use_language

SIX = {f"q{i}": {"a": 1} for i in range(6)}
FIRST = {query: ["a", "x"] for query in SIX}
SECOND = {query: ["x", "a"] for query in SIX}
SOME = 300
"Draws: these tests look at numbers that do not depend on how many there are."


def drawn(seed: int, queries: int = 30, skill: float = 0.5) -> dict[str, dict[str, float]]:
    """A run whose good items tend to score higher."""
    random_ = np.random.default_rng(seed)
    return {
        f"q{i}": {
            f"d{j}": round(float(random_.normal()) + (skill if j < 3 else 0), 3)
            for j in random_.permutation(10).tolist()
        }
        for i in range(queries)
    }


def truth_of(queries: int = 30) -> dict[str, dict[str, int]]:
    return {f"q{i}": {"d0": 3, "d1": 1, "d2": 2} for i in range(queries)}


def test_a_difference_worked_by_hand() -> None:
    truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    old = {"q1": ["x", "a"], "q2": ["b"], "q3": ["y", "c"]}
    found = pc.compare(truth, {"old": old, "new": truth}, "mrr")
    gap = found.difference("mrr", "new")
    assert found.value("mrr", "old") == pytest.approx(2 / 3)
    assert (gap.model, gap.against, gap.pairs, gap.left_out) == ("new", "old", 3, 0)
    assert gap.value == pytest.approx(1 / 3)
    assert gap.relative == pytest.approx(1 / 2)
    assert (gap.wins, gap.ties, gap.losses) == (2, 1, 0)
    assert gap.p == 0.5, "of the four sign patterns of ½ and ½ two are as far from 0"
    assert gap.effect == pytest.approx((1 / 3) / math.sqrt(1 / 12))
    assert found.baseline == "old"
    assert found.best("mrr") == ["new"]
    assert found.signature("mrr") == pc.evaluate_ranking(truth, old, "mrr").signature("mrr")


def test_equal_runs_give_p_1_and_no_letters() -> None:
    run = drawn(1)
    found = pc.compare(truth_of(), {"one": run, "same": dict(run), "again": run}, ["ndcg@5", "mrr"], samples=SOME)
    for metric, model in itertools.product(found.metrics, found.models):
        assert found.letters(metric, model) == ""
        assert found.best(metric) == []
    for metric, model in itertools.product(found.metrics, found.others):
        gap = found.difference(metric, model)
        assert (gap.value, gap.p, gap.corrected, gap.effect) == (0, 1, 1, 0)
        assert (gap.wins, gap.ties, gap.losses) == (0, 30, 0)
        assert gap.interval == (0, 0)


def test_the_family_is_what_the_reader_sees() -> None:
    """Six wins of six: p = 2/64. Alone it is significant, beside a second metric Holm doubles it."""
    alone = pc.compare(SIX, {"worse": SECOND, "better": FIRST}, "mrr")
    assert alone.difference("mrr", "better").p == 2 / 64
    assert alone.difference("mrr", "better").corrected == 2 / 64
    assert alone.letters("mrr", "better") == "a"
    assert alone.letters("mrr", "worse") == ""
    two = pc.compare(SIX, {"worse": SECOND, "better": FIRST}, ["mrr", "ndcg@1"])
    assert two.difference("mrr", "better").corrected == 2 * 2 / 64
    assert two.letters("mrr", "better") == ""
    bare = pc.compare(SIX, {"worse": SECOND, "better": FIRST}, ["mrr", "ndcg@1"], correction="none")
    assert bare.letters("mrr", "better") == "a"
    strict = pc.compare(SIX, {"worse": SECOND, "better": FIRST}, "mrr", confidence=0.99)
    assert strict.letters("mrr", "better") == ""


def test_pairs_have_a_family_of_their_own() -> None:
    models = {"a": SECOND, "b": FIRST, "c": SECOND}
    found = pc.compare(SIX, models, "mrr", correction="bonferroni")
    assert found.difference("mrr", "b").corrected == 2 * 2 / 64, "two comparisons with the baseline"
    assert found.difference("mrr", "b", "a").corrected == 3 * 2 / 64, "three pairs"
    matrix = found.pairwise("mrr")
    assert matrix.titles == ["mrr", "a  a", "b  b", "c  c"]
    assert [row[1:] for row in matrix.rows] == [[None, 6 / 64, 1], [6 / 64, None, 6 / 64], [1, 6 / 64, None]]
    assert found.pairwise("mrr", correction="none").rows[0][2] == 2 / 64


def test_letters_go_on_after_z() -> None:
    models = {f"m{i}": SECOND for i in range(27)} | {"best": FIRST}
    found = pc.compare(SIX, models, "mrr", correction="none", samples=SOME)
    assert [found.letter(name) for name in ("m0", "m25", "m26", "best")] == ["a", "z", "aa", "ab"]
    assert found.letters("mrr", "best") == ",".join([*"abcdefghijklmnopqrstuvwxyz", "aa"])


def test_unanswered_queries_follow_the_policy() -> None:
    truth = truth_of(8)
    whole, part = drawn(1, 8), {query: items for query, items in drawn(2, 8).items() if query not in ("q3", "q5")}
    zero = pc.compare(truth, {"whole": whole, "part": part}, "mrr", samples=SOME)
    gap = zero.difference("mrr", "part")
    assert (gap.pairs, gap.left_out) == (8, 0)
    assert zero.per_query("mrr").to_pylist()[3]["part"] == 0.0
    skip = pc.compare(truth, {"whole": whole, "part": part}, "mrr", missing="skip", samples=SOME)
    gap = skip.difference("mrr", "part")
    assert (gap.pairs, gap.left_out) == (6, 2)
    assert skip.per_query("mrr").to_pylist()[3]["part"] is None
    assert skip.differences("mrr").column("part").to_pylist()[3] is None
    common = {query: items for query, items in whole.items() if query in part}
    alone = pc.compare(truth, {"whole": common, "part": part}, "mrr", missing="skip", samples=SOME)
    assert gap.value == pytest.approx(alone.difference("mrr", "part").value, rel=1e-14)
    assert gap.p == alone.difference("mrr", "part").p
    assert any("2 queries have no value of both part and whole" in text.en for text in skip.warnings)


def test_undefined_queries_are_left_out_and_counted() -> None:
    truth = truth_of(6) | {"q9": {"d0": 0}}
    found = pc.compare(truth, {"a": drawn(1, 6), "b": drawn(2, 6)}, ["ndcg@5"], samples=SOME)
    gap = found.difference("ndcg@5", "b")
    assert (gap.pairs, gap.left_out) == (6, 1)


def shuffled(run: dict[str, dict[str, float]], seed: int) -> dict[str, dict[str, float]]:
    mixed = random.Random(seed)
    queries = list(run)
    mixed.shuffle(queries)
    return {query: dict(mixed.sample(list(run[query].items()), len(run[query]))) for query in queries}


@pytest.mark.sweep
@given(seed=st.integers(0, 1000))
def test_order_never_matters(seed: int) -> None:
    """Rows and queries in any order, models in any order: the same bits."""
    truth, one, other = truth_of(12), drawn(seed, 12), drawn(seed + 1, 12, 0.8)
    asked: dict[str, Any] = {"metrics": ["ndcg@5", "mrr"], "samples": 100, "baseline": "one"}
    found = pc.compare(truth, {"one": one, "other": other}, **asked)
    mixed = pc.compare(
        dict(reversed(truth.items())), {"one": shuffled(one, seed), "other": shuffled(other, seed + 7)}, **asked
    )
    assert mixed.to_json(per_query=True) == found.to_json(per_query=True)
    turned = pc.compare(truth, {"other": other, "one": one}, **asked)
    assert turned.difference("mrr", "other") == found.difference("mrr", "other")
    swapped = pc.compare(truth, {"one": one, "other": other}, **(asked | {"baseline": "other"}))
    here, there = found.difference("mrr", "other"), swapped.difference("mrr", "one")
    assert (there.value, there.p, there.corrected) == (-here.value, here.p, here.corrected)
    assert there.interval == (-here.interval[1], -here.interval[0])
    assert (there.wins, there.ties, there.losses) == (here.losses, here.ties, here.wins)


def test_p_is_the_share_of_sign_patterns_as_extreme() -> None:
    found = pc.compare(truth_of(9), {"a": drawn(3, 9), "b": drawn(4, 9, 1.0)}, "ndcg@5")
    gaps = [round(row["b"] * 2**36) for row in found.differences("ndcg@5").to_pylist()]
    sums = [abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) for signs in itertools.product((1, -1), repeat=9)]
    assert found.difference("ndcg@5", "b").p == sum(one >= abs(sum(gaps)) for one in sums) / 2**9


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_other_tests_agree_with_scipy(test: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = pc.compare(truth_of(25), {"a": drawn(3, 25), "b": drawn(4, 25, 1.0)}, "ndcg@5", test=test, samples=SOME)
    gap, apart = found.difference("ndcg@5", "b"), found.differences("ndcg@5").column("b").to_numpy()
    moved = apart[apart != 0]
    expected = {
        "t": lambda: stats.ttest_1samp(apart, 0).pvalue,
        "wilcoxon": lambda: stats.wilcoxon(moved).pvalue,
        "sign": lambda: stats.binomtest(int((moved > 0).sum()), len(moved)).pvalue,
    }[test]()
    assert gap.p == pytest.approx(expected, rel=1e-9)
    if test == "t":
        low, high = stats.ttest_1samp(apart, 0).confidence_interval(0.95)
        assert gap.interval == pytest.approx((low, high), rel=1e-9)


def test_lower_is_better_turns_wins_and_letters() -> None:
    """fallout counts what should not have been shown."""
    found = pc.compare(
        SIX, {"worse": {q: ["x", "a"] for q in SIX}, "better": {q: ["a"] for q in SIX}}, "fallout(catalog=9)@1"
    )
    gap = found.difference("fallout(catalog=9)@1", "better")
    assert gap.value < 0
    assert (gap.wins, gap.losses) == (6, 0)
    assert found.letters("fallout(catalog=9)@1", "better") == "a"
    assert found.best("fallout(catalog=9)@1") == ["better"]


def test_weighted_queries_weigh_in_the_difference() -> None:
    truth, weights = truth_of(10), {f"q{i}": float(i % 3 + 1) for i in range(10)}
    models = {"a": drawn(1, 10), "b": drawn(2, 10, 1.0)}
    found = pc.compare(truth, models, "mrr", query_weight=weights, samples=SOME)
    gap = found.difference("mrr", "b")
    rows = found.differences("mrr").to_pylist()
    expected = sum(row["b"] * weights[row["query"]] for row in rows) / sum(weights.values())
    assert gap.value == pytest.approx(expected, rel=1e-12)
    assert gap.interval[0] < gap.value < gap.interval[1]
    even = pc.compare(truth, models, "mrr", query_weight=dict.fromkeys(weights, 2.0), samples=SOME)
    plain = pc.compare(truth, models, "mrr", samples=SOME)
    assert even.difference("mrr", "b").p == plain.difference("mrr", "b").p
    assert even.difference("mrr", "b").interval == pytest.approx(plain.difference("mrr", "b").interval, rel=1e-9)


@pytest.mark.parametrize(
    ("models", "options", "said"),
    [
        ({"a": FIRST}, {}, "at least two runs or models, but there is 1"),
        ({}, {}, "but there are 0"),
        ({"bm25": FIRST, "dense": SECOND}, {"baseline": "dence"}, "'dence' is not among the models 'bm25', 'dense'; did you mean 'dense'?"),
        ({"a": FIRST, "b": SECOND}, {"test": "ttest"}, "test='ttest': choose one of permutation, t, wilcoxon, sign"),
        ({"a": FIRST, "b": SECOND}, {"correction": "hochberg"}, "correction='hochberg': choose one of holm"),
        ({"a": FIRST, "b": SECOND}, {"confidence": 95}, "a number between 0 and 1"),
        ({"a": FIRST, "b": SECOND}, {"task": "rankings"}, "did you mean 'ranking'?"),
        ({"a": FIRST, "b": SECOND}, {"test": "t"}, "the 6 differences are all"),
        ({"a": {"q0": ["a"]}, "b": {"q1": ["a"]}}, {"missing": "skip"}, "a and b have no query in common"),
        ({"a": {"q0": ["a"]}, "b": {"q0": ["x"]}}, {"missing": "skip"}, "one query in common"),
        ("a.run", {}, "give a dict with a name for each run"),
        ([FIRST, SECOND], {}, "without a name"),
        ({"a": FIRST, "b": SECOND}, {"relevant": 5}, "nothing to compare"),
        ({"a": FIRST, "b": SECOND}, {"ci": 0.9}, "confidence="),
        ({"a": FIRST, "b": SECOND}, {"tie": "id"}, "tie= is no option of comparing ranking; give those of pc.evaluate_ranking; did you mean 'ties'?"),
        ({"a": FIRST, "b": SECOND}, {"sample": 300}, "did you mean 'samples'?"),
        ({"a": FIRST, "b": SECOND}, {"task": "regression", "ties": "id"}, "ties= is no option of comparing regression"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_in_both_languages(models: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.compare(SIX, models, "mrr", **options)
    assert said in refused.value.text.en
    assert refused.value.text.zh != refused.value.text.en


def test_the_same_difference_everywhere_is_said() -> None:
    found = pc.compare(SIX, {"worse": SECOND, "better": FIRST}, "mrr")
    assert any("by the same amount everywhere" in text.en for text in found.warnings)
    assert math.isnan(found.difference("mrr", "better").effect)


def test_two_models_of_one_name_are_renamed_and_said() -> None:
    found = pc.compare(SIX, [("run", FIRST), ("run", SECOND), ("run", FIRST)], "mrr", samples=SOME)
    assert found.models == ("run", "run#2", "run#3")
    assert any("called 'run#2'" in text.en for text in found.warnings)


def test_paths_are_read(tmp_path: Path) -> None:
    files = {
        "truth": "q1 0 a 1\nq2 0 b 1\n",
        "one": "q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\n",
        "two": "q1 Q0 x 1 2 t\nq2 Q0 b 1 2 t\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = pc.compare(tmp_path / "truth", [tmp_path / "one", tmp_path / "two"], "mrr", samples=SOME)
    assert found.models == ("one", "two")
    assert found.difference("mrr", "two").value == 0


def test_look_ups_know_aliases_and_name_what_is_near() -> None:
    found = pc.compare(SIX, {"a": FIRST, "b": SECOND}, "mrr", samples=SOME)
    assert found["rr"] is found["mrr"]
    with pytest.raises(KeyError, match="mrrr"):
        found["mrrr"]
    with pytest.raises(pc.InputError, match="no model 'c'"):
        found.value("mrr", "c")
    with pytest.raises(pc.InputError, match="itself"):
        found.difference("mrr", "a", "a")


def test_how_it_was_tested_is_said_in_both_languages() -> None:
    found = pc.compare(
        truth_of(), {"a": drawn(1), "b": drawn(2), "c": drawn(3)}, ["mrr", "ndcg@5"], seed=7, samples=500
    )
    said = " ".join(text.en for text in found.how)
    for part in (
        "paired permutation test (500",
        "seed 7",
        "Holm",
        "4 comparisons with a",
        "95 %",
        "500 draws",
        "all 6 pairs",
    ):
        assert part in said
    use_language("zh")
    assert all(part in str(found) for part in ("配对置换检验", "种子 7", "基线", "显著优于", "胜/平/负"))


def test_intervals_of_weighted_means_stay_within_the_range() -> None:
    queries = 12
    truth, weights = truth_of(queries), {f"q{i}": float(4 ** (i % 6)) for i in range(queries)}
    good = {query: ["d0", "d1"] for query in truth}
    mixed = good | {"q5": ["x", "d0"], "q2": ["x", "d0"]}
    for test in ("permutation", "t"):
        found = pc.compare(truth, {"good": good, "mixed": mixed}, "mrr", query_weight=weights, samples=SOME, test=test)
        low, high = found.interval("mrr", "mixed")
        assert 0.5 <= low < found.value("mrr", "mixed") <= high <= 1.0
        low, high = found.difference("mrr", "mixed").interval
        assert -0.5 <= low < found.difference("mrr", "mixed").value <= high <= 0.0
        assert "bootstrap" in found.how[2].en
    nothing = weights | {"q0": 0.0, "q1": 0.0}
    rest = {query: nothing[query] for query in truth if nothing[query]}
    whole = pc.compare(truth, {"good": good, "mixed": mixed}, "mrr", query_weight=nothing, samples=SOME)
    kept = {query: truth[query] for query in rest}
    alone = pc.compare(kept, {"good": good, "mixed": mixed}, "mrr", query_weight=rest, samples=SOME)
    assert whole.interval("mrr", "mixed") == pytest.approx(alone.interval("mrr", "mixed"), rel=1e-12)


def test_a_pair_that_no_t_test_can_judge_leaves_the_others_alone() -> None:
    models = {"a": FIRST, "b": SECOND, "c": SECOND | {"q0": ["a", "x"], "q1": ["a", "x"]}}
    found = pc.compare(SIX, models, "mrr", test="t")
    gap = found.difference("mrr", "b")
    assert math.isnan(gap.p) and math.isnan(gap.corrected) and gap.test.en.startswith("not tested: the differences are")
    assert found.difference("mrr", "c").p == pytest.approx(0.025031, abs=1e-6)
    assert "paired t-test" in found.how[0].en and "not tested" not in found.how[0].en
    assert any("choose test=permutation, wilcoxon or sign" in text.en for text in found.warnings)
    with pytest.raises(pc.InputError, match="without variance there is no t-test"):
        pc.compare(SIX, {"a": FIRST, "b": SECOND}, "mrr", test="t")


def test_blocks_of_pairs_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    from pingce.comparison import paired

    models = {f"m{i}": drawn(i, 12) for i in range(5)}
    whole = pc.compare(truth_of(12), models, ["mrr", "ndcg@3"], samples=SOME).to_json()
    monkeypatch.setattr(paired, "CELLS", 2 * SOME)
    assert pc.compare(truth_of(12), models, ["mrr", "ndcg@3"], samples=SOME).to_json() == whole
