"""The queries that pingce writes, run by Spark SQL: the numbers of pingce."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from pingce.sql import query
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
