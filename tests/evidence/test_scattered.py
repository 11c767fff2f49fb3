"""Rows in any order give what the same rows give when they lie together, whatever ids look like and however many."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.inputs.ids import IntIds, StringIds, from_core

core: Any = native_core()
pytestmark = pytest.mark.skipif(core is None, reason="THE NATIVE CORE IS NOT INSTALLED: the reference sorts all rows")

HAND = 1 << 13
SIZES = (1, 2, 3, 100, HAND - 1, HAND, HAND + 1, 70_000)
LONG = "a" * 14
NAMES = ["", "\0", "a", "a\0", "abcdefgh", "abcdefg", LONG, LONG + "b", LONG + "bc", LONG + "b\0", LONG + "b" * 9]
NAMES += [LONG + "b" * 8 + letter for letter in "\0az"] + [f"用户{number:015d}" for number in range(40)]
NAMES += [f"{number}" for number in range(400)]


def some_ids(kind: str, count: int, rng: np.random.Generator) -> tuple[Any, NDArray[np.int64]]:
    """A column of ids in random order, and numbers that order as they do."""
    if kind == "strings":
        names = sorted(NAMES, key=str.encode)
        order = rng.integers(0, len(names), count)
        return StringIds.from_strings([names[each] for each in order]), order
    order = rng.integers(-(count // 7) - 1, count // 7 + 1, count)
    if kind == "integers side by side":
        return IntIds(order - 2**62), order
    if kind == "integers at both ends":
        order = rng.integers(0, 3, count)
        return IntIds(np.array([-(2**63), 0, 2**63 - 1])[order]), order
    return IntIds(order * 7919), order


def as_lists(counts: dict[str, Any]) -> dict[str, Any]:
    """What the core counted of groups, with their ids as a list."""
    return {name: column.tolist() for name, column in counts.items() if name != "groups"} | {
        "groups": from_core(counts["groups"]).to_list()
    }


KINDS = ["strings", "integers", "integers side by side", "integers at both ends"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_groups_of_scattered_rows_without_weights(size: int, kind: str, threads: int, dtype: Any) -> None:
    rng = np.random.default_rng(size + 2)
    ids, order = some_ids(kind, size, rng)
    score, positive = np.round(rng.random(size), 2).astype(dtype), (rng.random(size) < 0.3).astype(np.uint8)
    together, nothing = np.argsort(order, kind="stable"), np.zeros(0)
    for epsilon in (0.0, 1e-6):
        counts = core.group_pairs(ids.pieces(), positive, score, nothing, epsilon, nothing, threads)
        sorted_columns = ids.chosen(together).pieces(), positive[together], score[together]
        expected = core.group_pairs(*sorted_columns, nothing, epsilon, nothing, 1)
        assert as_lists(counts) == as_lists(expected)
        assert as_lists(counts)["groups"] == ids.chosen(np.unique(order, return_index=True)[1]).to_list()


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("kind", ["strings", "integers"])
@pytest.mark.parametrize("size", SIZES)
def test_groups_of_scattered_rows(size: int, kind: str, threads: int) -> None:
    rng = np.random.default_rng(size)
    ids, order = some_ids(kind, size, rng)
    score, positive = np.round(rng.random(size), 2), (rng.random(size) < 0.3).astype(np.uint8)
    weight = rng.random(size)
    together = np.argsort(order, kind="stable")
    found = core.group_pairs(ids.pieces(), positive, score, weight, 1e-6, weight, threads)
    wanted = core.group_pairs(
        ids.chosen(together).pieces(), positive[together], score[together], weight[together], 1e-6, weight[together], 1
    )
    assert as_lists(found) == as_lists(wanted)
    begin, rows = core.IdIndex(ids.pieces(), threads).groups()
    rows = rows if len(rows) else np.arange(size)
    groups = sorted((rows[first:end].tolist() for first, end in pairwise(begin.tolist())), key=min)
    firsts = np.unique(order, return_index=True)[1]
    assert groups == [np.flatnonzero(order == order[first]).tolist() for first in np.sort(firsts)]


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("query_kind", ["strings", "integers"])
@pytest.mark.parametrize("item_kind", ["strings", "integers"])
@pytest.mark.parametrize("size", SIZES)
def test_rankings_of_scattered_rows(size: int, item_kind: str, query_kind: str, threads: int) -> None:
    rng = np.random.default_rng(size + 1)
    query, query_order = some_ids(query_kind, size, rng)
    item, _ = some_ids(item_kind, size, rng)
    score = rng.choice(np.array([0.0, -0.0, 1.0, 1.0 + 2**-40, 5e-324, -np.inf, np.inf, np.nan, 0.25]), size)
    grade = rng.integers(0, 4, size).astype(np.float64)
    together, judged = np.argsort(query_order, kind="stable"), rng.permutation(size)[: size // 2 + 1]
    last = np.sort(judged)
    policies = core.Duplicates.best, core.NotANumber.last

    def evidence(run: NDArray[Any], truth: NDArray[Any], threads: int) -> dict[str, Any]:
        sides = [
            (query.chosen(rows).pieces(), item.chosen(rows).pieces(), np.ascontiguousarray(value[rows]))
            for rows, value in ((truth, grade), (run, score))
        ]
        excluded = query.chosen(last[:3]).pieces(), item.chosen(last[:3]).pieces()
        return core.ranking_evidence(*sides[0], *sides[1], *excluded, *policies, 0, threads)  # type: ignore[no-any-return]

    every = np.arange(size)
    truth = together[np.isin(together, judged)]
    found, wanted = evidence(every, truth, threads), evidence(together, truth, 1)
    assert (found["extra_rows"] == np.sort(together[wanted["extra_rows"]])).all()
    wanted["extra_rows"] = found["extra_rows"]
    for name in ("nan_row", "run_duplicate", "truth_duplicate"):
        assert (found["faults"][name] is None) == (wanted["faults"][name] is None)
    arrays = sorted(set(wanted) - {"faults"})
    assert {name: found[name].tolist() for name in arrays} == {name: wanted[name].tolist() for name in arrays}
    nan_row = found["faults"]["nan_row"]
    assert nan_row is None or np.isnan(score[nan_row])
