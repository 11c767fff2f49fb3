"""Parts of a log: by their definitions in plain Python, the same for any order and kind of rows, and refusals."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.protocols.methods import METHODS

MASK = (1 << 64) - 1
Row = tuple[Any, Any, int]


def mix(number: int) -> int:
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & MASK
    return number ^ number >> 31


def hash_of(seed: int, *ids: Any) -> int:
    """The hash by its definition: FNV-1a of each id's text, mixed, one after another."""
    result = mix(seed & MASK)
    for each in ids:
        text = 0xCBF29CE484222325
        for byte in str(each).encode():
            text = (text ^ byte) * 0x100000001B3 & MASK
        result = mix(result ^ mix(text))
    return result


def define(rows: list[Row], how: str, test: float, validation: float, seed: int) -> list[str]:
    """The part of each row, straight from the definitions."""
    shares = Fraction(repr(test)), Fraction(repr(test)) + Fraction(repr(validation))
    middle = "validation" if validation else "train"
    if METHODS[how].hashed:
        keys = {"random": (0, 1), "users": (0,), "items": (1,)}[how]
        places = [Fraction(hash_of(seed, *(row[key] for key in keys)), 1 << 64) for row in rows]
        return ["test" if place < shares[0] else middle if place < shares[1] else "train" for place in places]
    if how == "time":
        begins = []
        for share in shares:
            fits = [row[2] for row in rows if sum(other[2] >= row[2] for other in rows) <= share * len(rows)]
            begins.append(min(fits, default=math.inf))
        return ["test" if row[2] >= begins[0] else middle if row[2] >= begins[1] else "train" for row in rows]
    by_user = defaultdict(list)
    for at, row in enumerate(rows):
        by_user[row[0]].append(at)
    parts = ["train"] * len(rows)
    for mine in by_user.values():
        mine.sort(key=lambda at: (rows[at][2], (hash_of(seed, rows[at][1]) + (1 << 63)) % (1 << 64)))
        if how == "last":
            counts = (int(test), int(test + validation)) if len(mine) > test + validation else (0, 0)
        else:
            counts = math.floor(shares[0] * len(mine)), math.floor(shares[1] * len(mine))
        for at in mine[len(mine) - counts[1] :]:
            parts[at] = middle
        for at in mine[len(mine) - counts[0] :]:
            parts[at] = "test"
    return parts


def table_of(rows: list[Row]) -> pa.Table:
    users, items, times = zip(*rows, strict=True)
    return pa.table(
        {"user": pa.array(users), "item": pa.array(items), "time": pa.array(times), "row": range(len(rows))}
    )


def parts(data: Any, how: str, **options: Any) -> list[str]:
    names: list[str] = pc.split(data, how, **options).to_arrow().column("part").to_pylist()
    return names


LOGS = st.integers(0, 2**32).map(np.random.default_rng)


def draw_rows(chance: np.random.Generator, *, strings: bool) -> list[Row]:
    count = int(chance.integers(30, 80))
    users, items = chance.integers(0, 6, count).tolist(), chance.permutation(200)[:count].tolist()
    times = chance.integers(0, 25, count).tolist()
    if strings:
        return [(f"用户{user}", f"item-{item}", time) for user, item, time in zip(users, items, times, strict=True)]
    return list(zip(users, items, times, strict=True))


@given(chance=LOGS, strings=st.booleans(), how=st.sampled_from(sorted(METHODS)), seed=st.integers(-5, 1 << 40))
def test_parts_are_as_defined_whatever_the_order_of_rows(
    chance: np.random.Generator, strings: bool, how: str, seed: int
) -> None:
    rows = draw_rows(chance, strings=strings)
    test, validation = (2, 1) if how == "last" else (0.3, 0.2)
    expected = define(rows, how, test, validation, seed)
    if set(expected) < {"train", "validation", "test"}:
        with pytest.raises(pc.InputError, match=r"no row is in|no moment splits"):
            pc.split(table_of(rows), how, test=test, validation=validation, seed=seed)
        return
    options = {"test": test, "validation": validation, "seed": seed}
    assert parts(table_of(rows), how, **options) == expected
    order = chance.permutation(len(rows))
    assert parts(table_of(rows).take(order), how, **options) == [expected[at] for at in order]


