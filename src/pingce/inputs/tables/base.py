"""What a file holds, opened: a table with its columns, and chunks of rows. All of a file at once is its only chunk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from pingce.base.lazy import pa
from pingce.inputs.columns import Meaning, Reading, Rows, Source, Wanted
from pingce.inputs.files import File
from pingce.inputs.names import map_columns, refuse_absent

Types = dict[str, "pa.DataType"]

_Chunk = TypeVar("_Chunk")
Columns = tuple["pa.Table", Source]


class Table(ABC):
    """A table in a file: the columns that the file has, and its rows in one chunk or in several."""

    names: list[str]
    headerless = False
    "Whether the names are the numbers of columns, from 1."
    untyped = False
    "Whether the file does not say what is text and what is a number."
    rows: int | None = None
    "Where it is known beforehand."

    def __init__(self, file: File) -> None:
        self.file = file

    def chunks(
        self, wanted: Wanted, memory: int | None = None, types: Types | None = None
    ) -> Iterator[tuple[Columns, int]]:
        """Some columns, in chunks of about so many bytes or all in one, and how many bytes of the file were read so far.

        Where the file has no types, `types` has those that earlier chunks showed, and is added to.
        """
        partition, path = self.file.partition, self.file.path
        stored = partition.stored(wanted, self.names)
        for (table, source), done in self.read(stored, memory, {} if types is None else types):
            yield (partition.completed(table, wanted, path, untyped=self.untyped), source), done

    @abstractmethod
    def read(self, stored: Wanted, memory: int | None, types: Types) -> Iterator[tuple[Columns, int]]:
        """The same of columns that the file has itself."""

    @abstractmethod
    def numeric(self, names: Sequence[str]) -> Sequence[str]:
        """Which of some columns hold numbers."""

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

    rows: int | None = None
    "Where it is known beforehand."
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
    def chunks(self, memory: int | None = None) -> Iterator[tuple[_Chunk, int]]:
        """Chunks of about so many bytes, or a single one, and how many bytes of the file were read for them so far."""

    def whole(self) -> _Chunk:
        """All of it."""
        [(chunk, _)] = self.chunks()
        return chunk


class TableRows(Chunked[Rows]):
    """A table of queries, items and numbers."""

    def __init__(self, table: Table, reading: Reading) -> None:
        super().__init__(table.file)
        self.table, self.rows, columns = table, table.rows, reading.columns
        if table.headerless:
            from pingce.inputs.tables.headers import counted_columns

            columns = counted_columns(self.file, columns)
        self._mapped = map_columns(table.present, self.file.role, columns, self.file.name, numeric=table.numeric)

    def estimate(self, like: Chunked[Rows] | None = None) -> int:
        """As the table has it."""
        return self.table.estimate(self._mapped.wanted, like.table if isinstance(like, TableRows) else None)

    def chunks(self, memory: int | None = None) -> Iterator[tuple[Rows, int]]:
        """The columns that play a part, as rows."""
        from pingce.inputs.frames import from_table

        for (table, source), done in self.table.chunks(self._mapped.wanted, memory):
            yield from_table(table, self._mapped, source), done


class TableColumns(Chunked[Columns]):
    """Some columns of a table of predictions."""

    def __init__(self, table: Table, wanted: Wanted, types: Types | None = None) -> None:
        super().__init__(table.file)
        self.table, self.rows, self._wanted, self._types = table, table.rows, wanted, types
        refuse_absent(wanted.columns, table.present, self.file.name)
        self.schema: pa.Schema | None = None
        "What all files of a folder have together, where they have types."

    def estimate(self, like: Chunked[Columns] | None = None) -> int:
        """As the table has it."""
        return self.table.estimate(self._wanted, like.table if isinstance(like, TableColumns) else None)

    def chunks(self, memory: int | None = None) -> Iterator[tuple[Columns, int]]:
        """In the types that all files have together."""
        for (table, source), done in self.table.chunks(self._wanted, memory, self._types):
            yield (table if self.schema is None else table.cast(self.schema), source), done
