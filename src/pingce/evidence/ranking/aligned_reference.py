"""Runs side by side in NumPy: the executable specification, and the fallback where there is no compiler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.evidence.policies import Policies
from pingce.evidence.ranking.reference import Pairs, joint_codes, order_keys, without_duplicates
from pingce.evidence.ranking.truth_index import offsets
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids

Ints = NDArray[np.int64]


class ListFaults(NamedTuple):
    """What lists of a run cannot have, or a policy may not let pass: the first row of each kind, and how many there are."""

    nan_row: int | None
    nan_rows: int
    long_query: int | None
    duplicate: tuple[int, int] | None
    "A row, and the one that repeats it."
    repeats: int


class RankedLists(NamedTuple):
    """The lists of one run: where each begins, its rows by rank, and the number of the item of each."""

    begin: Ints
    row: Ints
    place: Ints
    faults: ListFaults


class Alignment(NamedTuple):
    """A row of each query, where the items of each begin, a row of each item, and the lists of all runs."""

    query_rows: Ints
    begin: Ints
    member: Ints
    runs: list[RankedLists]


def aligned_by_reference(runs: Sequence[Rows], policies: Policies) -> Alignment:
    """What `pingce._core.align_lists` returns, computed by sorting."""
    query_codes = joint_codes([rows.query for rows in runs])
    item_codes = joint_codes([rows.item for rows in runs])
    queries, query_rows = np.unique(np.concatenate(query_codes), return_index=True)
    width = max(int(codes.max(initial=0)) for codes in item_codes) + 1
    start = np.cumsum([0, *map(len, runs)])
    tables, met = [], []
    for at, rows in enumerate(runs):
        pairs = Pairs(query_codes[at], item_codes[at], rows.value, np.arange(len(rows)))
        faults, pairs = _without_faults(pairs, policies)
        tables.append((faults, pairs))
        counts = ~np.isnan(rows.value) | (policies.nan != "drop")
        met.append((pairs.query * width + pairs.item, _first_rows(query_codes[at], item_codes[at], counts, width)))
    keys = np.concatenate([keys for keys, _ in met])
    distinct = np.unique(keys)
    member = _member(distinct, [first for _, first in met], start)
    numbered = np.lexsort((member, distinct // width))  # items of a query as they are met
    place_of = np.empty(len(distinct), np.int64)
    place_of[numbered] = np.arange(len(distinct))
    sizes = np.bincount(np.searchsorted(queries, distinct // width), minlength=len(queries))
    out = Alignment(query_rows, offsets(sizes), member[numbered], [])
    for (faults, pairs), (keys, _) in zip(tables, met, strict=True):
        order = np.lexsort((_tie_key(pairs, policies.ties), -pairs.value, pairs.query))
        lengths = np.bincount(np.searchsorted(queries, pairs.query), minlength=len(queries))
        places = place_of[np.searchsorted(distinct, keys)][order]
        out.runs.append(RankedLists(offsets(lengths), pairs.row[order], places, faults))
    return out


def _without_faults(pairs: Pairs, policies: Policies) -> tuple[ListFaults, Pairs]:
    """Rows as the policies leave them, with places of their scores for values, and what was odd."""
    missing = np.isnan(pairs.value)
    nan_row = int(np.flatnonzero(missing)[0]) if missing.any() else None
    if policies.nan == "drop":
        pairs = pairs.take(~missing)
    keyed = pairs._replace(value=order_keys(pairs.value, policies.nan))
    kept, duplicate = without_duplicates(keyed, keyed.value, policies.duplicates)
    return ListFaults(nan_row, int(missing.sum()), None, duplicate, len(keyed.row) - len(kept.row)), kept


def _first_rows(query: Ints, item: Ints, counts: NDArray[np.bool_], width: int) -> tuple[Ints, Ints]:
    """The first row of each pair of a run."""
    rows = np.flatnonzero(counts)
    keys, at = np.unique((query * width + item)[rows], return_index=True)
    return keys, rows[at]


def _member(distinct: Ints, firsts: list[tuple[Ints, Ints]], start: Ints) -> Ints:
    """The first row of each pair in all runs, one after another."""
    member = np.full(len(distinct), -1, np.int64)
    for at in reversed(range(len(firsts))):
        keys, rows = firsts[at]
        member[np.searchsorted(distinct, keys)] = rows + start[at]
    return member


def _tie_key(pairs: Pairs, ties: str) -> Ints:
    """What ascends from the first to the last of equal scores."""
    return {"id": -pairs.item, "id_ascending": pairs.item, "order": pairs.row}[ties]


def order_by_reference(begin: Ints, scores: NDArray[np.float64], items: Ids, ties: str) -> Ints:
    """What `pingce._core.order_lists` returns, computed by sorting."""
    of_list = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    codes = joint_codes([items])[0]
    key = {"id": -codes, "id_ascending": codes, "order": np.arange(len(codes))}[ties]
    return np.lexsort((key, -scores, of_list)).astype(np.int64)


def inversions_by_reference(begin: Ints, values: Ints) -> Ints:
    """How many pairs of each list stand in falling order: bit by bit, the highest first.

    Values of a list differ. Two of them are told apart by the first bit that differs, so each pair is counted at one bit only.
    """
    of_list = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    count = np.zeros(len(begin) - 1, np.int64)
    order = np.arange(len(values))
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        upper, is_one = values[order] >> (bit + 1), (values[order] >> bit) & 1
        fresh = np.ones(len(order), bool)
        fresh[1:] = (of_list[order][1:] != of_list[order][:-1]) | (upper[1:] != upper[:-1])
        before = np.cumsum(is_one) - is_one
        within = before - before[np.flatnonzero(fresh)][np.cumsum(fresh) - 1]
        count += np.bincount(of_list[order], np.where(is_one == 0, within, 0), len(count)).astype(np.int64)
        order = order[np.lexsort((is_one, np.cumsum(fresh)))]
    return count
