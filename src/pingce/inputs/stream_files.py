"""Opening files as streams: which of them can be read chunk by chunk, and how long they are, about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pingce.base.errors import EmptyInputError
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Role, Rows, Wanted
from pingce.inputs.content import first_bytes, is_regular
from pingce.inputs.files import File
from pingce.inputs.names import check_roles, names_value, table_name
from pingce.inputs.partitions import NO_FOLDER_COLUMNS, partitioned_files
from pingce.inputs.paths import unlike
from pingce.inputs.streams import RowStream, TableStream
from pingce.inputs.tables import Format, binary_format
from pingce.inputs.tables.base import Chunked, TableColumns
from pingce.inputs.tables.detect import format_of
from pingce.inputs.tables.parts import beginning

if TYPE_CHECKING:
    import pyarrow as pa


class _Empty(Chunked[Rows]):
    """A file without content."""

    size = rows = 0

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
    if role == "weights":
        return None
    opened: list[Chunked[Rows]] = []
    files, several = _files(path, role, reading)
    for file in files:
        try:
            begun = _beginning(file, reading, most)
            if begun is None or (role == "exclude" and not begun[0].tabular):
                return None
            opened.append(begun[0].open_rows(begun[1], reading))
        except EmptyInputError as nothing:
            if nothing.comments:  # perhaps only at the beginning
                return None
            opened.append(_Empty(file, nothing))
    if not opened:
        return None
    stream = RowStream(table_name(role, Path(path).name), opened, several=several)
    stream.stated = names_value(role, reading.columns)
    return stream


def open_table(
    path: str | os.PathLike[str], wanted: Wanted, reading: Reading, most: int | None = None
) -> TableStream | None:
    """Some columns of predictions as a stream; None for what is read at once: pipes, formats that do not stream, mixed folders.

    Compressed text is counted up to `most` bytes, where a limit was named.
    """
    files, several = _files(path, "predictions", reading)
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
    name = Text(Path(path).name, Path(path).name) if several else table_name("predictions", Path(path).name)
    types: dict[str, pa.DataType] = {}
    tables = [TableColumns(kind.open_table(file, wanted.columns), wanted, types) for kind, file in opened]
    _unify(tables, wanted, name)
    return TableStream(name, tables, several=several)


def _unify(tables: Sequence[TableColumns], wanted: Wanted, name: Text) -> None:
    """Bring the types of several files together, as for a whole one, where files have types."""
    import pyarrow as pa

    schemas = [schema for each in tables if (schema := each.table.schema(wanted)) is not None]
    if not schemas:
        return
    try:
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as problem:
        raise unlike(name, problem) from None
    for each in tables:
        each.schema = schema


def _files(path: str | os.PathLike[str], role: Role, reading: Reading) -> tuple[list[File], bool]:
    """The files of a path, none where one of them is a pipe, and whether it is a folder or a pattern."""
    several = partitioned_files(Path(path))
    files = [
        File(each, role, reading.encoding, reading.threads, partition=partition)
        for each, partition in ([(Path(path), NO_FOLDER_COLUMNS)] if several is None else several)
    ]
    return (files if all(is_regular(file.path) for file in files) else []), several is not None


def _beginning(file: File, reading: Reading, most: int | None) -> tuple[Format, File] | None:
    """The format of a file, and so much of it that its columns are known; None where it cannot be streamed."""
    kind, begun = binary_format(first_bytes(file.path)), file
    if kind is None:
        text = beginning(file, most)
        if text is None:
            return None
        kind, begun = format_of(text, reading), text
    elif reading.input_format not in (None, kind.name):
        return None
    return (kind, begun) if kind.streams else None
