"""Files of predictions: CSV, TSV, JSON lines, Parquet and Feather, compressed or not; a folder or a pattern is one table."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pingce.base.errors import EmptyInputError, InputError, did_you_mean, first_words
from pingce.base.text import Text
from pingce.inputs.columns import Source, Wanted
from pingce.inputs.content import is_regular
from pingce.inputs.files import File
from pingce.inputs.formats import COMPRESSED_SUFFIXES, SUFFIXES
from pingce.inputs.partitions import NO_PARTITION, Partition, partitioned_files
from pingce.inputs.predictions import refuse_absent
from pingce.inputs.separators import delimiter_of, format_with_separator, is_separated

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.columns import Reading

    Choose = Callable[[Sequence[str]], Wanted]

_LARGE: Final = 1 << 26
FORMATS: Final = ("csv", "tsv", "jsonl", "parquet", "feather")


def read_path(path: str | os.PathLike[str], wanted: Wanted, reading: Reading) -> tuple[pa.Table, Source]:
    """Some columns of a file, or of all files of a folder or a pattern, one after another."""
    paths = partitioned_files(Path(path))
    if paths is None:
        return _read_file(_file(Path(path), reading), wanted, reading)
    parts = []
    for each, partition in paths:
        try:
            parts.append(_read_file(_file(each, reading, partition), wanted, reading))
        except EmptyInputError:  # writers of many parts leave some without rows
            continue
    if not parts:
        raise EmptyInputError(f"{path}: no files with rows there", f"{path}：其中没有含数据行的文件")
    return _joined(parts, Text(Path(path).name, Path(path).name))


def names_of(path: str | os.PathLike[str], reading: Reading) -> list[str]:
    """The columns of a file, or of the first of several."""
    paths = partitioned_files(Path(path))
    if paths is not None and not paths:
        raise EmptyInputError(f"{path}: no files there", f"{path}：其中没有文件")
    first, partition = (Path(path), NO_PARTITION) if paths is None else paths[0]
    file = _beginning(_file(first, reading, partition))
    return partition.names(_names(file, format_of(file, reading)))


def _beginning(file: File) -> File:
    """Enough of a large text to see its columns; any other file as it is."""
    if "raw" in file.__dict__ or not is_regular(file.path) or file.path.stat().st_size < _LARGE:
        return file
    from pingce.inputs.streamed_open import beginning

    return beginning(file) or file


def _file(path: Path, reading: Reading, partition: Partition = NO_PARTITION) -> File:
    file = File(path, "predictions", reading.encoding, reading.threads, partition=partition)
    return reading.opened.setdefault(path, file)


def format_of(file: File, reading: Reading) -> str:
    """The format of a table of predictions: as the caller says, by its first bytes, its suffix, or its first line."""
    separated = format_with_separator(file, reading.input_format)
    if separated is not None:
        return separated
    if reading.input_format is not None and not is_separated(reading.input_format):
        if reading.input_format in FORMATS:
            return reading.input_format
        hint = did_you_mean(reading.input_format, FORMATS)
        raise InputError(
            f"predictions cannot be read as '{reading.input_format}'; known are {', '.join(FORMATS)}{hint.en}",
            f"预测表不能按 '{reading.input_format}' 读取；可用 {'、'.join(FORMATS)}{hint.zh}",
        )
    if file.binary_format is not None:
        return file.binary_format
    suffixes = [suffix.lower() for suffix in file.path.suffixes if suffix.lower() not in COMPRESSED_SUFFIXES]
    by_suffix = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if by_suffix is not None:
        return "jsonl" if by_suffix == "json" else by_suffix
    first = file.first_line()[1]
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in first else "csv"


def _names(file: File, kind: str) -> list[str]:
    if (delimiter := delimiter_of(kind)) is not None:
        from pingce.inputs.headers import titles_of

        return titles_of(file, delimiter).names
    if kind == "jsonl":
        from pingce.inputs.structured import first_object

        return list(first_object(file)[0])
    names: list[str] = _with_arrow(file, kind, None)
    return names


def _read_file(file: File, wanted: Wanted, reading: Reading) -> tuple[pa.Table, Source]:
    kind = format_of(file, reading)
    if (delimiter := delimiter_of(kind)) is not None:
        from pingce.inputs.delimited import read_columns
        from pingce.inputs.headers import titles_of

        titles = titles_of(file, delimiter, wanted.columns)
        refuse_absent(wanted.columns, file.partition.names(titles.names), file.name)
        return read_columns(file, delimiter, wanted)
    if kind == "jsonl":
        from pingce.inputs.structured import first_object, read_json_columns

        first, blank = first_object(file)
        refuse_absent(wanted.columns, file.partition.names(list(first)), file.name)
        return read_json_columns(file, first, blank, wanted)
    from pingce.inputs.structured import counted_rows

    return _with_arrow(file, kind, wanted), counted_rows(file)


def _with_arrow(file: File, kind: str, wanted: Wanted | None) -> Any:
    """Some columns of a Parquet or Feather file; without any, the names of all."""
    import pyarrow as pa
    from pyarrow import parquet

    from pingce.inputs.structured import refuse_more_than_fits

    try:
        with file.opened() as source:
            reader = parquet.ParquetFile(source) if kind == "parquet" else pa.ipc.open_file(source)
            schema = reader.schema_arrow if kind == "parquet" else reader.schema
            names = schema.names  # which need not be text
            if wanted is None:
                return names
            refuse_absent(wanted.columns, file.partition.names(names), file.name)
            columns = list(file.partition.stored(wanted, names).columns)
            if kind == "parquet":
                refuse_more_than_fits(file, reader, columns)
            table = reader.read(columns=columns) if kind == "parquet" else reader.read_all().select(columns)
            table.validate(full=True)  # its offsets come from the file, and the core follows them
            return file.partition.completed(table, wanted, file.path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        raise file.unreadable({"parquet": "Parquet"}.get(kind, "Feather"), problem) from None


def _joined(parts: Sequence[tuple[Any, Source]], name: Text) -> tuple[pa.Table, Source]:
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
