"""Files by columns, opened once: the handle by which a footer was read is kept for whoever reads the rows next."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.prefetch import changed

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class Handle:
    """An open file, and how it looked then."""

    source: pa.NativeFile
    path: Path | None = None
    look: os.stat_result | None = None
    reader: Any = None
    "What a library made of its footer."


_kept: list[Handle] = []
"At most one: folders may have more files than a process may open."


@contextmanager
def opened(path: Path, *, keep: bool = False) -> Iterator[Handle]:
    """A file for Arrow's readers, which fetch only the columns they want; one that changes until its rows are read is refused.

    It is closed then, unless it is to be kept for them.
    """
    handle = _taken(path) or _open(path)
    try:
        yield handle
    except BaseException:
        keep = False
        raise
    finally:
        if keep:
            _keep(handle)
        else:
            _close(handle)


def _open(path: Path) -> Handle:
    import pyarrow as pa

    source = pa.OSFile(str(path))
    return Handle(source, path, os.fstat(source.fileno()))


def _taken(path: Path) -> Handle | None:
    """The handle that was kept, if it is of this file, and of what has this name now."""
    with suppress(IndexError):
        handle = _kept.pop()
        if handle.path == path and handle.look is not None and not changed(handle.look, path.stat()):
            return handle
        handle.source.close()
    return None


def _keep(handle: Handle) -> None:
    _kept.append(handle)
    for other in _kept[:-1]:
        _kept.remove(other)
        other.source.close()


def _close(handle: Handle) -> None:
    from pingce.inputs.content import has_changed

    look = handle.look and os.fstat(handle.source.fileno())
    handle.source.close()
    if handle.path and handle.look and look and changed(handle.look, look):
        raise has_changed(handle.path)
