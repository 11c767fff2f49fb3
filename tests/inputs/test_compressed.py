"""Compressed files, Feather, and standard input: the same rows as the plain file."""

from __future__ import annotations

import bz2
import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather

import pingce as pc
from pingce.base.errors import InputError

RUN = b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\nq2 Q0 a 1 1 t\n"
TRUTH = {"q1": {"b": 1}, "q2": {"a": 1}}


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


PACKED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstd}


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
def test_compressed_text(suffix: str, named: bool, tmp_path: Path) -> None:
    path = tmp_path / (f"x.run.{suffix}" if named else "x.run")
    path.write_bytes(PACKED[suffix](RUN))
    assert pc.evaluate_ranking(TRUTH, path, ["rr"])["rr"] == 0.75


@pytest.mark.parametrize("suffix", PACKED)
def test_data_cut_short_are_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.run.{suffix}"
    path.write_bytes(PACKED[suffix](RUN * 2000)[:-20])
    with pytest.raises(InputError, match="damaged or cut short"):
        pc.read_run(path)


@pytest.mark.parametrize("name", ["x.feather", "x.arrow", "x"])
def test_feather(name: str, tmp_path: Path) -> None:
    table = pa.table(
        {"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "a"], "score": [2.5, 1.5, 1.0], "other": [1, 2, 3]}
    )
    feather.write_feather(table, tmp_path / name)
    assert pc.evaluate_ranking(TRUTH, tmp_path / name, ["rr"])["rr"] == 0.75


def test_a_damaged_feather_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.feather").write_bytes(b"ARROW1\0\0nonsense")
    with pytest.raises(InputError, match="not readable as Feather"):
        pc.read_run(tmp_path / "x.feather")


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gz"])
def test_standard_input(packed: type, tmp_path: Path) -> None:
    (tmp_path / "t.qrels").write_text("q1 0 b 1\nq2 0 a 1\n")
    words = [sys.executable, "-m", "pingce", "eval", str(tmp_path / "t.qrels"), "-", "-m", "rr", "-f", "csv", "--quiet"]
    done = subprocess.run(words, input=packed(RUN), capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[1] == "-,rr,rr,0.75,2,0"


def test_bzip2_of_several_streams(tmp_path: Path) -> None:
    halves = [bz2.compress(b"q1 Q0 a 1 2 t\n"), bz2.compress(b"q2 Q0 a 1 2 t\n")]
    path = tmp_path / "r.bz2"
    path.write_bytes(b"".join(halves))
    assert len(pc.read_run(path)) == 2
    path.write_bytes(halves[0] + b"X" + halves[1][1:])
    with pytest.raises(InputError, match="bzip2 data is damaged"):
        pc.read_run(path)


def test_feather_with_any_byte_changed(tmp_path: Path) -> None:
    path = tmp_path / "r.feather"
    feather.write_feather(pa.table({"query": ["q", "r"], "item": ["a", "条目"], "score": [1.0, 2.0]}), path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            pc.evaluate_ranking({"q": ["a"]}, path)
        except InputError:
            continue
