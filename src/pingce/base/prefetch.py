"""Reading ahead: a large file comes in while Python still imports what will parse it. NumPy is not needed for that."""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_SMALLEST: Final = 1 << 22
_PART: Final = 1 << 24
_pending: dict[Path, _Ahead] = {}
_parses: dict[Path, Any] = {}
Parse = Callable[[mmap.mmap], Any]
"What is begun with the bytes of a file once they are there; None where nothing is."


def begin(path: str, columnar: tuple[bytes, ...] = (), parse: Parse | None = None) -> None:
    """Start to read a file, if it is large, and to parse it; whatever goes wrong is left to those who want it.

    What begins like a file by columns is left alone: only some of them are wanted.
    """
    ahead = _Ahead(Path(path), columnar, parse)
    _pending[ahead.path] = ahead
    ahead.start()


def taken(path: Path) -> mmap.mmap | None:
    """The bytes of a file that was read ahead and has not changed since; once, and None for any other."""
    ahead = _pending.pop(path, None)
    if ahead is None:
        return None
    ahead.join()
    if ahead.parsed is not None:
        _parses[path] = ahead.parsed
    return ahead.content


def taken_parse(path: Path) -> Any:
    """What was begun with the bytes of a file that were taken; once, and None for any other."""
    return _parses.pop(path, None)


def fill(handle: int, part: memoryview, start: int) -> bool:
    """Read the bytes of a file from a place on; false if it ends before the part is full."""
    while part:
        count = os.preadv(handle, [part[:_PART]], start)
        if not count:
            return False
        part, start = part[count:], start + count
    return True


def changed(before: os.stat_result, after: os.stat_result) -> bool:
    """Whether somebody wrote to a file between two looks at it, or another one has its place.

    Who writes can set the time of writing back, but not that of the change. A link more or less, as when a file is replaced by
    another that is whole, changes that time too, and nothing else.
    """
    if any(getattr(before, name) != getattr(after, name) for name in ("st_dev", "st_ino", "st_size", "st_mtime_ns")):
        return True
    return before.st_ctime_ns != after.st_ctime_ns and before.st_nlink == after.st_nlink


class _Ahead(threading.Thread):
    """Reads one file into memory of its own, and begins to parse it."""

    def __init__(self, path: Path, columnar: tuple[bytes, ...], parse: Parse | None) -> None:
        super().__init__(daemon=True)
        self.path, self._columnar, self._parse = path, columnar, parse
        self.content: mmap.mmap | None = None
        self.parsed: Any = None

    def run(self) -> None:
        """Read; a file that is small, not regular, or changes meanwhile leaves nothing."""
        try:
            if self.path.is_file():  # a pipe must not be opened twice
                with self.path.open("rb", buffering=0) as file:
                    self.content = self._read(file.fileno())
            if self.content is not None and self._parse is not None:
                self.parsed = self._parse(self.content)
        except (OSError, ValueError, RuntimeError):  # the last one: no thread could be started
            return

    def _read(self, handle: int) -> mmap.mmap | None:
        before = os.fstat(handle)
        if before.st_size < _SMALLEST or os.pread(handle, 8, 0).startswith(self._columnar):
            return None
        content = mmap.mmap(-1, before.st_size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            content.madvise(mmap.MADV_HUGEPAGE)
        whole = fill(handle, memoryview(content), 0)
        return content if whole and not changed(before, os.fstat(handle)) else None