def test_the_hash_lasts() -> None:
    """These parts never change: a split of last year is drawn again next year; 7 and "7" are the same id."""
    assert (hash_of(0, "u1", "i1"), hash_of(7, "用户")) == (0xBB0794CF851D1869, 0x58C95D70BBBDAD1D)
    log = {"user": list(range(12)), "item": ["x"] * 12}
    chosen = [5, 6, 10]
    assert parts(log, "random", test=0.5, seed=1) == ["test" if at in chosen else "train" for at in range(12)]
    assert parts({**log, "user": list(map(str, range(12)))}, "random", test=0.5, seed=1) == parts(
        log, "random", test=0.5, seed=1
    )


def test_a_row_that_joins_moves_no_other() -> None:
    rows = draw_rows(np.random.default_rng(4), strings=True)
    for how in ("random", "users", "items"):
        assert parts(table_of(rows), how)[:20] == parts(table_of(rows[:20]), how)


def test_folds_are_parts_of_equal_chance() -> None:
    log = {"user": np.arange(20_000) % 500, "item": np.arange(20_000)}
    folds = pc.split(log, folds=4, seed=3)
    assert folds.names == ("fold_0", "fold_1", "fold_2", "fold_3")
    assert all(abs(each["rows"] - 5000) < 250 for each in folds.counts.values())
    by_user = pc.split(log, "users", folds=4)
    assert sum(each["users"] for each in by_user.counts.values()) == 500


def test_shares_are_taken_as_written() -> None:
    """29 of 100 rows, though 0.29 × 100 is 28.999… in floats."""
    log = {"user": ["u"] * 100, "item": range(100), "time": range(100)}
    assert pc.split(log, "user_time", test=0.29).counts["test"]["rows"] == 29
    assert pc.split(log, "time", test=0.29).counts["test"]["rows"] == 29


@pytest.mark.parametrize(
    "times",
    [
        pa.array([0, 86_400_000_000, 172_800_000_000], pa.timestamp("us")),
        pa.array([0, 1, 2], pa.int32()).cast(pa.date32()),
        pa.array(["1970-01-01", "1970-01-02", "1970-01-03"]),
        pa.array(["1970-01-01T00:00:00", "1970-01-02T00:00:00", "1970-01-03T00:00:00"]).dictionary_encode(),
    ],
)
def test_test_begins_at_a_moment(times: Any) -> None:
    log = pa.table({"user": ["a", "b", "c"], "item": [1, 2, 3], "date": times})
    assert parts(log, "time", at="1970-01-02") == ["train", "test", "test"]
    assert parts(log, "time", at=("1970-01-02", "1970-01-03")) == ["train", "validation", "test"]


def test_a_moment_is_in_the_zone_of_its_column() -> None:
    times = pa.array([0, 86_400, 172_800], pa.timestamp("s", "Asia/Shanghai"))
    log = pa.table({"user": ["a", "b", "c"], "item": [1, 2, 3], "time": times})
    assert parts(log, "time", at="1970-01-02T08:00:00") == ["train", "test", "test"]
    assert parts(log, "time", at="1970-01-02T08:00:01") == ["train", "train", "test"]
    with pytest.raises(pc.InputError, match="write it as the column does"):
        pc.split(log, "time", at=86_400)


def test_rows_may_stand_in_the_order_of_time() -> None:
    log = {"user": ["a", "b", "a", "b"], "item": [1, 2, 3, 4]}
    assert parts(log, "last", time="order") == ["train", "train", "test", "test"]


