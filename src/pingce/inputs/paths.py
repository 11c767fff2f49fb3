"""Files, folders and patterns, read at once. A folder or a pattern is one table in several files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pingce.base.errors import EmptyInputError, InputError, first_words
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Role, Rows, Source, Wanted, comment_note, with_notes
from pingce.inputs.content import is_regular
from pingce.inputs.files import File
from pingce.inputs.names import table_name
from pingce.inputs.partitions import NO_FOLDER_COLUMNS, FolderColumns, partitioned_files
from pingce.inputs.tables.detect import format_of

if TYPE_CHECKING:
    from pingce.inputs.tables.base import Columns

_LARGE = 1 << 26
"Bytes of a text of which only the beginning is read to see its columns."


def read_rows(path: str | os.PathLike[str], role: Role, reading: Reading) -> Rows:
    """Rows of a file, or of all files of a folder or a pattern such as part-*.parquet, one after another."""
    from pingce.inputs.ranks import resolve_third_column

    paths = partitioned_files(Path(path))
    if paths is None:
        return resolve_third_column(_rows_of_file(Path(path), role, reading))
    if not paths:
        raise InputError(
            f"{path}: no files there; hidden files and names that begin with _ are not read",
            f"{path}：其中没有文件；隐藏文件和以 _ 开头的文件不会读取",
        )
    from pingce.inputs.several import joined_rows

    parts, problem = [], None
    for each, partition in paths:
        try:
            parts.append(_rows_of_file(each, role, reading, partition))
        except EmptyInputError as nothing:  # writers of many parts leave some without rows
            problem = nothing
    if not parts and problem is not None:
        raise problem
    rows = joined_rows(parts, table_name(role, Path(path).name), len(paths) - len(parts))
    return resolve_third_column(rows)


def _rows_of_file(path: Path, role: Role, reading: Reading, partition: FolderColumns = NO_FOLDER_COLUMNS) -> Rows:
    file = File(path, role, reading.encoding, reading.threads, partition=partition)
    rows = format_of(file, reading).open_rows(file, reading).whole()
    return with_notes(rows, *comment_note(rows.source))


def read_columns(path: str | os.PathLike[str], wanted: Wanted, reading: Reading) -> Columns:
    """Some columns of predictions, of a file, or of all files of a folder or a pattern, one after another."""
    paths = partitioned_files(Path(path))
    if paths is None:
        return _columns_of_file(Path(path), wanted, reading)
    parts = []
    for each, partition in paths:
        try:
            parts.append(_columns_of_file(each, wanted, reading, partition))
        except EmptyInputError:  # writers of many parts leave some without rows
            continue
    if not parts:
        raise EmptyInputError(f"{path}: no files with rows there", f"{path}：其中没有含数据行的文件")
    return _joined(parts, Text(Path(path).name, Path(path).name))


def _columns_of_file(
    path: Path, wanted: Wanted, reading: Reading, partition: FolderColumns = NO_FOLDER_COLUMNS
) -> Columns:
    from pingce.inputs.tables.base import TableColumns

    file = _kept_file(path, reading, partition)
    return TableColumns(format_of(file, reading).open_table(file, wanted.columns), wanted).whole()


def column_names(path: str | os.PathLike[str], reading: Reading) -> list[str]:
    """The columns of a file of predictions, or of the first of several."""
    paths = partitioned_files(Path(path))
    if paths is not None and not paths:
        raise EmptyInputError(f"{path}: no files there", f"{path}：其中没有文件")
    first, partition = (Path(path), NO_FOLDER_COLUMNS) if paths is None else paths[0]
    file = _kept_file(first, reading, partition)
    if "raw" not in file.__dict__ and is_regular(first) and first.stat().st_size >= _LARGE:
        from pingce.inputs.tables.parts import beginning

        file = beginning(file) or file
    return format_of(file, reading).open_table(file).present


def _kept_file(path: Path, reading: Reading, partition: FolderColumns) -> File:
    """The file, with what was read of it before: a pipe can be read only once."""
    file = File(path, "predictions", reading.encoding, reading.threads, partition=partition)
    return reading.opened.setdefault(path, file)


def _joined(parts: Sequence[Columns], name: Text) -> Columns:
    import pyarrow as pa

    try:
        table = pa.concat_tables([table for table, _ in parts], promote_options="permissive")
    except pa.ArrowException as problem:
        raise unlike(name, problem) from None

    def place(row: int) -> Text:
        for part, source in parts:
            if row < part.num_rows:
                return source.place(row)
            row -= part.num_rows
        return name

    return table, Source(name, place, untyped_ids=any(source.untyped_ids for _, source in parts))


def unlike(name: Text, problem: Exception) -> InputError:
    """What to say of files that do not make one table."""
    if isinstance(problem, MemoryError):  # Arrow's is one too
        raise problem
    first = first_words(problem)
    return InputError(
        f"{name.en}: the files have columns of different types ({first})", f"{name.zh}：各文件的列类型不同（{first}）"
    )
