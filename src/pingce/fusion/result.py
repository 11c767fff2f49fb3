"""A run that was fused from others: in memory as places in them, written as a run, a table or a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce import __version__
from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.notebook import SETTINGS, fold, folded_lines, folded_settings, long_table, notebook
from pingce.base.records import dataclass
from pingce.base.tables import ArrowColumns, Table, html_lines
from pingce.base.text import Text, counted, listed
from pingce.evidence.soundness import id_array
from pingce.inputs.columns import Rows, rows_of
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.layouts import CodedIds

if TYPE_CHECKING:
    from pingce.fusion.search import FusionSearch

SUFFIXES = {
    ".run": "trec",
    ".trec": "trec",
    ".txt": "trec",
    ".res": "trec",
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
}
RUN_FORMATS = ("trec", "parquet", "csv", "tsv")
_SHOWN = 200
"Rows that a notebook gets at most."


@dataclass(frozen=True, eq=False)
class FusedRun(ArrowColumns):
    """A run: for each query its items by falling score. Every evaluation takes it as it is."""

    queries: IntIds | StringIds
    begin: NDArray[np.int64]
    member: NDArray[np.integer[Any]]
    "The item of each row, as a row of the runs that were fused, one after another."
    score: NDArray[np.float64]
    items: Ids
    "Of all rows of these runs."
    settings: Mapping[str, object]
    "The method, its numbers and the policies."
    names: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    search: FusionSearch | None = field(default=None)
    "How the numbers of the method were found, where they were looked for."

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        runs, method = list(self.names), self.settings.get("method")
        return f"FusedRun(queries={len(self.queries)}, rows={len(self)}, method={method!r}, runs={runs!r})"

    @cached_property
    def _item_ids(self) -> IntIds | StringIds:
        return self.items.take(self.member)

    @property
    def _query_codes(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.queries)), np.diff(self.begin))

    @property
    def rows(self) -> Rows:
        """The run as evaluations read it."""
        source = rows_of(Text("the fused run", "融合结果"))
        return Rows(CodedIds(self._query_codes, self.queries), self._item_ids, self.score, source)

    @cached_property
    def table(self) -> pa.Table:
        """Columns query, item and score, the best item of each query first."""
        query = id_array(self.queries).take(pa.array(self._query_codes))
        return pa.table({"query": query, "item": id_array(self._item_ids), "score": pa.array(self.score)})

    def to_dict(self) -> dict[Any, dict[Any, float]]:
        """{query: {item: score}}, the best item first."""
        items, scores, begin = self._item_ids.to_list(), self.score.tolist(), self.begin.tolist()
        return {
            query: dict(zip(items[first:end], scores[first:end], strict=True))
            for query, first, end in zip(self.queries.to_list(), begin[:-1], begin[1:], strict=True)
        }

    @property
    def about(self) -> Json:
        """How this run was made, as plain Python."""
        document: Json = {"pingce_version": __version__, "runs": list(self.names), **self.settings}
        document |= {"queries": len(self.queries), "rows": len(self)}
        return document | ({"search": self.search.to_dict()} if self.search else {})

    @property
    def count_text(self) -> Text:
        """Which runs became how many rows."""
        names = listed(self.names)
        queries, rows = counted(len(self.queries), "query", "queries"), counted(len(self), "row")
        return Text(
            f"{names.en}: fused by {self.settings['method']}, {queries}, {rows}",
            f"{names.zh}：用 {self.settings['method']} 融合，{len(self.queries)} 个查询，{len(self)} 行",
        )

    def _repr_html_(self) -> str:
        search = (
            [] if self.search is None else [html_lines([str(self.search.summary)]), long_table(self.search.table(), 4)]
        )
        return notebook(
            long_table(self._first_table(_SHOWN), 4),
            html_lines([str(self.count_text), *([str(_left_out(len(self)))] if len(self) > _SHOWN else [])]),
            fold(Text("how its numbers were found", "参数的由来"), *search),
            folded_settings(SETTINGS, self.settings),
            folded_lines(Text("how the runs were read", "读取方式"), self.notes),
        )

    def _first_table(self, count: int) -> Table:
        """The first rows: a query, the rank, the item and its score."""
        places = np.arange(min(count, len(self)))
        of_query = np.searchsorted(self.begin, places, "right") - 1
        ids = (self.queries.take(of_query).to_list(), self.items.take(self.member[places]).to_list())
        ranks = (places - self.begin[of_query] + 1).tolist()
        columns = zip(*ids, ranks, self.score[places].tolist(), strict=True)
        titles = (Text("query", "查询"), Text("rank", "名次"), Text("item", "条目"), Text("score", "分数"))
        return Table(
            [*map(str, titles)], [[str(query), rank, str(item), score] for query, item, rank, score in columns]
        )

    def write(self, output: str | Path, *, run_format: str | None = None, tag: str = "pingce") -> None:
        """Write a TREC run (.run, .trec, .txt), Parquet, CSV or TSV: a temporary file beside it, then renamed."""
        path = Path(output)
        chosen = run_format or SUFFIXES.get(refuse_suffix(path, SUFFIXES), "trec")
        if chosen not in RUN_FORMATS:
            raise InputError(
                f"a run cannot be written as {chosen!r}; choose one of {', '.join(RUN_FORMATS)}",
                f"不能把结果写成 {chosen!r}；可选 {'、'.join(RUN_FORMATS)}",
            )
        write_whole(path, self.to_bytes(chosen, tag=tag))

    def to_bytes(self, run_format: str = "trec", *, tag: str = "pingce") -> bytes:
        """The run as a file holds it."""
        if run_format == "parquet":
            from pyarrow import parquet

            sink = pa.BufferOutputStream()
            parquet.write_table(self.table, sink)
            content: bytes = sink.getvalue().to_pybytes()
            return content
        if run_format == "trec":
            return _text(self._trec_table(tag), " ", quoting=False)
        delimiter = "\t" if run_format == "tsv" else ","
        try:
            body = _text(self.table, delimiter, quoting=False)
        except InputError:  # an id holds a quote, a delimiter or a line break
            body = _text(self.table, delimiter, quoting=True)
        return delimiter.join(self.column_names).encode() + b"\n" + body

    def _trec_table(self, tag: str) -> pa.Table:
        rank = np.arange(len(self)) - np.repeat(self.begin[:-1], np.diff(self.begin)) + 1
        query, item, score = self.table.columns
        for name, ids in (("query", query), ("item", item)):
            _refuse_spaces(name, ids)
        return pa.table(
            {"q": query, "Q0": self._constant("Q0"), "i": item, "r": rank, "s": score, "t": self._constant(tag)}
        )

    def _constant(self, word: str) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(self), np.int8)), [word]).cast(pa.string())


def _left_out(rows: int) -> Text:
    return Text(
        f"the first {_SHOWN} of {rows} rows; .table has all of them",
        f"仅列出 {rows} 行中的前 {_SHOWN} 行；.table 为全部",
    )


def _text(table: pa.Table, delimiter: str, *, quoting: bool) -> bytes:
    """The rows as lines; refused where an id cannot stand there without quotes."""
    import pyarrow.csv as text

    sink, style = pa.BufferOutputStream(), "needed" if quoting else "none"
    try:
        text.write_csv(table, sink, text.WriteOptions(include_header=False, delimiter=delimiter, quoting_style=style))
    except pa.ArrowInvalid as problem:
        raise InputError(
            f"the run cannot be written as text ({problem}); choose Parquet: -o fused.parquet",
            f"无法写成文本（{problem}）；请改用 Parquet：-o fused.parquet",
        ) from None
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _refuse_spaces(name: str, ids: Any) -> None:
    """Refuse ids that a line of words cannot hold."""
    from pyarrow import compute

    if not pa.types.is_large_string(ids.type):
        return
    spaced = compute.match_substring_regex(ids, r"\s")
    if compute.any(spaced).as_py():
        place = compute.index(spaced, True).as_py()
        part = {"query": "查询", "item": "条目"}[name]
        raise InputError(
            f"{name} id {ids[place].as_py()!r} has white space, which a TREC run cannot hold; write Parquet or CSV: -o fused.parquet",
            f"{part}编号 {ids[place].as_py()!r} 含空白，TREC 格式无法表示；请写成 Parquet 或 CSV：-o fused.parquet",
        )
