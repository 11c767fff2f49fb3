"""Places of lists in NumPy: the executable specification, and the fallback where there is no compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.ranking.findings import Columns, Faults, Findings
from pingce.evidence.ranking.reference import (
    Pairs,
    excluded_pairs,
    joint_codes,
    order_keys,
    ranked_rows,
    without_duplicates,
)
from pingce.evidence.ranking.truth_index import offsets

if TYPE_CHECKING:
    from pingce.inputs import Rows


def reference_places(run: Rows, duplicates: str, nan: str, depth: int, exclude: Rows | None = None) -> Findings:
    """What `pingce._core.list_places` returns, computed by sorting the whole run."""
    tables = [run] if exclude is None else [run, exclude]
    query, *other_query = joint_codes([rows.query for rows in tables])
    item, *other_item = joint_codes([rows.item for rows in tables])
    queries, first_row = np.unique(query, return_index=True)
    listed = Pairs(query, item, run.value, np.arange(len(run)))

    def per_list(codes: Any) -> Any:
        return np.bincount(np.searchsorted(queries, codes), minlength=len(queries)).astype(np.int64)

    out: Columns = {"first_row": first_row, "given": per_list(query)}
    is_excluded = excluded_pairs(listed, other_query, other_item)
    out["excluded"] = per_list(listed.query[is_excluded])
    listed = listed.take(~is_excluded)
    is_nan = np.isnan(listed.value)
    nan_row = int(listed.row[is_nan][0]) if is_nan.any() else None
    out["nan_rows"] = per_list(listed.query[is_nan])
    if nan == "drop":
        listed = listed.take(~is_nan)
    rows = per_list(listed.query)
    keys = order_keys(listed.value, nan)
    listed, duplicate = without_duplicates(listed._replace(value=keys), keys, duplicates)
    out["returned"] = per_list(listed.query)
    out["run_repeats"] = rows - out["returned"]
    ranked, columns = ranked_rows(listed)
    head = columns["above"] < depth
    out |= {name: column[head].astype(np.int32) for name, column in columns.items()}
    out |= {"row": ranked.row[head], "begin": offsets(per_list(ranked.query[head]))}
    return Findings(out, Faults(nan_row=nan_row, run_duplicate=duplicate))
