"""Several runs side by side: their lists in rank order, and one number for an item whichever runs hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.evidence.policies import ORDERS, Policies
from pingce.evidence.ranking.aligned_reference import (
    Alignment,
    ListFaults,
    RankedLists,
    aligned_by_reference,
    order_by_reference,
)
from pingce.evidence.ranking.compute import scores_as_compared
from pingce.evidence.ranking.faults import not_a_number, repeated, too_long
from pingce.evidence.ranking.overlap import refuse_other_shape, refuse_too_many
from pingce.inputs.columns import Rows, kind_of
from pingce.inputs.ids import Ids, IntIds, StringIds, integers_or_none
from pingce.inputs.layouts import joined

Ints = NDArray[np.int64]
_SMALL = 1 << 12


@dataclass(frozen=True, eq=False)
class AlignedRun:
    """The lists of one run, in rank order, query by query."""

    begin: Ints
    "Where the list of each query begins; one more than there are queries."
    row: Ints
    place: Ints
    "The number of the item, among those of all queries."

    @property
    def lengths(self) -> Ints:
        """Rows of each list."""
        return np.diff(self.begin)

    @property
    def rank(self) -> Ints:
        """Of each row, from 0."""
        return np.arange(len(self.row)) - np.repeat(self.begin[:-1], self.lengths)


@dataclass(frozen=True, eq=False)
class AlignedRuns:
    """All queries of some runs in the order of their ids, with the items of each."""

    queries: IntIds | StringIds
    begin: Ints
    "Where the items of each query begin."
    member: Ints
    "A row of each item; rows of runs are counted one run after another."
    runs: tuple[AlignedRun, ...]
    items: Ids
    "Of all rows of all runs."

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def query_of_place(self) -> Ints:
        """The query of each item."""
        return np.repeat(np.arange(len(self)), np.diff(self.begin))


def list_policies(**stated: str | None) -> Policies:
    """The policies that lists of runs know; an order of ties that gives items no rank of their own is refused."""
    policies = Policies.of(**stated)
    if policies.ties not in ORDERS:
        raise InputError(
            f"ties={policies.ties}: here every item has one rank; choose one of {', '.join(ORDERS)}",
            f"ties={policies.ties}：此处每个条目只有一个名次；可选 {'、'.join(ORDERS)}",
        )
    return policies


def comparable_runs(runs: Sequence[Rows], policies: Policies) -> list[Rows]:
    """Runs with ids of one kind, and scores as the policy compares them."""
    for rows in runs:
        refuse_too_many(rows)
        refuse_other_shape(runs[0], rows)
    alike = list(runs)
    for part in ("query", "item"):
        if len({getattr(rows, part).integers for rows in alike}) > 1:
            alike = [_as_integers(rows, part) for rows in alike]
        first = getattr(alike[0], part)
        for rows in alike[1:]:
            ids = getattr(rows, part)
            if ids.integers != first.integers:
                ours, theirs = kind_of(first), kind_of(ids)
                raise InputError(
                    f"{part} ids are {ours.en} in {alike[0].source.name.en} and {theirs.en} in {rows.source.name.en}; convert one side",
                    f"{part} 编号在 {alike[0].source.name.zh} 中是{ours.zh}，在 {rows.source.name.zh} 中是{theirs.zh}；请统一类型",
                )
    return [replace(rows, value=scores_as_compared(rows, policies.score_type)) for rows in alike]


def _as_integers(rows: Rows, part: str) -> Rows:
    """Ids of a text file as integers, where all of them are."""
    ids = getattr(rows, part).plain()
    numbers = integers_or_none(ids) if rows.source.untyped_ids and isinstance(ids, StringIds) else None
    if numbers is None:
        return rows
    return replace(rows, query=numbers) if part == "query" else replace(rows, item=numbers)


def align_runs(runs: Sequence[Rows], policies: Policies, threads: int | None = None) -> AlignedRuns:
    """The lists of comparable runs, ranked; what the policies forbid is refused."""
    core = native_core()
    if core is None:
        aligned = aligned_by_reference(runs, policies)
    else:
        parts = core.align_lists(
            *columns_of(runs),
            core.Duplicates[policies.duplicates],
            core.NotANumber[policies.nan],
            core.TieOrder[policies.ties],
            threads_for(runs, threads),
        )
        every = [RankedLists(**{**lists, "faults": ListFaults(**lists["faults"])}) for lists in parts.pop("runs")]
        aligned = Alignment(**parts, runs=every)
    for rows, lists in zip(runs, aligned.runs, strict=True):
        refuse_faults(lists.faults, rows, policies)
    return AlignedRuns(
        queries=joined([rows.query for rows in runs]).take(aligned.query_rows),
        begin=aligned.begin,
        member=aligned.member,
        runs=tuple(AlignedRun(lists.begin, lists.row, lists.place) for lists in aligned.runs),
        items=joined([rows.item for rows in runs]),
    )


def columns_of(runs: Sequence[Rows]) -> tuple[list[Any], list[Any], list[NDArray[np.float64]]]:
    """Queries, items and scores of runs, as the core reads them."""
    queries, items = ([getattr(rows, part).pieces() for rows in runs] for part in ("query", "item"))
    return queries, items, [np.ascontiguousarray(rows.value) for rows in runs]


def threads_for(runs: Sequence[Rows], threads: int | None) -> int:
    """Threads for so many rows: none for a few."""
    return thread_count(threads) if sum(map(len, runs)) >= _SMALL else 0


def order_places(aligned: AlignedRuns, scores: NDArray[np.float64], ties: str, threads: int | None = None) -> Ints:
    """The places of each query's items by falling score."""
    core = native_core()
    if core is None:
        return order_by_reference(aligned.begin, scores, aligned.items.take(aligned.member), ties)
    count = thread_count(threads) if len(scores) >= _SMALL else 0
    pieces = aligned.items.pieces()
    return core.order_lists(aligned.begin, scores, pieces, aligned.member, core.TieOrder[ties], count)


def refuse_faults(faults: ListFaults, rows: Rows, policies: Policies) -> None:
    """Refuse rows of a run that the policies forbid, by the first of them."""
    if faults.long_query is not None:
        raise too_long(rows, faults.long_query)
    if policies.nan == "error" and faults.nan_row is not None:
        raise not_a_number(rows, faults.nan_row, faults.nan_rows)
    if policies.duplicates == "error" and faults.duplicate is not None:
        raise repeated(rows, faults.duplicate, faults.repeats)
