"""Open files read at a place, by several threads at once, also where the system has no call for it (Windows)."""

from __future__ import annotations

import _thread
import os

_one_at_a_time = _thread.allocate_lock()


def read_at(handle: int, size: int, offset: int) -> bytes:
    """Up to so many bytes of a file from a place on; where it was being read stays where it is."""
    if hasattr(os, "pread"):
        return os.pread(handle, size, offset)
    with _one_at_a_time:
        before = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, offset, os.SEEK_SET)
        try:
            return os.read(handle, size)
        finally:
            os.lseek(handle, before, os.SEEK_SET)


def read_into(handle: int, room: memoryview, offset: int) -> int:
    """Fill room with bytes of a file from a place on; how many came."""
    if hasattr(os, "preadv"):
        return os.preadv(handle, [room], offset)
    content = read_at(handle, len(room), offset)
    room[: len(content)] = content
    return len(content)
