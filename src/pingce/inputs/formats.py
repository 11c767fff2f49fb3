"""What format a file is in, and which reader knows it. A folder or a pattern is one table in several files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from pingce.base.errors import EmptyInputError, InputError, did_you_mean
from pingce.inputs.columns import Reading, Role, Rows, comment_note, with_notes
from pingce.inputs.files import File
from pingce.inputs.names import asked_of, counts_column, looks_like_header, table_name
from pingce.inputs.partitions import partitioned_files
from pingce.inputs.separators import delimiter_of, format_with_separator, is_separated

SUFFIXES: Final = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
}
COMPRESSED_SUFFIXES: Final = (".gz", ".bz2", ".zst")


def read_path(path: str | os.PathLike[str], role: Role, reading: Reading) -> Rows:
    """Rows of a file, or of all files of a folder or a pattern such as part-*.parquet, one after another."""
    from pingce.inputs.ranks import resolve_third_column

    paths = partitioned_files(Path(path))
    if paths is None:
        rows = _read_file(File(Path(path), role, reading.encoding, reading.threads), reading)
        return resolve_third_column(rows)
    if not paths:
        raise InputError(
            f"{path}: no files there; hidden files and names that begin with _ are not read",
            f"{path}：其中没有文件；隐藏文件和以 _ 开头的文件不会读取",
        )
    from pingce.inputs.several import joined_rows

    parts, problem = [], None
    for each, partition in paths:
        try:
            file = File(each, role, reading.encoding, reading.threads, partition=partition)
            parts.append(_read_file(file, reading))
        except EmptyInputError as nothing:  # writers of many parts leave some without rows
            problem = nothing
    if not parts and problem is not None:
        raise problem
    rows = joined_rows(parts, table_name(role, Path(path).name), len(paths) - len(parts))
    return resolve_third_column(rows)


# Readers are imported when they are needed: a small TREC file must not wait for Arrow.
_READERS: Final = {
    "trec": ("trec", "read_trec"),
    "jsonl": ("structured", "read_jsonl"),
    "json": ("structured", "read_json"),
    "parquet": ("structured", "read_parquet"),
    "feather": ("structured", "read_feather"),
}
FORMATS: Final = ("trec", "csv", "tsv", "jsonl", "json", "parquet", "feather")


def _read_file(file: File, reading: Reading) -> Rows:
    chosen = format_of(file, reading)
    delimiter = delimiter_of(chosen)
    if delimiter is not None:
        from pingce.inputs.delimited import read_delimited

        return read_delimited(file, reading, delimiter)
    if chosen not in _READERS:
        hint = did_you_mean(chosen, FORMATS)
        raise InputError(
            f"unknown input format '{chosen}'; known are {', '.join(FORMATS)}{hint.en}",
            f"未知的输入格式 '{chosen}'；可用 {'、'.join(FORMATS)}{hint.zh}",
        )
    module, function = _READERS[chosen]
    rows: Rows = getattr(import_module(f"pingce.inputs.{module}"), function)(file, reading)
    return with_notes(rows, *comment_note(rows.source))


def format_of(file: File, reading: Reading) -> str:
    """The format of a table: as the caller says, or as it looks."""
    stated = reading.input_format
    separated = format_with_separator(file, stated)
    return separated or (stated if stated and not is_separated(stated) else detect(file, reading.columns))


def detect(file: File, columns: Mapping[str, str | int] | None = None) -> str:
    """The format of a file: by its first bytes, then its suffix, then its first line."""
    if file.binary_format is not None:
        return file.binary_format
    suffixes = [suffix.lower() for suffix in file.path.suffixes if suffix.lower() not in COMPRESSED_SUFFIXES]
    by_suffix = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if by_suffix not in (None, "tsv"):
        return str(by_suffix)
    first = file.first_line()[1]
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    line = first.decode("utf-8", "backslashreplace").rstrip("\r")
    names = {word for word in map(str, (columns or {}).values()) if not counts_column(word)}
    for name, delimiter in (("tsv", "\t"), ("csv", ",")):
        fields = line.split(delimiter)
        if looks_like_header(fields, file.role) or names.intersection(fields):
            return name
    return _without_header(file, line, is_tsv=by_suffix == "tsv", columns=columns)


def _without_header(file: File, line: str, *, is_tsv: bool, columns: Mapping[str, str | int] | None) -> str:
    """The format of a text whose first line has no known names; columns that are counted may be those of any table."""
    from pingce.inputs.shapes import SHAPES

    shapes = [shape for role in ("truth", "run", file.role) for shape in SHAPES[role]]
    is_trec = len(file.first_row()[1].split()) in {shape.fields for shape in shapes}
    counts = any(map(counts_column, asked_of(file.role, columns).values()))
    if is_tsv and (not is_trec or (counts and "\t" in line)):
        return "tsv"
    return "csv" if counts and not is_trec and "," in line else "trec"
