"""A log is split on Spark as it is here, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.protocols.methods import METHODS


@pytest.fixture(scope="module")
def log() -> pa.Table:
    chance = np.random.default_rng(5)
    users = [f"用户{number}" for number in chance.integers(0, 40, 900)]
    times = pa.array(chance.integers(0, 10**6, 900) * 1_000_000).cast(pa.timestamp("us"))
    return pa.table({"user": users, "item": chance.permutation(3000)[:900], "time": times, "row": np.arange(900)})


@pytest.mark.parametrize("how", sorted(METHODS))
def test_parts_are_those_of_the_local_call(spark: Any, log: pa.Table, how: str) -> None:
    from pingce.spark import split

    validation = 2 if how == "last" else 0.1
    expected = dict(zip(log.column("row").to_pylist(), pc.split(log, how, validation=validation, seed=9).table.column("part").to_pylist(), strict=True))  # fmt: skip
    frame = spark.createDataFrame(log.to_pandas()).repartition(5)
    rows = split(frame, how, validation=validation, seed=9).select("row", "part").collect()
    assert {row["row"]: row["part"] for row in rows} == expected


def test_folds_and_moments(spark: Any, log: pa.Table) -> None:
    from pingce.spark import split

    frame = spark.createDataFrame(log.to_pandas())
    folds = split(frame, "users", folds=3).groupBy("part").count().collect()
    counts = pc.split(log, "users", folds=3).counts
    assert {row["part"]: row["count"] for row in folds} == {name: each["rows"] for name, each in counts.items()}
    later = split(frame, "time", at="1970-01-10").groupBy("part").count().collect()
    assert {row["part"]: row["count"] for row in later} == {
        name: each["rows"] for name, each in pc.split(log, "time", at="1970-01-10").counts.items()
    }


def test_what_has_no_order_or_no_time_is_refused(spark: Any, log: pa.Table) -> None:
    from pingce.spark import split

    frame = spark.createDataFrame(log.to_pandas())
    with pytest.raises(pc.InputError, match="have no order"):
        split(frame, "last", time="order")
    with pytest.raises(pc.InputError, match="already"):
        split(split(frame), "random")
    with pytest.raises(Exception, match="the time in column 'time' is empty"):
        split(frame.selectExpr("user", "item", "IF(row = 3, NULL, time) AS time"), "last").collect()
