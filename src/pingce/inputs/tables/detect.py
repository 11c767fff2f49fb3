"""Which format a file has: as the caller says, or as it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pingce.base.errors import InputError, did_you_mean
from pingce.inputs.columns import Reading
from pingce.inputs.compressed import COMPRESSED_SUFFIXES
from pingce.inputs.files import File
from pingce.inputs.names import column_words, counts_column, looks_like_header
from pingce.inputs.tables import BY_NAME, BY_SUFFIX, Format, names_of


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
    counts = any(map(counts_column, column_words(file.role, columns).values()))
    if is_tsv and (not is_trec or (counts and "\t" in line)):
        return "tsv"
    return "csv" if counts and not is_trec and "," in line else "trec"


_PREFIX: Final = "csv:"
_WORDS: Final = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
LIKELY: Final = (",", "\t", ";", "|")
"Separators that people use."


def is_separated(kind: str | None) -> bool:
    """Whether the caller says what separates the columns: `csv:;`."""
    return kind is not None and kind.startswith(_PREFIX)


def delimiter_of(kind: str) -> str | None:
    """The separator of a format of tables; None for any other format."""
    return kind[len(_PREFIX) :] if is_separated(kind) else BY_NAME[kind].delimiter or None if kind in BY_NAME else None


def separated_format(separator: str) -> str:
    """The format of tables whose columns are separated so."""
    letter = _WORDS.get(separator, separator)
    if len(letter) != 1 or not letter.isascii() or letter in '"\r\n\0':
        raise InputError(
            f"separator '{separator}': give one ASCII character, e.g. --sep ';' (input_format='csv:;'), or tab; replace longer "
            "ones first, e.g. sed 's/::/\\t/g'",
            f"分隔符 '{separator}'：请给出一个 ASCII 字符，例如 --sep ';'（input_format='csv:;'），或 tab；更长的请先替换，例如 "
            "sed 's/::/\\t/g'",
        )
    return _PREFIX + letter


def format_with_separator(file: File, kind: str | None) -> Format | None:
    """The format of a table with the separator that the caller says; None where that is not in its first line."""
    if kind is None or not is_separated(kind) or file.binary_format is not None:
        return None
    kind = separated_format(kind[len(_PREFIX) :])
    letter = kind[len(_PREFIX) :]
    if letter.encode() not in file.first_line()[1]:
        return None
    return BY_NAME["tsv"] if letter == "\t" else replace(BY_NAME["csv"], name=kind, delimiter=letter)


def as_option(separator: str) -> str:
    """How a separator is said, in both ways."""
    word = "tab" if separator == "\t" else f"'{separator}'"
    return f"--sep {word} (input_format='csv:{word.strip(chr(39))}')"
