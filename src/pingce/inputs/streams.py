"""Files larger than memory: the same rows as the readers of whole files give, chunk by chunk."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from threading import get_ident
from typing import Any, Final, Generic, TypeVar

import numpy as np

from pingce.base.addresses import file_name
from pingce.base.errors import EmptyInputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import PAIR_ROLES, Meaning, Reading, Role, Rows, Source, Wanted, comment_note, no_rows
from pingce.inputs.content import first_bytes, is_regular
from pingce.inputs.files import File
from pingce.inputs.names import check_roles, names_value, table_name
from pingce.inputs.paths import files_at, joined_notes, refuse_unlike, unlike, without_rows
from pingce.inputs.ranks import RankTally, meaning_of, with_meaning
from pingce.inputs.tables import Format, binary_format
from pingce.inputs.tables.base import Chunked, Columns, TableColumns
from pingce.inputs.tables.detect import format_of
from pingce.inputs.tables.text import beginning

_Chunk = TypeVar("_Chunk")
_TALLIED: Final = 1 << 24
"Bytes of memory at least, for chunks that are only counted."


class Stream(Generic[_Chunk]):
    """A file, or all files of a folder or a pattern, in chunks; it can be read several times."""

    def __init__(self, name: Text, files: Sequence[Chunked[_Chunk]], *, several: bool) -> None:
        self.name = name
        self.files = files
        self.several = several
        self.estimate = sum(file.estimate(like) for like, file in zip((None, *files), files, strict=False))
        "Bytes of memory that all rows would take."
        self._sizes = [file.size for file in files]
        self.rows = 0
        "Handed out so far, in this reading."
        self.done = 0.0
        "How much of the files was read, from 0 to 1."

    def chunks(self, memory: int) -> Iterator[_Chunk]:
        """All rows from the first, in chunks of about so many bytes; the next is read while one is worked on.

        Close it (`contextlib.closing`) where it may not be read to its end: that stops the reading.
        """
        return one_ahead(self._chunks(max(memory, 1)))

    def _chunks(self, memory: int) -> Generator[_Chunk, None, None]:
        self.rows, self.done, before = 0, 0.0, 0
        self._begin(memory)
        nothing: EmptyInputError | None = None
        for file, size in zip(self.files, self._sizes, strict=True):
            any_rows = False
            try:
                for chunk, read in file.chunks(memory):
                    any_rows = True
                    self.done = min(1.0, (before + read) / max(sum(self._sizes), 1))
                    yield self._taken(chunk, file)
            except EmptyInputError as problem:  # writers of many parts leave some without rows
                nothing = problem
            before += size
            self._end(file, any_rows=any_rows)
        if not self.rows:
            raise self._empty(nothing)
        self.done = 1.0

    def _begin(self, memory: int) -> None: ...

    def _end(self, file: Chunked[_Chunk], *, any_rows: bool) -> None: ...

    @abstractmethod
    def _taken(self, chunk: _Chunk, file: Chunked[_Chunk]) -> _Chunk: ...

    def _empty(self, nothing: EmptyInputError | None) -> EmptyInputError:
        return nothing or no_rows(self.name)


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

    def _taken(self, chunk: Rows, file: Chunked[Rows]) -> Rows:
        if chunk.meaning == "third" and self._third is not None:
            chunk = with_meaning(chunk, self._third[0])
        self._last = self._last or _head(chunk)
        self._first = self._first or self._last
        refuse_unlike(self._first, chunk)
        value = chunk.value - self.rows if chunk.meaning == "order" else chunk.value
        self.rows += len(chunk)
        name = self.name if self.several else chunk.source.name
        untyped = self._first.source.untyped_ids
        source = replace(chunk.source, name=name, notes=(), untyped_ids=untyped, stated=self.stated)
        return replace(chunk, value=value, source=source)

    def _end(self, file: Chunked[Rows], *, any_rows: bool) -> None:
        if any_rows and self._last is not None:
            source = replace(self._last.source, comments=file.comments)
            self._sources.append(replace(source, notes=source.notes + comment_note(source)))
            self._last = None
        self._without += not any_rows
        notes = tuple(note for each in self._sources for note in each.notes)
        notes = joined_notes(self._sources, self.name, self._without) if self.several else notes
        self.notes = (*notes, self._third[1]) if self._third is not None else notes


def _head(rows: Rows) -> Rows:
    """One row, by which the kind of the others is known; it keeps nothing of them alive."""
    first = np.zeros(1, np.int64)
    source = replace(rows.source, place=lambda _: rows_name)
    rows_name = rows.source.name
    subtopic = None if rows.subtopic is None else rows.subtopic.take(first)
    query, item = rows.query.take(first), rows.item.take(first)
    weight = None if rows.weight is None else rows.weight[:1].copy()
    return Rows(query, item, rows.value[:1].copy(), source, rows.meaning, subtopic=subtopic, weight=weight)


class TableStream(Stream["Columns"]):
    """A table of predictions; every chunk has the same columns, of the same types."""

    def _taken(self, chunk: Columns, file: Chunked[Columns]) -> Columns:
        table, source = chunk
        self.rows += table.num_rows
        return table, replace(source, name=self.name) if self.several else source

    def _empty(self, nothing: EmptyInputError | None) -> EmptyInputError:
        if self.several or nothing is None:
            return without_rows(self.name)
        return nothing


class _Empty(Chunked[Rows]):
    """A file without content."""

    size = 0

    def __init__(self, file: File, problem: EmptyInputError) -> None:
        super().__init__(file)
        self._problem = problem

    def estimate(self, like: Chunked[Rows] | None = None) -> int:
        """Nothing."""
        return 0

    def chunks(self, memory: int | None = None) -> Iterator[tuple[Rows, int]]:
        """None."""
        raise self._problem


def open_rows(path: str | os.PathLike[str], role: Role, reading: Reading, most: int | None = None) -> RowStream | None:
    """A truth table, a run or excluded pairs as a stream; None for what is read at once or not at all.

    That is: standard input and pipes, formats that do not stream, query weights, excluded pairs in TREC's layout, and
    whatever the reader of whole files refuses. Compressed text is counted up to `most` bytes, where a limit was named.
    """
    check_roles(reading.columns)
    if role in ("weights", "catalog"):
        return None
    opened: list[Chunked[Rows]] = []
    files, several = files_at(path, role, reading)
    for file in files:
        try:
            begun = _beginning(file, reading, most)
            if begun is None or (role in PAIR_ROLES and not begun[0].tabular):
                return None
            opened.append(begun[0].open_rows(begun[1], reading))
        except EmptyInputError as nothing:
            if nothing.comments:  # perhaps only at the beginning
                return None
            opened.append(_Empty(file, nothing))
    if not opened:
        return None
    stream = RowStream(table_name(role, file_name(path)), opened, several=several)
    stream.stated = names_value(role, reading.columns)
    return stream


def open_table(
    path: str | os.PathLike[str], wanted: Wanted, reading: Reading, most: int | None = None
) -> TableStream | None:
    """Some columns of predictions as a stream; None for what is read at once: pipes, formats that do not stream, mixed folders.

    Compressed text is counted up to `most` bytes, where a limit was named.
    """
    files, several = files_at(path, "predictions", reading)
    opened: list[tuple[Format, File]] = []
    for file in files:
        try:
            begun = _beginning(file, reading, most)
        except EmptyInputError:
            continue
        if begun is None or not begun[0].tabular:
            return None
        opened.append(begun)
    if len({kind.opener for kind, _ in opened}) != 1:
        return None
    called = file_name(path)
    name = Text(called, called) if several else table_name("predictions", called)
    types: dict[str, pa.DataType] = {}
    tables = [TableColumns(kind.open_table(file, wanted.columns), wanted, types) for kind, file in opened]
    _unify(tables, wanted, name)
    return TableStream(name, tables, several=several)


def _unify(tables: Sequence[TableColumns], wanted: Wanted, name: Text) -> None:
    """Bring the types of several files together, as for a whole one, where files have types."""
    schemas = [schema for each in tables if (schema := each.table.schema(wanted)) is not None]
    if not schemas:
        return
    try:
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as problem:
        raise unlike(name, problem) from None
    for each in tables:
        each.schema = schema


def _beginning(file: File, reading: Reading, most: int | None) -> tuple[Format, File] | None:
    """The format of a file, and so much of it that its columns are known; None where it cannot be streamed."""
    if not is_regular(file.path):
        return None
    kind, begun = binary_format(first_bytes(file.path)), file
    if kind is None:
        text = beginning(file, most)
        if text is None:
            return None
        kind, begun = format_of(text, reading), text
    elif reading.input_format not in (None, kind.name):
        return None
    return (kind, begun) if kind.streams else None


_Item = TypeVar("_Item")
_END: Any = object()


def one_ahead(items: Generator[_Item, None, None]) -> Iterator[_Item]:
    """The same items. At most two are alive: the caller's and the next. Closing it stops the thread, also on an error."""
    pool = ThreadPoolExecutor(1)
    reader = pool.submit(get_ident).result()
    try:
        coming = pool.submit(next, items, _END)
        while (item := coming.result()) is not _END:
            coming = pool.submit(next, items, _END)
            yield item
            del item
    finally:
        waits = get_ident() != reader  # an iterator that nobody closed may be collected by the thread that reads for it
        pool.shutdown(wait=waits)
        if waits:
            items.close()
