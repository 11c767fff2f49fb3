"""Files that are read ahead: the same bytes, once, and nothing at all where anything is odd."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from pingce.base import prefetch as ahead
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.inputs import read_run
from pingce.inputs.content import read_bytes
from pingce.inputs.tables import COLUMNAR
from pingce.inputs.tables.early import begin_run

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


LINES = "".join(f"q{row // 100} Q0 d{row % 100} {row % 100} {row % 97 / 8} tag\n" for row in range(200_000))
ODD = {
    "as it is": LINES,
    "with a mark": "\ufeff" + LINES,
    "with a comment among the rows": LINES + "# a b c\n" + LINES,
    "in Chinese": LINES.replace("d99", "文档"),
    "with ranks alone": "".join(f"q{row // 100}\td{row % 100}\t{row % 100 + 1}\n" for row in range(400_000)),
}


@pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing is parsed ahead")
@pytest.mark.parametrize("name", ODD)
def test_a_run_that_is_parsed_ahead_is_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.run"
    path.write_text(ODD[name], encoding="utf-8")
    wanted = read_run(path)
    begin_run(str(path), 2)
    if name in ("as it is", "in Chinese"):
        core = native_core()
        assert core is not None
        monkeypatch.setattr(core, "parse_text", None)
    found = read_run(path)
    assert (found.value == wanted.value).all()
    assert found.query.to_list() == wanted.query.to_list()
    assert found.item.to_list() == wanted.item.to_list()
    assert path not in ahead._parses
    assert path not in ahead._pending


@pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing is parsed ahead")
def test_a_fault_is_told_of_a_run_that_is_parsed_ahead(tmp_path: Path) -> None:
    path = tmp_path / "large.run"
    path.write_text(LINES + "q Q0 d 1 many tag\n", encoding="utf-8")
    begin_run(str(path))
    with pytest.raises(InputError, match=r"large.run:200001: 'many' is not a number"):
        read_run(path)


@pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing is parsed ahead")
def test_what_is_parsed_ahead_and_not_wanted_ends() -> None:
    core = native_core()
    assert core is not None
    text = np.frombuffer(LINES.encode(), np.uint8)
    early = core.EarlyText(text, 0, 2, 4, 6, False, 2)
    assert not early.is_of(text[1:], 0, 2, 4, 6, False)
    assert not early.is_of(text, 0, 2, 4, 6, True)
    del early
    early = core.EarlyText(text, 0, 2, 4, 6, False, 2)
    assert len(early.columns()["value"]) == 200_000
    with pytest.raises(RuntimeError, match="before"):
        early.columns()
