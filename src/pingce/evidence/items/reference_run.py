"""The lists of a reference, another run: at which rank do they have the items that lists show?"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Ints
from pingce.base.lazy import cached_property
from pingce.evidence.items.compute import run_lists
from pingce.evidence.items.directory import Directory
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.compute import refuse_faults, scores_as_compared, with_own_items
from pingce.evidence.ranking.findings import Findings
from pingce.inputs.columns import Rows


class Tops(NamedTuple):
    """The first places of all lists, by query and item."""

    queries: Directory
    key: Ints
    "A number for each query and item, ascending."
    rank: Ints
    "From 1, of each of them."
    length: Ints
    "Of each list, down to this depth."
    removed: int
    "Rows of all lists that policies took out: excluded, repeated, or without a number for a score."


class ReferenceRun:
    """A run whose rows are treated as those of the run that is compared with it: the same policies, the same pairs excluded."""

    def __init__(self, rows: Rows, policies: Policies, exclude: Rows | None = None) -> None:
        self._policies = policies
        self._rows = replace(rows, value=scores_as_compared(rows, policies.score_type))
        self._exclude = exclude
        self._tops: dict[tuple[int, str], Tops] = {}

    @cached_property
    def items(self) -> Directory:
        """All its items."""
        return Directory(self._rows.item)

    def tops(self, depth: int, ties: str) -> Tops:
        """The first places of its lists, made once, however many metrics and slices ask.

        Equal scores are in the order that those of the run have; where that looks at grades, or is none, by id.
        """
        key = depth, ties if ties in ("id_ascending", "order") else "id"
        if key not in self._tops:
            self._tops[key] = self._top(*key)
        return self._tops[key]

    def _top(self, depth: int, ties: str) -> Tops:
        rows, policies, exclude = self._rows, self._policies, self._exclude
        if policies.identical == "drop":
            exclude = with_own_items(exclude, rows, Directory(rows.query).names)
        lists = run_lists(rows, policies, depth=depth, exclude=exclude)
        try:
            refuse_faults(Findings(lists.columns, lists.faults), rows, policies)
        except InputError as problem:
            raise InputError(f"reference=: {problem.text.en}", f"reference=：{problem.text.zh}") from None
        heads = lists.heads
        within = {"id_ascending": heads.block - 1 - heads.by_id, "order": heads.by_order}.get(ties, heads.by_id)
        place = heads.above + within
        kept = np.flatnonzero(place < depth)
        query, item = heads.list_of_place[kept], self.items.find(heads.items)[heads.item[kept]]
        key = query * len(self.items) + item
        order = np.argsort(key)
        rank = place[kept][order].astype(np.int64) + 1
        removed = int(lists.columns["given"].sum() - lists.columns["returned"].sum())
        return Tops(Directory(lists.queries), key[order], rank, np.bincount(query, minlength=len(heads)), removed)
