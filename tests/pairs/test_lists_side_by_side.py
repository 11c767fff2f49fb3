"""Lists of several runs in the core: the same bits for any number of threads, any order of rows, and as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.evidence.ranking import aligned
from pingce.fusion import call, methods

QUERIES = 130
"A part has 16 queries or more: these make several, and the last one is not whole."
RULES = [
    {"ties": "id"},
    {"ties": "id_ascending", "nan": "drop", "duplicates": "first"},
    {"ties": "order", "nan": "last", "duplicates": "last"},
    {"ties": "id", "nan": "first", "duplicates": "best"},
]


def draw_run(seed: int, *, odd: bool, strings: bool) -> pa.Table:
    """Lists of 0 to 59 rows with equal scores, half of them in rank order; odd ones hold NaN and items twice."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(0, 60, QUERIES)
    query = np.repeat(chance.permutation(QUERIES), sizes)
    catalogue = 50 if odd else 90
    item = np.concatenate([chance.choice(catalogue, size, replace=odd) for size in sizes])
    score = chance.integers(0, 25, len(query)) / 4
    score = np.where(query % 2 == 0, np.sort(score)[::-1], score)
    if odd:
        score[chance.random(len(query)) < 0.1] = np.nan
    ids = [pa.array(column) for column in (query, item)]
    if strings:
        names = ("q", "a rather long name of an item ")
        ids = [
            pa.array([prefix + str(number) for number in column.to_pylist()])
            for prefix, column in zip(names, ids, strict=True)
        ]
    return pa.table({"query": ids[0], "item": ids[1], "score": score})


def fuse(runs: list[pa.Table], method: str, threads: int = 1, rules: dict[str, Any] | None = None) -> pa.Table:
    weights = [0.2, 0.5, 0.3] if methods.METHODS[method].weighs else None
    return pc.fuse(runs, method, threads=threads, weights=weights, **(rules or {})).table


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(rules.values()))
@pytest.mark.parametrize("strings", [False, True])
@pytest.mark.parametrize("method", ["rrf", "rbc", "isr", "w_bordafuse"])
def test_any_number_of_threads_gives_what_numpy_gives(
    method: str, strings: bool, rules: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [draw_run(seed, odd="nan" in rules, strings=strings) for seed in range(3)]
    assert sum(map(len, runs)) > 1 << 12  # fewer rows are no work for threads
    fused = [fuse(runs, method, threads, rules) for threads in range(1, 8)]
    for module in (aligned, call, methods):
        monkeypatch.setattr(module, "native_core", lambda: None)
    reference = fuse(runs, method, rules=rules)
    assert [table.equals(reference) for table in fused] == [True] * 7


def draw_ordered(seed: int, strings: bool, repeat: bool = False) -> pa.Table:
    """Lists in rank order without equal scores; every twelfth may hold an item twice."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(0, 60, QUERIES)
    item = np.concatenate(
        [chance.choice(70, size, replace=repeat and number % 12 == 0) for number, size in enumerate(sizes)]
    )
    query = np.repeat(np.arange(QUERIES), sizes)
    items = pa.array([f"{'d' * (number % 20)}{number}" for number in item.tolist()]) if strings else pa.array(item)
    return pa.table({"query": query, "item": items, "score": np.arange(len(query), 0.0, -1)})


@pytest.mark.parametrize("weights", [None, [1.0, 0.5, 1.0], [1.0, 0.0, 2.0]], ids=str)
@pytest.mark.parametrize("strings", [False, True])
@pytest.mark.parametrize("ties", ["id", "id_ascending", "order"])
def test_lists_in_rank_order_are_fused_as_numpy_does(
    ties: str, strings: bool, weights: list[float] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [draw_ordered(seed, strings, repeat=seed == 1) for seed in range(3)]
    options: dict[str, Any] = {"weights": weights, "ties": ties, "duplicates": "last"}
    fused = [pc.fuse(runs, method, threads=2, **options).table for method in ("rrf", "rbc")]
    for module in (aligned, call, methods):
        monkeypatch.setattr(module, "native_core", lambda: None)
    reference = [pc.fuse(runs, method, **options).table for method in ("rrf", "rbc")]
    assert [ours.equals(theirs) for ours, theirs in zip(fused, reference, strict=True)] == [True, True]


def test_lists_longer_than_a_slot_can_number() -> None:
    longest = 70_000
    long = {"query": np.zeros(longest, int), "item": np.arange(longest), "score": -np.arange(longest, dtype=float)}
    other = {"query": np.zeros(2, int), "item": np.array([longest - 1, longest]), "score": np.array([2.0, 1.0])}
    scores = pc.fuse([long, other]).to_dict()[0]
    assert len(scores) == longest + 1
    assert scores[longest - 1] == 1 / (60 + longest) + 1 / 61
    assert list(scores)[:2] == [longest - 1, 0]


@pytest.mark.parametrize("method", ["rrf", "sum"])
def test_scattered_rows_make_the_same_lists(method: str) -> None:
    runs = [draw_run(seed, odd=False, strings=True) for seed in range(3)]
    scattered = [run.take(np.random.default_rng(9).permutation(len(run))) for run in runs]
    pieces = [pa.concat_tables([run[:100], run[100:101], run[101:]]) for run in scattered]
    whole = fuse(runs, method)
    assert fuse(scattered, method, 2).equals(whole)
    assert fuse(pieces, method, 3).equals(whole)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_fault_in_the_data_is_named(threads: int) -> None:
    runs = [draw_run(seed, odd=False, strings=False) for seed in range(3)]
    twice = pa.concat_tables([runs[1], runs[1][1000:], runs[1][500:600]])
    with pytest.raises(pc.InputError, match=rf"row 1000 of .* stands again at row {len(runs[1])}\b"):
        fuse([runs[0], twice], "isr", threads)


def test_runs_of_different_queries_stand_one_after_another() -> None:
    first, second = ({f"q{number}": ["a", "b"] for number in range(start, 40, 2)} for start in (0, 1))
    table = pc.fuse([first, second]).table
    assert table["query"].to_pylist() == sorted(f"q{number}" for number in range(40) for _ in range(2))
    assert table["item"].to_pylist() == ["a", "b"] * 40
