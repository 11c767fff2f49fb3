"""Files by columns. Of Parquet only the columns that matter are read, at once or in batches of rows; Feather, Arrow's own, at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pingce.base.lazy import pa
from pingce.base.prefetch import changed
from pingce.inputs.arrow import is_string
from pingce.inputs.columns import Wanted, no_rows
from pingce.inputs.compressed import more_than_fits, room
from pingce.inputs.content import has_changed
from pingce.inputs.files import File, Handle, opened
from pingce.inputs.tables import Format
from pingce.inputs.tables.base import Columns, Read, Table, Types

_LARGE = 1 << 27
"Bytes that fit anywhere."
_SAMPLED: Final = 4096
"Rows by which the memory of all is estimated."
_CELLS: Final = 24
"Bytes of a row in memory, at least: an id, another, and a number."


def _footer(handle: Handle) -> Any:
    from pyarrow import parquet

    handle.reader = handle.reader or parquet.ParquetFile(handle.source)
    return handle.reader


class ParquetTable(Table):
    """A table by its footer."""

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        with file.readable("Parquet"), file.opened(keep=True) as handle:
            self._look, self._metadata = handle.look, _footer(handle).metadata
            self.types = _footer(handle).schema_arrow
            self.names = self.types.names  # which need not be text
        self._row_bytes: int = 0
        self._sound: set[str] = set()
        "Columns of which every group of rows can be read."

    @classmethod
    def unpacked(cls, path: Path) -> int:
        """What the footer says: pages after decompression, and rows, of which a page may hold millions."""
        with suppress(pa.ArrowException, OSError, UnicodeDecodeError):  # whoever reads it will say so
            with opened(path, keep=True) as handle:
                footer = _footer(handle).metadata
            groups = (footer.row_group(group).total_byte_size for group in range(footer.num_row_groups))
            return int(max(sum(groups), footer.num_rows * _CELLS))
        return 0

    def schema(self, wanted: Wanted) -> pa.Schema:
        partition = self.file.partition
        columns = partition.stored(wanted, self.names).columns
        stored = pa.schema([self.types.field(name).remove_metadata() for name in columns])
        return partition.completed(stored.empty_table(), wanted, self.file.path).schema

    def estimate(self, wanted: Wanted, like: Table | None = None) -> int:
        """By the first rows, of this file or of one like it, and by the footer."""
        columns = list(self.file.partition.stored(wanted, self.names).columns)
        row_bytes = self._sampled(columns, wanted, like)
        with self.file.readable("Parquet"), self.file.opened(keep=True) as handle:
            return max(int(self._metadata.num_rows) * row_bytes, self._pages_size(columns, handle))

    def _sampled(self, columns: list[str], wanted: Wanted, like: Table | None = None) -> int:
        """Bytes of memory a row takes."""
        if not self._row_bytes and isinstance(like, ParquetTable) and like._metadata.num_rows:
            self._row_bytes = like._row_bytes
        if not self._row_bytes:
            with self.file.readable("Parquet"), self.file.opened(keep=True) as handle:
                batches = self._reader(handle, [], whole=False).iter_batches(_SAMPLED, columns=columns)
                batch = next(batches, None)
            ids = 8 if wanted.query is not None else 0
            self._row_bytes = ids + (int(batch.nbytes) // len(batch) + 1 if batch else 1)
        return self._row_bytes

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        """Rows are counted from 0; how many bytes were read is told by how many rows were."""
        columns, taken = list(stored.columns), 0
        size = self._look.st_size if self._look else 0
        if memory is None and (all_columns := self._footer_size()) > _LARGE and all_columns > room():
            # Few bytes may hold very many.
            with self.file.readable("Parquet"), self.file.opened(keep=True) as handle:
                most = max(self._metadata.num_rows * 8 * len(columns), self._pages_size(columns, handle))
            if most > room():
                raise more_than_fits(self.file.path, most)
        if memory is not None:
            memory = max(1, memory // self._sampled(columns, stored))
        with self.file.readable("Parquet"), self.file.opened() as handle:
            self._refuse_another(handle, whole=memory is None)
            coded = self._coded(stored, handle)
            if memory is None:
                tables = iter([self._read_whole(handle, coded, columns)])
            else:
                tables = _filled(self._reader(handle, coded, whole=False), memory, columns)
            for table in tables:
                if stored.query is None:
                    table.validate(full=True)  # of ids the readers of rankings see to it
                source = self.file.counted_rows(taken)
                taken += table.num_rows
                yield (table, source), size * taken // max(self._metadata.num_rows, 1)
        if memory is not None and not taken:
            raise no_rows(self.file.name)

    def _refuse_another(self, handle: Handle, *, whole: bool) -> None:
        """Refuse a file that is another one since its footer was read; one with the same columns may be read as a whole."""
        if not (self._look and handle.look and changed(self._look, handle.look)):
            return
        if not whole or not _footer(handle).schema_arrow.equals(self.types):
            raise has_changed(self.file.path)
        self._metadata = _footer(handle).metadata

    def _reader(self, handle: Handle, coded: list[str], *, whole: bool) -> Any:
        from pyarrow import parquet

        if whole and not coded:
            return _footer(handle)
        size = 0 if whole else 1 << 20
        return parquet.ParquetFile(handle.source, metadata=self._metadata, read_dictionary=coded, buffer_size=size)

    def _read_whole(self, handle: Handle, coded: list[str], columns: list[str]) -> pa.Table:
        """All rows; some groups of them on each processor, as one column may be most of the work."""
        groups = range(self._metadata.num_row_groups)
        workers = min(len(groups), pa.cpu_count())
        if workers < 2:
            return self._reader(handle, coded, whole=True).read(columns=columns)
        from concurrent.futures import ThreadPoolExecutor

        from pyarrow import parquet

        def read_some(worker: int) -> pa.Table:
            some = groups[worker * len(groups) // workers : (worker + 1) * len(groups) // workers]
            reader = parquet.ParquetFile(handle.source, metadata=self._metadata, read_dictionary=coded)
            return reader.read_row_groups(list(some), columns=columns, use_threads=False)

        with ThreadPoolExecutor(workers) as pool:
            return pa.concat_tables(pool.map(read_some, range(workers)))

    def _coded(self, stored: Wanted, handle: Handle) -> list[str]:
        """The query column, if it can be read as a dictionary: it stands in many rows, and most writers write it as one."""
        name = stored.query
        if name is None or name not in self.names or not is_string(self.types.field(name).type):
            return []
        # DuckDB and Parquet v2 write an encoding that Arrow cannot make a dictionary of.
        chunks = self._column_chunks([name], handle)
        deltas = any(kind.startswith("DELTA") for chunk in chunks for kind in chunk.encodings)
        return [] if deltas else [name]

    def _column_chunks(self, names: Sequence[str], handle: Handle) -> Iterator[Any]:
        self._refuse_odd_chunks([name for name in names if name not in self._sound], handle)
        footer = self._metadata
        places = [at for at in range(footer.num_columns) if footer.schema.column(at).path in names]
        groups = [footer.row_group(group) for group in range(footer.num_row_groups)]
        return (group.column(place) for group in groups for place in places)

    def _refuse_odd_chunks(self, names: list[str], handle: Handle) -> None:
        """Refuse columns of which a group of rows cannot be read: pyarrow ends the process where it is asked for its chunks then."""
        for group in range(self._metadata.num_row_groups if names else 0):
            next(_footer(handle).iter_batches(1, row_groups=[group], columns=names), None)
        self._sound.update(names)

    def _footer_size(self) -> int:
        """Bytes of all columns after decompression, or of as many numbers as there are cells, as the footer says."""
        footer = self._metadata
        pages = sum(int(footer.row_group(group).total_byte_size) for group in range(footer.num_row_groups))
        return max(int(footer.num_rows) * 8 * int(footer.num_columns), pages)

    def _pages_size(self, columns: Sequence[str], handle: Handle) -> int:
        """Bytes of columns after decompression, as the footer says: before runs and dictionaries are written out."""
        return sum(chunk.total_uncompressed_size for chunk in self._column_chunks(columns, handle))


def _filled(reader: Any, rows: int, columns: list[str]) -> Iterator[pa.Table]:
    """Tables of as many rows; a reader ends its batches where a group of rows or a dictionary ends."""
    held: list[Any] = []
    count = 0
    for batch in reader.iter_batches(rows, columns=columns, use_threads=True):
        if count + len(batch) > rows and held:
            yield pa.Table.from_batches(held)
            held, count = [], 0
        if len(batch):
            held.append(batch)
            count += len(batch)
        del batch
    if held:
        yield pa.Table.from_batches(held)


class FeatherTable(Table):
    """A table by its schema."""

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        with file.readable("Feather"), file.opened(keep=True) as handle:
            self.types = pa.ipc.open_file(handle.source).schema
            self.names = self.types.names

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        with self.file.readable("Feather"), self.file.opened() as handle:
            reader = pa.ipc.open_file(handle.source)
            if not reader.schema.equals(self.types):  # another file has its name now
                raise has_changed(self.file.path)
            table = reader.read_all().select(list(stored.columns))
            table.validate(full=True)  # its offsets come from the file, and the core follows them
        yield (table, self.file.counted_rows()), 0
