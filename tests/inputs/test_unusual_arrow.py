"""Arrow files with what few have: texts that are none, extension types, and too little memory to read them."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

import pingce as pc
from pingce.cli import run
from pingce.inputs import read_run
from pingce.inputs.arrow import plain_column
from pingce.inputs.files import File

from .samples import refused, write

LABELLED: dict[str, Any] = {"label": [0, 1, 0, 1], "score": [0.1, 0.7, 0.3, 0.4]}
UUIDS = [uuid.UUID(int=number**9) for number in (1, 2, 1, 2**13)]
STORAGE: dict[str, Any] = {
    "uuid": (pa.uuid(), pa.array([each.bytes for each in UUIDS], pa.binary(16)), [str(each) for each in UUIDS]),
    "json": (pa.json_(), pa.array(['{"a":1}', "2", "2", "3"]), ['{"a":1}', "2", "2", "3"]),
    "bool8": (pa.bool8(), pa.array([1, 0, 7, -1], pa.int8()), ["true", "false", "true", "true"]),
}


def column(kind: str) -> pa.Array:
    extension, storage, _ = STORAGE[kind]
    return pa.ExtensionArray.from_storage(extension, storage)


def not_text(kind: pa.DataType) -> pa.Array:
    """Two values that are no UTF-8."""
    return pa.array([b"\xff", b"\xfe"], pa.large_binary() if kind == pa.large_string() else pa.binary()).view(kind)


def in_file(path: Path, table: pa.Table) -> Path:
    if path.suffix == ".parquet":
        parquet.write_table(table, path, store_schema=False)
    else:
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    return path


@pytest.mark.parametrize("suffix", ["feather", "parquet"])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_values_that_are_no_text(kind: pa.DataType, suffix: str, tmp_path: Path) -> None:
    odd = not_text(kind)
    run_table = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "score": odd})
    refused(read_run, in_file(tmp_path / f"a.{suffix}", run_table)).both_name(f"a.{suffix}")
    labelled = in_file(tmp_path / f"b.{suffix}", pa.table({"label": [0, 1], "score": [0.1, 0.2], "g": odd}))
    for role in ({"by": "g"}, {"group": "g"}):
        refused(pc.evaluate_binary, "label", "score", ["auc"], data=labelled, **role).both_name(f"b.{suffix}")


@pytest.mark.parametrize("suffix", ["feather", "parquet"])
def test_names_that_are_no_text(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = in_file(tmp_path / f"a.{suffix}", pa.table({**LABELLED, "zzzz": [1, 2, 3, 4]}))
    path.write_bytes(path.read_bytes().replace(b"zzzz", b"\xff\xfe\xff\xfe"))
    refused(pc.evaluate_binary, "label", "score", ["auc"], data=path).both_name(path)
    refused(read_run, path).both_name(path)
    refused(pc.evaluate_ranking, {"q": ["a"]}, path).both_name(path)
    assert run(["eval", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["feather", "parquet"])
@pytest.mark.parametrize("kind", STORAGE)
def test_extension_types_are_what_they_mean(kind: str, suffix: str, tmp_path: Path) -> None:
    table, plain = pa.table({**LABELLED, "g": column(kind)}), pa.table({**LABELLED, "g": STORAGE[kind][2]})
    path = tmp_path / f"a.{suffix}"
    parquet.write_table(table, path) if suffix == "parquet" else in_file(path, table)
    found = pc.evaluate_binary("label", "score", ["auc"], data=path, by="g", min_n=1).slices
    assert found is not None
    expected = pc.evaluate_binary("label", "score", ["auc"], data=plain, by="g", min_n=1).slices
    assert expected is not None
    assert found.to_arrow().equals(expected.to_arrow())
    assert pc.evaluate_binary("label", "score", ["gauc"], data=path, group="g")


def test_nulls_slices_and_chunks_of_extension_types() -> None:
    storage = pa.array([None, UUIDS[0].bytes, None, UUIDS[1].bytes], pa.binary(16))
    chunks = [pa.ExtensionArray.from_storage(pa.uuid(), part) for part in (storage[1:], storage[:2], storage[:0])]
    texts = plain_column(pa.chunked_array(chunks)).to_pylist()
    assert texts == [str(UUIDS[0]), None, str(UUIDS[1]), None, str(UUIDS[0])]
    assert plain_column(pa.chunked_array([], pa.bool8())).to_pylist() == []


def test_uuids_as_ids(tmp_path: Path) -> None:
    table = pa.table({"query_id": column("uuid"), "doc_id": ["a", "b", "c", "d"], "score": [1.0, 2.0, 3.0, 4.0]})
    parquet.write_table(table, tmp_path / "a.parquet")
    assert read_run(tmp_path / "a.parquet").query.to_list() == [str(each) for each in UUIDS]


class Measure(pa.ExtensionType):  # type: ignore[misc]
    """A type that nobody knows."""

    def __init__(self) -> None:
        super().__init__(pa.list_(pa.int64()), "tests.measure")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> Measure:
        return cls()


def test_an_extension_type_that_nobody_knows() -> None:
    odd = pa.ExtensionArray.from_storage(Measure(), pa.array([[1], [2], [3], [4]]))
    table = pa.table({**LABELLED, "g": odd})
    refused(pc.evaluate_binary, "label", "score", ["auc"], data=table, by="g").both_name("'g'", "tests.measure")


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_too_little_memory_for_arrow(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import csv, json

    def fail(*_: Any, **__: Any) -> None:
        raise pa.ArrowMemoryError("malloc of size 64 failed")

    content = {
        "csv": b"qid,docid,score\nq,a,1\n",
        "jsonl": b'{"qid": "q", "docid": "a", "score": 1.0}\n',
        "parquet": b"",
    }
    path = write(tmp_path, f"a.{suffix}", content[suffix])
    if suffix == "parquet":
        in_file(path, pa.table({"qid": ["q"], "docid": ["a"], "score": [1.0]}))
    monkeypatch.setattr(csv, "read_csv", fail)
    monkeypatch.setattr(json, "read_json", fail)
    monkeypatch.setattr(parquet.ParquetFile, "read", fail)
    refused(read_run, path).both_name(path, "malloc of size 64 failed", "--memory")
    assert "not enough memory" in refused(read_run, path).en


def test_a_file_says_what_a_library_gave_up_on() -> None:
    file = File(Path("a"), "run")
    assert "not readable as X" in file.unreadable("X", pa.ArrowInvalid("odd")).text.en
    assert "not readable" not in file.unreadable("X", pa.ArrowMemoryError("odd")).text.en
