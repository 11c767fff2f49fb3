"""Text files piece by piece: decompressed, in UTF-8, and cut only where a record ends."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import field, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.handles import read_at
from pingce.base.lazy import cached_property
from pingce.base.prefetch import changed
from pingce.base.records import dataclass
from pingce.inputs.columns import no_rows
from pingce.inputs.compressed import Expand, compression, damaged
from pingce.inputs.content import Recoder, cannot_read, encoding_of, has_changed, refuse_other_than_utf8
from pingce.inputs.files import File
from pingce.inputs.tables import binary_format, unpacked_size

Bytes = NDArray[np.uint8]

_LONGEST: Final = 1 << 28
"Of a record, in bytes: one without an end is a quote left open, or lines that end with a carriage return."
SAMPLE: Final = 1 << 20
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34


class TextFile:
    """The bytes of one text file from its beginning, decompressed and as UTF-8; a file that changes is refused."""

    def __init__(self, path: Path, encoding: str | None) -> None:
        self.path = path
        try:
            self._file = path.open("rb", buffering=0)
        except OSError as problem:
            raise cannot_read(path, problem) from None
        try:
            self._begin(encoding)
        except BaseException:
            self.close()
            raise

    def _begin(self, encoding: str | None) -> None:
        self._before = os.fstat(self._file.fileno())
        self.size = self._before.st_size
        self.compression = compression(read_at(self._file.fileno(), 4, 0))
        plain: Expand = lambda most: self._file.read(most) or b""  # noqa: E731
        self._expand = plain if self.compression is None else self.compression.expand(self._file)
        held = self._raw(SAMPLE)
        self.head = held[:6]
        "The first bytes, before they are taken for letters."
        self.encoding, mark = encoding_of(held[:4], encoding)
        self._held = held[mark:]
        self._recoder = Recoder(self.path, self.encoding) if self.encoding != "utf-8" else None

    def close(self) -> None:
        self._file.close()

    @property
    def at(self) -> int:
        """How many bytes of the file were read."""
        return self._file.tell() if not self._file.closed else self.size

    def read(self, most: int) -> bytes:
        """At most so many bytes of what the file holds, recoded ones perhaps more; none at its end."""
        while True:
            data = self._held[:most] or self._raw(most)
            self._held = self._held[most:]
            text = self._recoder.recode(data, final=not data) if self._recoder is not None else data
            if text or not data:
                return text

    def _raw(self, most: int) -> bytes:
        try:
            data = self._expand(most)
        except (EOFError, OSError, ValueError, zlib.error) as problem:
            if changed(self._before, os.fstat(self._file.fileno())):
                raise has_changed(self.path) from None
            if self.compression is None:
                raise cannot_read(self.path, OSError(str(problem))) from None
            raise damaged(self.path, self.compression.name, problem) from None
        if not data and changed(self._before, os.fstat(self._file.fileno())):
            raise has_changed(self.path)
        return data


def pieces(file: TextFile, size: int, delimiter: str | None = None) -> Iterator[tuple[int, Bytes]]:
    """Where in the text each piece begins, and its bytes; all but the last end where a record does.

    `delimiter` is that of a table whose fields may be quoted.
    """
    begin, held, full = 0, bytearray(), size
    while data := file.read(max(full - len(held), 1)):
        held += data
        if len(held) < full:
            continue
        cut = _last_end(held, delimiter)
        if cut:
            yield begin, _checked(file, held[:cut], begin)
            begin, held, full = begin + cut, held[cut:], size
        elif len(held) > _LONGEST:
            raise InputError(
                f"{file.path}: a line or a quoted field goes on for more than {_LONGEST >> 20} MiB; is a quote left open, or do lines end "
                "with a carriage return alone?",
                f"{file.path}：有一行或一个带引号的字段超过 {_LONGEST >> 20} MiB；是否有引号没有闭合，或行末只有回车符？",
            )
        full = max(size, 2 * len(held))
    if held:
        yield begin, _checked(file, held, begin)


def lines_before(path: Path, encoding: str | None, begin: int) -> int:
    """Lines of a text before a place in it. The file is read again for that: only messages ask."""
    count, left = 0, begin
    if not left:
        return 0
    with closing(TextFile(path, encoding)) as file:
        while left and (text := file.read(min(left, SAMPLE))):
            count += text[:left].count(b"\n")
            left -= min(left, len(text))
    return count


def _checked(file: TextFile, data: bytearray, begin: int) -> Bytes:
    content = np.frombuffer(data, np.uint8)
    if file.encoding == "utf-8":
        refuse_other_than_utf8(file.path, content, lambda: lines_before(file.path, None, begin))
    return content


def _last_end(text: bytearray, delimiter: str | None) -> int:
    """Where the last record ends that ends here; 0 where none does."""
    if delimiter is None or text.find(b'"') < 0:
        return text.rfind(b"\n") + 1
    content = np.frombuffer(text, np.uint8)
    quotes, ends = np.flatnonzero(content == _QUOTE), np.flatnonzero(content == _NEWLINE)
    inside = _inside_after(content, quotes, ord(delimiter))
    outside = ends[~np.concatenate([[False], inside])[np.searchsorted(quotes, ends)]]
    return int(outside[-1]) + 1 if len(outside) else 0


def _inside_after(content: Bytes, quotes: NDArray[np.intp], delimiter: int) -> NDArray[np.bool_]:
    """Whether what follows each quote is quoted. Only a quote that begins a field opens one."""
    around = np.concatenate([[_NEWLINE], content, [_NEWLINE]])
    outer = np.isin(around, (delimiter, _NEWLINE, _RETURN, _QUOTE))
    # Around the k-th quote, which opens if k is even: a delimiter before it, or after it, or another quote.
    plain = np.where(np.arange(len(quotes)) % 2 == 0, outer[quotes], outer[quotes + 2])
    if plain.all():
        opening: NDArray[np.bool_] = np.arange(len(quotes)) % 2 == 0
        return opening
    return _inside_by_hand(around, quotes.tolist(), (delimiter, _NEWLINE, _RETURN))


def _inside_by_hand(around: Bytes, quotes: list[int], before: tuple[int, ...]) -> NDArray[np.bool_]:
    """For texts with stray quotes: one after another."""
    after: list[bool] = []
    inside = escaped = False
    for number, at in enumerate(quotes):
        if escaped:
            escaped = False
        elif not inside:
            inside = int(around[at]) in before
        elif number + 1 < len(quotes) and quotes[number + 1] == at + 1:
            escaped = True
        else:
            inside = False
        after.append(inside)
    return np.array(after, bool)


_Chunk = TypeVar("_Chunk")


@dataclass(frozen=True, eq=False)
class Part(File):
    """Some records of a text file; of a table with a header, below it. Its lines have the numbers they have in the file."""

    text: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8))
    begin: int = 0
    "Where in the text it begins."
    header: bytes = b""
    above_header: int = 0
    "Blank lines above the header that are not in it."
    first: tuple[int, bytes] | None = None
    "Number and bytes of the first row of the file, where this part does not hold it."
    expected: int = 0
    "How long the whole text is, as far as its beginning tells."

    @cached_property
    def raw(self) -> Bytes:
        return self.content

    @cached_property
    def content(self) -> Bytes:
        if not self.header:
            return self.text
        return np.concatenate([np.frombuffer(self.header, np.uint8), self.text])

    def first_row(self) -> tuple[int, bytes]:
        return self.first or super().first_row()

    def numbered(self, line: int) -> int:
        above = self.header.count(b"\n")
        return self.above_header + line if line <= above else self.lines_before + line - above

    @cached_property
    def lines_before(self) -> int:
        """Lines of the file before this part."""
        return lines_before(self.path, self.encoding, self.begin)


def beginning(file: File, most: int | None = None) -> Part | None:
    """The first records of a text, and how long all of it is, about; None of what is no text.

    What is compressed may begin otherwise than it goes on: up to `most` bytes it is counted.
    """
    with closing(TextFile(file.path, file.encoding)) as text:
        if binary_format(text.head) is not None:
            return None
        first = next(((begin, piece) for begin, piece in pieces(text, SAMPLE) if piece.tobytes().strip()), None)
        if first is None:
            raise file.empty()
        begin, piece = first
        expected = round((begin + len(piece)) * max(1.0, text.size / max(text.at, 1)))
        if text.compression is not None:
            counted = 0
            while counted < (most or 0) and (more := text.read(SAMPLE)):
                counted += len(more)
            expected = max(expected, unpacked_size(file.path), begin + len(piece) + counted)
    return Part(
        file.path, file.role, file.encoding, file.threads, piece, begin, expected=expected, partition=file.partition
    )


class TextParts:
    """A text file in parts like one, by the beginning of the file. With a `delimiter` fields may be quoted."""

    def __init__(self, sample: Part, like: Part, *, copies: int, more: int, delimiter: str | None = None) -> None:
        self._begin, self._like, self._delimiter = sample.begin, like, delimiter
        lines = max(1, int(np.count_nonzero(sample.text == ord("\n"))))
        self._memory = copies + more / (len(sample.text) / lines)
        "Bytes of memory a byte of text."
        self.estimate = round(sample.expected * self._memory)

    def read(self, memory: int, reader: Callable[[Part], _Chunk]) -> Iterator[tuple[_Chunk, int]]:
        """What the reader makes of each part, and how many bytes of the file were read."""
        any_rows, problem = False, None
        like, above = self._like, self._begin + len(self._like.header)
        with closing(TextFile(like.path, like.encoding)) as text:
            for begin, piece in pieces(text, max(1, round(memory / self._memory)), self._delimiter):
                if begin + len(piece) <= above:
                    continue
                below, at = piece[max(0, above - begin) :], max(begin, above)
                try:
                    chunk = reader(replace(like, text=below, begin=at, within=any_rows))
                except EmptyInputError as nothing:  # blank lines
                    problem = nothing
                    continue
                any_rows = True
                yield chunk, text.at
        if not any_rows:
            raise problem or no_rows(like.name)
