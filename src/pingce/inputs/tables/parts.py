"""A text file in parts, each of which a reader of whole files takes for a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pingce.base.errors import EmptyInputError
from pingce.base.lazy import cached_property
from pingce.inputs.files import File
from pingce.inputs.sizes import unpacked_size
from pingce.inputs.tables import binary_format
from pingce.inputs.tables.base import no_rows
from pingce.inputs.tables.text import SAMPLE, TextFile, lines_before, pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

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
        """What is known of the file."""
        return self.content

    @cached_property
    def content(self) -> Bytes:
        """The text, below the header."""
        if not self.header:
            return self.text
        return np.concatenate([np.frombuffer(self.header, np.uint8), self.text])

    def first_row(self) -> tuple[int, bytes]:
        """Number and bytes of the first row of the file."""
        return self.first or super().first_row()

    def numbered(self, line: int) -> int:
        """The number that a line of the content has in the file."""
        above = self.header.count(b"\n")
        return self.above_header + line if line <= above else self.lines_before + line - above

    @property
    def line_length(self) -> float:
        """Bytes a line, on average."""
        return len(self.text) / max(1, int(np.count_nonzero(self.text == ord("\n"))))

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
        self._memory = copies + more / sample.line_length
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
