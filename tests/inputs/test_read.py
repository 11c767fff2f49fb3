"""The same data in every form gives the same scores, to the last bit."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import (
    INT_RUN,
    INT_TRUTH,
    METRICS,
    RUN,
    RUN_FILES,
    TRUTH,
    TRUTH_FILES,
    Stream,
    columns_of,
    json_lines,
    lines,
    parquet_bytes,
    refused,
    run_table,
    scored,
    table,
    triples,
    truth_table,
    write,
)

FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow": lambda data: data,
    "record batch": lambda data: data.combine_chunks().to_batches()[0],
    "record batch reader": lambda data: pa.RecordBatchReader.from_batches(data.schema, data.to_batches()),
    "stream": Stream,
    "pandas": lambda data: data.to_pandas(),
    "pandas, odd index": lambda data: data.to_pandas().set_index(pd.Index(range(data.num_rows, 0, -1), name="n")),
    "pandas objects": lambda data: data.to_pandas().astype(
        {data.column_names[0]: object, data.column_names[1]: object}
    ),
    "pandas categories": lambda data: data.to_pandas().astype(dict.fromkeys(data.column_names[:2], "category")),
    "pandas of arrow": lambda data: data.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars categories": lambda data: pl.DataFrame(data).with_columns(
        pl.col(data.column_names[:2]).cast(pl.Categorical)
    ),
}


@pytest.fixture(scope="module")
def expected() -> Any:
    return scored(TRUTH, RUN)


def test_the_sample_is_worth_comparing(expected: Any) -> None:
    values, per_query, counts = expected
    assert len(set(values.values())) == len(METRICS)
    assert all(0 < value < 1 for value in values.values())
    assert per_query["query"] == sorted(TRUTH)
    assert (counts["scored"], counts["missing"], counts["extra"], counts["ties"]) == (4, 1, 1, {})


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("name", TRUTH_FILES)
def test_truth_files(name: str, zipped: bool, core: str, tmp_path: Path, expected: Any) -> None:
    content = TRUTH_FILES[name]()
    path = write(tmp_path, name + ".gz", gzip.compress(content)) if zipped else write(tmp_path, name, content)
    assert scored(path, RUN) == expected


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("name", RUN_FILES)
def test_run_files(name: str, zipped: bool, core: str, tmp_path: Path, expected: Any) -> None:
    content = RUN_FILES[name]()
    path = write(tmp_path, name + ".gz", gzip.compress(content)) if zipped else write(tmp_path, name, content)
    assert scored(TRUTH, str(path)) == expected


def test_text_against_text(core: str, tmp_path: Path, expected: Any) -> None:
    truth = write(tmp_path, "a", TRUTH_FILES["mixed.qrels"]())
    run = write(tmp_path, "b", RUN_FILES["mixed.run"]())
    assert scored(truth, run, threads=2) == expected


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame: str, core: str, expected: Any) -> None:
    make = FRAMES[frame]
    assert scored(make(truth_table()), make(run_table())) == expected


def test_dict_of_lists(core: str, expected: Any) -> None:
    lists = {query: list(inner) for query, inner in RUN.items()}
    assert scored(TRUTH, lists) == expected
    assert scored(TRUTH, {query: tuple(inner) for query, inner in lists.items()}) == expected
    assert scored(TRUTH, {query: pl.Series(inner).to_numpy() for query, inner in lists.items()}) == expected


def test_rows_shuffled(core: str, expected: Any) -> None:
    backwards = pl.from_arrow(run_table()).reverse()
    interleaved = pl.from_arrow(truth_table()).sort("doc_id")
    assert scored(interleaved, backwards) == expected


@pytest.mark.parametrize("frame", [name for name in FRAMES if name != "polars categories"])
def test_integer_ids_in_frames(frame: str, core: str) -> None:
    make = FRAMES[frame]
    truth = table(triples(INT_TRUTH), ("query_id", "doc_id", "relevance"))
    run = table(triples(INT_RUN), ("query_id", "doc_id", "score"))
    assert scored(make(truth), make(run)) == scored(INT_TRUTH, INT_RUN)


def test_integer_ids_in_files(core: str, tmp_path: Path) -> None:
    run = write(tmp_path, "run.jsonl", json_lines(("qid", "docid", "score"), triples(INT_RUN)))
    truth = write(tmp_path, "t.parquet", parquet_bytes(table(triples(INT_TRUTH), ("qid", "docid", "rel"))))
    assert scored(truth, run) == scored(INT_TRUTH, INT_RUN)


def test_integer_ids_in_text_on_both_sides_are_text(core: str, tmp_path: Path) -> None:
    truth = write(tmp_path, "t", lines("{0} 0 {1} {2}", triples(INT_TRUTH)))
    run = write(tmp_path, "r", lines("{0} Q0 {1} 1 {2} tag", triples(INT_RUN)))
    values, per_query, counts = scored(truth, run)
    by_number, _, same_counts = scored(INT_TRUTH, INT_RUN)
    assert (values, counts) == (by_number, same_counts)
    assert per_query["query"] == ["12", "3", "7"]


def test_rows_are_read_once() -> None:
    rows = read_truth(TRUTH)
    assert read_truth(rows) is rows


def test_path_objects_and_strings(tmp_path: Path) -> None:
    path = write(tmp_path, "run", RUN_FILES["spaces.run"]())
    assert columns_of(read_run(path)) == columns_of(read_run(str(path)))


@pytest.mark.parametrize(
    "thing",
    [None, 3, b"q 0 d 1", pa.array([1]), pd.Series([1]), pl.Series([1])],
    ids=lambda thing: type(thing).__name__,
)
def test_what_cannot_be_read_is_refused(thing: object) -> None:
    said = refused(pc.evaluate_ranking, thing, RUN)
    said.both_name(type(thing).__name__, "pandas", "polars", "pyarrow", "__arrow_c_stream__")
    refused(pc.evaluate_ranking, TRUTH, thing).both_name(type(thing).__name__)
