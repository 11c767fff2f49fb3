"""Which format a file has, as the caller says, or as it looks; and what its first line says: the names of columns, or a row."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeGuard

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.inputs.compressed import COMPRESSED_SUFFIXES
from pingce.inputs.files import File
from pingce.inputs.names import (
    KNOWN,
    LABEL,
    PREDICTED_SCORE,
    PREDICTED_VALUE,
    REQUIRED,
    column_words,
    counts_column,
    listed,
    match,
)
from pingce.inputs.tables import BY_NAME, BY_SUFFIX, Format, names_of


def format_of(file: File, reading: Reading) -> Format:
    """The format of a file: as the caller says, or as it looks."""
    name, predictions = reading.input_format, file.role == "predictions"
    if is_separated(name) and file.binary_format is None:
        letter = separated_format(name.removeprefix(_PREFIX)).removeprefix(_PREFIX)
        if letter.encode() in file.first_line()[1]:
            return (
                BY_NAME["tsv"] if letter == "\t" else replace(BY_NAME["csv"], name=_PREFIX + letter, delimiter=letter)
            )
    if name is None or is_separated(name):
        return detect(file, reading.columns)
    names = names_of(tabular=predictions)
    if name in names:
        return BY_NAME[name]
    hint = did_you_mean(name, names)
    unknown = Text(f"unknown input format '{name}'", f"未知的输入格式 '{name}'")
    unfit = Text(f"predictions cannot be read as '{name}'", f"预测表不能按 '{name}' 读取")
    what = unfit if predictions else unknown
    raise InputError(
        f"{what.en}; known are {', '.join(names)}{hint.en}", f"{what.zh}；可用 {'、'.join(names)}{hint.zh}"
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
    parts = [KNOWN[file.role][part] for part in REQUIRED.get(file.role, ("query", "item"))]
    for table in (BY_NAME["tsv"], BY_NAME["csv"]):
        fields = line.split(table.delimiter)
        if all(match(fields, words) for words in parts) or names.intersection(fields):
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


def is_separated(kind: str | None) -> TypeGuard[str]:
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


def as_option(separator: str) -> str:
    """How a separator is said, in both ways."""
    word = "tab" if separator == "\t" else f"'{separator}'"
    return f"--sep {word} (input_format='csv:{word.strip(chr(39))}')"


HEAD = 1 << 20
_LONGEST_NAME = 1 << 17
"Of a column: a longer one is a quote left open. Ids may be of any length."


def titles_of(file: File, delimiter: str, words: Sequence[str] = ()) -> tuple[list[str], bool]:
    """The names of the columns, where the caller names some by these words, and whether they are numbers from 1, as there
    is no header; wrong separators and no header are told.
    """
    fields = next(records(file, delimiter, HEAD), (0, [""]))[1]
    if not any(name.strip() for name in fields):
        raise file.empty()
    if words and all(map(counts_column, words)) and not _is_header(file, fields) and not _counts_from_0(fields):
        numbers = [str(place) for place in range(1, len(fields) + 1)]
        if fields == numbers:
            line = file.first_line()[0]
            raise InputError(
                f"{file.path}:{line}: is {listed(fields)} the header or a row? Give the file a header with names",
                f"{file.path}:{line}：{listed(fields)} 是表头还是数据行？请给文件加上有列名的表头",
            )
        return numbers, True
    if not _is_header(file, fields) and not set(words) & set(fields):
        _refuse_other_separator(file, delimiter, fields)
        if words or file.role in KNOWN:
            _refuse_row(file, fields)
    return fields, False


def counted_columns(file: File, columns: Mapping[str, str | int] | None) -> dict[str, str]:
    """What the caller says of the columns of a ranking without a header; query and item come first where nothing is said."""
    ids = [part for part in ("query", "item") if part in KNOWN[file.role]]
    words = {part: str(place) for place, part in enumerate(ids, 1)} | column_words(file.role, columns)
    return {f"{file.role}.{part}": word for part, word in words.items()}


def _is_header(file: File, fields: Sequence[str]) -> bool:
    """Whether any of the fields is a name that people use."""
    groups = KNOWN[file.role].values() if file.role in KNOWN else (LABEL, PREDICTED_SCORE, PREDICTED_VALUE)
    usual = {name.lower() for names in groups for name in names}
    return any(field.split(":")[0].strip().lower() in usual for field in fields)


def _counts_from_0(fields: Sequence[str]) -> bool:
    """Whether this is the header that pandas writes of columns without names."""
    names = [field for field in fields if field]
    return len(names) > 1 and names == [str(place) for place in range(len(names))]


def _refuse_other_separator(file: File, delimiter: str, fields: Sequence[str]) -> None:
    letter = next((letter for letter in LIKELY if letter != delimiter and letter in fields[0]), None)
    if len(fields) == 1 and letter is not None:
        line, option = file.first_line()[0], as_option(letter)
        raise InputError(
            f"{file.path}:{line}: one column '{fields[0]}' where several are needed: is the separator {letter!r}? say {option}",
            f"{file.path}:{line}：只有一列 '{fields[0]}'，而需要多列：分隔符是 {letter!r} 吗？请用 {option}",
        )


def _refuse_row(file: File, fields: Sequence[str]) -> None:
    if len(fields) > 1 and any(map(_is_plain_number, fields)) and not _counts_from_0(fields):
        line, way = file.first_line()[0], _way_to_count(file, len(fields))
        raise InputError(
            f"{file.path}:{line}: {listed(fields)} is a row, not a header with the names of the columns: add one, or count the "
            f"columns from 1, {way}",
            f"{file.path}:{line}：{listed(fields)} 是数据行，不是写有列名的表头：请加上表头，或从 1 起计数指明各列，{way}",
        )


def _is_plain_number(field: str) -> bool:
    try:
        return bool(field.strip()) and np.isfinite(float(field))
    except ValueError:
        return False


def _way_to_count(file: File, count: int) -> Text:
    if file.role not in KNOWN:
        return Text("e.g. --label 1 --score 2", "例如 --label 1 --score 2")
    value = {"truth": "grade", "run": "score", "weights": "weight"}.get(file.role)
    parts = [part for part in ("query", "item", value) if part in KNOWN[file.role]][:count]
    example = ",".join(f"{file.role}.{part}={place}" for place, part in enumerate(parts, 1))
    return Text(f"e.g. --columns {example}", f"例如 --columns {example}")


def records(file: File, delimiter: str, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each record, slowly: for the header and for messages."""
    import csv

    begin = file.first_at
    above = int(np.count_nonzero(file.content[:begin] == ord("\n")))
    head = file.content[begin : None if most is None else begin + most].tobytes()
    text = io.TextIOWrapper(io.BytesIO(head), encoding="utf-8", errors="backslashreplace", newline="")
    usual = csv.field_size_limit(_LONGEST_NAME if most else max(_LONGEST_NAME, len(file.content)))
    reader = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL)
    try:
        for record in reader:
            if record:
                yield file.numbered(above + reader.line_num), record
    except csv.Error as problem:
        place = f"{file.path}:{file.numbered(above + reader.line_num)}"
        raise InputError(
            f"{place}: not readable as a table ({problem}); is a quote left open?",
            f"{place}：无法作为表格读取（{problem}）；是否有引号没有闭合？",
        ) from None
    finally:
        csv.field_size_limit(usual)
