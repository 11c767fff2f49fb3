"""Temporary folders of runs that were killed are removed by the next one; nobody else's are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.shell import environment
from pingce.cli import main
from pingce.run.temporary import Workspace, mark, sweep

KILLED = """
import os, signal, sys
from pingce.run.temporary import Workspace

with Workspace(sys.argv[1]) as space:
    (space.folder / "rows").write_bytes(b"x" * 1000)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(folder: Path) -> None:
    """A run that ends in the middle, without a chance to put anything away."""
    words = [sys.executable, "-c", KILLED, str(folder)]
    assert subprocess.run(words, env=environment(), check=False).returncode == -signal.SIGKILL


def test_the_next_run_sweeps(tmp_path: Path) -> None:
    killed(tmp_path)
    (left,) = tmp_path.iterdir()
    assert (left / "rows").stat().st_size == 1000
    with Workspace(tmp_path) as space:
        assert not left.exists()
        folder = space.folder
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_who_lives_keeps_what_is_his(tmp_path: Path) -> None:
    with Workspace(tmp_path) as one:
        (one.folder / "rows").write_bytes(b"x")
        with Workspace(tmp_path) as other:
            assert one.folder != other.folder
            assert (one.folder / "rows").exists()
    assert list(tmp_path.iterdir()) == []


def abandoned(folder: Path) -> Path:
    """A folder as a killed run leaves it."""
    folder.mkdir()
    handle = mark(folder)
    assert handle is not None
    os.close(handle)
    return folder


def test_what_is_not_marked_stays(tmp_path: Path) -> None:
    """Somebody may call his data so; and a folder without a mark may be one that is just being made."""
    (tmp_path / "pingce-data").mkdir()
    (tmp_path / "pingce-file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "owner.lock").write_text("")
    sweep(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other", "pingce-data", "pingce-file"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    target = abandoned(tmp_path / "precious")
    (tmp_path / "pingce-link").symlink_to(target)
    (tmp_path / "pingce-inner").mkdir()
    (tmp_path / "pingce-inner" / "owner.lock").symlink_to(target / "owner.lock")
    inside = abandoned(tmp_path / "pingce-gone")
    (inside / "to").symlink_to(target)
    sweep(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pingce-inner", "pingce-link", "precious"]
    assert (target / "owner.lock").exists()


def test_what_belongs_to_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = abandoned(tmp_path / "pingce-gone")
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    sweep(tmp_path)
    assert folder.exists()
    monkeypatch.setattr(os, "getuid", lambda: mine)
    sweep(tmp_path)
    assert not folder.exists()


def test_a_command_without_temporary_files_looks_at_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing a crowded place costs every command time; the next one that makes a folder there sweeps."""
    folder = abandoned(tmp_path / "pingce-gone")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # Ctrl-C stays what it is for the other tests
    with pytest.raises(SystemExit):
        main(["--version"])
    assert folder.exists()


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    sweep(tmp_path / "nowhere")
