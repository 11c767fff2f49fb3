"""What rankings are sliced by: a table or dictionary of queries, or how active and how popular."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Relevant
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.overlap import match_queries
from pingce.inputs.cells import ids
from pingce.inputs.columns import Reading, Rows, Source, Wanted, ids_at, rows_of
from pingce.inputs.names import QUERY, listed, refuse_absent
from pingce.inputs.predictions import column_names, read_table, vector_of
from pingce.inputs.slices import Partition, coded, deciles, partition_of
from pingce.inputs.times import in_slices_of_time, sliced_column
from pingce.inputs.vectors import Vector, vector

BUILT_IN = ("activity", "popularity")


class QueryBy(Protocol):
    """Something that puts every query of a truth in a slice."""

    @property
    def by(self) -> str:
        """What slices are by."""

    def partition(self, queries: FactColumns, truth: Rows, relevant: Relevant) -> Partition:
        """The slice of each query of the evidence."""


@dataclass(frozen=True)
class Activity:
    """How many relevant items a query has: how active a user is."""

    by: str = "activity"

    def partition(self, queries: FactColumns, truth: Rows, relevant: Relevant) -> Partition:
        """Deciles of the queries."""
        _refuse_no_truth(self.by, truth)
        count = queries.column("relevant").astype(np.float64)
        return deciles(count, self.by, Text("a query's number of relevant items", "查询的相关条目数"))


@dataclass(frozen=True)
class Popularity:
    """How popular a query's relevant items are: the mean, over them, of the queries for which each is relevant."""

    by: str = "popularity"

    def partition(self, queries: FactColumns, truth: Rows, relevant: Relevant) -> Partition:
        """Deciles of the queries; those without a relevant item are in none."""
        _refuse_no_truth(self.by, truth)
        rows = np.flatnonzero(truth.value >= (0 if relevant == "any" else float(relevant)))
        values = np.full(len(queries), np.nan)
        if len(rows):
            query, item = coded(truth.query.take(rows)), coded(truth.item.take(rows))
            pairs = np.unique(query.astype(np.int64) * (int(item.max()) + 1) + item)
            query_of, item_of = np.divmod(pairs, int(item.max()) + 1)
            often = np.bincount(item_of)[item_of]
            mean = np.bincount(query_of, weights=often) / np.bincount(query_of)
            first = rows[np.unique(query, return_index=True)[1]]
            pairs_of = Rows(names := truth.query.take(first), names, mean, truth.source)
            place, _ = match_queries(pairs_of, queries.queries, untyped=False)
            values[place >= 0] = mean[place[place >= 0]]
        what = Text("how often a query's relevant items occur in the truth", "查询的相关条目在真值中出现的次数")
        return deciles(values, self.by, what)


@dataclass(frozen=True)
class QueryTable:
    """A value for each query, as it was read; matched with queries by id, never by position."""

    by: str
    queries: Rows
    slices: Partition
    untyped: bool = False

    def partition(self, queries: FactColumns, truth: Rows, relevant: Relevant) -> Partition:
        """Queries that the table lacks, or has without a value, are in no slice; counted, and said."""
        place, first = match_queries(self.queries, queries.queries, untyped=truth.source.untyped_ids)
        _refuse_two_values(self.queries, self.slices, first)
        lacking, name = int(np.count_nonzero(place < 0)), self.queries.source.name
        if lacking == len(place):
            ours, theirs = ids_at(queries.queries, 0), ids_at(self.queries.query, 0)
            raise InputError(
                f"{name.en} has none of the judged queries: they are called e.g. '{ours}', there e.g. '{theirs}'",
                f"{name.zh} 不含任何已标注的查询：真值中如 '{ours}'，该表中如 '{theirs}'",
            )
        codes = np.where(place < 0, -1, self.slices.codes[place])
        without = Text(
            f"{name.en}: {lacking} of {len(place)} judged queries are not there; they are the slice (none)",
            f"{name.zh}：{len(place)} 个已标注的查询中有 {lacking} 个不在其中，归入切片（无）",
        )
        empty = [title for code, title in enumerate(self.slices.names) if not (codes == code).any()]
        examples = ", ".join(f"'{title}'" for title in empty[:3])
        unused = Text(
            f"{self.by}: {len(empty)} values belong to no judged query ({examples}); their slices are empty and not shown",
            f"{self.by}：{len(empty)} 个取值不属于任何已标注的查询（{examples}），其切片为空，不予列出",
        )
        notes = tuple(text for text, applies in ((without, lacking), (unused, empty)) if applies)
        return Partition(self.by, codes, self.slices.names, notes)


def _refuse_no_truth(by: str, truth: Rows) -> None:
    """Refuse to slice by relevant items where nobody says which are."""
    if not len(truth):
        raise InputError(
            f"by='{by}' looks at the relevant items of each query, and qrels is None: give the truth, or slice by a table of queries",
            f"by='{by}' 要看每个查询的相关条目，而 qrels 为 None：请给出真值，或改用含查询列的表来切片",
        )


def _refuse_two_values(rows: Rows, slices: Partition, first: NDArray[np.intp]) -> None:
    other = np.flatnonzero(slices.codes != slices.codes[first])
    if len(other):
        row = int(other[0])
        names = ["(none)" if code < 0 else slices.names[code] for code in (slices.codes[first[row]], slices.codes[row])]
        place, query = rows.source.place(row), ids_at(rows.query, row)
        raise InputError(
            f"{place.en}: query '{query}' has {slices.by} '{names[1]}', but '{names[0]}' before; give each query one value",
            f"{place.zh}：查询 '{query}' 的 {slices.by} 为 '{names[1]}'，而此前为 '{names[0]}'；请为每个查询只给一个值",
        )


