"""Prediction files of the same rows: matched by id, what they share must agree, and names of files as models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pingce import InputError
from pingce.comparison.settings import named
from pingce.inputs.matched import Matching, refuse_other_order
from pingce.inputs.titles import all_titled, plain_names, short_names, titled
from pingce.inputs.vectors import Vector, vector

FILES = ("a.csv", "b.csv", "c.csv")


def table(**columns: Any) -> dict[str, Vector]:
    return {name: vector(column, name) for name, column in columns.items()}


def plain(columns: Any) -> dict[str, list[Any]]:
    return {name: np.asarray(column.values).tolist() for name, column in columns.items()}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([3, 1, 2], [1, 2, 3]),
        (["c", "a", "b"], ["a", "b", "c"]),
        ([3, 1, 2], ["1", "2", "3"]),
        (pa.array(["c", "a", "b"]).dictionary_encode(), ["a", "b", "c"]),
    ],
)
def test_rows_are_matched_in_the_order_of_the_first(first: Any, second: Any) -> None:
    one = table(id=first, y=[1, 0, 1], s=[0.3, 0.1, 0.2])
    other = table(id=second, y=[0, 1, 1], s=[1.0, 2.0, 3.0])
    (kept, matched), notes = Matching("id", ("y",)).matched([one, other], FILES[:2])
    assert plain(kept)["s"] == [0.3, 0.1, 0.2]
    assert plain(matched)["s"] == [3.0, 1.0, 2.0]
    assert [note.en for note in notes] == ["3 rows matched by id"]
    assert [note.zh for note in notes] == ["按 id 对齐 3 行"]


def test_ids_that_a_file_lacks_are_counted_and_refused_or_dropped() -> None:
    tables = [table(id=[1, 2, 3, 4]), table(id=[4, 3, 2]), table(id=[9, 2, 3, 4, 8])]
    with pytest.raises(InputError) as caught:
        Matching("id", ()).matched(tables, FILES)
    for text in (caught.value.text.en, caught.value.text.zh):
        assert "--unmatched drop" in text
    assert "1 of 4 ids of a.csv are not in b.csv, e.g. 1" in caught.value.text.en
    assert "2 of 5 ids of c.csv are not in a.csv, e.g. 9" in caught.value.text.en
    assert "take the 3 rows that all have" in caught.value.text.en
    kept, notes = Matching("id", (), "drop").matched(tables, FILES)
    assert [plain(one)["id"] for one in kept] == [[2, 3, 4]] * 3
    assert "3 rows matched by id; left out: 1 of 4 ids of a.csv" in notes[0].en
    with pytest.raises(InputError, match="no id is in all of them: is it the right column"):
        Matching("id", (), "drop").matched([table(id=[1]), table(id=[2])], FILES[:2])


def test_repeated_ids_are_refused() -> None:
    with pytest.raises(InputError, match=r"b\.csv: 'x' stands 2 times in column 'id', and 1 ids are repeated in all"):
        Matching("id", ()).matched([table(id=["x", "y", "z"]), table(id=["x", "y", "x"])], FILES[:2])


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        ([1, 0], [1, 1], "column 'y' is 0 in a.csv and 1 in b.csv"),
        (["n", "p"], ["n", "n"], "column 'y' is p in a.csv and n in b.csv"),
        ([0.5, float("nan")], [0.5, 2.0], "column 'y' is nan in a.csv and 2.0 in b.csv"),
    ],
)
def test_what_both_have_must_agree(mine: Any, theirs: Any, said: str) -> None:
    one, other = table(id=["r", "s"], y=mine), table(id=["s", "r"], y=theirs[::-1])
    with pytest.raises(InputError) as caught:
        Matching("id", ("y",)).matched([one, other], FILES[:2])
    assert f"id 's': {said}, and 1 row differs in all" in caught.value.text.en
    with pytest.raises(InputError) as caught:
        refuse_other_order([table(y=mine), table(y=theirs)], FILES[:2], ["y"])
    assert f"row 1 (from 0): {said}" in caught.value.text.en
    assert "--id" in caught.value.text.zh
    refuse_other_order([table(y=mine), table(y=mine)], FILES[:2], ["y"])


def test_row_by_row_needs_as_many_rows() -> None:
    with pytest.raises(InputError, match=r"a\.csv has 2 rows and b\.csv has 3; .*--id"):
        refuse_other_order([table(y=[1, 0]), table(y=[1, 0, 1])], FILES[:2], ["y"])


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["new=a/p.parquet", "old=b/p.parquet"], ["new", "old"]),
        (["a/p.parquet", "b/p.parquet"], ["a", "b"]),
        (["x/a/p.parquet", "y/a/p.parquet"], ["p", "p.parquet"]),
        (["p.parquet", "b/p.parquet"], ["p", "b"]),
        (["part/day=3/p.csv", "part/day=4/p.csv"], ["day=3", "day=4"]),
        (["a/one.run", "b/two.run"], ["one", "two"]),
    ],
)
def test_names_of_files(files: list[str], names: list[str]) -> None:
    assert short_names(all_titled(files)) == names


def test_a_file_with_an_equals_sign_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "day=3").mkdir()
    assert plain_names([titled("day=3")]) == ["day=3"]
    assert str(titled("day=4")) == "4"
    with pytest.raises(InputError, match="two files are named 'x'"):
        all_titled(["x=a", "x=b"])


def test_paths_in_python_have_their_folders_names_too() -> None:
    assert list(named(["a/run.txt", Path("b/run.txt")])[0]) == ["a", "b"]
    assert list(named(["a/run.txt", "a/other.txt"])[0]) == ["run.txt", "other.txt"]
