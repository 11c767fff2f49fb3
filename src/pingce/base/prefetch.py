"""Reading ahead: the core reads and parses a large file while Python still imports what will ask for it.

NumPy is not needed for that, nor is Python's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pingce.base.core import core_ahead, thread_count
from pingce.base.handles import read_at, read_into
from pingce.base.memory import fits

if TYPE_CHECKING:
    from pingce._core import EarlyText

_SMALLEST: Final = 1 << 22
_FIRST: Final = 1 << 12
_PART: Final = 1 << 24
Places = tuple[int, int, int, int, bool]
"The query, the item and the score of a line, how many fields it has, and whether more are refused."
NO_PLACES: Final[Places] = (0, 0, 0, 0, False)
"Of a file that is read, but not parsed."


class _Ahead(NamedTuple):
    path: Path
    look: os.stat_result
    text: EarlyText


_begun: list[_Ahead] = []
"At most one."


def begin(path: str, places: Callable[[bytes], Places | None], threads: int | None = None) -> None:
    """Start to read a file, if it is large, and to parse it; whatever goes wrong is left to those who want it.

    `places` says of its first bytes which fields are wanted, and None of a file that is to be left alone.
    """
    if any(ahead.path == Path(path) for ahead in _begun):
        return
    forget()
    core = core_ahead()
    with suppress(OSError, ValueError, RuntimeError):  # the last one: no thread could be started
        if core is None or path == "-" or not Path(path).is_file():  # a pipe must not be opened twice
            return
        with Path(path).open("rb", buffering=0) as file:
            look, wanted = os.fstat(file.fileno()), places(read_at(file.fileno(), _FIRST, 0))
            if look.st_size >= _SMALLEST and wanted is not None and fits(look.st_size):
                text = core.EarlyText(file.fileno(), look.st_size, *wanted, thread_count(threads))
                _begun.append(_Ahead(Path(path), look, text))


def take(path: Path) -> EarlyText | None:
    """What was begun with a file that has not changed since: its bytes and its columns; once, and None for any other."""
    for ahead in [ahead for ahead in _begun if ahead.path == path]:
        _begun.remove(ahead)
        with suppress(OSError, MemoryError):
            if ahead.text.bytes() is not None and not changed(ahead.look, path.stat()):
                return ahead.text
    return None


def forget() -> None:
    """Drop what was begun and nobody took."""
    _begun.clear()


def fill(handle: int, part: memoryview, start: int) -> bool:
    """Read the bytes of a file from a place on; false if it ends before the part is full."""
    while part:
        count = read_into(handle, part[:_PART], start)
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
