"""Ranking evidence in NumPy: the executable specification, and the fallback where there is no compiler.

It sorts the whole run, which the native core avoids; the two must agree to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Ints
from pingce.evidence.ranking.findings import Columns, Faults, Findings
from pingce.evidence.ranking.truth_index import offsets, starts

if TYPE_CHECKING:
    from pingce.inputs import Ids, Rows


class Pairs(NamedTuple):
    """Rows of one side as codes that sort as the ids do."""

    query: Ints
    item: Ints
    value: NDArray[np.float64]
    row: Ints

    def take(self, chosen: NDArray[Any]) -> Pairs:
        """Some rows, by mask or by place."""
        return Pairs(self.query[chosen], self.item[chosen], self.value[chosen], self.row[chosen])


def reference_evidence(truth: Rows, run: Rows, duplicates: str, nan: str, exclude: Rows | None = None) -> Findings:
    """What `pingce._core.ranking_evidence` returns, computed by sorting."""
    tables = [truth, run] if exclude is None else [truth, run, exclude]
    truth_query, run_query, *seen_query = joint_codes([rows.query for rows in tables])
    truth_item, run_item, *seen_item = joint_codes([rows.item for rows in tables])
    judged = Pairs(truth_query, truth_item, truth.value, np.arange(len(truth)))
    listed = Pairs(run_query, run_item, run.value, np.arange(len(run)))
    queries, query_rows = np.unique(truth_query, return_index=True)

    def per_query(codes: Ints) -> Ints:
        return np.bincount(np.searchsorted(queries, codes), minlength=len(queries)).astype(np.int64)

    is_judged = np.isin(listed.query, judged.query)
    extra = listed.take(~is_judged)
    extra_rows = np.sort(extra.row[np.unique(extra.query, return_index=True)[1]])  # as queries appear
    listed = listed.take(is_judged)
    out: Columns = {"query_rows": query_rows, "extra_rows": extra_rows, "given": per_query(listed.query)}
    is_excluded = excluded_pairs(listed, seen_query, seen_item)
    out["excluded"] = per_query(listed.query[is_excluded])
    listed = listed.take(~is_excluded)
    is_nan = np.isnan(listed.value)
    nan_row = int(listed.row[is_nan][0]) if is_nan.any() else None
    out["nan_rows"] = per_query(listed.query[is_nan])
    if nan == "drop":
        listed = listed.take(~is_nan)
    judged_rows, listed_rows = per_query(judged.query), per_query(listed.query)
    judged, truth_duplicate = without_duplicates(judged, judged.value, duplicates)
    keys = order_keys(listed.value, nan)
    listed, run_duplicate = without_duplicates(listed._replace(value=keys), keys, duplicates)
    out["returned"] = per_query(listed.query)
    out["truth_repeats"] = judged_rows - per_query(judged.query)
    out["run_repeats"] = listed_rows - out["returned"]
    out["answered"] = (out["given"] > 0).astype(np.uint8)
    out |= _ranked_hits(queries, judged, listed) | _judged_grades(queries, judged)
    return Findings(out, Faults(nan_row, None, truth_duplicate, run_duplicate))


def excluded_pairs(listed: Pairs, queries: list[Ints], items: list[Ints]) -> NDArray[np.bool_]:
    """Which rows are among the excluded pairs, of which there may be none."""
    is_excluded = np.zeros(len(listed.query), bool)
    for query, item in zip(queries, items, strict=True):
        width = int(max(item.max(initial=0), listed.item.max(initial=0))) + 1
        is_excluded = np.isin(listed.query * width + listed.item, query * width + item)
    return is_excluded


def joint_codes(columns: list[Ids]) -> list[Ints]:
    """Ids as numbers that sort as the ids do, the same number for the same id in every column."""
    every = np.concatenate([column.plain().comparable() for column in columns])
    codes = np.unique(every, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1])


def order_keys(scores: NDArray[np.float64], nan: str) -> NDArray[np.float64]:
    """The place of each score among the distinct ones; NaN stands above or below all."""
    missing = np.isnan(scores)
    keys = np.zeros(len(scores))
    distinct, place = np.unique(scores[~missing], return_inverse=True)
    keys[~missing] = place + 1
    keys[missing] = len(distinct) + 1 if nan == "first" else 0
    return keys


def without_duplicates(pairs: Pairs, merit: NDArray[np.float64], policy: str) -> tuple[Pairs, tuple[int, int] | None]:
    """One row a (query, item), chosen by policy; and the row that is repeated first, with the one that repeats it."""
    order = np.lexsort((pairs.row, pairs.item, pairs.query))
    query, item = pairs.query[order], pairs.item[order]
    repeated = np.concatenate([[False], (query[1:] == query[:-1]) & (item[1:] == item[:-1])])
    if not repeated.any():
        return pairs, None
    group = np.cumsum(~repeated) - 1
    firsts = order[~repeated]
    later = order[repeated]
    earliest = int(np.argmin(pairs.row[later]))
    duplicate = int(pairs.row[firsts[group[repeated][earliest]]]), int(pairs.row[later[earliest]])
    preference = {"last": -pairs.row, "best": -merit}.get(policy, pairs.row)
    chosen = np.lexsort((pairs.row, preference, pairs.item, pairs.query))
    return pairs.take(np.sort(chosen[~repeated])), duplicate


def ranked_rows(listed: Pairs) -> tuple[Pairs, dict[str, Ints]]:
    """All rows in rank order, ties by id descending, and where each stands: the columns of hits and of places."""
    order = np.lexsort((-listed.item, -listed.value, listed.query))
    ranked = listed.take(order)
    start, block_start = starts(ranked.query), starts(ranked.query, ranked.value)
    by_score = np.lexsort((listed.row, -listed.value, listed.query))
    in_order = np.empty(len(order), np.int64)
    in_order[by_score] = np.arange(len(order)) - starts(listed.query[by_score], listed.value[by_score])
    return ranked, {
        "above": block_start - start,
        "block": np.bincount(block_start, minlength=len(order))[block_start] if len(order) else block_start,
        "by_id": np.arange(len(order)) - block_start,
        "by_order": in_order[order],
    }


def _ranked_hits(queries: Ints, judged: Pairs, listed: Pairs) -> Columns:
    """Sort every list, number its rows, and pick those of judged items."""
    by_id, columns = ranked_rows(listed)
    grade, is_hit = _grades_of(judged, by_id)
    counts = np.bincount(np.searchsorted(queries, by_id.query[is_hit]), minlength=len(queries))
    hits: Columns = {name: column[is_hit].astype(np.int32) for name, column in columns.items()}
    return hits | {"grade": grade[is_hit], "hit_begin": offsets(counts)}


def _grades_of(judged: Pairs, rows: Pairs) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    width = int(max(judged.item.max(initial=0), rows.item.max(initial=0))) + 1
    keys = judged.query * width + judged.item
    order = np.argsort(keys)
    wanted = rows.query * width + rows.item
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return judged.value[order[at]], keys[order[at]] == wanted


def _judged_grades(queries: Ints, judged: Pairs) -> Columns:
    order = np.lexsort((-judged.value, judged.query))
    counts = np.bincount(np.searchsorted(queries, judged.query), minlength=len(queries))
    return {"judged": judged.value[order], "judged_begin": offsets(counts)}
