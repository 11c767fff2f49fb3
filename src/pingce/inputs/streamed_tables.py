"""Tables of predictions in chunks, by the readers of whole files. All chunks have the same types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pingce.base.errors import EmptyInputError
from pingce.base.text import Text
from pingce.inputs.columns import Source, Wanted
from pingce.inputs.delimited import read_columns
from pingce.inputs.headers import titles_of
from pingce.inputs.prediction_files import unlike
from pingce.inputs.predictions import refuse_absent
from pingce.inputs.separators import delimiter_of
from pingce.inputs.streamed import Piecewise
from pingce.inputs.streamed_files import ParquetParts, TextParts
from pingce.inputs.structured import counted_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.files import File
    from pingce.inputs.streamed_text import Part

    Chunk = tuple[pa.Table, Source]


class _ParquetTable(Piecewise["Chunk"]):
    def __init__(self, file: File, wanted: Wanted, row_bytes: int | None) -> None:
        self._file, self._wanted = file, wanted
        self._parts = ParquetParts(file, lambda schema: self._present(schema, wanted), more=0, row_bytes=row_bytes)
        self.size, self.estimate, self.rows = self._parts.size, self._parts.estimate, self._parts.rows
        self.row_bytes = self._parts.row_bytes if self.rows else None
        self.schema: pa.Schema = self._chosen(wanted)

    def _present(self, schema: pa.Schema, wanted: Wanted) -> list[str]:
        partition = self._file.partition
        refuse_absent(wanted.columns, partition.names(schema.names), self._file.name)
        return list(partition.stored(wanted, schema.names).columns)

    def _chosen(self, wanted: Wanted) -> pa.Schema:
        import pyarrow as pa

        stored = pa.schema([self._parts.schema.field(name).remove_metadata() for name in self._parts.columns])
        schema: pa.Schema = self._completed(stored.empty_table()).schema
        return schema

    def _completed(self, table: pa.Table) -> pa.Table:
        return self._file.partition.completed(table, self._wanted, self._file.path)

    def chunks(self, memory: int) -> Iterator[tuple[Chunk, int]]:
        """In the types that all files have together."""
        for table, row, read in self._parts.read(memory):
            table.validate(full=True)
            whole = self._completed(table)
            yield (whole.select(self.schema.names).cast(self.schema), counted_rows(self._file, row)), read


def parquet_tables(files: Sequence[File], wanted: Wanted, name: Text) -> list[_ParquetTable]:
    """Parquet files that make one table; their types are brought together as for a whole one."""
    import pyarrow as pa

    tables: list[_ParquetTable] = []
    for file in files:
        like = tables[-1].row_bytes if tables else None  # the rows of one file are looked at for all
        tables.append(_ParquetTable(file, wanted, like))
    try:
        schema = pa.unify_schemas([table.schema for table in tables], promote_options="permissive")
    except pa.ArrowException as problem:
        raise unlike(name, problem) from None
    for table in tables:
        table.schema = schema
    return tables


class _DelimitedTable(Piecewise["Chunk"]):
    def __init__(self, file: File, kind: str, sample: Part, wanted: Wanted, known: dict[str, pa.DataType]) -> None:
        self._wanted, self._delimiter, self._known = wanted, str(delimiter_of(kind)), known
        titles = titles_of(sample, self._delimiter, wanted.columns)
        refuse_absent(wanted.columns, file.partition.names(titles.names), file.name)
        self._parts = TextParts(file, sample, copies=2, more=24, delimiter=self._delimiter, words=wanted.columns)
        self.size, self.estimate = self._parts.size, self._parts.estimate

    def chunks(self, memory: int) -> Iterator[tuple[Chunk, int]]:
        """Columns whose type nobody said have the one that the first rows show."""
        return self._parts.read(memory, self._read)

    def _read(self, part: Part) -> Chunk:
        import pyarrow as pa

        table, source = read_columns(part, self._delimiter, self._wanted, self._known)
        if not table.num_rows:
            raise EmptyInputError(f"{source.name.en} has no rows", f"{source.name.zh} 没有数据行")
        fixed = {*self._wanted.texts, *self._wanted.numbers, *self._known}
        shown = {field.name: field.type for field in table.schema if not pa.types.is_null(field.type)}
        self._known |= {name: kind for name, kind in shown.items() if name not in fixed}
        return table, source


def delimited_tables(files: Sequence[tuple[File, str, Part]], wanted: Wanted) -> list[_DelimitedTable]:
    """Files with commas or tabs that make one table; the first rows of the first say what their columns hold."""
    known: dict[str, pa.DataType] = {}
    return [_DelimitedTable(file, kind, sample, wanted, known) for file, kind, sample in files]
