"""Queries that pingce writes, run by DuckDB on random data with many ties: the numbers of pingce."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import numpy as np
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


def asked(connection: Any, name: str, **arguments: Any) -> dict[str, Any]:
    """The row of a query, by the names of its columns."""
    done = connection.execute(query(name, **arguments))
    return dict(zip([column[0] for column in done.description], done.fetchone(), strict=True))


def test_counts_stand_beside_the_value(database: Any) -> None:
    scores = pc.evaluate_ranking(pa.table(QRELS), pa.table(RUN), ["recall@5"])
    row, counts = asked(database, "recall@5"), scores.counts
    assert (row["query_count"], row["undefined_queries"]) == (counts["queries"]["recall@5"], counts["undefined"]["recall@5"])  # fmt: skip
    assert (row["unanswered_queries"], row["unjudged_queries"]) == (counts["missing"], counts["extra"])
    assert [row[name] for name in ("null_rows", "nan_scores", "repeated_pairs")] == [0, 0, 0]
    assert row["odd_grades"] == sum(QRELS["relevance"] < 0)
    groups = pc.evaluate_binary(LABELS["click"], LABELS[BAD_NAME], ["gauc"], group=LABELS["用户"])
    row = asked(database, "gauc", names=OF_LOG)
    assert row["groups_counted"] == groups.values_by_name["gauc"].count
    assert row["groups_left_out"] == groups.undefined()["gauc"]
    assert [row[name] for name in ("row_count", "null_rows", "not_finite", "odd_labels")] == [COUNT, 0, 0, 0]


def made(**tables: Any) -> Any:
    """A database of these tables, each a dict of columns."""
    connection = duckdb.connect()
    for name, columns in tables.items():
        connection.register("columns", pa.table(columns))
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM columns')
    return connection


def test_rows_that_pingce_would_refuse_are_counted_and_undefined_is_null() -> None:
    label, score = [1, 1, None, 2, 0, 0], [0.5, 0.7, 0.1, 0.2, math.nan, math.inf]
    database = made(predictions={"label": label, "score": score})
    counts = {"row_count": 6, "null_rows": 1, "not_finite": 2, "odd_labels": 1}
    assert asked(database, "auc") == {"value": 1.0, **counts}
    assert asked(database, "brier")["value"] == pytest.approx((0.5**2 + 0.3**2 + 0.2**2) / 3)
    database.execute("UPDATE predictions SET score = 1.5 WHERE score = 0.7")
    assert asked(database, "logloss") == {"value": None, **counts}
    database.execute("DELETE FROM predictions WHERE label <> 1")
    assert asked(database, "auc")["value"] is None


def test_numbers_that_are_none_are_counted_and_a_constant_has_no_r2() -> None:
    database = made(predictions={"y_true": [0.1] * 7 + [None, math.nan], "y_pred": [0.1, 0.2, 0.3, *[0.1] * 6]})
    assert asked(database, "r2") == {"value": None, "row_count": 9, "null_rows": 1, "not_finite": 1}
    assert asked(database, "mae")["value"] == pytest.approx(0.3 / 7)


@pytest.mark.parametrize("type_of_score", ["float32", "float64"])
def test_logloss_knows_the_precision_of_the_column(type_of_score: str) -> None:
    label, score = [1, 0, 1, 0], np.array([0, 1, 1e-9, 0.25], type_of_score)
    value = asked(made(predictions={"label": label, "score": score}), "logloss")["value"]
    assert value == pytest.approx(pc.evaluate_binary(label, score, ["logloss"])["logloss"], rel=1e-12)


def pair(qrels: list[Any], run: list[Any]) -> Any:
    """A database of judgements and a run, rows of query, item and number."""
    names = {"qrels": ("query_id", "doc_id", "relevance"), "run": ("query_id", "doc_id", "score")}
    rows = {"qrels": qrels, "run": run}
    return made(**{side: dict(zip(names[side], zip(*rows[side], strict=True), strict=True)) for side in rows})


def test_scores_that_are_text_are_ordered_as_numbers() -> None:
    database = pair([("1", "a", "1"), ("1", "b", "0")], [("1", "a", "10"), ("1", "b", "9")])
    assert asked(database, "mrr")["value"] == 1.0


def test_rows_of_rankings_that_pingce_would_refuse_are_counted() -> None:
    qrels = [(None, "a", 1.0), ("1", None, 1.0), ("1", "a", None), ("1", "b", 1.0), ("1", "b", 1.0), ("1", "d", math.nan), ("1", "e", -1.0), ("1", "f", 2000.0)]  # fmt: skip
    run = [
        ("1", "b", 1.0),
        ("1", "c", math.nan),
        ("1", "e", None),
        ("1", "g", math.inf),
        (None, "b", 1.0),
        ("2", "a", 1.0),
    ]
    row = asked(pair(qrels, run), "mrr")
    assert row == {"value": 0.5, "query_count": 1, "undefined_queries": 0, "unanswered_queries": 0, "unjudged_queries": 1,
                   "null_rows": 5, "nan_scores": 1, "repeated_pairs": 1, "odd_grades": 3, "mixed_ids": 0}  # fmt: skip


TWO_KINDS = [
    ([(1, "a", 1)], [("01", "a", 1.0)], 1),
    ([("1", 7, 1)], [("1", "7", 1.0)], 1),
    ([("1", "7", 1)], [(1, 7, 1.0)], 2),
]


@pytest.mark.parametrize(("qrels", "run", "mixed"), TWO_KINDS)
def test_ids_that_are_integers_here_and_text_there_have_no_value(qrels: Any, run: Any, mixed: int) -> None:
    names = {"qrels": ("query_id", "doc_id", "relevance"), "run": ("query_id", "doc_id", "score")}
    tables = [pa.table(dict(zip(names[side], zip(*rows, strict=True), strict=True))) for side, rows in (("qrels", qrels), ("run", run))]  # fmt: skip
    with pytest.raises(pc.InputError, match="convert one side"):
        pc.evaluate_ranking(tables[0], tables[1], ["mrr"])
    row = asked(pair(qrels, run), "mrr")
    assert (row["value"], row["mixed_ids"]) == (None, mixed)


@pytest.mark.parametrize("narrow", ["int8", "uint16", "int32", "uint32", "uint64"])
def test_integers_of_another_width_are_the_same_ids(narrow: str) -> None:
    database = made(
        qrels={"query_id": [1], "doc_id": [7], "relevance": [1]},
        run={"query_id": np.array([1], narrow), "doc_id": np.array([7], narrow), "score": [1.0]},
    )
    row = asked(database, "mrr")
    assert (row["value"], row["mixed_ids"]) == (1.0, 0)


@pytest.mark.parametrize("dialect", ["hive", "maxcompute"])
def test_a_database_that_cannot_tell_the_type_says_so(dialect: str) -> None:
    assert "CAST(NULL AS BIGINT) AS mixed_ids" in query("mrr", dialect=dialect)


def test_without_a_query_in_common_all_are_unanswered() -> None:
    row = asked(pair([("1", "a", 1)], [("x", "a", 1.0)]), "mrr")
    assert (row["value"], row["query_count"], row["unanswered_queries"], row["unjudged_queries"]) == (0.0, 1, 1, 1)


def test_a_table_called_as_a_step_is_refused_unless_its_schema_is_said() -> None:
    database = made(pc_rows={"label": [1, 0], "score": [0.3, 0.2]})
    with pytest.raises(pc.InputError, match=r"write its schema before it, e.g. main.pc_rows"):
        query("auc", names=Names(table="pc_rows"))
    assert asked(database, "auc", names=Names(table="main.pc_rows"))["value"] == 1.0
    assert query("auc", names=Names(run="pc_rows")) == query("auc")


def test_columns_may_be_called_as_others_of_the_query() -> None:
    names = Names(label="pc_score", score="pc_label", group="score")
    columns = {"pc_score": [1, 0, 0, 1], "pc_label": [0.1, 0.2, 0.3, 0.4], "score": [1, 1, 2, 2]}
    assert asked(made(predictions=columns), "gauc", names=names)["value"] == 0.5


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
