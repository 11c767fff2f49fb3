"""Files that are read ahead: the same bytes, once, and nothing at all where anything is odd."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pingce.base import prefetch as ahead
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.cli import BAD_INPUT, run
from pingce.inputs import read_run
from pingce.inputs.early import RUN_PLACES, begin_run
from pingce.inputs.files import File
from pingce.inputs.tables import COLUMNAR

if TYPE_CHECKING:
    from pingce._core import EarlyText

LARGE = b"0123456789abcdef" * (1 << 18)
with_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing is read ahead")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(LARGE)
    return path


@with_core
def test_the_bytes_come_once(large: Path) -> None:
    begin_run(str(large))
    early = ahead.take(large)
    assert early is not None
    content = early.bytes()
    assert content is not None
    assert content.tobytes() == LARGE
    assert ahead.take(large) is None


@with_core
def test_readers_get_them(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_run(str(large))
    monkeypatch.setattr(os, "preadv", None)
    assert File(large, "run").raw.tobytes() == LARGE


def test_small_and_odd_files_are_left_to_others(tmp_path: Path) -> None:
    small, pipe = tmp_path / "small", tmp_path / "pipe"
    small.write_bytes(b"q 0 d 1\n")
    os.mkfifo(pipe)  # to open one without a writer would wait for ever
    for path in (small, pipe, tmp_path, tmp_path / "missing", Path("-"), Path("\0")):
        begin_run(str(path))
        assert ahead.take(path) is None


@pytest.mark.parametrize("change", ["cut short", "touched"])
def test_a_file_that_changes_leaves_nothing(large: Path, change: str) -> None:
    begin_run(str(large))
    if change == "cut short":
        os.truncate(large, 100)
    else:
        os.utime(large, ns=(1, 1))
    assert ahead.take(large) is None


@with_core
def test_a_file_that_is_shorter_than_it_said_leaves_nothing(large: Path) -> None:
    core = native_core()
    assert core is not None
    with large.open("rb") as file:
        early = core.EarlyText(file.fileno(), len(LARGE) + 1, *ahead.NO_PLACES, 2)
    assert early.bytes() is None
    assert not early.is_of(np.frombuffer(LARGE, np.uint8), *ahead.NO_PLACES)


@pytest.mark.parametrize("magic", COLUMNAR)
def test_files_of_columns_are_left_to_their_readers(magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(magic + LARGE)
    begin_run(str(path))
    assert ahead.take(path) is None


@with_core
def test_only_the_last_one_is_kept(large: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(LARGE)
    for path in (large, other):
        begin_run(str(path))
    assert [begun.path for begun in ahead._begun] == [other]
    assert ahead.take(large) is None


@with_core
def test_a_command_that_ends_drops_what_nobody_took(large: Path) -> None:
    begin_run(str(large))
    assert run(["metrics", "no such metric"]) == BAD_INPUT
    assert not ahead._begun


LINES = "".join(f"q{row // 100} Q0 d{row % 100} {row % 100} {row % 97 / 8} tag\n" for row in range(200_000))
ODD = {
    "as it is": LINES,
    "with a mark": "\ufeff" + LINES,
    "with a comment among the rows": LINES + "# a b c\n" + LINES,
    "in Chinese": LINES.replace("d99", "文档"),
    "with ranks alone": "".join(f"q{row // 100}\td{row % 100}\t{row % 100 + 1}\n" for row in range(400_000)),
}


@with_core
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
    assert not ahead._begun


@with_core
def test_a_fault_is_told_of_a_run_that_is_parsed_ahead(tmp_path: Path) -> None:
    path = tmp_path / "large.run"
    path.write_text(LINES + "q Q0 d 1 many tag\n", encoding="utf-8")
    begin_run(str(path))
    with pytest.raises(InputError, match=r"large.run:200001: 'many' is not a number"):
        read_run(path)


@with_core
@pytest.mark.parametrize("place", [None, 0, 1 << 19, len(LARGE) - 1])
def test_letters_beyond_ascii_are_noticed_wherever_they_stand(tmp_path: Path, place: int | None) -> None:
    path, content = tmp_path / "large", bytearray(LARGE)
    if place is not None:
        content[place] = 0xFF
    path.write_bytes(content)
    begin_run(str(path))
    early = ahead.take(path)
    assert early is not None
    text = early.bytes()
    assert text is not None
    assert early.is_ascii(text) == (place is None)
    assert not early.is_ascii(text[1:])
    begin_run(str(path))
    if place is None:
        assert len(File(path, "run").content) == len(LARGE)
    else:
        with pytest.raises(InputError, match=r"large:1: byte 0xff is not utf-8"):
            _ = File(path, "run").content


@with_core
def test_what_is_parsed_ahead_and_not_wanted_ends(tmp_path: Path) -> None:
    path = tmp_path / "large.run"
    path.write_text(LINES, encoding="utf-8")

    def begin() -> EarlyText:
        core = native_core()
        assert core is not None
        with path.open("rb") as file:
            return core.EarlyText(file.fileno(), len(LINES), *RUN_PLACES, 2)

    early = begin()
    text = early.bytes()
    assert text is not None
    assert early.is_of(text, *RUN_PLACES)
    assert not early.is_of(text[1:], *RUN_PLACES)
    assert not early.is_of(text, *RUN_PLACES[:4], True)
    del early
    assert text.tobytes() == LINES.encode()
    early = begin()
    assert len(early.columns()["value"]) == 200_000
    with pytest.raises(RuntimeError, match="before"):
        early.columns()
