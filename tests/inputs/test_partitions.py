"""Columns in the names of folders, as Hive writes them: every role, every format, at once and in chunks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import pingce as pc
from pingce.cli import run
from pingce.inputs import read_run
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.paths import read_columns
from pingce.inputs.streams import open_rows, open_table

from .samples import columns_of, refused

METRICS = ["auc", "logloss"]


def as_csv(table: pa.Table, path: Path, delimiter: str = ",") -> None:
    rows = [table.column_names, *(list(map(str, row.values())) for row in table.to_pylist())]
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))


WRITERS: dict[str, Callable[[pa.Table, Path], object]] = {
    "parquet": parquet.write_table,
    "feather": lambda table, path: feather.write_feather(table, str(path)),
    "csv": as_csv,
    "tsv": lambda table, path: as_csv(table, path, "\t"),
    "jsonl": lambda table, path: path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist())),
}
ROWS = pa.table({"label": [0, 1, 1, 0, 1, 0], "score": [0.1, 0.9, 0.4, 0.3, 0.6, 0.2], "c": [3, 3, 3, 12, 12, 12]})


def split(folder: Path, table: pa.Table, column: str, suffix: str, title: str | None = None) -> Path:
    """A file for each value of a column, which the file lacks."""
    for value in dict.fromkeys(table[column].to_pylist()):
        where = folder / f"{title or column}={value}"
        where.mkdir(parents=True)
        some = table.filter(pa.compute.equal(table[column], value)).drop_columns([column])
        WRITERS[suffix](some, where / f"part-0.{suffix}")
    return folder


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("role", [{"by": "c"}, {"group": "c"}, {"weight": "c"}], ids=["by", "group", "weight"])
def test_a_role_of_predictions(role: dict[str, Any], suffix: str, tmp_path: Path) -> None:
    folder = split(tmp_path / "rows", ROWS, "c", suffix)
    WRITERS[suffix](ROWS, tmp_path / f"one.{suffix}")
    metrics = [*METRICS, *(["gauc"] if "group" in role else [])]
    more: dict[str, Any] = {"min_n": 1} if "by" in role else {}
    one = pc.evaluate_binary("label", "score", metrics, data=tmp_path / f"one.{suffix}", **role, **more)
    for path in (folder, folder / "*" / "*", folder / "c=*"):
        found = pc.evaluate_binary("label", "score", metrics, data=path, **role, **more)
        assert json.loads(found.to_json())["metrics"] == json.loads(one.to_json())["metrics"]
        if "by" in role:
            assert found.slices is not None and one.slices is not None
            assert found.slices.to_arrow().equals(one.slices.to_arrow())


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("column", ["query_id", "item_id", "score"])
def test_a_column_of_a_run(column: str, suffix: str, tmp_path: Path) -> None:
    table = pa.table({"query_id": [1, 1, 2], "item_id": [7, 8, 7], "score": [2, 1, 3]})
    folder = split(tmp_path / "run", table, column, suffix)
    WRITERS[suffix](table, tmp_path / f"one.{suffix}")
    whole = read_run(folder)
    order = sorted(zip(*columns_of(whole), strict=True))
    assert order == sorted(zip(*columns_of(read_run(tmp_path / f"one.{suffix}")), strict=True))
    stream = open_rows(folder, "run", Reading())
    if stream is not None:
        columns = [columns_of(chunk) for chunk in stream.chunks(1)]
        assert tuple([value for one in columns for value in one[at]] for at in range(3)) == columns_of(whole)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_chunks_of_predictions(suffix: str, tmp_path: Path) -> None:
    folder = split(tmp_path / "rows", ROWS, "c", suffix)
    wanted = Wanted(("label", "c", "score"), texts=("c",), numbers=("score",))
    stream = open_table(folder, wanted, Reading())
    assert stream is not None
    whole = read_columns(folder, wanted, Reading())[0]
    assert pa.concat_tables([table for table, _ in stream.chunks(1)]).equals(whole)
    assert whole["c"].to_pylist() == ([12, 12, 12, 3, 3, 3] if suffix == "parquet" else [*["12"] * 3, *["3"] * 3])


@pytest.mark.parametrize(
    ("values", "kind", "shown"),
    [
        (["3", "-12"], "int64", [-12, 3]),
        (["3", "x"], "string", ["3", "x"]),
        (["007", "__HIVE_DEFAULT_PARTITION__"], "int64", [7, None]),
        (["a%2Fb", "%E6%B5%8B"], "string", ["a/b", "测"]),
        ([str(2**63)], "string", [str(2**63)]),
        (["__HIVE_DEFAULT_PARTITION__"], "string", [None]),
    ],
)
def test_types_as_arrow_and_spark_have_them(values: list[str], kind: str, shown: list[Any], tmp_path: Path) -> None:
    for value in values:
        (tmp_path / f"c={value}").mkdir()
        parquet.write_table(pa.table({"y": [1]}), tmp_path / f"c={value}" / "a.parquet")
    table = read_columns(tmp_path, Wanted(("c", "y")), Reading())[0]
    assert str(table["c"].type) == kind
    assert sorted(table["c"].to_pylist(), key=str) == sorted(shown, key=str)


def test_the_column_of_the_file_counts(tmp_path: Path) -> None:
    (tmp_path / "rows" / "c=9").mkdir(parents=True)
    parquet.write_table(ROWS, tmp_path / "rows" / "c=9" / "a.parquet")
    assert read_columns(tmp_path / "rows", Wanted(("c",)), Reading())[0]["c"].to_pylist() == ROWS["c"].to_pylist()


def test_a_file_without_the_folder_of_the_others(tmp_path: Path) -> None:
    folder = split(tmp_path / "rows", ROWS, "c", "parquet")
    parquet.write_table(ROWS.drop_columns(["c"]), folder / "zz.parquet")
    refused(pc.evaluate_binary, "label", "score", METRICS, data=folder, by="c").both_name("zz.parquet", "'c'")


def test_a_weight_that_is_no_number(tmp_path: Path) -> None:
    folder = split(tmp_path / "rows", ROWS, "c", "parquet")
    (folder / "c=3").rename(folder / "c=many")
    said = refused(pc.evaluate_binary, "label", "score", METRICS, data=folder, weight="c")
    said.both_name("c=many", "'many'")


def test_a_column_that_two_folders_name(tmp_path: Path) -> None:
    folder = split(tmp_path / "rows" / "c=1", ROWS, "c", "parquet")
    refused(pc.evaluate_binary, "label", "score", METRICS, data=folder.parent).both_name("'c'")


def test_slices_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = split(tmp_path / "part", ROWS, "c", "parquet", "campaign")
    assert run(["eval", str(folder), "--by", "campaign", "--min-n", "1", "-m", "auc", "-f", "csv"]) == 0
    assert "campaign" in capsys.readouterr().out
