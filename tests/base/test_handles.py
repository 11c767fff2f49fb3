"""Reading at a place, with the system's call and without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pingce.base import memory
from pingce.base.handles import read_at, read_into


@pytest.mark.parametrize("has_call", [True, False])
def test_bytes_come_from_their_place_and_the_file_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_call: bool
) -> None:
    (tmp_path / "x").write_bytes(b"0123456789")
    if not has_call:
        monkeypatch.delattr(os, "pread")
        monkeypatch.delattr(os, "preadv")
    with (tmp_path / "x").open("rb", buffering=0) as file:
        assert file.read(2) == b"01"
        assert read_at(file.fileno(), 3, 5) == b"567"
        room = bytearray(4)
        assert read_into(file.fileno(), memoryview(room), 8) == 2
        assert room == b"89\0\0"
        assert read_at(file.fileno(), 3, 99) == b""
        assert file.read(2) == b"23"


def test_memory_is_guessed_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    monkeypatch.setattr(memory, "_limits", lambda: iter([]))
    assert memory.available() == 8 << 30
