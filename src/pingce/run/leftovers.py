"""Temporary folders of runs that were killed: the next run removes them. Who lives holds a lock on a file in its folder."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PREFIX: Final = "pingce-"
_OWNER: Final = "owner.lock"


def mark(folder: Path) -> int | None:
    """Take a folder as this process's own, until the handle is closed or the process ends, however it does.

    None where the system has no such locks: then the folder is never swept.
    """
    try:
        import fcntl
    except ImportError:
        return None
    fresh = folder / f"{_OWNER}.new"
    handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with suppress(OSError):  # some network file systems have no locks
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fresh.rename(folder / _OWNER)  # locked before it has the name that is looked for
    return handle


def sweep(above: Path) -> None:
    """Remove folders in a place whose owner is gone: those that this user made, and that are marked."""
    with suppress(OSError, ImportError):
        for entry in list(os.scandir(above)):
            if entry.name.startswith(PREFIX):
                with suppress(OSError), _abandoned(Path(entry.path)) as gone:
                    if gone:
                        shutil.rmtree(entry.path, ignore_errors=True)


@contextmanager
def _abandoned(folder: Path) -> Iterator[bool]:
    """Whether nobody holds the mark of a folder; while this is looked at, nobody else can sweep it. No link is followed."""
    import fcntl

    if not _is_ours(folder.lstat(), stat.S_ISDIR):
        yield False
        return
    handle = os.open(folder / _OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        ours = _is_ours(os.fstat(handle), stat.S_ISREG)
        if ours:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a BlockingIOError where its owner lives
        yield ours
    finally:
        os.close(handle)


def _is_ours(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return is_kind(status.st_mode) and status.st_uid == os.getuid()
