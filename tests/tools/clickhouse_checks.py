"""Run where chdb is, ClickHouse in a process: the queries that pingce writes for it have the numbers of pingce."""

from __future__ import annotations

import json
import math

import pyarrow as pa
import pytest
from chdb import session
from pyarrow import parquet

from pingce.sql import query
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
