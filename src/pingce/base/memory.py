"""How much memory may be used: as said, or a quarter of what there is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from pingce.base.errors import InputError

_UNITS: Final = {"": 1, "b": 1} | {
    letter + end: base**power
    for power, letter in enumerate("kmgt", 1)
    for end, base in (("", 1000), ("b", 1000), ("ib", 1024))
}
_SIZE: Final = r"([0-9]+(?:\.[0-9]*)?(?:e[0-9]+)?|\.[0-9]+(?:e[0-9]+)?)\s*([kmgt]?i?b?)"
SMALLEST: Final = 16 << 20
"Less than this holds neither a chunk of rows nor the libraries that read it."
_SHARE: Final = 4
_LARGE: Final = 1 << 25
"Files of fewer bytes are read at once, whatever they hold."
_MOST_MEMORY: Final = 20
"Bytes of memory that a byte of a file may take when it is read and scored: Parquet and gzip hold several in one."


def fits(size: int) -> bool:
    """Whether files of so many bytes can be read and scored at once, whatever they hold."""
    return size <= _LARGE or _MOST_MEMORY * size <= size_of(None)


def size_of(memory: str | int | float | None) -> int:
    """Bytes of memory: a number, a text such as 2GB, 512MiB or 1e9, or, where nothing is said, a quarter of the memory."""
    if memory is None:
        return max(SMALLEST, available() // _SHARE)
    match = re.fullmatch(_SIZE, str(memory).strip(), re.IGNORECASE)
    factor = None if match is None or isinstance(memory, bool) else _UNITS.get(match.group(2).lower())
    if match is None or factor is None:
        raise InputError(
            f"memory is {memory!r}; give a number of bytes with a unit, e.g. 2GB, 512MiB or 1e9",
            f"内存大小为 {memory!r}；请给出带单位的字节数，例如 2GB、512MiB 或 1e9",
        )
    size = float(match.group(1)) * factor
    if not SMALLEST <= size < 2**62:
        raise InputError(
            f"memory of {memory} is not usable; give at least {SMALLEST >> 20}MiB, e.g. 2GB",
            f"内存 {memory} 无法使用；请至少给出 {SMALLEST >> 20}MiB，例如 2GB",
        )
    return int(size)


def available() -> int:
    """The memory of this machine, or what a container or a limit leaves of it."""
    return min([_physical(), *_limits()])


_UNKNOWN = 8 << 30
"Where the system says nothing of its memory, as Windows does not to Python: what most machines have at least."


def _physical() -> int:
    if not hasattr(os, "sysconf"):
        return _UNKNOWN
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _limits() -> Iterator[int]:
    """Of control groups (version 2 and 1; those above count too), where there are any, and of the process."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            yield limit
    root = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, group = line.split(":", 2)
            if kinds and "memory" not in kinds.split(","):
                continue
            top, name = (root / "memory", "memory.limit_in_bytes") if kinds else (root, "memory.max")
            inner = top / group.lstrip("/")
            for folder in (inner, *inner.parents):
                with suppress(OSError, ValueError):
                    yield int((folder / name).read_text())
                if folder == top:
                    break


def human(size: float) -> str:
    """A number of bytes as people write it."""
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} B"
