"""One small data set in every form that can be read, and what a refusal said in both languages."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from pyarrow import fs, parquet

import pingce as pc
from pingce.base.addresses import split_query
from pingce.base.text import use_language
from pingce.inputs import Rows, remote

METRICS = ("ndcg@3", "ap", "rr", "recall@2", "p@2", "bpref")

# 007 and 7 are two items; q3 is not answered; q9 is not judged; no score is tied.
TRUTH: dict[str, dict[str, int]] = {
    "q1": {"d1": 3, "007": 0, "7": 1, "文档": 2},
    "q2": {"d1": 1, "d4": 0},
    "q3": {"d2": 1},
    "查询": {"x/y:z": 2, "d1": 1},
}
RUN: dict[str, dict[str, float]] = {
    "q1": {"007": 12.5, "d1": 3.25, "d9": 1e-3, "文档": -0.125, "7": -4.0},
    "q2": {"d4": 2.0, "d8": 1.0, "d1": 0.5},
    "查询": {"d1": 0.75, "x/y:z": 0.1},
    "q9": {"d1": 1.0},
}
INT_TRUTH: dict[int, dict[int, int]] = {7: {1: 3, 2: 0, 100: 1}, 3: {1: 1, 5: 2}, 12: {4: 1}}
INT_RUN: dict[int, dict[int, float]] = {
    7: {2: 9.5, 1: 8.0, 3: 0.25, 100: 0.125},
    3: {9: 3.0, 5: 2.0, 1: 1.0},
    50: {1: 1.0},
}

Triples = list[tuple[Any, Any, Any]]


def triples(nested: dict[Any, dict[Any, Any]]) -> Triples:
    """Query, item, number: a row each."""
    return [(query, item, number) for query, inner in nested.items() for item, number in inner.items()]


def ranked(nested: dict[Any, dict[Any, Any]]) -> Triples:
    """Query, item, rank from 1: the lists above are written best first."""
    return [(query, item, rank) for query, inner in nested.items() for rank, item in enumerate(inner, 1)]


def table(rows: Triples, names: Iterable[str]) -> pa.Table:
    """The rows as an Arrow table."""
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def truth_table() -> pa.Table:
    return table(triples(TRUTH), ("query_id", "doc_id", "relevance"))


def run_table() -> pa.Table:
    return table(triples(RUN), ("query_id", "doc_id", "score"))


def lines(pattern: str, rows: Triples, end: str = "\n") -> bytes:
    """A line a row: {0} is the query, {1} the item, {2} the number."""
    return "".join(pattern.format(*row) + end for row in rows).encode()


def delimited(header: Iterable[str], rows: Triples, delimiter: str) -> bytes:
    """CSV as Python writes it, line ends included."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows([tuple(header), *rows])
    return out.getvalue().encode()


def json_lines(names: Iterable[str], rows: Triples) -> bytes:
    named = tuple(names)
    return "".join(json.dumps(dict(zip(named, row, strict=True)), ensure_ascii=False) + "\n" for row in rows).encode()


def parquet_bytes(data: pa.Table) -> bytes:
    out = io.BytesIO()
    parquet.write_table(data, out)
    return out.getvalue()


def mixed_white_space(pattern: str, rows: Triples) -> bytes:
    """Tabs, runs of blanks, blank lines, trailing blanks, CRLF here and there, and no line end at the last line."""
    blanks = (" ", "\t", "   ", " \t ", "\v", "\f")
    written = [pattern.replace(" ", blanks[i % len(blanks)]).format(*row) for i, row in enumerate(rows)]
    ends = ("\n", "\r\n", " \t\n", "\n\n \t \n")
    return ("\n \n  " + "".join(line + ends[i % len(ends)] for i, line in enumerate(written))).rstrip().encode()


_QRELS, _TREC = "{0} 0 {1} {2}", "{0} Q0 {1} 1 {2} tag"
_BEIR = ("query-id", "corpus-id", "score")

