"""What a file holds, opened: a table with its columns, and chunks of rows. All of a file at once is its only chunk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from pingce.base.lazy import pa
from pingce.inputs.columns import Meaning, Reading, Rows, Source, Wanted
from pingce.inputs.files import File
from pingce.inputs.names import map_columns, refuse_absent
from pingce.inputs.tables.detect import counted_columns

Types = dict[str, "pa.DataType"]

_Chunk = TypeVar("_Chunk")
Columns = tuple["pa.Table", Source]
Read = Iterator[tuple[_Chunk, int]]
"Chunks, and how many bytes of the file were read for them so far."


class Table(ABC):
    """A table in a file: the columns that the file has, and its rows in one chunk or in several."""

    names: list[str]
    headerless = False
    "Whether the names are the numbers of columns, from 1."
    untyped = False
    "Whether the file does not say what is text and what is a number."
    types: pa.Schema
    "Where the file has types."

    def __init__(self, file: File) -> None:
        self.file = file

    def chunks(self, wanted: Wanted, memory: int | None = None, types: Types | None = None) -> Read[Columns]:
        """Some columns, in chunks of about so many bytes or all in one, and how many bytes of the file were read so far.

        Where the file has no types, `types` has those that earlier chunks showed, and is added to.
        """
        partition, path = self.file.partition, self.file.path
        stored = partition.stored(wanted, self.names)
        for (table, source), done in self.read(stored, memory, {} if types is None else types):
            yield (partition.completed(table, wanted, path, untyped=self.untyped), source), done

    @classmethod
    def unpacked(cls, path: Path) -> int:
        """Bytes that come out of a file, as far as it tells; 0 where it does not."""
        return 0

    @abstractmethod
    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        """The same of columns that the file has itself."""

    def numeric(self, names: Sequence[str]) -> Sequence[str]:
        """Which of some columns hold numbers; by their types, where the file has types."""
        from pingce.inputs.frames import numbers_among

        return numbers_among(names, self.types)

    def estimate(self, wanted: Wanted, like: Table | None = None) -> int:
        """Bytes of memory that all of it would take; a table `like` it, of the same folder, may tell."""
        raise NotImplementedError

    def schema(self, wanted: Wanted) -> pa.Schema | None:
        """The types of columns, where the file has types."""
        return None

    @property
    def present(self) -> list[str]:
        """The columns of the file and of its folders."""
        return self.file.partition.names(self.names)


class Chunked(ABC, Generic[_Chunk]):
    """What is read of one file, in one chunk or in several."""

    meaning: Meaning = "given"
    "What its numbers are, where that is known beforehand."
    comments = 0
    "Lines passed over so far, in this reading."

    def __init__(self, file: File) -> None:
        self.file = file

    @property
    def size(self) -> int:
        """Of the file, in bytes: how far a stream has come is counted in them."""
        return self.file.path.stat().st_size

    def estimate(self, like: Chunked[_Chunk] | None = None) -> int:
        """Bytes of memory that all of it would take; the file before it in a folder may tell."""
        raise NotImplementedError

    @abstractmethod
    def chunks(self, memory: int | None = None) -> Read[_Chunk]:
        """Chunks of about so many bytes, or a single one."""

    def whole(self) -> _Chunk:
        """All of it."""
        [(chunk, _)] = self.chunks()
        return chunk


class _TableChunks(Chunked[_Chunk]):
    """Some columns of a table."""

    def __init__(self, table: Table, wanted: Wanted) -> None:
        super().__init__(table.file)
        self.table, self.wanted = table, wanted

    def estimate(self, like: Chunked[_Chunk] | None = None) -> int:
        return self.table.estimate(self.wanted, like.table if isinstance(like, _TableChunks) else None)


class TableRows(_TableChunks[Rows]):
    """The columns of a ranking, as rows."""

    def __init__(self, table: Table, reading: Reading) -> None:
        file, columns = table.file, reading.columns
        if table.headerless:
            columns = counted_columns(file, columns)
        self._mapped = map_columns(
            table.present, file.role, columns, file.name, numeric=table.numeric, subtopics=reading.subtopics
        )
        super().__init__(table, self._mapped.wanted)

    def chunks(self, memory: int | None = None) -> Read[Rows]:
        from pingce.inputs.frames import from_table

        for (table, source), done in self.table.chunks(self.wanted, memory):
            yield from_table(table, self._mapped, source), done


class TableColumns(_TableChunks[Columns]):
    """Some columns of a table of predictions, in the types that all files of a folder have together."""

    schema: pa.Schema | None = None
    "Where files have types."

    def __init__(self, table: Table, wanted: Wanted, types: Types | None = None) -> None:
        super().__init__(table, wanted)
        self._types = types
        refuse_absent(wanted.columns, table.present, self.file.name)

    def chunks(self, memory: int | None = None) -> Read[Columns]:
        for (table, source), done in self.table.chunks(self.wanted, memory, self._types):
            yield (table if self.schema is None else table.cast(self.schema), source), done
