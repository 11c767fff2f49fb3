"""Files that are read ahead: the same bytes, once, and nothing at all where anything is odd."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pingce.base import prefetch as ahead
from pingce.inputs.content import read_bytes
from pingce.inputs.tables import COLUMNAR

LARGE = b"0123456789abcdef" * (1 << 18)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(LARGE)
    return path


def test_the_bytes_come_once(large: Path) -> None:
    ahead.begin(str(large))
    found = ahead.taken(large)
    assert found is not None
    assert found[:] == LARGE
    assert ahead.taken(large) is None


def test_readers_get_them(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead.begin(str(large))
    ahead._pending[large].join()
    monkeypatch.setattr(os, "preadv", None)
    assert read_bytes(large).tobytes() == LARGE


def test_small_and_odd_files_are_left_to_others(tmp_path: Path) -> None:
    small, pipe = tmp_path / "small", tmp_path / "pipe"
    small.write_bytes(b"q 0 d 1\n")
    os.mkfifo(pipe)
    for path in (small, pipe, tmp_path, tmp_path / "missing", Path("-"), Path("\0")):
        ahead.begin(str(path))
        ahead._pending[path].join(5)
        assert not ahead._pending[path].is_alive(), "a pipe without a writer was opened"
        assert ahead.taken(path) is None


@pytest.mark.parametrize("change", ["cut short", "touched"])
def test_a_file_that_changes_leaves_nothing(large: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.preadv

    def preadv(handle: int, buffers: list[memoryview], at: int) -> int:
        if change == "cut short":
            os.truncate(large, 100)
        else:
            os.utime(large, ns=(1, 1))
        return real(handle, buffers, at)

    monkeypatch.setattr(os, "preadv", preadv)
    ahead.begin(str(large))
    assert ahead.taken(large) is None


@pytest.mark.parametrize("magic", COLUMNAR)
def test_files_of_columns_are_left_to_their_readers(magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(magic + LARGE)
    ahead.begin(str(path), COLUMNAR)
    assert ahead.taken(path) is None
