"""Queries that pingce writes, run by DuckDB on random data with many ties: the numbers of pingce."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import pingce as pc
from pingce.sql import DIALECTS, Names, query
from pingce.sql.call import _WRITERS
from pingce.sql.draft import written_kinds
from sql_cases import ASKED, BAD_NAME, COUNT, LABELS, NUMBERS, OF_LOG, PAIRS_ASKED, QRELS, RUN, number


@pytest.fixture(scope="module")
def database() -> Any:
    connection = duckdb.connect()
    for name, columns in (("log", LABELS), ("numbers", NUMBERS), ("qrels", QRELS), ("run", RUN)):
        connection.register("columns", pa.table(columns))
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM columns')
    return connection


@pytest.mark.parametrize(("task", "name"), PAIRS_ASKED)
def test_the_number_is_that_of_pingce(task: str, name: str, database: Any) -> None:
    text, value = query(name, names=ASKED[task][1], task=task), number(task, name)
    row = database.execute(text).fetchone()
    assert math.isclose(row[0], value, rel_tol=1e-12), text
    if name == "auc":
        assert row[0] == value


def test_every_metric_that_is_written_is_tried() -> None:
    tried = {type(pc.parse_metric(name, task=task).metric) for task, name in PAIRS_ASKED}
    assert tried == {*written_kinds()}
    assert len(_WRITERS) == 3


def test_counts_stand_beside_the_value(database: Any) -> None:
    scores = pc.evaluate_ranking(pa.table(QRELS), pa.table(RUN), ["recall@5"])
    row = database.execute(query("recall@5")).fetchone()
    assert row[1:] == (
        scores.counts["queries"]["recall@5"],
        scores.counts["undefined"]["recall@5"],
        scores.counts["missing"],
    )
    groups = pc.evaluate_binary(LABELS["click"], LABELS[BAD_NAME], ["gauc"], group=LABELS["用户"])
    text = query("gauc", names=OF_LOG)
    counted, left_out, rows, nulls = database.execute(text).fetchone()[1:]
    assert (counted, left_out) == (groups.values_by_name["gauc"].count, groups.undefined()["gauc"])
    assert (rows, nulls) == (COUNT, 0)


def test_rows_with_nulls_are_counted_and_undefined_is_null() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE predictions AS SELECT * FROM (VALUES (1, 0.5), (1, 0.7), (NULL, 0.1)) t(label, score)"
    )
    assert connection.execute(query("auc")).fetchone() == (None, 3, 1)
    connection.execute("UPDATE predictions SET score = 1.5 WHERE score = 0.7")
    assert connection.execute(query("logloss")).fetchone() == (None, 3, 1)


def test_a_file_may_stand_for_a_table_of_duckdb(tmp_path: Any) -> None:
    from pyarrow import parquet

    path = tmp_path / "it's.parquet"
    parquet.write_table(pa.table({"label": [0, 1], "score": [0.2, 0.1]}), path)
    assert duckdb.connect().execute(query("auc", names=Names(table=str(path)))).fetchone()[0] == 0.0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_identifiers_cannot_leave_their_quotes(dialect: str) -> None:
    mark = DIALECTS[dialect].quote
    text = query("auc", dialect=dialect, names=Names(score=f"a{mark}; DROP TABLE b; --\\"))
    assert f"{mark}a{mark * 2}; DROP TABLE b; --" in text
    assert ("--\\\\" in text) == DIALECTS[dialect].escapes
    assert text.endswith("1\n") if DIALECTS[dialect].settings else "SETTINGS" not in text


REFUSED = [
    ({"metric": "ece"}, "ece has no exact query that every database can run; evaluate it with pingce eval"),
    ({"metric": "ndcg(discount=zipf)@5"}, "there is no query for discount="),
    ({"metric": "gauc(by=cost)"}, "there is no query for groups weighted by a column"),
    ({"metric": "mrr(ties=expected)"}, "there is no query for ties=expected; it may be id, id_ascending"),
    ({"metric": "mrr(relevant=any)"}, "there is no query for relevant=any; it may be a number"),
    ({"metric": "ndcg(gain={1:1,2:3,3:9})@5"}, "there is no query for gain="),
    ({"metric": "auc", "dialect": "oracle"}, "oracle"),
    ({"metric": "auc", "names": Names(label="a\nb")}, "cannot be that of a column or table"),
    ({"metric": "nothing"}, "nothing"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_what_has_no_query_is_refused(arguments: Any, sentence: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        query(**arguments)
    assert sentence in problem.value.text.en
    assert problem.value.text.zh
