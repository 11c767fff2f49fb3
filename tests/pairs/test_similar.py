"""Two runs side by side: values by their definitions, counts of what is left out, both ways of computing."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.evidence.policies import ORDERS
from pingce.evidence.ranking import agreement, aligned

Run = dict[Any, dict[Any, float]]


def make_run(seed: int, *, strings: bool) -> Run:
    chance = random.Random(seed)
    run: Run = {}
    for query in chance.sample(range(30), 20):
        items = chance.sample(range(80), chance.randint(1, 50))
        scores = (chance.choice([chance.random(), chance.randint(0, 5) / 4, -0.0, 1e-310]) for _ in items)
        named = {f"d{item}" if strings else item: score for item, score in zip(items, scores, strict=True)}
        run[f"q{query}" if strings else query] = named
    return run


def ranked(items: dict[Any, float]) -> list[Any]:
    """By falling score, equal ones by falling id."""
    return sorted(sorted(items, key=lambda item: str(item) if isinstance(item, str) else item, reverse=True), key=lambda item: -items[item])  # fmt: skip


def define(first: list[Any], second: list[Any], p: float, k: int) -> dict[str, float]:
    """All measures of two lists, straight from their definitions."""
    short, long = sorted((len(first), len(second)))
    common = [len({*first[:d]} & {*second[:d]}) for d in range(1, long + 1)]
    at_short, at_long = common[short - 1], common[long - 1]
    weights = [p ** (d - 1) for d in range(1, long + 1)]
    summed = sum(w * x / d for d, (w, x) in enumerate(zip(weights, common, strict=True), 1))
    unseen = sum(p ** (d - 1) * at_short * (d - short) / (short * d) for d in range(short + 1, long + 1))
    least = sum((x - at_long) * p**d / d for d, x in enumerate(common, 1)) - at_long * math.log(1 - p)
    both = [item for item in first if item in second]
    pairs = [(a, b) for i, a in enumerate(both) for b in both[i + 1 :]]
    agree = sum(1 if second.index(a) < second.index(b) else -1 for a, b in pairs)
    top, other = {*first[:k]}, {*second[:k]}
    return {
        "rbo": summed / sum(weights),
        "rbo(form=ext)": (1 - p) * (summed + unseen) + ((at_long - at_short) / long + at_short / short) * p**long,
        "rbo(form=min)": (1 - p) / p * least,
        f"overlap@{k}": len(top & other) / k,
        f"jaccard@{k}": len(top & other) / len(top | other),
        "kendall": agree / len(pairs) if pairs else math.nan,
    }


def agreed(runs: aligned.AlignedRuns) -> agreement.Agreement:
    return agreement.Agreement.of(runs.runs[0], runs.runs[1], len(runs.member))


def test_the_worked_example() -> None:
    means = pc.similar({"q": list("abcd")}, {"q": list("baec")}, k=4).means
    expected = [0.5777115440535, 0.69075, 0.3955283643313, 0.75, 0.6, 1 / 3]
    assert list(means.values()) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_values_follow_the_definitions(seed: int) -> None:
    a, b = make_run(seed, strings=seed % 2 == 1), make_run(seed + 100, strings=seed % 2 == 1)
    result = pc.similar(a, b, k=5, p=0.8)
    common = sorted(a.keys() & b.keys())
    assert result.queries.to_list() == common
    assert [len(ids) for ids in result.alone] == [len(a.keys() - b.keys()), len(b.keys() - a.keys())]
    for at, query in enumerate(common):
        expected = define(ranked(a[query]), ranked(b[query]), 0.8, 5)
        values = {name: column[at] for name, column in result.columns.items()}
        assert values == pytest.approx(expected, rel=1e-11, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("ties", ORDERS)
@pytest.mark.parametrize("duplicates", ["first", "last", "best"])
def test_the_core_and_numpy_agree_to_the_bit(ties: str, duplicates: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        chance = np.random.default_rng(seed)
        tables = []
        for rows in (0, 1, 2000)[seed % 3 :][:1] * 2:
            size = max(rows, 1)
            score = chance.choice([0.0, -0.0, 0.5, 1e300, -1e-310, np.nan], size)
            tables.append({"query": chance.integers(0, 9, size), "item": chance.integers(0, 40, size), "score": score})
        policies = aligned.list_policies(ties=ties, duplicates=duplicates, nan=("first", "last", "drop")[seed % 3])
        runs = aligned.comparable_runs([pc.read_run(table) for table in tables], policies)
        lists = [aligned.align_runs(runs, policies, threads) for threads in (1, 2, 5)]
        kendall = agreed(lists[0]).kendall()
        scores = chance.integers(0, 4, len(lists[0].member)).astype(np.float64)
        order = aligned.order_places(lists[0], scores, ties)
        with monkeypatch.context() as without:
            without.setattr(aligned, "native_core", lambda: None)
            without.setattr(agreement, "native_core", lambda: None)
            lists.append(aligned.align_runs(runs, policies))
            again = agreed(lists[-1]).kendall()
            assert np.array_equal(order, aligned.order_places(lists[-1], scores, ties))
        assert np.array_equal(kendall, again, equal_nan=True)
        for other in lists[1:]:
            assert np.array_equal(lists[0].begin, other.begin)
            assert np.array_equal(lists[0].member, other.member)
            for one, same in zip(lists[0].runs, other.runs, strict=True):
                assert np.array_equal(one.begin, same.begin)
                assert np.array_equal(one.row, same.row)
                assert np.array_equal(one.place, same.place)


def test_rows_in_any_order_give_the_same_bits_and_runs_may_be_swapped() -> None:
    a, b = make_run(3, strings=True), make_run(4, strings=True)
    shuffled = {query: dict(random.Random(1).sample(list(a[query].items()), len(a[query]))) for query in reversed(a)}
    document = pc.similar(a, b).to_json(per_query=True)
    assert pc.similar(shuffled, b).to_json(per_query=True) == document
    swapped = pc.similar(b, a)
    for name, column in pc.similar(a, b).columns.items():
        assert np.array_equal(column, swapped.columns[name], equal_nan=True)


def test_what_is_left_out_is_counted_and_said() -> None:
    result = pc.similar({"q1": ["a"], "q2": ["a"]}, {"q1": ["b"], "q3": ["a"]}, names=("old", "new"))
    said = " | ".join(text.en for text in result.count_texts)
    assert said == (
        "1 query in both runs | 1 query only in old, not counted: q2 | 1 query only in new, not counted: q3 | "
        "kendall: undefined for 1 query, left out of the mean"
    )
    document = json.loads(result.to_json(per_query=True))
    assert (document["only_first"], document["only_second"], document["undefined"]["kendall"]) == (1, 1, 1)
    assert document["per_query"]["kendall"] == [None]
    assert result.to_arrow().column_names == ["query", *result.measures]
    assert "overlap@10" in result.to_markdown()


def test_queries_that_changed_most_come_first() -> None:
    a = {"q1": ["a", "b"], "q2": ["a", "b"], "q3": ["a", "b"]}
    assert pc.similar(a, {"q1": ["a", "b"], "q2": ["c", "d"], "q3": ["b", "a"]}).worst(2) == ["q2", "q3"]


@pytest.mark.parametrize(("keywords", "words"), [
    ({"k": 0}, "k=0"), ({"k": [5, 1.5]}, "k=1.5"), ({"p": 1.0}, "p=1.0"), ({"ties": "expected"}, "one rank"), ({"ties": "odd"}, "choose one of"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.similar({"q": ["a"]}, {"q": ["a"]}, **keywords)


@pytest.mark.parametrize(("a", "b", "words"), [
    ({"q": ["a"]}, {"r": ["a"]}, "no query in common"),
    ({"q": ["a"]}, {1: ["a"]}, "query ids are strings"),
    ({"q": ["a", "a"]}, {"q": ["a"]}, "stands again"),
    ({"q": {"a": math.nan}}, {"q": ["a"]}, "not a number"),
])  # fmt: skip
def test_data_that_cannot_be_compared_is_refused(a: Any, b: Any, words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.similar(a, b)


@pytest.mark.parametrize("names", [("A",), ("A", "B", "C"), "AB", 3])
def test_names_are_two(names: Any) -> None:
    with pytest.raises(pc.InputError, match=r"names=.*give two names, those of a and b"):
        pc.similar({"q": ["a"]}, {"q": ["a"]}, names=names)


def test_in_a_console_it_is_one_line() -> None:
    result = pc.similar({"q": ["a", "b"]}, {"q": ["b", "a"]}, k=2)
    assert repr(result).startswith("Similarity(['A', 'B'], queries=1, rbo=0.4737, ")
