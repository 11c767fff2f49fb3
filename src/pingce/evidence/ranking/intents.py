"""Subtopics in ranking evidence: which subtopics of its query each judged item has grades for, and which item a hit is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.ranking.findings import Findings
from pingce.evidence.ranking.truth_index import chosen_rows, gathered, offsets
from pingce.inputs import Ids, Rows
from pingce.inputs.ids import IntIds, changes, sorted_rows

INTENT_COLUMNS = ("item", "size", "subtopic", "grade")


@dataclass(frozen=True, eq=False)
class Intents:
    """The judged items of each query by id, descending, as many as it has judged grades, with their subtopics."""

    item: NDArray[np.int32]
    "Of each hit: its place among the judged items of its query."
    size: NDArray[np.int32]
    "Of each judged item: how many subtopics it has a grade for."
    subtopic: NDArray[np.int32]
    "Of each grade of an item, ascending: the place of the subtopic among those of the query."
    grade: NDArray[np.float64]
    "How relevant the item is to the subtopic."

    @cached_property
    def begin(self) -> NDArray[np.int64]:
        """Where the grades of each judged item begin, and where the last ones end."""
        return offsets(self.size)

    def of_hits(self, hits: NDArray[Any]) -> Intents:
        """The same with some of the hits."""
        return replace(self, item=self.item[hits])

    def select(self, hits: NDArray[Any], judged: NDArray[Any]) -> Intents:
        """Some hits and judged items: those of whole queries."""
        entries, _ = gathered(self.begin, judged)
        return Intents(self.item[hits], self.size[judged], self.subtopic[entries], self.grade[entries])

    def of_returned(
        self, query: NDArray[np.int64], judged_begin: NDArray[np.int64], hit_begin: NDArray[np.int64]
    ) -> Intents:
        """The same where only hits are judged; `query` is that of each hit."""
        order = np.lexsort((self.item, query))
        item = np.empty(len(order), np.int32)
        item[order] = np.arange(len(order)) - hit_begin[query]
        rows = (judged_begin[query] + self.item)[order]
        entries, _ = gathered(self.begin, rows)
        return Intents(item, self.size[rows], self.subtopic[entries], self.grade[entries])

    def within(self, hits: slice, judged: slice) -> Intents:
        """Some hits and judged items that stand together, as they lie in memory."""
        entries = slice(int(self.begin[judged.start]), int(self.begin[judged.stop]))
        return Intents(self.item[hits], self.size[judged], self.subtopic[entries], self.grade[entries])

    def same_judgements(self, other: Intents | None) -> bool:
        """Whether another one has the same grades."""
        return other is not None and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in INTENT_COLUMNS[1:]
        )

    @staticmethod
    def joined(pieces: Sequence[tuple[Intents | None, int]]) -> Intents | None:
        """Those of several pieces of evidence, one after another; each comes with the number of its judged items."""
        some = [intents for intents, _ in pieces if intents is not None]
        if not some:
            return None
        if any(intents is None and items for intents, items in pieces):
            raise InputError(
                "some judgements tell subtopics apart and others do not; give all of them with subtopics, or none",
                "部分标注区分子主题，部分不区分；请全部给出子主题，或全部不给",
            )
        return Intents(*(np.concatenate([getattr(each, name) for each in some]) for name in INTENT_COLUMNS))


class JudgedItems(NamedTuple):
    """A truth with one row per item of a query, queries ascending and items descending by id, and what it is made of."""

    rows: Rows
    "The value is the highest grade over subtopics."
    size: NDArray[np.int32]
    subtopic: NDArray[np.int32]
    grade: NDArray[np.float64]
    repeats: NDArray[np.int64]
    "Of each query: rows that repeat an item and a subtopic."
    duplicate: tuple[int, int] | None
    "The first row that is repeated, and where."

    def places(self) -> Rows:
        """The same rows, each with its number for a grade: so evidence tells which item a hit is."""
        return replace(self.rows, value=np.arange(len(self.rows), dtype=np.float64))

    def resolve(self, parts: Findings) -> tuple[Findings, Intents]:
        """What was computed with places for grades, with grades; and the subtopics of all judged items."""
        columns, faults, _ = parts
        begin, grade = columns["judged_begin"], self.rows.value
        row = columns["grade"].astype(np.int64)
        query = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
        item = row - np.repeat(begin[:-1], np.diff(columns["hit_begin"]))
        graded = {
            "grade": grade[row],
            "judged": grade[np.lexsort((-grade, query))],
            "truth_repeats": columns["truth_repeats"] + self.repeats,
        }
        parts = parts._replace(columns=columns | graded, faults=faults._replace(truth_duplicate=self.duplicate))
        return parts, Intents(item.astype(np.int32), self.size, self.subtopic, self.grade)


def judged_items(truth: Rows, subtopics: Ids, duplicates: str) -> JudgedItems:
    """The items of a truth whose rows have subtopics; a repeated judgement of one subtopic is settled by policy."""
    query, item = _codes(truth.query), _codes(truth.item)
    subtopic, rows = _by_length(subtopics, _codes(subtopics)), np.arange(len(truth))
    preference = {"last": -rows, "best": -truth.value}.get(duplicates, rows)
    heavy = rows if truth.weight is None else -truth.weight  # so that equal grades do not leave it to the order of rows
    order = np.lexsort((rows, heavy, preference, subtopic, -item, query))
    query, item, subtopic = query[order], item[order], subtopic[order]
    fresh_item = _changed(query, item)
    fresh = fresh_item | _changed(subtopic)
    repeats = np.bincount(query[~fresh], minlength=int(query[-1]) + 1)
    duplicate = None if fresh.all() else _first_repeat(order, fresh)
    order, query, subtopic, fresh_item = order[fresh], query[fresh], subtopic[fresh], fresh_item[fresh]
    begin, grade = np.flatnonzero(fresh_item), truth.value[order]
    highest = np.maximum.reduceat(grade, begin)
    items = replace(chosen_rows(truth, order[begin]), value=highest, subtopic=None)
    size = np.diff(np.append(begin, len(order))).astype(np.int32)
    return JudgedItems(items, size, _within(query, subtopic), grade, repeats, duplicate)


def merged_subtopics(truth: Rows, duplicates: str) -> Rows:
    """A truth with one row per item, whose grade is the highest over its subtopics; one without subtopics as it is."""
    return truth if truth.subtopic is None else judged_items(truth, truth.subtopic, duplicates).rows


def _first_repeat(order: NDArray[np.int64], fresh: NDArray[np.bool_]) -> tuple[int, int]:
    """The rows of the repeated judgement whose second row comes first."""
    begin = np.flatnonzero(fresh)
    sizes = np.diff(np.append(begin, len(order)))
    first = np.minimum.reduceat(order, begin)
    later = np.where(order == np.repeat(first, sizes), len(order), order)
    again = np.minimum.reduceat(later, begin)
    at = int(np.argmin(again))
    return int(first[at]), int(again[at])


def _codes(ids: Ids) -> NDArray[np.int64]:
    """Numbers that sort as the ids do."""
    order = sorted_rows(ids)
    fresh = np.zeros(len(ids), np.int64)
    fresh[changes(ids.take(order))[1:]] = 1
    codes = np.empty(len(ids), np.int64)
    codes[order] = np.cumsum(fresh)
    return codes


def _by_length(ids: Ids, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Codes by which shorter ids come first: so numbers that are written as text stand in their order."""
    plain = ids.plain()
    if isinstance(plain, IntIds):
        return codes
    keys = (plain.ends - plain.starts).astype(np.int64) * (int(codes.max()) + 1) + codes
    by_length: NDArray[np.int64] = np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return by_length


def _within(query: NDArray[np.int64], subtopic: NDArray[np.int64]) -> NDArray[np.int32]:
    """The place of each subtopic among those of its query."""
    pairs, place = np.unique(query * (int(subtopic.max()) + 1) + subtopic, return_inverse=True)
    first = np.searchsorted(pairs, query * (int(subtopic.max()) + 1))
    within: NDArray[np.int32] = (place.reshape(-1) - first).astype(np.int32)
    return within


def _changed(*keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where a row differs from the one before it."""
    fresh = np.zeros(len(keys[0]), bool)
    fresh[0] = True
    for key in keys:
        fresh[1:] |= key[1:] != key[:-1]
    return fresh
