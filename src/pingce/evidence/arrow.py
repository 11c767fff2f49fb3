"""Evidence as an Arrow table, one row a query: for files, for other processes, for the curious. No pickle."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.evidence.ranking import ARROW_VERSION, HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence, Tally
from pingce.inputs import Ids, IntIds, StringIds
from pingce.inputs.arrow_ids import ids_of
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.columns import rows_of
from pingce.language import Text

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

    columns: dict[str, Any] = {"query": id_array(evidence.queries)}
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
    columns: dict[str, Any] = {name: _flat(table, name) for name in (*HIT_COLUMNS, "judged")}
    columns |= {name: array_of(table.column(name)) for name in QUERY_COLUMNS}
    return RankingEvidence(
        queries=ids_in(table.column("query")),
        hit_begin=_begin(table, "above"),
        judged_begin=_begin(table, "judged"),
        top_grade=float.fromhex(metadata[_TOP_GRADE].decode()),
        tally=Tally(**json.loads(metadata[_TALLY])),
        **columns,
    )


def id_array(ids: Ids) -> pa.Array:
    """Ids as an Arrow array, from their memory."""
    import pyarrow as pa

    own = ids.take(np.arange(len(ids)))
    if isinstance(own, IntIds):
        return pa.array(own.comparable())
    letters, ends = _side_by_side(own)
    offsets = np.concatenate([np.zeros(1, np.int64), ends])
    found = pa.LargeStringArray.from_buffers(len(own), pa.py_buffer(offsets), pa.py_buffer(letters))
    try:
        found.validate(full=True)
    except pa.ArrowInvalid:
        own.to_list()  # says which of them is not UTF-8
        raise
    return found


def _side_by_side(ids: StringIds) -> tuple[Any, Any]:
    """The letters of all ids one after another, and where each ends."""
    length = (ids.ends - ids.starts).astype(np.int64)
    ends = np.cumsum(length)
    starts = ends - length
    if np.array_equal(ids.starts, starts):
        return ids.data, ends
    places = np.arange(int(length.sum())) + np.repeat(ids.starts - starts, length)
    return ids.data[places], ends


def ids_in(column: pa.ChunkedArray) -> Ids:
    """The ids of a column that `id_array` made, perhaps in chunks since; its memory is kept."""
    import pyarrow as pa

    if not len(column):
        return IntIds(np.zeros(0, np.int64)) if pa.types.is_integer(column.type) else StringIds.from_strings([])
    return ids_of(column, "query", rows_of(Text("evidence", "证据")), empty=True)


def _flat(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    return array_of(pc.list_flatten(table.column(name)))


def _begin(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    sizes = array_of(pc.list_value_length(table.column(name)))
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
