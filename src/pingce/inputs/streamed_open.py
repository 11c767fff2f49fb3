"""Opening files as streams: which of them can be read chunk by chunk, and how long they are, about."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pingce.base.errors import EmptyInputError
from pingce.base.sizes import unpacked_size
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Role, Rows, Wanted
from pingce.inputs.content import cannot_read, is_regular
from pingce.inputs.files import File
from pingce.inputs.formats import format_of as format_of_rows
from pingce.inputs.names import check_roles, names_value, table_name
from pingce.inputs.partitions import NO_PARTITION, partitioned_files
from pingce.inputs.separators import delimiter_of
from pingce.inputs.streamed import Piecewise, RowStream, TableStream

if TYPE_CHECKING:
    from pingce.inputs.streamed_text import Part, TextFile

_STREAMED: Final = ("parquet", "csv", "tsv", "trec")


def open_rows(path: str | os.PathLike[str], role: Role, reading: Reading, most: int | None = None) -> RowStream | None:
    """A truth table, a run or excluded pairs as a stream; None for what is read at once or not at all.

    That is: standard input and pipes, JSON and Feather, query weights, excluded pairs in TREC's layout, and whatever the
    reader of whole files refuses. Compressed text is counted up to `most` bytes, where a limit was named.
    """
    from pingce.inputs.streamed_files import DelimitedRows, Nothing, ParquetRows, TrecRows

    check_roles(reading.columns)
    if role == "weights":
        return None
    opened: list[Piecewise[Rows]] = []
    files, several = _files(path, role, reading)
    for file in files:
        try:
            kind, sample = _kind(file, reading, most)
        except EmptyInputError as nothing:
            if nothing.comments:  # perhaps only at the beginning
                return None
            opened.append(Nothing(nothing))
            continue
        if kind == "parquet":
            last = opened[-1] if opened else None
            like = last.row_bytes if isinstance(last, ParquetRows) else None  # rows of one file are looked at for all
            opened.append(ParquetRows(file, reading, like))
        elif kind == "trec" and sample is not None and role != "exclude":
            opened.append(TrecRows(file, reading, sample))
        elif delimiter_of(kind) is not None and sample is not None:
            opened.append(DelimitedRows(file, reading, sample, kind))
        else:
            return None
    if not opened:
        return None
    stream = RowStream(table_name(role, Path(path).name), opened, several=several)
    stream.stated = names_value(role, reading.columns)
    return stream


def open_table(
    path: str | os.PathLike[str], wanted: Wanted, reading: Reading, most: int | None = None
) -> TableStream | None:
    """Some columns of predictions as a stream; None for what is read at once: pipes, JSON lines, Feather, mixed folders.

    Compressed text is counted up to `most` bytes, where a limit was named.
    """
    from pingce.inputs.streamed_tables import delimited_tables, parquet_tables

    present, several = _files(path, "predictions", reading)
    files, kinds = {}, {}
    for file in present:
        try:
            kinds[file.path], files[file.path] = _kind(file, reading, most), file
        except EmptyInputError:
            continue
    name = Text(Path(path).name, Path(path).name) if several else table_name("predictions", Path(path).name)
    found = {kind for kind, _ in kinds.values()}
    if found == {"parquet"}:
        return TableStream(name, parquet_tables(list(files.values()), wanted, name), several=several)
    if found and all(map(delimiter_of, found)):
        samples = [(files[each], kind, sample) for each, (kind, sample) in kinds.items() if sample is not None]
        return TableStream(name, delimited_tables(samples, wanted), several=several)
    return None


def _files(path: str | os.PathLike[str], role: Role, reading: Reading) -> tuple[list[File], bool]:
    """The files of a path, none where one of them is a pipe, and whether it is a folder or a pattern."""
    several = partitioned_files(Path(path))
    files = [
        File(each, role, reading.encoding, reading.threads, partition=partition)
        for each, partition in ([(Path(path), NO_PARTITION)] if several is None else several)
    ]
    return (files if all(is_regular(file.path) for file in files) else []), several is not None


def _kind(file: File, reading: Reading, most: int | None = None) -> tuple[str, Part | None]:
    """The format of a file, and the beginning of a text; "" where it cannot be streamed."""
    if is_parquet(file.path):
        return ("parquet" if reading.input_format in (None, "parquet") else ""), None
    sample = beginning(file, most)
    if sample is None:
        return "", None
    if file.role == "predictions":
        from pingce.inputs.prediction_files import format_of

        kind = format_of(sample, reading)
    else:
        kind = format_of_rows(sample, reading)
    return (kind if kind in _STREAMED or delimiter_of(kind) else ""), sample


def _counted(text: TextFile, most: int) -> int:
    """How many bytes follow, as far as that matters."""
    from pingce.inputs.streamed_text import SAMPLE

    count = 0
    while count < most and (more := text.read(SAMPLE)):
        count += len(more)
    return count


def is_parquet(path: Path) -> bool:
    """By its first bytes."""
    try:
        with path.open("rb") as opened:
            return opened.read(4) == b"PAR1"
    except OSError as problem:
        raise cannot_read(path, problem) from None


def beginning(file: File, most: int | None = None) -> Part | None:
    """The first records of a text, and how long all of it is, about; None of what is no text.

    What is compressed may begin otherwise than it goes on: up to `most` bytes it is counted.
    """
    from pingce.inputs.streamed_text import SAMPLE, Part, TextFile, pieces

    with closing(TextFile(file.path, file.encoding)) as text:
        if text.head.startswith((b"PAR1", b"ARROW1")):
            return None
        first = next(((begin, piece) for begin, piece in pieces(text, SAMPLE) if piece.tobytes().strip()), None)
        if first is None:
            raise file.empty()
        begin, piece = first
        expected = round((begin + len(piece)) * max(1.0, text.size / max(text.at, 1)))
        if text.compression is not None:
            expected = max(expected, unpacked_size(file.path), begin + len(piece) + _counted(text, most or 0))
    return Part(
        file.path, file.role, file.encoding, file.threads, piece, begin, expected=expected, partition=file.partition
    )