def test_users_with_few_rows_and_ties_are_said() -> None:
    log = {"user": ["a", "a", "a", "b"], "item": [1, 2, 3, 4], "time": [5, 5, 5, 1]}
    split = pc.split(log, "last")
    assert [note.en for note in split.notes[1:]] == [
        "1 of 2 users have too few rows to give any away, and stay in train",
        "1 of 2 users have rows of the same moment in two parts: these are ordered by a hash of the item, those of one item as they stand",
    ]
    assert split.counts == {
        "train": {"rows": 3, "users": 2, "items": 3},
        "test": {"rows": 1, "users": 1, "items": 1, "new_users": 0, "new_items": 1},
    }


@pytest.mark.parametrize("file_format", ["parquet", "csv"])
def test_parts_are_written_with_all_columns(tmp_path: Path, file_format: str) -> None:
    log = pa.table({"user": ["a", "a", "b"], "item": ["x,1", 'y"', "z"], "time": [1, 2, 3], "price": [0.5, 1.5, 2.5]})
    split = pc.split(log, "time", test=0.4)
    train, test = split.write(tmp_path / "parts", file_format=file_format)
    again = pc.split(str(train), "time", test=0.5)
    assert again.log.table.column("price").to_pylist() == [0.5, 1.5]
    assert again.log.table.column("item").to_pylist() == ["x,1", 'y"']
    assert test.name == f"test.{file_format}"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"how": "rand"}, "how='rand': choose one of .*did you mean 'random'"),
        ({"test": 1.5}, "test=1.5, validation=0: these are shares"),
        ({"test": 0.7, "validation": 0.3}, "whose sum is below 1"),
        ({"how": "last", "test": 0.2}, "whole numbers of rows a user"),
        ({"how": "last", "folds": 3}, "time has one direction"),
        ({"folds": 1}, "folds=1: a whole number from 2 to 1000"),
        ({"folds": 3, "test": 0.2}, "leave test and validation out"),
        ({"at": 3}, "at says where test begins"),
        ({"how": "time", "at": (5, 3)}, "give the earlier moment first"),
        ({"how": "time", "at": "yesterday"}, "at='yesterday' is no moment of column 'time'"),
        ({"how": "time", "at": 99}, "no row is in test: at=99 lies before or after all rows"),
        ({"how": "time", "time": "order", "at": "foo"}, "the number of a row"),
        ({"how": "time", "at": "2026-01-02"}, "e.g. 1$"),
        ({"seed": 0.5}, "seed=0.5: a whole number"),
        ({"user": "uid"}, "'uid'"),
        ({"tset": 0.2}, "tset"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    log = {"user": ["a", "b", "c"], "item": [1, 2, 3], "time": [1, 2, 3]}
    with pytest.raises(pc.InputError, match=words):
        pc.split(log, **options)


@pytest.mark.parametrize(
    ("how", "log", "words"),
    [
        ("last", {"user": ["a"], "item": [1]}, "no column that is known to be the time"),
        ("last", {"who": ["a"], "item": [1], "time": [1]}, "no column that is known to be the user; it has"),
        (
            "time",
            {"user": ["a", "b"], "item": [1, 2], "time": ["2026-01-01", "soon"]},
            "row 1 .*'soon' in column 'time' is no time",
        ),
        ("time", {"user": ["a", "b"], "item": [1, 2], "time": [1.0, float("nan")]}, "row 1 .*not a number"),
        ("time", {"user": ["a", "b"], "item": [1, 2], "time": [1, None]}, "row 1 .*is empty"),
        ("last", {"user": ["a", None], "item": [1, 2], "time": [1, 2]}, "row 1"),
        ("time", {"user": ["a", "b"], "item": [1, 2], "time": [[1], [2]]}, "is no time"),
        ("time", {"user": ["a", "b"], "item": [1, 2], "time": [3, 3]}, "2 of 2 rows have the last moment"),
        ("time", 7, "data is int, which pingce cannot read as a table"),
    ],
)
def test_logs_that_cannot_be_split_are_refused(how: str, log: Any, words: str) -> None:
    log = {name: pa.array(values) for name, values in log.items()} if isinstance(log, dict) else log
    with pytest.raises(pc.InputError, match=words):
        pc.split(log, how)
