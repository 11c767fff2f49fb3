"""Compressed files: told by their first bytes, and decompressed no further than there is room."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_STEP: Final = 1 << 24


def room() -> int:
    """Bytes that one file may take when it is read at once: half of the memory there is, since rows are copied once."""
    from pingce.base.memory import available

    return available() // 2


class _TooMuchError(Exception):
    """More comes out of compressed data than fits into memory."""


def _gunzip(raw: NDArray[np.uint8], most: int) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    whole = stream.decompress(raw, most + 1)  # type: ignore[arg-type]
    if len(whole) > most:
        raise _TooMuchError
    if stream.eof and not stream.unused_data:
        return whole
    import gzip
    import io

    del whole
    return _in_steps(gzip.GzipFile(fileobj=io.BytesIO(raw)).read, most)  # type: ignore[arg-type]


def _bunzip2(raw: NDArray[np.uint8], most: int) -> bytes:
    import bz2

    left, pieces, size = raw.tobytes(), [], 0
    while left:  # one stream after another; bz2.decompress would pass over what follows a whole one and is none
        stream = bz2.BZ2Decompressor()
        pieces.append(stream.decompress(left, most - size + 1))
        size += len(pieces[-1])
        if size > most:
            raise _TooMuchError
        if not stream.eof:
            raise EOFError("the last stream has no end")
        left = stream.unused_data
    return b"".join(pieces)


def _unzstd(raw: NDArray[np.uint8], most: int) -> bytes:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.BufferReader(pa.py_buffer(raw)), "zstd") as stream:
        return _in_steps(stream.read, most)


def _in_steps(read: Callable[[int], bytes], most: int) -> bytes:
    pieces, size = [], 0
    while piece := read(_STEP):
        pieces.append(bytes(piece))
        size += len(piece)
        if size > most:
            raise _TooMuchError
    return b"".join(pieces)


_COMPRESSED: Final[dict[bytes, tuple[str, Callable[[NDArray[np.uint8], int], bytes]]]] = {
    b"\x1f\x8b": ("gzip", _gunzip),
    b"BZh": ("bzip2", _bunzip2),
    b"\x28\xb5\x2f\xfd": ("zstd", _unzstd),
}


def compression(head: bytes) -> str | None:
    """How a file that begins so is compressed; None where it is not."""
    return next((kind for magic, (kind, _) in _COMPRESSED.items() if head.startswith(magic)), None)


def expanded(path: Path, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes decompressed, where they are compressed: the first bytes tell, not the name."""
    kind = compression(raw[:4].tobytes())
    if kind is None:
        return raw
    expand = next(expand for name, expand in _COMPRESSED.values() if name == kind)
    try:
        return np.frombuffer(expand(raw, room()), dtype=np.uint8)
    except _TooMuchError:
        raise more_than_fits(path) from None
    except (EOFError, OSError, ValueError, zlib.error) as problem:
        raise damaged(path, kind, problem) from None


def more_than_fits(path: Path, size: int | None = None) -> InputError:
    """What to say of a file out of which more comes than fits into memory; the size where it is known."""
    from pingce.base.memory import human, size_of

    most, way = human(room()), f"--memory {size_of(None) >> 20}MiB (memory=)"
    much = Text("", "") if size is None else Text(f" {human(size)},", f" {human(size)}，")
    return InputError(
        f"{path}: its content takes{much.en} more than half of the memory there is ({most}), when it is read at once; give {way} to "
        "have it streamed (Parquet, CSV, TSV and TREC text can be), or split the file",
        f"{path}：一次读入时其内容{much.zh}超过可用内存的一半（{most}）；请用 {way} 流式读取（Parquet、CSV、TSV 和 TREC 文本可以），或拆分文件",
    )


def damaged(path: Path, kind: str, problem: Exception) -> InputError:
    """What to say of compressed data that cannot be decompressed."""
    return InputError(
        f"{path}: the {kind} data is damaged or cut short ({problem}); fetch or compress it again",
        f"{path}：{kind} 数据损坏或不完整（{problem}）；请重新获取或压缩",
    )
