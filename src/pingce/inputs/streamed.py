"""Files larger than memory: the same rows as the readers of whole files give, chunk by chunk."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from pingce.errors import EmptyInputError
from pingce.inputs.columns import Meaning, Reading, Role, Rows, Source, Wanted, comment_note
from pingce.inputs.content import cannot_read, is_regular
from pingce.inputs.files import File
from pingce.inputs.files import format_of as format_of_rows
from pingce.inputs.names import check_roles, names_value, table_name
from pingce.inputs.partitions import NO_PARTITION, partitioned_files
from pingce.inputs.ranks import RankTally, meaning_of, with_meaning
from pingce.inputs.separators import delimiter_of
from pingce.inputs.several import joined_notes, refuse_unlike
from pingce.inputs.streamed_ahead import one_ahead
from pingce.language import Text
from pingce.sizes import unpacked_size

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.streamed_text import Part, TextFile

    Chunk = tuple[pa.Table, Source]

_Chunk = TypeVar("_Chunk")
_TALLIED: Final = 1 << 24
"Bytes of memory at least, for chunks that are only counted."
_STREAMED: Final = ("parquet", "csv", "tsv", "trec")


class Piecewise(ABC, Generic[_Chunk]):
    """One file that can be read in chunks."""

    size: int
    "Of the file, in bytes: how far a stream has come is counted in them."
    estimate: int
    "Bytes of memory that all of it would take."
    rows: int | None = None
    "Where it is known beforehand."
    meaning: Meaning = "given"
    "What its numbers are, where that is known beforehand."
    comments: int = 0
    "Lines passed over so far, in this reading."

    @abstractmethod
    def chunks(self, memory: int) -> Iterator[tuple[_Chunk, int]]:
        """Chunks of about so many bytes, in order, and how many bytes of the file were read for them so far."""


class Stream(Generic[_Chunk]):
    """A file, or all files of a folder or a pattern, in chunks; it can be read several times."""

    def __init__(self, name: Text, files: Sequence[Piecewise[_Chunk]], *, several: bool) -> None:
        self.name = name
        self.files = files
        self.several = several
        self.estimate = sum(file.estimate for file in files)
        self.size = sum(file.size for file in files)
        self.rows = 0
        "Handed out so far, in this reading."
        self.done = 0.0
        "How much of the files was read, from 0 to 1."

    def chunks(self, memory: int) -> Iterator[_Chunk]:
        """All rows from the first, in chunks of about so many bytes; the next is read while one is worked on.

        Close it (`contextlib.closing`) where it may not be read to its end: that stops the reading.
        """
        return one_ahead(self._chunks(max(memory, 1)))

    def _chunks(self, memory: int) -> Iterator[_Chunk]:
        self.rows, self.done, before = 0, 0.0, 0
        self._begin(memory)
        nothing: EmptyInputError | None = None
        for file in self.files:
            found = False
            try:
                for chunk, read in file.chunks(memory):
                    found = True
                    self.done = min(1.0, (before + read) / max(self.size, 1))
                    yield self._taken(chunk, file)
            except EmptyInputError as problem:  # writers of many parts leave some without rows
                nothing = problem
            before += file.size
            self._end(file, found=found)
        if not self.rows:
            raise self._empty(nothing)
        self.done = 1.0

    def _begin(self, memory: int) -> None: ...

    def _end(self, file: Piecewise[_Chunk], *, found: bool) -> None: ...

    @abstractmethod
    def _taken(self, chunk: _Chunk, file: Piecewise[_Chunk]) -> _Chunk: ...

    def _empty(self, nothing: EmptyInputError | None) -> EmptyInputError:
        return nothing or EmptyInputError(f"{self.name.en} has no rows", f"{self.name.zh} 没有数据行")


class RowStream(Stream[Rows]):
    """A truth table or a run. The notes of its files come together in `notes`, and not with the chunks."""

    stated = False
    "Whether the caller named the column of its grades or scores."
    notes: tuple[Text, ...] = ()
    "Complete when the last chunk was handed out; the same as of the whole table."

    _third: tuple[Meaning, Text] | None = None
    "What a third column without a name is, and the note that says so."

    def _begin(self, memory: int) -> None:
        if self._third is None and any(file.meaning == "third" for file in self.files):
            self._third = meaning_of(self._tally(max(memory, _TALLIED)), self.name)
        self._first: Rows | None = None
        self._last: Rows | None = None
        self._sources: list[Source] = []
        self._without = 0

    def _tally(self, memory: int) -> RankTally:
        """All files are read for that once before, up to the first number that is no rank."""
        tally = RankTally()
        for file in self.files:
            with suppress(EmptyInputError):
                for chunk, _ in file.chunks(memory):
                    if not tally.add(chunk):
                        return tally
        return tally

    def _taken(self, chunk: Rows, file: Piecewise[Rows]) -> Rows:
        if chunk.meaning == "third" and self._third is not None:
            chunk = with_meaning(chunk, self._third[0])
        if self._first is None:
            self._first = _head(chunk)
        else:
            refuse_unlike(self._first, chunk)
        self._last = self._last or _head(chunk)
        value = chunk.value - self.rows if chunk.meaning == "order" else chunk.value
        self.rows += len(chunk)
        name = self.name if self.several else chunk.source.name
        untyped = self._first.source.untyped_ids
        source = replace(chunk.source, name=name, notes=(), untyped_ids=untyped, stated=self.stated)
        return replace(chunk, value=value, source=source)

    def _end(self, file: Piecewise[Rows], *, found: bool) -> None:
        if found and self._last is not None:
            source = replace(self._last.source, comments=file.comments)
            self._sources.append(replace(source, notes=source.notes + comment_note(source)))
            self._last = None
        self._without += not found
        of_all = joined_notes(self._sources, self.name, self._without) if self.several else ()
        notes = of_all if self.several else tuple(note for one in self._sources for note in one.notes)
        self.notes = (*notes, self._third[1]) if self._third is not None else notes


def _head(rows: Rows) -> Rows:
    """One row, by which the kind of the others is known; it keeps nothing of them alive."""
    first = np.zeros(1, np.int64)
    source = replace(rows.source, place=lambda _: rows_name)
    rows_name = rows.source.name
    return Rows(rows.query.take(first), rows.item.take(first), rows.value[:1].copy(), source, rows.meaning)


class TableStream(Stream["Chunk"]):
    """A table of predictions; every chunk has the same columns, of the same types."""

    def _taken(self, chunk: Chunk, file: Piecewise[Chunk]) -> Chunk:
        table, source = chunk
        self.rows += table.num_rows
        return table, replace(source, name=self.name) if self.several else source

    def _empty(self, nothing: EmptyInputError | None) -> EmptyInputError:
        if self.several or nothing is None:
            return EmptyInputError(
                f"{self.name.en}: no files with rows there", f"{self.name.zh}：其中没有含数据行的文件"
            )
        return nothing


def open_rows(path: str | os.PathLike[str], role: Role, reading: Reading, most: int | None = None) -> RowStream | None:
    """A truth table, a run or excluded pairs as a stream; None for what is read at once or not at all.

    That is: standard input and pipes, JSON and Feather, query weights, excluded pairs in TREC's layout, and whatever the
    reader of whole files refuses. Compressed text is counted up to `most` bytes, where a limit was named.
    """
    from pingce.inputs.streamed_files import DelimitedRows, Nothing, ParquetRows, TrecRows

    check_roles(reading.columns)
    if role == "weights":
        return None
    opened: list[Piecewise[Rows]] = []
    files, several = _files(path, role, reading)
    for file in files:
        try:
            kind, sample = _kind(file, reading, most)
        except EmptyInputError as nothing:
            if nothing.comments:  # perhaps only at the beginning
                return None
            opened.append(Nothing(nothing))
            continue
        if kind == "parquet":
            last = opened[-1] if opened else None
            like = last.row_bytes if isinstance(last, ParquetRows) else None  # rows of one file are looked at for all
            opened.append(ParquetRows(file, reading, like))
        elif kind == "trec" and sample is not None and role != "exclude":
            opened.append(TrecRows(file, reading, sample))
        elif delimiter_of(kind) is not None and sample is not None:
            opened.append(DelimitedRows(file, reading, sample, kind))
        else:
            return None
    if not opened:
        return None
    stream = RowStream(table_name(role, Path(path).name), opened, several=several)
    stream.stated = names_value(role, reading.columns)
    return stream


def open_table(
    path: str | os.PathLike[str], wanted: Wanted, reading: Reading, most: int | None = None
) -> TableStream | None:
    """Some columns of predictions as a stream; None for what is read at once: pipes, JSON lines, Feather, mixed folders.

    Compressed text is counted up to `most` bytes, where a limit was named.
    """
    from pingce.inputs.streamed_tables import delimited_tables, parquet_tables

    present, several = _files(path, "predictions", reading)
    files, kinds = {}, {}
    for file in present:
        try:
            kinds[file.path], files[file.path] = _kind(file, reading, most), file
        except EmptyInputError:
            continue
    name = Text(Path(path).name, Path(path).name) if several else table_name("predictions", Path(path).name)
    found = {kind for kind, _ in kinds.values()}
    if found == {"parquet"}:
        return TableStream(name, parquet_tables(list(files.values()), wanted, name), several=several)
    if found and all(map(delimiter_of, found)):
        samples = [(files[each], kind, sample) for each, (kind, sample) in kinds.items() if sample is not None]
        return TableStream(name, delimited_tables(samples, wanted), several=several)
    return None


def _files(path: str | os.PathLike[str], role: Role, reading: Reading) -> tuple[list[File], bool]:
    """The files of a path, none where one of them is a pipe, and whether it is a folder or a pattern."""
    several = partitioned_files(Path(path))
    files = [
        File(each, role, reading.encoding, reading.threads, partition=partition)
        for each, partition in ([(Path(path), NO_PARTITION)] if several is None else several)
    ]
    return (files if all(is_regular(file.path) for file in files) else []), several is not None


def _kind(file: File, reading: Reading, most: int | None = None) -> tuple[str, Part | None]:
    """The format of a file, and the beginning of a text; "" where it cannot be streamed."""
    if is_parquet(file.path):
        return ("parquet" if reading.input_format in (None, "parquet") else ""), None
    sample = beginning(file, most)
    if sample is None:
        return "", None
    if file.role == "predictions":
        from pingce.inputs.prediction_files import format_of

        kind = format_of(sample, reading)
    else:
        kind = format_of_rows(sample, reading)
    return (kind if kind in _STREAMED or delimiter_of(kind) else ""), sample


def _counted(text: TextFile, most: int) -> int:
    """How many bytes follow, as far as that matters."""
    from pingce.inputs.streamed_text import SAMPLE

    count = 0
    while count < most and (more := text.read(SAMPLE)):
        count += len(more)
    return count


def is_parquet(path: Path) -> bool:
    """By its first bytes."""
    try:
        with path.open("rb") as opened:
            return opened.read(4) == b"PAR1"
    except OSError as problem:
        raise cannot_read(path, problem) from None


def beginning(file: File, most: int | None = None) -> Part | None:
    """The first records of a text, and how long all of it is, about; None of what is no text.

    What is compressed may begin otherwise than it goes on: up to `most` bytes it is counted.
    """
    from pingce.inputs.streamed_text import SAMPLE, Part, TextFile, pieces

    with closing(TextFile(file.path, file.encoding)) as text:
        if text.head.startswith((b"PAR1", b"ARROW1")):
            return None
        first = next(((begin, piece) for begin, piece in pieces(text, SAMPLE) if piece.tobytes().strip()), None)
        if first is None:
            raise file.empty()
        begin, piece = first
        expected = round((begin + len(piece)) * max(1.0, text.size / max(text.at, 1)))
        if text.compression is not None:
            expected = max(expected, unpacked_size(file.path), begin + len(piece) + _counted(text, most or 0))
    return Part(
        file.path, file.role, file.encoding, file.threads, piece, begin, expected=expected, partition=file.partition
    )
