"""Evidence as an Arrow table, one row a query: for files, for other processes, for the curious. No pickle."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.ranking.evidence import ARROW_VERSION, HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence, Tally
from pingce.evidence.soundness import (
    COUNT,
    FINITE,
    GRADE,
    HEXADECIMAL,
    WHOLE,
    Column,
    Condition,
    checked_column,
    checked_columns,
    checked_ids,
    checked_json,
    checked_value,
    demand,
)
from pingce.inputs import Ids, IntIds, StringIds
from pingce.inputs.arrow import array_of, ids_of
from pingce.inputs.columns import rows_of

_KIND = b"pingce.evidence"
_VERSION = b"pingce.version"
_TALLY = b"pingce.tally"
_TOP_GRADE = b"pingce.top_grade"
_PLACES = Column("int32", (COUNT,))
_GRADES = Column("float64", (FINITE, GRADE))
_LISTS = {name: _PLACES for name in HIT_COLUMNS if name != "grade"} | {"grade": _GRADES, "judged": _GRADES}
_QUERIES = {name: Column("int64", (COUNT,)) for name in QUERY_COLUMNS} | {"answered": Column("bool")}
_TALLIES = tuple(field.name for field in fields(Tally))


def to_arrow(evidence: RankingEvidence) -> pa.Table:
    """The table; hits and judged grades are list columns, the tally is metadata."""

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
    columns: dict[str, Any] = checked_columns(table, _QUERIES)
    begin = {name: _begin(table, name) for name in _LISTS}
    columns |= {name: checked_column(_flat(table, name), name, column) for name, column in _LISTS.items()}
    top_grade = checked_value(
        metadata.get(_TOP_GRADE, b"").decode(), (HEXADECIMAL, Condition(lambda text: text == "-inf")), "top_grade"
    )
    evidence = RankingEvidence(
        queries=checked_ids(ids_in(table, "query"), "query"),
        hit_begin=begin["above"],
        judged_begin=begin["judged"],
        top_grade=float.fromhex(top_grade),
        tally=Tally(**checked_json(metadata.get(_TALLY), dict.fromkeys(_TALLIES, WHOLE), "tally")),
        **columns,
    )
    alike = all(np.array_equal(begin[name], evidence.hit_begin) for name in HIT_COLUMNS)
    demand(alike, "the columns of hits differ in length", "命中各列长度不同")
    _refuse_unsound(evidence)
    return evidence


def _refuse_unsound(evidence: RankingEvidence) -> None:
    """Refuse hits and grades that no lists have."""
    hits, judged = np.diff(evidence.hit_begin), np.diff(evidence.judged_begin)
    demand((hits <= judged).all(), "a query has more hits than judged items", "某查询的命中多于其标注")
    demand(
        (evidence.answered | (evidence.returned == 0)).all(), "a query without a list has rows", "无结果的查询却有行"
    )
    query, block = evidence.query_of_hit, evidence.block.astype(np.int64)
    demand((block > 0).all(), "a hit has no score", "某命中没有分数")
    inside = (
        (evidence.by_id < block) & (evidence.by_order < block) & (evidence.above + block <= evidence.returned[query])
    )
    demand(inside.all(), "a hit stands outside its list", "某命中在其列表之外")
    place = evidence.above.astype(np.int64) + evidence.by_id
    demand(((np.diff(place) > 0) | (np.diff(query) > 0)).all(), "hits are not in order", "命中未按名次排列")
    of = np.repeat(np.arange(len(judged)), judged)
    demand(((np.diff(evidence.judged) <= 0) | (np.diff(of) > 0)).all(), "grades are not in order", "等级未按大小排列")
    top = evidence.judged.max(initial=-np.inf)
    demand(top <= evidence.top_grade, "a grade is above the highest", "有等级高于最高等级")


def id_array(ids: Ids) -> pa.Array:
    """Ids as an Arrow array, from their memory."""
    plain = ids.take(np.arange(len(ids)))
    if isinstance(plain, IntIds):
        return pa.array(plain.comparable())
    letters, ends = _side_by_side(plain)
    offsets = np.concatenate([np.zeros(1, np.int64), ends])
    array = pa.LargeStringArray.from_buffers(len(plain), pa.py_buffer(offsets), pa.py_buffer(letters))
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        plain.to_list()  # says which of them is not UTF-8
        raise
    return array


def _side_by_side(ids: StringIds) -> tuple[Any, Any]:
    """The letters of all ids one after another, and where each ends."""
    length = (ids.ends - ids.starts).astype(np.int64)
    ends = np.cumsum(length)
    starts = ends - length
    if np.array_equal(ids.starts, starts):
        return ids.data, ends
    places = np.arange(int(length.sum())) + np.repeat(ids.starts - starts, length)
    return ids.data[places], ends


def ids_in(table: pa.Table, name: str) -> Ids:
    """The ids of a column that `id_array` made, perhaps in chunks since; its memory is kept."""
    demand(name in table.column_names, f"column '{name}' is missing", f"缺少列 '{name}'")
    column = table.column(name)
    if not len(column):
        return IntIds(np.zeros(0, np.int64)) if pa.types.is_integer(column.type) else StringIds.from_strings([])
    return ids_of(column, "query", rows_of(Text("evidence", "证据")), empty=True)


def _flat(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    return pc.list_flatten(table.column(name))


def _begin(table: pa.Table, name: str) -> Any:
    import pyarrow.compute as pc

    kind = table.column(name).type if name in table.column_names else pa.null()
    lists = pa.types.is_large_list(kind) or pa.types.is_list(kind)
    demand(lists and not table.column(name).null_count, f"column '{name}' is not one of lists", f"列 '{name}' 不是列表")
    sizes = array_of(pc.list_value_length(table.column(name)))
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
