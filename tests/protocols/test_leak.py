"""What leaks from a test into the training data: counts by their definitions, and what cannot be looked at."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc

Row = tuple[int, int, int]


def log_of(rows: list[Row], *, strings: bool = False) -> pa.Table:
    users, items, times = (list(column) for column in zip(*rows, strict=True))
    if strings:
        users, items = [f"u{user}" for user in users], [f"i{item}" for item in items]
    return pa.table({"user_id": users, "item_id": items, "timestamp": times})


def define(train: list[Row], test: list[Row]) -> dict[str, int]:
    pairs = {row[:2] for row in train}
    users, items = {row[0] for row in train}, {row[1] for row in train}
    return {
        "pairs_in_train": sum(row[:2] in pairs for row in test),
        "before_own_train": sum(any(row[2] < other[2] for other in train if other[0] == row[0]) for row in test),
        "before_train_ends": sum(row[2] < max(other[2] for other in train) for row in test),
        "repeated_in_test": len(test) - len({row[:2] for row in test}),
        "repeated_in_train": len(train) - len(pairs),
        "new_users": sum(row[0] not in users for row in test),
        "new_items": sum(row[1] not in items for row in test),
    }


@given(chance=st.integers(0, 2**32).map(np.random.default_rng), strings=st.booleans())
def test_counts_are_as_defined(chance: np.random.Generator, strings: bool) -> None:
    def rows(last: int) -> list[Row]:
        return [tuple(row) for row in chance.integers(0, (6, 8, last), (int(chance.integers(1, 30)), 3)).tolist()]

    train, test = rows(20), rows(40)
    result = pc.leak(log_of(train, strings=strings), log_of(test, strings=strings))
    assert {finding.name: finding.count for finding in result.findings} == define(train, test)
    assert result.clean == (not any(finding.count for finding in result.findings if finding.leaks))
    assert all(len(finding.examples) == min(3, finding.count) for finding in result.findings)


def test_ids_of_one_table_may_be_text() -> None:
    found = pc.leak({"user": [1, 2], "item": [1, 2]}, {"user": ["1", "3"], "item": ["1", "2"]})
    assert (found["pairs_in_train"].count, found["new_users"].count) == (1, 1)
    assert found["pairs_in_train"].examples == ("1, 1",)
    assert "no time in both tables" in found.notes[-1].en
    assert "before_train_ends" not in {finding.name for finding in found.findings}


def test_a_split_by_time_does_not_leak() -> None:
    chance = np.random.default_rng(0)
    log = {"user": chance.integers(0, 50, 500), "item": np.arange(500), "time": chance.integers(0, 90, 500)}
    parts = pc.split(log, "time").parts
    found = pc.leak(parts["train"], parts["test"])
    assert found.clean
    assert found.summary.en == "nothing of the test stands in the training data"
    assert json.loads(found.to_json())["clean"] is True


@pytest.mark.parametrize("options", [{"user": "uid"}, {"time": "when"}, {"usr": "user"}])
def test_a_column_that_is_not_there_is_refused(options: dict[str, Any]) -> None:
    log = {"user": [1], "item": [1]}
    with pytest.raises(pc.InputError):
        pc.leak(log, log, **options)


TRAIN_DAYS, TEST_DAYS = [5, 6], [1, 7]
UNITS = [
    lambda days: pa.array(days, pa.int32()).cast(pa.date32()),
    lambda days: pa.array([day * 86_400 for day in days], pa.timestamp("s")),
    lambda days: pa.array([day * 86_400 * 10**9 for day in days], pa.timestamp("ns")),
    lambda days: pa.array([day * 86_400 * 10**3 for day in days], pa.timestamp("ms", "UTC")),
    lambda days: pa.array([f"1970-01-{day + 1:02d}" for day in days]),
]


@pytest.mark.parametrize("there", UNITS)
@pytest.mark.parametrize("here", UNITS)
def test_times_of_any_unit_are_compared(here: Any, there: Any) -> None:
    train = pa.table({"user": [1, 2], "item": [10, 20], "time": here(TRAIN_DAYS)})
    test = pa.table({"user": [1, 2], "item": [11, 21], "time": there(TEST_DAYS)})
    found = pc.leak(train, test)
    assert (found["before_own_train"].count, found["before_train_ends"].count) == (1, 1)


@pytest.mark.parametrize(
    ("times", "words"),
    [(["2026-01-01"], "one table has dates and the other numbers"), ([1.7e12], "of different sizes")],
)
def test_times_that_are_not_alike_are_refused(times: Any, words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.leak({"user": [1], "item": [1], "time": [1.7e9]}, {"user": [1], "item": [2], "time": times})
