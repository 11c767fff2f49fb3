"""Evidence as an Arrow table, one row a query: for files, for other processes, for the curious. No pickle."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.evidence.ranking import ARROW_VERSION, HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence, Tally
from pingce.inputs import IntIds, StringIds

if TYPE_CHECKING:
    import pyarrow as pa

_KIND = b"pingce.evidence"
_VERSION = b"pingce.version"
_TALLY = b"pingce.tally"
_TOP_GRADE = b"pingce.top_grade"


def to_arrow(evidence: RankingEvidence) -> pa.Table:
    """The table; hits and judged grades are list columns, the tally is metadata."""
    import pyarrow as pa

    def lists(begin: Any, values: Any) -> Any:
        return pa.LargeListArray.from_arrays(pa.array(begin, pa.int64()), pa.array(values))

    queries = evidence.queries
    ids = pa.array(queries.to_list(), pa.int64() if queries.integers else pa.large_string())
    columns: dict[str, Any] = {"query": ids}
    columns |= {name: pa.array(getattr(evidence, name)) for name in QUERY_COLUMNS}
    columns |= {name: lists(evidence.hit_begin, getattr(evidence, name)) for name in HIT_COLUMNS}
    columns["judged"] = lists(evidence.judged_begin, evidence.judged)
    tally = json.dumps(asdict(evidence.tally), sort_keys=True).encode()
    metadata = {
        _KIND: b"ranking",
        _VERSION: ARROW_VERSION.encode(),
        _TALLY: tally,
        _TOP_GRADE: evidence.top_grade.hex().encode(),
    }
    return pa.table(columns).replace_schema_metadata(metadata)


def from_arrow(table: pa.Table) -> RankingEvidence:
    """The evidence of a table that `to_arrow` made, perhaps in chunks since."""
    metadata = table.schema.metadata or {}
    if metadata.get(_KIND) != b"ranking" or metadata.get(_VERSION) != ARROW_VERSION.encode():
        raise InputError(
            f"this table is not ranking evidence of version {ARROW_VERSION}; write it with RankingEvidence.to_arrow",
            f"此表不是版本 {ARROW_VERSION} 的排序证据；请用 RankingEvidence.to_arrow 写出",
        )
    query = table.column("query").to_pylist()
    columns: dict[str, Any] = {name: _flat(table, name) for name in (*HIT_COLUMNS, "judged")}
    columns |= {name: table.column(name).to_numpy() for name in QUERY_COLUMNS}
    return RankingEvidence(
        queries=IntIds(np.array(query, dtype=np.int64)) if _has_integers(table) else StringIds.from_strings(query),
        hit_begin=_begin(table, "above"),
        judged_begin=_begin(table, "judged"),
        top_grade=float.fromhex(metadata[_TOP_GRADE].decode()),
        tally=Tally(**json.loads(metadata[_TALLY])),
        **columns,
    )


def _has_integers(table: pa.Table) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(table.schema.field("query").type))


def _flat(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    return pc.list_flatten(table.column(name)).to_numpy()


def _begin(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    sizes = pc.list_value_length(table.column(name)).to_numpy()
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
