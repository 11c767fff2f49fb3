"""Run where chdb is, ClickHouse in a process: the queries that pingce writes for it have the numbers of pingce."""

from __future__ import annotations

import json
import math

import pyarrow as pa
import pytest
from chdb import session
from pyarrow import parquet

from pingce.sql import Names, query
from sql_cases import ASKED, LABELS, NUMBERS, PAIRS_ASKED, QRELS, RUN, number


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> session.Session:
    folder = tmp_path_factory.mktemp("tables")
    server = session.Session()
    server.query("CREATE DATABASE IF NOT EXISTS d ENGINE = Atomic")
    for name, columns in (("log", LABELS), ("numbers", NUMBERS), ("qrels", QRELS), ("run", RUN)):
        path = folder / f"{name}.parquet"
        parquet.write_table(pa.table(columns), path)
        server.query(f"CREATE TABLE d.{name} ENGINE = Memory AS SELECT * FROM file('{path}', Parquet)")
    server.query("USE d")
    return server


@pytest.mark.parametrize(("task", "name"), PAIRS_ASKED)
def test_the_number_is_that_of_pingce(task: str, name: str, database: session.Session) -> None:
    text = query(name, dialect="clickhouse", names=ASKED[task][1], task=task)
    row = json.loads(str(database.query(text, "JSON")))["data"][0]
    assert math.isclose(row["value"], number(task, name), rel_tol=1e-12), text


def test_rows_that_pingce_would_refuse_are_counted(database: session.Session) -> None:
    rows = "(1, 0.5), (1, 1), (NULL, 0.1), (2, 0), (0, nan), (0, inf)"
    database.query("CREATE TABLE d.odd (label Nullable(Int8), score Nullable(Float32)) ENGINE = Memory")
    database.query(f"INSERT INTO d.odd VALUES {rows}")
    text = query("logloss", dialect="clickhouse", names=Names(table="odd"))
    row = json.loads(str(database.query(text, "JSON")))["data"][0]
    assert [int(row[name]) for name in ("row_count", "null_rows", "not_finite", "odd_labels")] == [6, 1, 2, 1]
    assert math.isclose(row["value"], (math.log(2) - 2 * math.log(1 - 2.0**-23)) / 3, rel_tol=1e-12)
    database.query("CREATE TABLE d.text (query_id String, doc_id String, score Nullable(String)) ENGINE = Memory")
    database.query("INSERT INTO d.text VALUES ('1', 'a', '10'), ('1', 'b', '9'), ('1', 'c', 'nan'), ('2', 'a', NULL)")
    database.query("CREATE TABLE d.truth (query_id String, doc_id String, relevance Float64) ENGINE = Memory")
    database.query("INSERT INTO d.truth VALUES ('1', 'a', 1), ('1', 'b', -1), ('1', 'c', nan)")
    text = query("mrr", dialect="clickhouse", names=Names(qrels="truth", run="text"))
    row = json.loads(str(database.query(text, "JSON")))["data"][0]
    assert row["value"] == 1
    assert [int(row[name]) for name in ("null_rows", "nan_scores", "odd_grades", "repeated_pairs")] == [1, 1, 2, 0]
    assert int(row["mixed_ids"]) == 0


@pytest.mark.parametrize("kind", ["Int32", "Nullable(UInt64)", "LowCardinality(String)"])
def test_ids_of_the_same_kind_are_joined_and_others_refused(kind: str, database: session.Session) -> None:
    for name, type_of_id in (("here", kind), ("there", "Int64")):
        database.query(f"DROP TABLE IF EXISTS d.{name}")
        settings = "SETTINGS allow_suspicious_low_cardinality_types = 1"
        columns = f"query_id {type_of_id}, doc_id {type_of_id}, relevance Float64, score Float64"
        database.query(f"CREATE TABLE d.{name} ({columns}) ENGINE = Memory {settings}")
        database.query(f"INSERT INTO d.{name} VALUES ('1', '7', 1, 1)")
    text = query("mrr", dialect="clickhouse", names=Names(qrels="here", run="there"))
    if "String" in kind:
        with pytest.raises(RuntimeError, match="type"):
            database.query(text, "JSON")
    else:
        row = json.loads(str(database.query(text, "JSON")))["data"][0]
        assert (row["value"], int(row["mixed_ids"])) == (1, 0)
