"""How much comes out of a file, by what it says of itself: a few bytes on disk may be gigabytes of rows. Needs no NumPy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pingce.inputs.tables import binary_format

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_MANY: Final = 256
"Files of a folder that are looked into; others are like them."


def unpacked_size(path: Path) -> int:
    """Bytes that come out of a file, as far as it tells before it is read; its own size where it does not."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(18)
        if head.startswith(_GZIP) and size >= 18:
            file.seek(-4, 2)
            return max(size, int.from_bytes(file.read(4), "little"))
    if head.startswith(_ZSTD):
        return max(size, _size_of_frame(head))
    kind = binary_format(head)
    return size if kind is None else max(size, kind.unpacked(path))


def unpacked_sizes(paths: Iterable[Path]) -> int:
    """Bytes that come out of several files; of very many, the first ones tell how much comes out of a byte."""
    files = list(paths)
    sizes = [unpacked_size(path) for path in files[:_MANY]]
    if len(files) <= _MANY:
        return sum(sizes)
    disk = [path.stat().st_size for path in files]
    return round(sum(disk) * max(1.0, sum(sizes) / max(1, sum(disk[:_MANY]))))


def _size_of_frame(head: bytes) -> int:
    """What the header of a zstd frame says of its content (RFC 8878, 3.1.1.1); 0 where it says nothing."""
    descriptor = head[4] if len(head) > 4 else 0
    single = descriptor >> 5 & 1
    begin = 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3]
    length = (single, 2, 4, 8)[descriptor >> 6]
    return int.from_bytes(head[begin : begin + length], "little") + (256 if length == 2 else 0)
