"""Text files piece by piece: decompressed, in UTF-8, and cut only where a record ends."""

from __future__ import annotations

import codecs
import os
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from pingce.base.errors import InputError
from pingce.base.prefetch import changed
from pingce.inputs.compressed import compression, damaged, expander
from pingce.inputs.content import (
    cannot_read,
    encoding_of,
    half_a_letter,
    has_changed,
    not_in,
    refuse_other_than_utf8,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        self.compression = compression(os.pread(self._file.fileno(), 4, 0))
        self._expand = expander(self.compression, self._file)
        held = self._raw(SAMPLE)
        self.head = held[:6]
        "The first bytes, before they are taken for letters."
        self.encoding, mark = encoding_of(held[:4], encoding)
        self._held = held[mark:]
        self._decoder = codecs.getincrementaldecoder(self.encoding)() if self.encoding != "utf-8" else None
        self._lines = 0

    def close(self) -> None:
        """No more is wanted."""
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
            text = self._recoded(data) if self._decoder is not None else data
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

    def _recoded(self, data: bytes) -> bytes:
        try:
            text: str = self._decoder.decode(data, final=not data)  # type: ignore[union-attr]
        except UnicodeDecodeError as problem:
            line = self._lines + problem.object[: problem.start].decode(self.encoding, "ignore").count("\n") + 1
            raise not_in(self.path, self.encoding, line, problem.object[problem.start]) from None
        try:
            recoded = text.removeprefix("\ufeff").encode()
        except UnicodeEncodeError as problem:
            line = self._lines + problem.object[: problem.start].count("\n") + 1
            raise half_a_letter(self.path, self.encoding, line) from None
        self._lines += text.count("\n")
        return recoded


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
            raise _endless(file.path)
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


def _endless(path: Path) -> InputError:
    return InputError(
        f"{path}: a line or a quoted field goes on for more than {_LONGEST >> 20} MiB; is a quote left open, or do lines end "
        "with a carriage return alone?",
        f"{path}：有一行或一个带引号的字段超过 {_LONGEST >> 20} MiB；是否有引号没有闭合，或行末只有回车符？",
    )


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
