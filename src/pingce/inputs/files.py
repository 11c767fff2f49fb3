"""Files: what format they are in, decompressed where needed, and handed to the reader of that format."""

from __future__ import annotations

import mmap
import os
import stat
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from pingce.errors import InputError, did_you_mean, first_words
from pingce.inputs.columns import Role, Rows
from pingce.inputs.names import looks_like_header, table_name
from pingce.language import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMATS: Final = ("trec", "csv", "tsv", "jsonl", "json", "parquet", "feather")
_SUFFIXES: Final = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
}
_COMPRESSED_SUFFIXES: Final = (".gz", ".bz2", ".zst")
_PARQUET, _ARROW, _BOM = b"PAR1", b"ARROW1", b"\xef\xbb\xbf"


def _gunzip(raw: NDArray[np.uint8]) -> bytes:
    import gzip

    return gzip.decompress(raw.tobytes())


def _bunzip2(raw: NDArray[np.uint8]) -> bytes:
    import bz2

    return bz2.decompress(raw.tobytes())


def _unzstd(raw: NDArray[np.uint8]) -> bytes:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.BufferReader(pa.py_buffer(raw)), "zstd") as stream:
        return bytes(stream.read())


_COMPRESSED: Final[dict[bytes, tuple[str, Callable[[NDArray[np.uint8]], bytes]]]] = {
    b"\x1f\x8b": ("gzip", _gunzip),
    b"BZh": ("bzip2", _bunzip2),
    b"\x28\xb5\x2f\xfd": ("zstd", _unzstd),
}


