"""The queries that pingce writes, run by Spark SQL: the numbers of pingce."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from pingce.sql import Names, query
from sql_cases import ASKED, LABELS, NUMBERS, PAIRS_ASKED, QRELS, RUN, number


@pytest.fixture(scope="module")
def tables(spark: Any) -> Any:
    for name, columns in (("log", LABELS), ("numbers", NUMBERS), ("qrels", QRELS), ("run", RUN)):
        spark.createDataFrame(pa.table(columns)).createOrReplaceTempView(name)
    return spark


@pytest.mark.parametrize(("task", "name"), PAIRS_ASKED)
def test_the_number_is_that_of_pingce(task: str, name: str, tables: Any) -> None:
    text = query(name, dialect="spark", names=ASKED[task][1], task=task)
    value = tables.sql(text).first()["value"]
    assert math.isclose(value, number(task, name), rel_tol=1e-12), text


def test_rows_that_pingce_would_refuse_are_counted(spark: Any) -> None:
    rows = "(1, '0.5'), (1, '1'), (NULL, '0.1'), (2, '0'), (0, 'NaN'), (0, 'Infinity')"
    spark.sql(f"SELECT label, CAST(s AS FLOAT) AS score FROM VALUES {rows} AS t(label, s)").createOrReplaceTempView(
        "odd"
    )
    row = spark.sql(query("logloss", dialect="spark", names=Names(table="odd"))).first()
    assert [row[name] for name in ("row_count", "null_rows", "not_finite", "odd_labels")] == [6, 1, 2, 1]
    assert math.isclose(row["value"], (math.log(2) - 2 * math.log(1 - 2.0**-23)) / 3, rel_tol=1e-12)
    run = "('1', 'a', '10'), ('1', 'b', '9'), ('1', 'c', 'NaN'), ('1', 'd', '0'), ('2', 'a', NULL)"
    spark.sql(f"SELECT * FROM VALUES {run} AS t(query_id, doc_id, score)").createOrReplaceTempView("answers")
    truth = "('1', 'a', '1'), ('1', 'b', '-1'), ('1', 'c', 'NaN')"
    spark.sql(f"SELECT * FROM VALUES {truth} AS t(query_id, doc_id, relevance)").createOrReplaceTempView("truth")
    row = spark.sql(query("mrr", dialect="spark", names=Names(qrels="truth", run="answers"))).first()
    assert row["value"] == 1.0
    assert [row[name] for name in ("null_rows", "nan_scores", "odd_grades", "repeated_pairs")] == [1, 1, 2, 0]
    assert row["mixed_ids"] == 0


def test_ids_that_are_integers_here_and_text_there_have_no_value(spark: Any) -> None:
    spark.sql("SELECT * FROM VALUES (1, 'a', 1) AS t(query_id, doc_id, relevance)").createOrReplaceTempView("truth")
    spark.sql("SELECT * FROM VALUES ('01', 'a', 1.0) AS t(query_id, doc_id, score)").createOrReplaceTempView("answers")
    row = spark.sql(query("mrr", dialect="spark", names=Names(qrels="truth", run="answers"))).first()
    assert (row["value"], row["mixed_ids"]) == (None, 1)
