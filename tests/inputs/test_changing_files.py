"""A file that somebody writes to while it is read: a sentence, or the right number; never a crash."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pingce as pc
from pingce.base.prefetch import changed
from pingce.inputs import content, read_run

from .samples import RUN, TRUTH, columns_of, lines, parquet_bytes, refused, run_table, scored, table, triples, write

TREC = lines("{0} Q0 {1} 1 {2} tag", triples(RUN))
FILES: dict[str, bytes] = {
    "a.run": TREC,
    "a.run.gz": gzip.compress(TREC),
    "a.parquet": parquet_bytes(run_table()),
}


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write(tmp_path, request.param, FILES[request.param])


LOOKS = ("st_mode", "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino", "st_dev", "st_nlink")
CHANGES: dict[str, dict[str, int]] = {
    "time": {"st_mtime_ns": 1},
    "more": {"st_size": 1},
    "less": {"st_size": -1},
    "time set back": {"st_ctime_ns": 1},
    "another file": {"st_ino": 1},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_that_looks_different_afterwards(
    path: Path, change: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, looks = os.fstat, 0

    def fstat(handle: int) -> Any:
        nonlocal looks
        looks += 1
        seen = real(handle)
        fields = {name: getattr(seen, name) for name in LOOKS}
        if looks > 1:
            fields = {name: value + change.get(name, 0) for name, value in fields.items()}
        return SimpleNamespace(**fields)

    monkeypatch.setattr(os, "fstat", fstat)
    said = refused(pc.evaluate_ranking, TRUTH, path)
    said.both_name(path)
    assert "changed while it was read" in said.en
    assert looks == 2


def test_a_file_whose_time_is_set_back(tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", TREC)
    before = path.stat()
    path.write_bytes(TREC[::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert changed(before, path.stat())


def test_a_link_more_or_less_is_no_change(tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", TREC)
    before = path.stat()
    (tmp_path / "b.run").hardlink_to(path)
    assert not changed(before, path.stat())


TEXT = ["a.run", "a.run.gz"]


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("part", [1 << 24, 7], ids=["one part", "many parts"])
def test_a_file_that_ends_too_soon(name: str, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, name, FILES[name])
    real, end = os.preadv, len(FILES[name]) - 5
    monkeypatch.setattr(content, "_PART", part)
    monkeypatch.setattr(os, "preadv", lambda handle, parts, at: real(handle, [parts[0][: max(end - at, 0)]], at))
    said = refused(read_run, path)
    said.both_name(path)
    assert "changed while it was read" in said.en


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize(("part", "most"), [(1 << 24, 3), (7, 7), (7, 2), (1, 1)])
def test_reads_may_come_in_pieces(
    name: str, part: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel may hand out less than was asked for: nothing changed, so nothing is refused."""
    path = write(tmp_path, name, FILES[name])
    real = os.preadv
    monkeypatch.setenv("PINGCE_THREADS", "4")
    monkeypatch.setattr(content, "_PART", part)
    monkeypatch.setattr(os, "preadv", lambda handle, parts, at: real(handle, [parts[0][:most]], at))
    assert columns_of(read_run(path)) == columns_of(read_run(RUN))
    assert scored(TRUTH, path) == scored(TRUTH, RUN)


@pytest.mark.parametrize("part", [1 << 24, 7], ids=["one part", "many parts"])
def test_a_disk_that_fails(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def preadv(*_: Any) -> int:
        raise OSError(5, "Input/output error")

    path = write(tmp_path, "a.run", TREC)
    monkeypatch.setattr(content, "_PART", part)
    monkeypatch.setattr(os, "preadv", preadv)
    refused(read_run, path).both_name(path, "Input/output error")


# Every whole version of the file has the relevant item first. Whole lines are 64 bytes, so that a file that is cut where
# the kernel writes, at pages, is a file of whole lines.
HAMMER = """
import json, os, sys, threading, time
import pingce as pc

path, other, seconds = sys.argv[1], open(sys.argv[2], "rb").read(), float(sys.argv[3])
full = open(path, "rb").read()
half = len(full) // 2 // 4096 * 4096

def replaced(content):
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)

def rewritten(handle, content):
    os.pwrite(handle, content, 0)
    os.ftruncate(handle, len(content))

WAYS = {
    "cut": lambda file: (os.ftruncate(file, half), os.pwrite(file, full[half:], half)),
    "grow": lambda file: (os.pwrite(file, full[-64:], len(full)), os.ftruncate(file, len(full))),
    "empty": lambda file: (os.ftruncate(file, 0), os.pwrite(file, full, 0)),
    "rewrite": lambda file: (rewritten(file, other), rewritten(file, full)),
    "replace": lambda file: (replaced(other), replaced(full)),
}

def write(way, done):
    file = os.open(path, os.O_RDWR)
    while not done.is_set():
        WAYS[way](file)
        time.sleep(0.001)
    os.close(file)

def read():
    return pc.evaluate_ranking({"q": {"d000000": 1}}, path, "rr", duplicates="first", threads=1)["rr"]

found = {}
for way in WAYS:
    values, sentences = found[way] = [read()], []
    done = threading.Event()
    writer = threading.Thread(target=write, args=(way, done))
    writer.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            values.append(read())
        except pc.InputError as problem:
            sentences.append(str(problem))
    done.set()
    writer.join()
print(json.dumps(found))
"""
ROWS = 6000


def _lines(rows: list[tuple[str, str, float]]) -> bytes:
    return b"".join(f"{q} Q0 {i} 1 {s:.1f} ".ljust(63, "t").encode() + b"\n" for q, i, s in rows)


VERSIONS: dict[str, Callable[[list[tuple[str, str, float]]], bytes]] = {
    "a.run": _lines,
    "a.run.gz": lambda rows: gzip.compress(_lines(rows), 1),
    "a.parquet": lambda rows: parquet_bytes(table(rows, ("qid", "docid", "score"))),
}


def hammered(folder: Path, name: str) -> dict[str, tuple[list[float], list[str]]]:
    """The values and sentences of many readings while another thread writes, in each of its ways."""
    rows = [("q", f"d{row:06}", float(ROWS - row)) for row in range(ROWS)]
    path = write(folder, name, VERSIONS[name](rows))
    other = write(folder, "other", VERSIONS[name]([rows[0], *((q, i, s / 2) for q, i, s in rows[1:])]))
    words = [sys.executable, "-c", HAMMER, str(path), str(other), "0.15"]
    environment = os.environ | {"PINGCE_LANG": "en"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, tuple[list[float], list[str]]] = json.loads(done.stdout)
    return found


@pytest.mark.deep("a second process writes all the while")
@pytest.mark.parametrize("name", VERSIONS)
def test_a_writer_at_the_same_time(name: str, tmp_path: Path) -> None:
    for way, (values, sentences) in hammered(tmp_path, name).items():
        assert len(values) + len(sentences) > 1
        assert all(0 <= value <= 1 for value in values)
        # Two writes in place within one tick of the clock cannot be told apart, and Parquet has no lines to keep whole.
        assert set(values) == {1.0} or (way, name) == ("rewrite", "a.parquet")
        assert [text for text in sentences if "\n" in text] == []
        if way != "rewrite":
            assert [text for text in sentences if str(tmp_path / name) not in text] == []
        if way == "replace":
            assert sentences == [], "a file that is replaced whole is always whole"
