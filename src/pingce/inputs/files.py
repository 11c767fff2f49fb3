"""A file: its bytes, its lines, and what to say of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError, first_words
from pingce.base.lazy import cached_property, pa
from pingce.base.prefetch import changed, take
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Role, Source
from pingce.inputs.compressed import decompress
from pingce.inputs.content import as_utf8, first_bytes, has_changed, is_regular, read_bytes
from pingce.inputs.folders import NO_FOLDER_COLUMNS, FolderColumns
from pingce.inputs.names import table_name
from pingce.inputs.tables import Format, binary_format, streamed_formats

if TYPE_CHECKING:
    from pingce._core import EarlyText

_BLOCK: Final = 1 << 16
_IS_LETTER: Final = ~np.isin(np.arange(256), list(b" \t\n\r\v\f"))


@dataclass(frozen=True)
class File:
    """A file that exists and has content; its bytes are read, and decompressed, when first asked for."""

    path: Path
    role: Role
    encoding: str | None = None
    threads: int | None = None
    partition: FolderColumns = field(default=NO_FOLDER_COLUMNS, kw_only=True)
    within: bool = field(default=False, kw_only=True)
    "Whether rows of the same file came before this content."

    @property
    def name(self) -> Text:
        """How messages call it."""
        return table_name(self.role, self.path.name)

    @cached_property
    def ahead(self) -> EarlyText | None:
        """What was read, and perhaps parsed, before anybody asked for it."""
        return take(self.path)

    @cached_property
    def raw(self) -> NDArray[np.uint8]:
        """Its bytes after decompression."""
        content = None if self.ahead is None else self.ahead.bytes()
        data = decompress(self.path, read_bytes(self.path, self.threads) if content is None else content)
        if not len(data):
            raise self.empty()
        return data

    @cached_property
    def content(self) -> NDArray[np.uint8]:
        """Its text in UTF-8, without a byte-order mark."""
        checked = self.ahead is not None and self.ahead.is_ascii(self.raw)
        text = as_utf8(self.path, self.raw, self.encoding, checked=checked)
        if not len(text):
            raise self.empty()
        return text

    @cached_property
    def binary_format(self) -> Format | None:
        """Which of the formats that are not text this is, by its first bytes, or those of what was compressed."""
        plain = binary_format(first_bytes(self.path)) if is_regular(self.path) else None
        return plain or binary_format(self.raw[:8].tobytes())

    @contextmanager
    def opened(self, *, keep: bool = False) -> Iterator[Handle]:
        """For Arrow's readers, which fetch only the columns they want; kept for those who read the rows."""
        if "raw" not in self.__dict__ and is_regular(self.path):
            with opened(self.path, keep=keep) as handle:
                yield handle
            return
        yield Handle(pa.BufferReader(pa.py_buffer(self.raw)))

    @contextmanager
    def readable(self, kind: str) -> Iterator[None]:
        """Say of what a library gives up on that it is not of its kind."""
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
            raise self.unreadable(kind, problem) from None

    def counted_rows(self, first: int = 0) -> Source:
        """The source of rows without lines, from some row on: they are counted from 0."""
        path = self.path
        return Source(
            self.name, lambda row: Text(f"{path}: row {first + row}", f"{path}：第 {first + row} 行（从 0 起）")
        )

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
            streamed = streamed_formats()
            return InputError(
                f"{self.path}: not enough memory to read it ({first}); give --memory (memory=) to have it streamed "
                f"({streamed.en} can be), or read fewer columns and rows",
                f"{self.path}：内存不足，无法读取（{first}）；请用 --memory（memory=）流式读取（{streamed.zh}可以），"
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
    handle = _taken(path)
    if handle is None:
        source = pa.OSFile(str(path))
        handle = Handle(source, path, os.fstat(source.fileno()))
    try:
        yield handle
    except BaseException:
        keep = False
        raise
    finally:
        if keep:
            _kept.append(handle)
            for other in _kept[:-1]:
                _kept.remove(other)
                other.source.close()
        else:
            look = handle.look and os.fstat(handle.source.fileno())
            handle.source.close()
            if handle.look and look and changed(handle.look, look):
                raise has_changed(path)


def _taken(path: Path) -> Handle | None:
    """The handle that was kept, if it is of this file, and of what has this name now."""
    with suppress(IndexError):
        handle = _kept.pop()
        if handle.path == path and handle.look is not None and not changed(handle.look, path.stat()):
            return handle
        handle.source.close()
    return None
