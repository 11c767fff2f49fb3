"""A file: its bytes, its lines, and what to say of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, first_words
from pingce.base.lazy import cached_property
from pingce.base.prefetch import changed
from pingce.base.text import Text
from pingce.inputs.columns import Role
from pingce.inputs.compressed import expanded
from pingce.inputs.content import as_utf8, cannot_read, has_changed, is_regular, read_bytes
from pingce.inputs.names import table_name
from pingce.inputs.partitions import NO_PARTITION, Partition

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_BLOCK: Final = 1 << 16
_IS_LETTER: Final = ~np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_BINARY: Final = {b"PAR1": "parquet", b"ARROW1": "feather"}


@dataclass(frozen=True)
class File:
    """A file that exists and has content; its bytes are read, and decompressed, when first asked for."""

    path: Path
    role: Role
    encoding: str | None = None
    threads: int | None = None
    partition: Partition = field(default=NO_PARTITION, kw_only=True)
    within: bool = field(default=False, kw_only=True)
    "Whether rows of the same file came before this content."
    headerless: bool = field(default=False, kw_only=True)
    "Whether the content is known to begin with a row, not with the names of columns."

    @property
    def name(self) -> Text:
        """How messages call it."""
        return table_name(self.role, self.path.name)

    @cached_property
    def raw(self) -> NDArray[np.uint8]:
        """Its bytes after decompression."""
        found = expanded(self.path, read_bytes(self.path, self.threads))
        if not len(found):
            raise self.empty()
        return found

    @cached_property
    def content(self) -> NDArray[np.uint8]:
        """Its text in UTF-8, without a byte-order mark."""
        found = as_utf8(self.path, self.raw, self.encoding)
        if not len(found):
            raise self.empty()
        return found

    @cached_property
    def binary_format(self) -> str | None:
        """Which of the formats that are not text this is, by its first bytes, or those of what was compressed."""
        plain = _binary(self._head()) if is_regular(self.path) else None
        return plain or _binary(self.raw[:6].tobytes())

    def _head(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                return file.read(6)
        except OSError as problem:
            raise cannot_read(self.path, problem) from None

    @contextmanager
    def opened(self) -> Iterator[pa.NativeFile]:
        """For Arrow's readers, which fetch only the columns they want; a file that changes meanwhile is refused."""
        import pyarrow as pa

        if "raw" in self.__dict__ or not is_regular(self.path):
            yield pa.BufferReader(pa.py_buffer(self.raw))
            return
        with self.path.open("rb") as file:
            before = os.fstat(file.fileno())
            try:
                with pa.OSFile(str(self.path)) as source:
                    yield source
            finally:
                if changed(before, os.fstat(file.fileno())):
                    raise has_changed(self.path)

    def empty(self, comments: int = 0) -> EmptyInputError:
        """What to say of a file without content, or with nothing but comments."""
        if comments:
            return EmptyInputError(
                f"{self.path}: no rows: every line begins with #, as comments do (write ids without it)",
                f"{self.path}：没有数据行：每行都以 # 开头，视为注释（编号请去掉 #）",
                comments=comments,
            )
        return EmptyInputError(f"{self.path}: the file is empty", f"{self.path}：文件是空的")

    def unreadable(self, kind: str, problem: Exception) -> InputError:
        """What to say of a file that a library gave up on: its first words, and what it was read as."""
        first = first_words(problem)
        if isinstance(problem, MemoryError):  # Arrow's is one too
            return InputError(
                f"{self.path}: not enough memory to read it ({first}); give --memory (memory=) to have it streamed "
                "(Parquet, CSV, TSV and TREC text can be), or read fewer columns and rows",
                f"{self.path}：内存不足，无法读取（{first}）；请用 --memory（memory=）流式读取（Parquet、CSV、TSV 和 TREC 文本可以），"
                "或减少列与行",
            )
        return InputError(
            f"{self.path}: not readable as {kind} ({first})", f"{self.path}：无法作为 {kind} 读取（{first}）"
        )

    def first_line(self) -> tuple[int, bytes]:
        """Number and bytes of the first line that is not blank."""
        at = self.first_at
        return self.line_number(at), self.line_at(at)

    @cached_property
    def first_at(self) -> int:
        """Where in the content the first line begins that is not blank."""
        for start in range(0, len(self.content), _BLOCK):
            letters = np.flatnonzero(_IS_LETTER[self.content[start : start + _BLOCK]])
            if len(letters):
                ends = np.flatnonzero(self.content[: start + int(letters[0])] == ord("\n"))
                return int(ends[-1]) + 1 if len(ends) else 0
        raise self.empty()

    def first_row(self) -> tuple[int, bytes]:
        """Number and bytes of the first line that is neither blank nor a comment, for text without a header."""
        at, comments = self.first_at, 0
        while at < len(self.content):
            line = self.line_at(at)
            words = line.split()
            if words and (not words[0].startswith(b"#") or b"\r" in line.strip()):
                return self.line_number(at), line
            comments += len(words) > 0
            at += len(line) + 1
        raise self.empty(comments)

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
        return self.numbered(int(np.count_nonzero(self.content[:at] == ord("\n"))) + 1)

    def numbered(self, line: int) -> int:
        """The number that a line of the content has in the file: another one where this is a part of it."""
        return line


def _binary(head: bytes) -> str | None:
    return next((name for magic, name in _BINARY.items() if head.startswith(magic)), None)
