"""Files, folders and patterns, read at once. A folder or a pattern is one table in several files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.addresses import file_name
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
    joined_place,
    kind_of,
    with_notes,
)
from pingce.inputs.content import is_regular
from pingce.inputs.files import File
from pingce.inputs.folders import NO_FOLDER_COLUMNS, partitioned_files
from pingce.inputs.indices import called_alike
from pingce.inputs.layouts import joined, one_stretch
from pingce.inputs.names import table_name
from pingce.inputs.ranks import resolve_third_column
from pingce.inputs.remote import local_copy
from pingce.inputs.tables.base import Columns, TableColumns
from pingce.inputs.tables.detect import format_of

_Part = TypeVar("_Part")
_LARGE = 1 << 26
"Bytes of a text of which only the beginning is read to see its columns."


def read_rows(path: str | os.PathLike[str], role: Role, reading: Reading) -> Rows:
    """Rows of a file, or of all files of a folder or a pattern such as part-*.parquet, one after another."""
    files, several = files_at(path, role, reading)
    if not files:
        raise InputError(
            f"{path}: no files there; hidden files and names that begin with _ are not read",
            f"{path}：其中没有文件；隐藏文件和以 _ 开头的文件不会读取",
        )
    tables = _read_each(files, lambda file: format_of(file, reading).open_rows(file, reading).whole())
    parts = [with_notes(rows, *comment_note(rows.source)) for rows in tables]
    name = table_name(role, file_name(path))
    return resolve_third_column(joined_rows(parts, name, len(files) - len(parts)) if several else parts[0])


def read_columns(path: str | os.PathLike[str], wanted: Wanted, reading: Reading) -> Columns:
    """Some columns of predictions, of a file, or of all files of a folder or a pattern, one after another."""

    def read(file: File) -> Columns:
        file = reading.opened.setdefault(file.path, file)
        return TableColumns(format_of(file, reading).open_table(file, wanted.columns), wanted).whole()

    files, several = files_at(path, "predictions", reading)
    try:
        parts = _read_each(files, read)
    except EmptyInputError:
        parts = []
        if not several:
            raise
    if not parts:
        raise without_rows(Text(str(path), str(path)))
    return _joined(parts, Text(file_name(path), file_name(path))) if several else parts[0]


def without_rows(name: Text) -> EmptyInputError:
    """What to say of several files of predictions, of which none has rows."""
    return EmptyInputError(f"{name.en}: no files with rows there", f"{name.zh}：其中没有含数据行的文件")


def _read_each(files: Sequence[File], read: Callable[[File], _Part]) -> list[_Part]:
    """What the files hold that have rows: writers of many parts leave some without. At least one has, or says why not."""
    parts, problem = [], None
    for file in files:
        try:
            parts.append(read(file))
        except EmptyInputError as nothing:
            problem = nothing
    if not parts and problem is not None:
        raise problem
    return parts


def files_at(path: str | os.PathLike[str], role: Role, reading: Reading) -> tuple[list[File], bool]:
    """The files of a path, and whether it is a folder or a pattern."""
    path = local_copy(path)
    several = partitioned_files(Path(path))
    files = [
        File(each, role, reading.encoding, reading.threads, partition=partition)
        for each, partition in ([(Path(path), NO_FOLDER_COLUMNS)] if several is None else several)
    ]
    return files, several is not None


def column_names(path: str | os.PathLike[str], reading: Reading) -> list[str]:
    """The columns of a file of predictions, or of the first of several."""
    files, _ = files_at(path, "predictions", reading)
    if not files:
        raise EmptyInputError(f"{path}: no files there", f"{path}：其中没有文件")
    # Kept with what is read of it: a pipe can be read only once.
    first, file = files[0].path, reading.opened.setdefault(files[0].path, files[0])
    if "raw" not in file.__dict__ and is_regular(first) and first.stat().st_size >= _LARGE:
        from pingce.inputs.tables.text import beginning

        file = beginning(file) or file
    return format_of(file, reading).open_table(file).present


def _joined(parts: Sequence[Columns], name: Text) -> Columns:
    try:
        table = pa.concat_tables([table for table, _ in parts], promote_options="permissive")
    except pa.ArrowException as problem:
        raise unlike(name, problem) from None
    place = joined_place([source.place for _, source in parts], (part.num_rows for part, _ in parts))
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
    parts = called_alike(parts)
    first = parts[0]
    for part in parts[1:]:
        refuse_unlike(first, part)
    sources, sizes = [part.source for part in parts], [*map(len, parts)]
    place, notes = joined_place([source.place for source in sources], sizes), joined_notes(sources, name, empty)
    source = Source(name, place, notes, first.source.untyped_ids, stated=first.source.stated, index=first.source.index)
    values = [part.value for part in parts]
    if first.meaning == "order":  # it goes on from file to file
        value = np.concatenate(values) - np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    else:
        stretch = one_stretch(values)
        value = np.concatenate(values) if stretch is None else stretch
    query, item = joined([part.query for part in parts]), joined([part.item for part in parts])
    subtopic = (
        None if first.subtopic is None else joined([part.subtopic for part in parts if part.subtopic is not None])
    )
    weights = [part.weight for part in parts if part.weight is not None]
    weight = np.concatenate(weights) if weights else None
    return Rows(query, item, value, source, first.meaning, _whole(parts), subtopic=subtopic, weight=weight)


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


_MEANINGS: dict[Meaning, Text] = {
    "given": Text("scores or grades", "分数或等级"),
    "rank": Text("ranks", "名次"),
    "order": Text("only rows in order", "仅有顺序"),
    "none": Text("no grades", "没有等级"),
    "third": Text("ranks or scores in a third column", "第三列的名次或分数"),
}


def refuse_unlike(first: Rows, part: Rows) -> None:
    """Refuse rows with other ids or other numbers than those of the first file."""
    if (first.subtopic is None) != (part.subtopic is None):
        here, there = (Text("no subtopics", "没有子主题"), Text("subtopics", "有子主题"))
        ours, theirs = (here, there) if first.subtopic is None else (there, here)
        raise _differ(first, part, Text(f"there are {ours.en}", ours.zh), theirs)
    if (first.weight is None) != (part.weight is None):
        here, there = (Text("no weights of items", "没有条目权重"), Text("weights of items", "有条目权重"))
        ours, theirs = (here, there) if first.weight is None else (there, here)
        raise _differ(first, part, Text(f"there are {ours.en}", ours.zh), theirs)
    for column in ("query", "item", *(("subtopic",) if first.subtopic is not None else ())):
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
