"""Item evidence: which items stand at the first places of each list. Every metric of what is shown follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.evidence.items.reference import reference_places
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.compute import refuse_faults, scores_as_compared
from pingce.evidence.ranking.truth_index import IdIndex, gathered, offsets
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids, concatenate, sorted_rows

LIST_COLUMNS = ("returned", "given", "run_repeats", "nan_rows", "excluded")
PLACE_COLUMNS = ("item", "above", "block", "by_id", "by_order")
WHOLE = 2**31 - 1
"The depth of lists that are looked at to their end."


@dataclass(frozen=True, eq=False)
class ItemEvidence:
    """The heads of all lists of a run, judged or not.

    Lists are sorted by query. The places of list q are rows begin[q]:begin[q+1] of the place columns, in rank order with ties
    by id descending, down to `depth` and on to the end of the block of equal scores in which that falls.
    """

    queries: Ids
    begin: NDArray[np.int64]
    items: Ids
    "Every item that stands somewhere, once, sorted by id."
    item: NDArray[np.int32]
    "The item at each place, as its number in `items`."
    above: NDArray[np.int32]
    "Rows with a higher score."
    block: NDArray[np.int32]
    "Rows with this score, the place's own included."
    by_id: NDArray[np.int32]
    "Rows of the block with a larger id."
    by_order: NDArray[np.int32]
    "Rows of the block that were given earlier."
    returned: NDArray[np.int64]
    "Length of the whole list."
    given: NDArray[np.int64]
    "Rows of the run, before a policy removed any."
    run_repeats: NDArray[np.int64]
    nan_rows: NDArray[np.int64]
    excluded: NDArray[np.int64]
    depth: int

    def __len__(self) -> int:
        return len(self.returned)

    @property
    def list_of_place(self) -> NDArray[np.int64]:
        """The list (its place in `queries`) of each place."""
        return np.repeat(np.arange(len(self)), np.diff(self.begin))

    def select(self, lists: NDArray[Any]) -> ItemEvidence:
        """The evidence of some lists only, by mask or by place; items that none of them shows are gone."""
        chosen = np.flatnonzero(lists) if lists.dtype == bool else lists
        places, begin = gathered(self.begin, chosen)
        picked = replace(
            self,
            queries=self.queries.take(chosen),
            begin=begin,
            **{name: getattr(self, name)[chosen] for name in LIST_COLUMNS},
            **{name: getattr(self, name)[places] for name in PLACE_COLUMNS},
        )
        shown, item = np.unique(picked.item, return_inverse=True)
        return replace(picked, items=self.items.take(shown), item=item.reshape(-1).astype(np.int32))

    @staticmethod
    def joined(pieces: Sequence[ItemEvidence]) -> ItemEvidence:
        """The evidence of all lists together; no query is in two of the pieces."""
        if len(pieces) == 1:
            return pieces[0]
        items, item = _numbered(concatenate([piece.items for piece in pieces]))
        begins = np.cumsum([0, *(len(piece.items) for piece in pieces)])[:-1]
        queries = concatenate([piece.queries for piece in pieces])
        sizes = np.concatenate([np.diff(piece.begin) for piece in pieces])
        columns = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in PLACE_COLUMNS[1:]}
        columns["item"] = np.concatenate([item[piece.item + at] for piece, at in zip(pieces, begins, strict=True)])
        order = sorted_rows(queries)
        places, begin = gathered(offsets(sizes), order)
        return ItemEvidence(
            queries=queries.take(order),
            begin=begin,
            items=items,
            depth=min(piece.depth for piece in pieces),
            **{name: np.concatenate([getattr(piece, name) for piece in pieces])[order] for name in LIST_COLUMNS},
            **{name: column[places] for name, column in columns.items()},
        )


def item_evidence(
    run: Rows,
    policies: Policies | None = None,
    *,
    depth: int = WHOLE,
    exclude: Rows | None = None,
    threads: int | None = None,
) -> ItemEvidence:
    """The heads of the lists of a run, under the policies that concern its rows; ids of `exclude` are of the run's kinds."""
    policies = policies or Policies()
    run = replace(run, value=scores_as_compared(run, policies.score_type))
    parts = _places(run, policies, depth, exclude, threads)
    refuse_faults(parts, run, policies)
    rows = parts["row"]
    items, item = _numbered(run.item.take(rows))
    return ItemEvidence(
        queries=run.query.take(parts["first_row"]),
        begin=parts["begin"],
        items=items,
        item=item,
        depth=depth,
        **{name: parts[name] for name in (*LIST_COLUMNS, *PLACE_COLUMNS[1:])},
    )


def _places(run: Rows, policies: Policies, depth: int, exclude: Rows | None, threads: int | None) -> dict[str, Any]:
    core = native_core()
    if core is None:
        return reference_places(run, policies.duplicates, policies.nan, depth, exclude)
    return core.list_places(
        run.query.pieces(),
        run.item.pieces(),
        np.ascontiguousarray(run.value),
        [] if exclude is None else exclude.query.pieces(),
        [] if exclude is None else exclude.item.pieces(),
        core.Duplicates[policies.duplicates],
        core.NotANumber[policies.nan],
        depth,
        thread_count(threads),
    )


def _numbered(ids: Ids) -> tuple[Ids, NDArray[np.int32]]:
    """The distinct ids, sorted, and the number of each row's among them."""
    if not len(ids):
        return ids, np.zeros(0, np.int32)
    index = IdIndex(ids)
    distinct = ids.take(index.first_rows())
    order = sorted_rows(distinct)
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return distinct.take(order), number[index.find(ids)]