def read_query_slices(
    by: Any, *, columns: Mapping[str, str | int] | None = None, encoding: str | None = None
) -> list[QueryBy]:
    """What a caller wants rankings sliced by; a list is several of them."""
    entries = by if isinstance(by, list) else [by]
    slicings = [slicing for each in entries for slicing in _read(each, columns, Reading(None, None, encoding))]
    if not slicings:
        raise InputError("by is empty: there is nothing to slice by", "by 为空：没有切片的依据")
    return slicings


def _read(by: Any, columns: Mapping[str, str | int] | None, reading: Reading) -> list[QueryBy]:
    if isinstance(by, str) and by in BUILT_IN:
        return [Activity() if by == "activity" else Popularity()]
    if isinstance(by, str) and not os.path.exists(by):  # noqa: PTH110 - one of these words, not yet a path
        hint = did_you_mean(by, BUILT_IN)
        raise InputError(
            f"by='{by}': for rankings it is activity, popularity, a table with a query column (path, column), or a dict "
            f"{{query: value}}; there is no file of this name{hint.en}",
            f"by='{by}'：排序任务可用 activity、popularity、含查询列的表（路径，列名），或字典 {{查询: 值}}；没有这个文件{hint.zh}",
        )
    if isinstance(by, tuple):
        if not by or not all(isinstance(name, str) for name in by[1:]):
            raise InputError(
                "by=(table, column, …): the names of columns are strings", "by=(表, 列名, …)：列名应为字符串"
            )
        return _from_table(by[0], by[1:], columns, reading)
    pairs = _pairs(by)
    if pairs is not None:
        return [_from_pairs(pairs)]
    return _from_table(by, (), columns, reading)


def _pairs(by: Any) -> list[tuple[Any, Any]] | None:
    """The pairs of a dictionary (or pandas Series) {query: value}; a dictionary of columns is a table."""
    is_series = hasattr(by, "items") and len(getattr(by, "shape", ())) == 1
    if not isinstance(by, Mapping) and not is_series:
        return None
    pairs = list(by.items())
    return None if any(isinstance(value, (list, tuple, np.ndarray)) for _, value in pairs) else pairs


def _from_pairs(pairs: Sequence[tuple[Any, Any]]) -> QueryTable:
    if not pairs:
        raise InputError("by is an empty dict: there is nothing to slice by", "by 是空字典：没有切片的依据")
    name = Text("the dict of by=", "by= 的字典")
    source = rows_of(name)
    keys, values = vector([pair[0] for pair in pairs], "by"), vector([pair[1] for pair in pairs], "by")
    return _query_table("by", keys, Vector(values.values, name, source.place, "by"), source)


def _from_table(
    table: Any, names: Sequence[str], columns: Mapping[str, str | int] | None, reading: Reading
) -> list[QueryBy]:
    if isinstance(table, Mapping):
        present = [str(name) for name in table]
    elif isinstance(table, (str, os.PathLike)) or hasattr(table, "columns") or hasattr(table, "column_names"):
        present = column_names(table, reading)
    else:
        kind = type(table).__name__
        raise InputError(
            f"by: {kind} is no table; give a path, a data frame, an Arrow table or a dict of columns",
            f"by：{kind} 不是表；请给出路径、数据框、Arrow 表或列的字典",
        )
    where = (
        Text(f"slice table {table}", f"切片表 {table}") if isinstance(table, str) else Text("the slice table", "切片表")
    )
    query = _query_column(present, columns, where)
    wanted = {name: sliced_column(name) for name in names} or {name: name for name in present if name != query}
    refuse_absent(list(wanted.values()), present, where)
    if not wanted:
        raise InputError(
            f"{where.en} has the query column '{query}' only; needed is a column to slice by",
            f"{where.zh} 只有查询列 '{query}'；还需要一列作为切片的依据",
        )
    both = tuple(dict.fromkeys([query, *wanted.values()]))
    read, source = read_table(table, Wanted(both, texts=both), reading)
    keys = vector_of(read, query, source)
    slicings: list[QueryBy] = []
    for name, column in wanted.items():
        values = vector_of(read, column, source)
        slicings.append(_query_table(name, keys, values if name == column else in_slices_of_time(name, values), source))
    return slicings


def _query_column(present: Sequence[str], columns: Mapping[str, str | int] | None, where: Text) -> str:
    """The one that the call names for queries, else one of the names that people use."""
    title = (columns or {}).get("query")
    if title in present:
        return str(title)
    plain = {name.split(":")[0].strip().lower(): name for name in reversed(present)}
    for name in QUERY:
        if name in present or name.lower() in plain:
            return name if name in present else plain[name.lower()]
    raise InputError(
        f"{where.en} has no query column; it has {listed(present)}; known names are {', '.join(QUERY)}; rename it, or say "
        "columns={'query': …} or --columns query=…",
        f"{where.zh} 找不到查询列；现有 {listed(present)}；可识别的名称为 {'、'.join(QUERY)}；"
        "请改名，或用 columns={'query': …} 或 --columns query=… 指明",
    )


def _query_table(by: str, keys: Vector, values: Vector, source: Source) -> QueryTable:
    queries = ids(keys)
    return QueryTable(by, Rows(queries, queries, np.zeros(len(queries)), source), partition_of(values, by))
