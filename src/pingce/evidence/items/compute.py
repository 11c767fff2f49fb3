"""Rows of a run to the heads of its lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.evidence.items.heads import WHOLE, ListHeads, numbered
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.findings import Columns, Faults, Findings
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids

LIST_COLUMNS = ("returned", "given", "run_repeats", "nan_rows", "excluded")


class RunLists(NamedTuple):
    """All lists of a run, sorted by query: their heads, how long they are, and what policies removed."""

    queries: Ids
    heads: ListHeads
    columns: dict[str, NDArray[np.int64]]
    faults: Faults
    first_row: NDArray[np.int64]
    "Of each list, whatever became of it."


def run_lists(
    run: Rows, policies: Policies, *, depth: int = WHOLE, exclude: Rows | None = None, threads: int | None = None
) -> RunLists:
    """The lists of a run, under the policies that concern its rows; scores are as compared, excluded ids of the run's kinds."""
    places, faults, _ = list_places(run, policies, depth, exclude, threads)
    counts = {name: places[name] for name in LIST_COLUMNS}
    first = places["first_row"]
    return RunLists(run.query.take(first), list_heads(run, places, depth), counts, faults, first)


def list_heads(run: Rows, places: Columns, depth: int) -> ListHeads:
    """The heads of lists, from which row of the run stands at which place."""
    items, item = numbered(run.item.take(places["row"]))
    columns = {name: places[name] for name in ("above", "block", "by_id", "by_order")}
    return ListHeads(begin=places["begin"], items=items, item=item, depth=depth, **columns)


def list_places(run: Rows, policies: Policies, depth: int, exclude: Rows | None, threads: int | None) -> Findings:
    """Which row stands at which place, by the core or by the reference."""
    core = native_core()
    if core is None:
        from pingce.evidence.items.reference import reference_places

        return reference_places(run, policies.duplicates, policies.nan, depth, exclude)
    places = core.list_places(
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
    return Findings(faults=Faults(**places.pop("faults")), columns=places)
