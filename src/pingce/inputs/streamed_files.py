"""Truth tables and runs in chunks, by the readers of whole files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import EmptyInputError
from pingce.base.prefetch import changed
from pingce.inputs.columns import Reading, Rows
from pingce.inputs.content import has_changed
from pingce.inputs.delimited import read_delimited
from pingce.inputs.headers import header_lines, titles_of
from pingce.inputs.names import asked_of, map_columns
from pingce.inputs.numeric import of_schema
from pingce.inputs.separators import delimiter_of
from pingce.inputs.shapes import shape_of
from pingce.inputs.streamed import Piecewise
from pingce.inputs.streamed_text import Part, TextFile, pieces
from pingce.inputs.structured import coded_queries, counted_rows, pages_size
from pingce.inputs.tables import from_table

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.files import File

_SAMPLED = 4096
"Rows by which the memory of all is estimated."


class Nothing(Piecewise[Rows]):
    """A file without content."""

    size = estimate = rows = 0

    def __init__(self, problem: EmptyInputError | None = None) -> None:
        self._problem = problem

    def chunks(self, memory: int) -> Iterator[tuple[Rows, int]]:
        """None."""
        if self._problem is not None:
            raise self._problem
        yield from ()


class TextParts:
    """A text file in parts, each of which the reader of whole files takes for a file.

    Tables have a delimiter, and a header unless the words by which the caller calls columns count them.
    """

    def __init__(
        self,
        file: File,
        sample: Part,
        *,
        copies: int,
        more: int,
        delimiter: str | None = None,
        words: Sequence[str] = (),
    ) -> None:
        self._file, self._sample, self._delimiter = file, sample, delimiter
        self.size = file.path.stat().st_size
        self._memory = copies + more / sample.line_length
        "Bytes of memory a byte of text."
        self.estimate = round(sample.expected * self._memory)
        self._skipped = sample.lines_before
        self._headerless = delimiter is not None and titles_of(sample, delimiter, words).headerless
        has_header = delimiter is not None and not self._headerless
        lines = header_lines(sample, str(delimiter)) - self._skipped if has_header else 0
        self._header = b"".join(line + b"\n" for line in sample.content.tobytes().split(b"\n")[:lines])
        self._first = sample.first_row() if delimiter is None else None

    def read(self, memory: int, reader: Callable[[Part], Any]) -> Iterator[tuple[Any, int]]:
        """What the reader makes of each part, and how many bytes of the file were read."""
        found, problem = False, None
        file, above = self._file, self._sample.begin + len(self._header)
        with closing(TextFile(file.path, file.encoding)) as text:
            for begin, piece in pieces(text, max(1, round(memory / self._memory)), self._quoted()):
                if begin + len(piece) <= above:
                    continue
                below = piece[max(0, above - begin) :]
                try:
                    made = reader(self._part(below, max(begin, above), within=found))
                except EmptyInputError as nothing:  # blank lines
                    problem = nothing
                    continue
                found = True
                yield made, text.at
        if not found:
            raise problem or EmptyInputError(f"{file.name.en} has no rows", f"{file.name.zh} 没有数据行")

    def _part(self, text: Any, begin: int, *, within: bool) -> Part:
        file = self._file
        below = Part(file.path, file.role, file.encoding, file.threads, text, begin)
        below = replace(below, partition=file.partition, within=within, headerless=self._headerless)
        return replace(below, header=self._header, above_header=self._skipped, first=self._first)

    def _quoted(self) -> str | None:
        return self._delimiter if self._delimiter != "\t" else None


class TrecRows(Piecewise[Rows]):
    """TREC text; the first line of the file decides which shape all of it has."""

    def __init__(self, file: File, reading: Reading, sample: Part) -> None:
        self._reading = reading
        self.meaning = shape_of(sample, reading.columns).meaning
        self._parts = TextParts(file, sample, copies=1, more=40)
        self.size, self.estimate = self._parts.size, self._parts.estimate

    def chunks(self, memory: int) -> Iterator[tuple[Rows, int]]:
        """As the reader of whole files has them."""
        self.comments = 0
        return self._parts.read(memory, self._read)

    def _read(self, part: Part) -> Rows:
        from pingce.inputs.trec import read_trec

        try:
            rows = read_trec(part, self._reading)
        except EmptyInputError as nothing:
            self.comments += nothing.comments
            raise
        self.comments += rows.source.comments
        return rows


class DelimitedRows(Piecewise[Rows]):
    """A table with commas or tabs."""

    def __init__(self, file: File, reading: Reading, sample: Part, kind: str) -> None:
        self._reading, self._delimiter = reading, str(delimiter_of(kind))
        words = list(asked_of(file.role, reading.columns).values())
        self._parts = TextParts(file, sample, copies=2, more=24, delimiter=self._delimiter, words=words)
        self.size, self.estimate = self._parts.size, self._parts.estimate

    def chunks(self, memory: int) -> Iterator[tuple[Rows, int]]:
        """As the reader of whole files has them."""
        return self._parts.read(memory, lambda part: read_delimited(part, self._reading, self._delimiter))


class ParquetParts:
    """A Parquet file in batches of rows."""

    def __init__(
        self, file: File, columns: Callable[[pa.Schema], list[str]], *, more: int, row_bytes: int | None = None
    ) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self._file, self._more = file, more
        self._found = file.path.stat()
        self.size = self._found.st_size
        try:
            with file.opened() as source:
                self._known = parquet.ParquetFile(source)
                self.schema: pa.Schema = self._known.schema_arrow
                self.columns = columns(self.schema)
                self.rows = self._known.metadata.num_rows
                self.row_bytes = row_bytes or self._sampled(source)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
            raise file.unreadable("Parquet", problem) from None
        self.estimate = max(self.rows * self.row_bytes, pages_size(self.metadata, self.columns))

    @property
    def metadata(self) -> Any:
        """What the footer says."""
        return self._known.metadata

    def _sampled(self, source: Any) -> int:
        batch = next(self._reader(source, []).iter_batches(_SAMPLED, columns=self.columns), None)
        return self._more + (batch.nbytes // len(batch) + 1 if batch else 1)

    def _reader(self, source: Any, coded: list[str]) -> Any:
        from pyarrow import parquet

        return parquet.ParquetFile(
            source, metadata=self._known.metadata, read_dictionary=coded, buffer_size=1 << 20, pre_buffer=False
        )

    def read(self, memory: int, coded: list[str] | None = None) -> Iterator[tuple[pa.Table, int, int]]:
        """Batches as tables, the number of the first row of each, and how many bytes of the file were read, about."""
        import pyarrow as pa

        rows, taken = max(1, memory // self.row_bytes), 0
        try:
            with self._file.opened() as source:
                if changed(self._found, self._file.path.stat()):  # since its footer was read
                    raise has_changed(self._file.path)
                for table in _filled(self._reader(source, coded or []), rows, self.columns):
                    at, taken = taken, taken + table.num_rows
                    yield table, at, self.size * taken // self.rows
        except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
            raise self._file.unreadable("Parquet", problem) from None
        if not taken:
            name = self._file.name
            raise EmptyInputError(f"{name.en} has no rows", f"{name.zh} 没有数据行")


def _filled(reader: Any, rows: int, columns: list[str]) -> Iterator[pa.Table]:
    """Tables of as many rows; a reader ends its batches where a group of rows or a dictionary ends."""
    import pyarrow as pa

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


class ParquetRows(Piecewise[Rows]):
    """A Parquet file; only the columns that matter are read."""

    def __init__(self, file: File, reading: Reading, row_bytes: int | None = None) -> None:
        self._file = file
        self._parts = ParquetParts(file, lambda schema: self._mapped(schema, reading), more=8, row_bytes=row_bytes)
        self.size, self.estimate, self.rows = self._parts.size, self._parts.estimate, self._parts.rows
        self.row_bytes = self._parts.row_bytes if self.rows else None

    def _mapped(self, schema: pa.Schema, reading: Reading) -> list[str]:
        partition = self._file.partition
        names, numeric = partition.names(schema.names), of_schema(schema)
        self._map = map_columns(names, self._file.role, reading.columns, self._file.name, numeric=numeric)
        return list(partition.stored(self._map.wanted, schema.names).columns)

    def chunks(self, memory: int) -> Iterator[tuple[Rows, int]]:
        """As the reader of whole files has them."""
        coded = coded_queries(self._parts.schema, self._parts.metadata, self._map)
        for stored, row, read in self._parts.read(memory, coded):
            table = self._file.partition.completed(stored, self._map.wanted, self._file.path)
            yield from_table(table, self._map, counted_rows(self._file, row)), read
