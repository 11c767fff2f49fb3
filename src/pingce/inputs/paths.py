"""Files, folders and patterns, read at once. A folder or a pattern is one table in several files."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError, library_words
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import (
    LARGEST_EXACT,
    Meaning,
    Reading,
    Role,
    Rows,
    Source,
    Wanted,
    comment_note,
    kind_of,
    with_notes,
)
from pingce.inputs.content import is_regular
from pingce.inputs.files import File
from pingce.inputs.folders import NO_FOLDER_COLUMNS, FolderColumns, partitioned_files
from pingce.inputs.layouts import joined
from pingce.inputs.names import table_name
from pingce.inputs.tables.base import Columns, TableColumns
from pingce.inputs.tables.detect import format_of

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
        from pingce.inputs.tables.text import beginning

        file = beginning(file) or file
    return format_of(file, reading).open_table(file).present


def _kept_file(path: Path, reading: Reading, partition: FolderColumns) -> File:
    """The file, with what was read of it before: a pipe can be read only once."""
    file = File(path, "predictions", reading.encoding, reading.threads, partition=partition)
    return reading.opened.setdefault(path, file)


def _joined(parts: Sequence[Columns], name: Text) -> Columns:
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
    first = library_words(problem)
    return InputError(
        f"{name.en}: the files have columns of different types ({first})", f"{name.zh}：各文件的列类型不同（{first}）"
    )


_LARGEST = 2**63 - 1


def joined_rows(parts: list[Rows], name: Text, empty: int = 0) -> Rows:
    """One table of the tables of several files; they must hold the same kind of ids and of numbers."""
    first = parts[0]
    for part in parts[1:]:
        refuse_unlike(first, part)
    begin = np.cumsum([0, *map(len, parts)]).tolist()

    def place(row: int) -> Text:
        at = bisect_right(begin, row) - 1
        return parts[at].source.place(row - begin[at])

    notes = joined_notes([part.source for part in parts], name, empty)
    source = Source(name, place, notes, first.source.untyped_ids, stated=first.source.stated)
    return Rows(
        joined([part.query for part in parts]),
        joined([part.item for part in parts]),
        _values(parts, begin),
        source,
        first.meaning,
        _whole(parts),
    )


def joined_notes(sources: Sequence[Source], name: Text, empty: int = 0) -> tuple[Text, ...]:
    """What is to be said of the files: once where it is the same of several, with the first one's name; and how many."""
    alike: dict[str, list[Text]] = {}
    for source in sources:
        for note in source.notes:
            alike.setdefault(note.en.replace(source.name.en, "…"), []).append(note)
    bare = Text(f", and {empty} without rows", f"，另有 {empty} 个没有数据行") if empty else Text("", "")
    files = Text(f"{name.en}: {len(sources)} files{bare.en}", f"{name.zh}：{len(sources)} 个文件{bare.zh}")
    each = [
        Text(f"{notes[0].en} (and {len(notes) - 1} more)", f"{notes[0].zh}（另有 {len(notes) - 1} 个文件相同）")
        if len(notes) > 1
        else notes[0]
        for notes in alike.values()
    ]
    return (*each, files)


def _values(parts: list[Rows], begin: list[int]) -> NDArray[np.float64]:
    """The numbers; an order as given goes on from file to file."""
    if parts[0].meaning != "order":
        return np.concatenate([part.value for part in parts])
    return np.concatenate([part.value - before for part, before in zip(parts, begin[:-1], strict=True)])


_MEANINGS: dict[Meaning, Text] = {
    "given": Text("scores or grades", "分数或等级"),
    "rank": Text("ranks", "名次"),
    "order": Text("only rows in order", "仅有顺序"),
    "none": Text("no grades", "没有等级"),
    "third": Text("ranks or scores in a third column", "第三列的名次或分数"),
}


def refuse_unlike(first: Rows, part: Rows) -> None:
    """Refuse rows with other ids or other numbers than those of the first file."""
    for column in ("query", "item"):
        ours, theirs = kind_of(getattr(first, column)), kind_of(getattr(part, column))
        if ours != theirs:
            raise _differ(first, part, Text(f"{column} ids are {ours.en}", f"{column} 编号是{ours.zh}"), theirs)
    if first.meaning != part.meaning:
        ours, theirs = _MEANINGS[first.meaning], _MEANINGS[part.meaning]
        raise _differ(first, part, Text(f"there are {ours.en}", f"有{ours.zh}"), theirs)


def _differ(first: Rows, part: Rows, ours: Text, theirs: Text) -> InputError:
    name, other = first.source.name, part.source.name
    return InputError(
        f"{other.en} does not go with {name.en}: in the first file {ours.en}, here {theirs.en}; make the files alike",
        f"{other.zh} 与 {name.zh} 不一致：前者{ours.zh}，后者为{theirs.zh}；请统一各文件",
    )


def _whole(parts: list[Rows]) -> NDArray[Any] | None:
    """Integer scores beyond 2^53 where any file has them; then every file must have integers."""
    if all(part.whole is None for part in parts):
        return None
    columns = [_integers(part) for part in parts]
    low = min(int(column.min()) for column in columns)
    high = max(int(column.max()) for column in columns)
    kind: Any = np.int64 if high <= _LARGEST else np.uint64 if low >= 0 else object
    return np.concatenate([column.astype(kind) for column in columns])


def _integers(part: Rows) -> NDArray[Any]:
    if part.whole is not None:
        return part.whole
    value = np.nan_to_num(part.value, nan=0.0)
    if not ((np.abs(value) <= LARGEST_EXACT) & (value % 1 == 0)).all():
        name = part.source.name
        raise InputError(
            f"{name.en} has fractions as scores, another file integers beyond 2^53; make the files alike",
            f"{name.zh} 的分数是小数，而另一文件是超过 2^53 的整数；请统一各文件",
        )
    return value.astype(np.int64)