TRUTH_FILES: dict[str, Callable[[], bytes]] = {
    "spaces.qrels": lambda: lines(_QRELS, triples(TRUTH)),
    "tabs.qrels": lambda: lines(_QRELS.replace(" ", "\t"), triples(TRUTH)),
    "msmarco.tsv": lambda: lines(_QRELS.replace(" ", "\t"), triples(TRUTH)),
    "mixed.qrels": lambda: mixed_white_space(_QRELS, triples(TRUTH)),
    "crlf.qrels": lambda: lines(_QRELS, triples(TRUTH), "\r\n"),
    "trailing.qrels": lambda: lines(_QRELS, triples(TRUTH), " \t \n"),
    "unfinished.qrels": lambda: lines(_QRELS, triples(TRUTH)).rstrip(),
    "bom.qrels": lambda: b"\xef\xbb\xbf" + lines(_QRELS, triples(TRUTH)),
    "beir.tsv": lambda: lines("{0}\t{1}\t{2}", [_BEIR, *triples(TRUTH)]),
    "truth.csv": lambda: delimited(("query_id", "doc_id", "relevance"), triples(TRUTH), ","),
    "bom.csv": lambda: b"\xef\xbb\xbf" + delimited(("qid", "docno", "rel"), triples(TRUTH), ","),
    "headed.txt": lambda: delimited(("qid", "docno", "rel"), triples(TRUTH), ","),
    "truth.tsv": lambda: delimited(("user_id", "item_id", "rating"), triples(TRUTH), "\t"),
    "truth.inter": lambda: delimited(("user_id:token", "item_id:token", "rating:float"), triples(TRUTH), "\t"),
    "truth.jsonl": lambda: json_lines(("query", "item", "grade"), triples(TRUTH)),
    "lines.json": lambda: json_lines(("query", "item", "grade"), triples(TRUTH)),
    "lines.txt": lambda: json_lines(("query", "item", "grade"), triples(TRUTH)),
    "truth.json": lambda: json.dumps(TRUTH).encode(),
    "truth.parquet": lambda: parquet_bytes(truth_table()),
    "nameless": lambda: parquet_bytes(truth_table()),
}

RUN_FILES: dict[str, Callable[[], bytes]] = {
    "spaces.run": lambda: lines(_TREC, triples(RUN)),
    "tabs.run": lambda: lines(_TREC.replace(" ", "\t"), triples(RUN)),
    "mixed.run": lambda: mixed_white_space(_TREC, triples(RUN)),
    "crlf.run": lambda: lines(_TREC, triples(RUN), "\r\n"),
    "unfinished.run": lambda: lines(_TREC, triples(RUN)).rstrip(),
    "bom.run": lambda: b"\xef\xbb\xbf" + lines(_TREC, triples(RUN)),
    "tag with spaces.run": lambda: lines(_TREC + " and more words", triples(RUN)),
    "msmarco.tsv": lambda: lines("{0}\t{1}\t{2}", ranked(RUN)),
    "msmarco reversed.run": lambda: lines("{0} {1} {2}", ranked(RUN)[::-1]),
    "run.csv": lambda: delimited(("query_id", "doc_id", "score"), triples(RUN), ","),
    "ranks.csv": lambda: delimited(("query_id", "doc_id", "rank"), ranked(RUN)[::-1], ","),
    "order.csv": lambda: delimited(
        ("query_id", "doc_id", "title"), [(q, i, f"no. {n}") for q, i, n in ranked(RUN)], ","
    ),
    "run.tsv": lambda: delimited(("user_id", "item_id", "prediction"), triples(RUN), "\t"),
    "run.jsonl": lambda: json_lines(("qid", "pid", "score"), triples(RUN)),
    "run.json": lambda: json.dumps(RUN, ensure_ascii=False).encode(),
    "lists.json": lambda: json.dumps({query: list(inner) for query, inner in RUN.items()}).encode(),
    "run.parquet": lambda: parquet_bytes(run_table()),
}


class Stream:
    """An object that can do nothing but hand out Arrow data, as often as it is asked."""

    def __init__(self, data: pa.Table) -> None:
        self._data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._data.__arrow_c_stream__(requested_schema)


def write(folder: Path, name: str, content: bytes | str) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def columns_of(rows: Rows) -> tuple[list[Any], list[Any], list[float]]:
    """The three columns as lists."""
    return list(rows.query.to_list()), list(rows.item.to_list()), rows.value.tolist()


def scored(truth: Any, run: Any, **options: Any) -> tuple[dict[str, float], dict[str, Any], dict[str, Any]]:
    """Everything two equal inputs must agree in: values, values of each query, counts."""
    scores = pc.evaluate_ranking(truth, run, METRICS, **options)
    return dict(scores), scores.per_query.to_pydict(), scores.counts


class Said(NamedTuple):
    """One error in both languages."""

    en: str
    zh: str

    def both_name(self, *parts: object) -> None:
        """Both sentences contain all of this."""
        for part in map(str, parts):
            assert part in self.en
            assert part in self.zh


def refused(call: Callable[..., Any], *given: Any, **options: Any) -> Said:
    """What was said: an InputError of one line, in English and in Chinese."""
    with pytest.raises(pc.InputError) as caught:
        call(*given, **options)
    use_language("zh")
    zh = str(caught.value)
    use_language("en")
    said = Said(str(caught.value), zh)
    for text in said:
        assert text.splitlines() == [text]
    assert said.en != said.zh
    assert any("\u4e00" <= letter <= "\u9fff" for letter in said.zh)
    return said


def stand_in_for_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bucket b in a folder of this machine, which every address is read from."""
    system = fs.SubTreeFileSystem(str(folder), fs.LocalFileSystem())

    def opened(url: str) -> tuple[Any, str]:
        return system, split_query(url)[0].partition("://")[2].rpartition("@")[2]

    monkeypatch.setattr(remote, "_opened", opened)
    monkeypatch.setattr(remote, "_copies", {})
    (folder / "b").mkdir()
    return folder / "b"