@dataclass(frozen=True)
class File:
    """A file that exists and has content; its bytes are mapped, or decompressed once, when first asked for."""

    path: Path
    role: Role

    @property
    def name(self) -> Text:
        """How messages call it."""
        return table_name(self.role, self.path.name)

    @cached_property
    def content(self) -> NDArray[np.uint8]:
        """Its bytes after decompression, without a byte-order mark."""
        raw = self._mapped()
        content = self._expanded(raw)
        content = content[3:] if content[:3].tobytes() == _BOM else content
        if not len(content):
            raise self.empty()
        return content

    def _mapped(self) -> NDArray[np.uint8]:
        if str(self.path) == "-":
            return np.frombuffer(sys.stdin.buffer.read(), dtype=np.uint8)
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return np.frombuffer(file.read(), dtype=np.uint8)  # a pipe cannot be mapped
                if not status.st_size:
                    return np.zeros(0, dtype=np.uint8)
                return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)
        except OSError as problem:
            raise cannot_read(self.path, problem) from None
        except ValueError:  # a path that no file can have
            raise cannot_read(self.path, FileNotFoundError()) from None

    def _expanded(self, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The bytes decompressed, where they are compressed: the first bytes tell, not the name."""
        head = raw[:4].tobytes()
        for magic, (kind, expand) in _COMPRESSED.items():
            if head.startswith(magic):
                try:
                    return np.frombuffer(expand(raw), dtype=np.uint8)
                except (EOFError, OSError, ValueError, zlib.error) as problem:
                    raise InputError(
                        f"{self.path}: the {kind} data is damaged or cut short ({problem}); fetch or compress it again",
                        f"{self.path}：{kind} 数据损坏或不完整（{problem}）；请重新获取或压缩",
                    ) from None
        return raw

    def empty(self) -> InputError:
        """What to say of a file without content."""
        return InputError(f"{self.path}: the file is empty", f"{self.path}：文件是空的")

    def unreadable(self, kind: str, problem: Exception) -> InputError:
        """What to say of a file that a library gave up on: its first words, and what it was read as."""
        first = first_words(problem)
        return InputError(
            f"{self.path}: not readable as {kind} ({first})", f"{self.path}：无法作为 {kind} 读取（{first}）"
        )

    def first_line(self) -> tuple[int, bytes]:
        """Number and bytes of the first line that is not blank."""
        at, number = 0, 1
        while at < len(self.content):
            line = self.line_at(at)
            if line.strip():
                return number, line
            at, number = at + len(line) + 1, number + 1
        raise self.empty()

    def line_at(self, at: int) -> bytes:
        """The line that begins at a byte, whatever its length."""
        step = 1 << 12
        while True:
            piece = self.content[at : at + step].tobytes()
            if b"\n" in piece or at + step >= len(self.content):
                return piece.split(b"\n", 1)[0]
            step *= 16

    def line_number(self, at: int) -> int:
        """The number of the line that holds a byte."""
        return int(np.count_nonzero(self.content[:at] == ord("\n"))) + 1


def cannot_read(path: Path, problem: OSError) -> InputError:
    """What to say of a file that is missing, a folder, or not ours to read."""
    if isinstance(problem, FileNotFoundError):
        siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings)
        return InputError(f"{path}: no such file{hint.en}", f"{path}：文件不存在{hint.zh}")
    reason = problem.strerror or str(problem)
    return InputError(f"{path}: cannot be read ({reason})", f"{path}：无法读取（{reason}）")


def read_file(
    path: str | os.PathLike[str],
    role: Role,
    columns: Mapping[str, str] | None,
    input_format: str | None,
    threads: int | None,
) -> Rows:
    """Rows of a file in any known format."""
    file = File(Path(path), role)
    chosen = input_format or detect(file, columns)
    readers: dict[str, Callable[[], Rows]] = {
        "trec": lambda: _trec(file, threads),
        "csv": lambda: _delimited(file, ",", columns),
        "tsv": lambda: _delimited(file, "\t", columns),
        "jsonl": lambda: _jsonl(file, columns),
        "json": lambda: _json(file, columns),
        "parquet": lambda: _parquet(file, columns),
        "feather": lambda: _feather(file, columns),
    }
    if chosen not in readers:
        hint = did_you_mean(chosen, FORMATS)
        raise InputError(
            f"unknown input format '{chosen}'; known are {', '.join(FORMATS)}{hint.en}",
            f"未知的输入格式 '{chosen}'；可用 {'、'.join(FORMATS)}{hint.zh}",
        )
    return readers[chosen]()


def detect(file: File, columns: Mapping[str, str] | None = None) -> str:
    """The format of a file: by its first bytes, then its suffix, then its first line."""
    head = file.content[:6].tobytes()
    if head.startswith(_PARQUET) or head == _ARROW:
        return "parquet" if head.startswith(_PARQUET) else "feather"
    suffixes = [suffix.lower() for suffix in file.path.suffixes if suffix.lower() not in _COMPRESSED_SUFFIXES]
    by_suffix = _SUFFIXES.get(suffixes[-1]) if suffixes else None
    if by_suffix not in (None, "tsv"):
        return str(by_suffix)
    first = file.first_line()[1]
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    line = first.decode("utf-8", "backslashreplace").rstrip("\r")
    for name, delimiter in (("tsv", "\t"), ("csv", ",")):
        fields = line.split(delimiter)
        if looks_like_header(fields) or set(fields) & set((columns or {}).values()):
            return name
    return "tsv" if by_suffix == "tsv" and len(first.split()) not in (3, 4, 6) else "trec"


def _trec(file: File, threads: int | None) -> Rows:
    from pingce.inputs.trec import read_trec

    return read_trec(file, threads)


def _delimited(file: File, delimiter: str, columns: Mapping[str, str] | None) -> Rows:
    from pingce.inputs.delimited import read_delimited

    return read_delimited(file, delimiter, columns)


def _jsonl(file: File, columns: Mapping[str, str] | None) -> Rows:
    from pingce.inputs.structured import read_jsonl

    return read_jsonl(file, columns)


def _json(file: File, columns: Mapping[str, str] | None) -> Rows:
    from pingce.inputs.structured import read_json

    return read_json(file, columns)


def _parquet(file: File, columns: Mapping[str, str] | None) -> Rows:
    from pingce.inputs.structured import read_parquet

    return read_parquet(file, columns)


def _feather(file: File, columns: Mapping[str, str] | None) -> Rows:
    from pingce.inputs.structured import read_feather

    return read_feather(file, columns)
