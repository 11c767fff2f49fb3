"""Compressed files: told by their first bytes, and decompressed no further than there is room."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text

_STEP: Final = 1 << 24


def room() -> int:
    """Bytes that one file may take when it is read at once: half of the memory there is, since rows are copied once."""
    from pingce.base.memory import available

    return available() // 2


Expand = Callable[[int], bytes]
"Reads and decompresses so many bytes, or fewer; none at the end."


class _Bzip2:
    """One stream after another; Python's own reader would pass over what follows a whole one and is none."""

    def __init__(self, file: Any) -> None:
        import bz2

        self._file, self._new = file, bz2.BZ2Decompressor
        self._stream = self._new()
        self._left = b""

    def read(self, most: int) -> bytes:
        """At most so many bytes; none at the end."""
        while True:
            if self._stream.eof:
                self._left = self._stream.unused_data or self._file.read(1 << 16)
                if not self._left:
                    return b""
                self._stream = self._new()
            elif self._stream.needs_input and not self._left:
                self._left = self._file.read(1 << 16)
                if not self._left:
                    raise EOFError("the last stream has no end")
            data, self._left = self._left, b""
            if text := self._stream.decompress(data, most):
                return text


@dataclass(frozen=True)
class Compression:
    """One way to compress files."""

    name: str
    suffix: str
    magic: bytes
    expand: Callable[[Any], Expand]
    "What reads an open file of this kind."


COMPRESSIONS: Final = (
    Compression("gzip", ".gz", b"\x1f\x8b", lambda file: import_module("gzip").GzipFile(fileobj=file).read),
    Compression("bzip2", ".bz2", b"BZh", lambda file: _Bzip2(file).read),
    Compression(
        "zstd",
        ".zst",
        b"\x28\xb5\x2f\xfd",
        lambda file: pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd").read,
    ),
)
COMPRESSED_SUFFIXES: Final = tuple(each.suffix for each in COMPRESSIONS)


def compression(head: bytes) -> Compression | None:
    """How a file that begins so is compressed; None where it is not."""
    return next((each for each in COMPRESSIONS if head.startswith(each.magic)), None)


def decompress(path: Path, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes decompressed, where they are compressed: the first bytes tell, not the name."""
    kind = compression(raw[:4].tobytes())
    if kind is None:
        return raw
    try:
        whole = _whole(kind, raw, room())
    except (EOFError, OSError, ValueError, zlib.error) as problem:
        raise damaged(path, kind.name, problem) from None
    if whole is None:
        raise more_than_fits(path)
    return np.frombuffer(whole, dtype=np.uint8)


def _whole(kind: Compression, raw: NDArray[np.uint8], most: int) -> bytes | None:
    """All that comes out, unless it is too much."""
    if kind.name == "gzip":  # one stream is expanded at once, without a copy
        stream = zlib.decompressobj(wbits=31)
        whole = stream.decompress(raw, most + 1)  # type: ignore[arg-type]
        if len(whole) > most:
            return None
        if stream.eof and not stream.unused_data:
            return whole
        del whole
    import io

    read, pieces, size = kind.expand(io.BytesIO(raw)), [], 0  # type: ignore[arg-type]
    while piece := read(_STEP):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            return None
    return b"".join(pieces)


def more_than_fits(path: Path, size: int | None = None) -> InputError:
    """What to say of a file out of which more comes than fits into memory; the size where it is known."""
    from pingce.base.memory import human, size_of
    from pingce.inputs.tables import streamed_formats

    streamed = streamed_formats()
    most, way = human(room()), f"--memory {size_of(None) >> 20}MiB (memory=)"
    much = Text("", "") if size is None else Text(f" {human(size)},", f" {human(size)}，")
    return InputError(
        f"{path}: its content takes{much.en} more than half of the memory there is ({most}), when it is read at once; give {way} to "
        f"have it streamed ({streamed.en} can be), or split the file",
        f"{path}：一次读入时其内容{much.zh}超过可用内存的一半（{most}）；请用 {way} 流式读取（{streamed.zh}可以），或拆分文件",
    )


def damaged(path: Path, kind: str, problem: Exception) -> InputError:
    """What to say of compressed data that cannot be decompressed."""
    return InputError(
        f"{path}: the {kind} data is damaged or cut short ({problem}); fetch or compress it again",
        f"{path}：{kind} 数据损坏或不完整（{problem}）；请重新获取或压缩",
    )
