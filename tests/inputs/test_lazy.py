"""Queries that were not run yet, and anything that hands out Arrow data: only the columns that matter are computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import (
    INT_RUN,
    INT_TRUTH,
    RUN,
    TRUTH,
    Stream,
    columns_of,
    parquet_bytes,
    refused,
    run_table,
    scored,
    table,
    triples,
    truth_table,
    write,
)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.register("truth", truth_table())
        connection.register("run", run_table())
        yield connection


def touched(*_: Any) -> NoReturn:
    raise AssertionError("a column that nobody needs was computed")


def with_traps(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The same with a column that cannot be computed."""
    return frame.with_columns(pl.first().map_batches(touched, return_dtype=pl.String).alias("text"))


def test_lazy_frames(core: str) -> None:
    truth, run = pl.LazyFrame(truth_table()), pl.LazyFrame(run_table())
    assert scored(truth, run) == scored(TRUTH, RUN)
    assert scored(truth, RUN) == scored(TRUTH, run) == scored(TRUTH, RUN)


def test_lazy_frames_with_integers_and_names_of_their_own(core: str) -> None:
    truth, run = (
        pl.LazyFrame(table(triples(data), ("person", "thing", "points"))).select(
            pl.col("person").cast(pl.UInt16), pl.col("thing").cast(pl.Int32), "points"
        )
        for data in (INT_TRUTH, INT_RUN)
    )
    names = {"query": "person", "item": "thing", "grade": "points", "score": "points"}
    assert scored(truth, run, columns=names) == scored(INT_TRUTH, INT_RUN)


def test_scanned_parquet(core: str, tmp_path: Path) -> None:
    write(tmp_path, "truth.parquet", parquet_bytes(truth_table()))
    write(tmp_path, "run.parquet", parquet_bytes(run_table()))
    truth, run = pl.scan_parquet(tmp_path / "truth.parquet"), pl.scan_parquet(tmp_path / "run.parquet")
    assert scored(truth, run) == scored(TRUTH, RUN)
    best = run.sort("score", descending=True).group_by("query_id", maintain_order=True).head(1)
    listed = {query: dict([max(items.items(), key=lambda item: item[1])]) for query, items in RUN.items()}
    assert scored(truth, best) == scored(TRUTH, listed)


def test_only_needed_columns_of_a_lazy_frame_are_computed() -> None:
    with pytest.raises((AssertionError, pl.exceptions.ComputeError), match="nobody needs"):
        with_traps(pl.LazyFrame(run_table())).collect()
    assert scored(with_traps(pl.LazyFrame(truth_table())), with_traps(pl.LazyFrame(run_table()))) == scored(TRUTH, RUN)


def test_the_frame_itself_stays_lazy() -> None:
    frame = with_traps(pl.LazyFrame(run_table()))
    before = frame.explain(optimized=False)
    read_run(frame)
    assert isinstance(frame, pl.LazyFrame)
    assert frame.explain(optimized=False) == before


def test_relations_of_duckdb(database: duckdb.DuckDBPyConnection, core: str) -> None:
    truth, run = database.table("truth"), database.sql("select * from run where score > -100")
    assert scored(truth, run) == scored(TRUTH, RUN)
    assert scored(truth, run) == scored(TRUTH, RUN), "a relation can be asked again"


def test_only_needed_columns_of_a_relation_are_computed(database: duckdb.DuckDBPyConnection) -> None:
    run = database.sql("select *, error('touched') as text from run")
    with pytest.raises(duckdb.Error, match="touched"):
        run.fetchall()
    assert scored(TRUTH, run) == scored(TRUTH, RUN)


@pytest.mark.parametrize(
    ("kind", "number"), [("enum", "decimal(6,3)"), ("varchar", "double"), ("varchar", "float")], ids=str
)
def test_types_of_duckdb(database: duckdb.DuckDBPyConnection, kind: str, number: str, core: str) -> None:
    if kind == "enum":
        database.execute("create or replace temp type item as enum (select distinct doc_id from run)")
        kind = "item"
    run = database.sql(f"select query_id, doc_id::{kind} as doc_id, score::{number} as score from run")
    assert scored(TRUTH, run, score_type="float32") == scored(TRUTH, RUN, score_type="float32")


@pytest.mark.parametrize("width", ["utinyint", "smallint", "uinteger", "bigint"])
def test_integers_of_duckdb(database: duckdb.DuckDBPyConnection, width: str, core: str) -> None:
    truth, run = (
        database.from_arrow(table(triples(data), ("qid", "docid", name))).select(f"qid::{width} as qid, docid, {name}")
        for data, name in ((INT_TRUTH, "rel"), (INT_RUN, "score"))
    )
    assert scored(truth, run) == scored(INT_TRUTH, INT_RUN)


@pytest.mark.parametrize("lazy", [pl.LazyFrame, duckdb.from_arrow], ids=["LazyFrame", "relation"])
def test_refusals_name_the_frame_and_the_row(lazy: Any) -> None:
    name = type(lazy(run_table())).__name__
    said = refused(read_truth, lazy(pa.table({"qid": ["a", "b", None], "docid": ["a"] * 3, "rel": [1] * 3})))
    said.both_name(name, "'qid'", " 2 ")
    refused(read_run, lazy(pa.table({"quarry": ["a"], "docid": ["a"]}))).both_name(name, "'quarry'", "--columns query=")
    assert "no rows" in refused(read_run, lazy(run_table()[:0])).en


class Counting:
    """An object that hands out Arrow data, and counts how often."""

    def __init__(self, data: pa.Table) -> None:
        self.asked = 0
        self._data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        self.asked += 1
        return self._data.__arrow_c_stream__(requested_schema)


def test_any_stream_is_asked_once(core: str) -> None:
    truth, run = Counting(truth_table()), Counting(run_table())
    assert scored(truth, run) == scored(TRUTH, RUN)
    assert (truth.asked, run.asked) == (1, 1)


def test_streams_in_many_batches(core: str) -> None:
    many = pa.Table.from_batches(run_table().to_batches(max_chunksize=1))
    assert scored(Stream(truth_table()), Stream(many)) == scored(TRUTH, RUN)
    reader = pa.RecordBatchReader.from_batches(many.schema, many.to_batches())
    assert scored(TRUTH, reader) == scored(TRUTH, RUN)


def test_a_spent_reader_has_no_rows() -> None:
    reader = pa.RecordBatchReader.from_batches(run_table().schema, run_table().to_batches())
    assert columns_of(read_run(reader)) == columns_of(read_run(RUN))
    assert refused(read_run, reader).en.startswith("run RecordBatchReader ")


def test_a_stream_that_is_no_table() -> None:
    refused(pc.evaluate_ranking, TRUTH, Stream(pa.chunked_array([[1, 2]]))).both_name("Stream")
