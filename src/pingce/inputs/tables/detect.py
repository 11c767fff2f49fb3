"""Which format a file has: as the caller says, or as it looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pingce.base.errors import InputError, did_you_mean
from pingce.inputs.compressed import COMPRESSED_SUFFIXES
from pingce.inputs.names import asked_of, counts_column, looks_like_header
from pingce.inputs.tables import BY_NAME, BY_SUFFIX, Format, names_of
from pingce.inputs.tables.separators import format_with_separator, is_separated

if TYPE_CHECKING:
    from pingce.inputs.columns import Reading
    from pingce.inputs.files import File


def format_of(file: File, reading: Reading) -> Format:
    """The format of a file: as the caller says, or as it looks."""
    separated = format_with_separator(file, reading.input_format)
    if separated is not None:
        return separated
    if reading.input_format is None or is_separated(reading.input_format):
        return detect(file, reading.columns)
    return _named(reading.input_format, predictions=file.role == "predictions")


def _named(name: str, *, predictions: bool) -> Format:
    names = names_of(tabular=predictions)
    if name in names:
        return BY_NAME[name]
    hint = did_you_mean(name, names)
    if predictions:
        raise InputError(
            f"predictions cannot be read as '{name}'; known are {', '.join(names)}{hint.en}",
            f"预测表不能按 '{name}' 读取；可用 {'、'.join(names)}{hint.zh}",
        )
    raise InputError(
        f"unknown input format '{name}'; known are {', '.join(names)}{hint.en}",
        f"未知的输入格式 '{name}'；可用 {'、'.join(names)}{hint.zh}",
    )


def detect(file: File, columns: Mapping[str, str | int] | None = None) -> Format:
    """The format of a file: by its first bytes, then its suffix, then its first line."""
    if file.binary_format is not None:
        return file.binary_format
    suffixes = [suffix.lower() for suffix in file.path.suffixes if suffix.lower() not in COMPRESSED_SUFFIXES]
    by_suffix = BY_SUFFIX.get(suffixes[-1]) if suffixes else None
    if file.role == "predictions":
        return _of_predictions(file, by_suffix)
    if by_suffix is not None and by_suffix.delimiter != "\t":  # MS MARCO's runs are called .tsv
        return by_suffix
    first = file.first_line()[1]
    if first.lstrip().startswith(b"{"):
        return BY_NAME["jsonl"]
    line = first.decode("utf-8", "backslashreplace").rstrip("\r")
    names = {word for word in map(str, (columns or {}).values()) if not counts_column(word)}
    for table in (BY_NAME["tsv"], BY_NAME["csv"]):
        fields = line.split(table.delimiter)
        if looks_like_header(fields, file.role) or names.intersection(fields):
            return table
    return BY_NAME[_without_header(file, line, is_tsv=by_suffix is not None, columns=columns)]


def _of_predictions(file: File, by_suffix: Format | None) -> Format:
    """A table, whatever it looks like: a .json of predictions has one object a line."""
    if by_suffix is not None:
        return by_suffix if by_suffix.tabular else BY_NAME["jsonl"]
    first = file.first_line()[1]
    return BY_NAME["jsonl" if first.lstrip().startswith(b"{") else "tsv" if b"\t" in first else "csv"]


def _without_header(file: File, line: str, *, is_tsv: bool, columns: Mapping[str, str | int] | None) -> str:
    """The format of a text whose first line has no known names; columns that are counted may be those of any table."""
    from pingce.inputs.tables.shapes import SHAPES

    shapes = [shape for role in ("truth", "run", file.role) for shape in SHAPES[role]]
    is_trec = len(file.first_row()[1].split()) in {shape.fields for shape in shapes}
    counts = any(map(counts_column, asked_of(file.role, columns).values()))
    if is_tsv and (not is_trec or (counts and "\t" in line)):
        return "tsv"
    return "csv" if counts and not is_trec and "," in line else "trec"
