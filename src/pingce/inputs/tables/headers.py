"""The first line of a table in text: the names of its columns, or, where the caller counts columns, a row already."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.files import File
from pingce.inputs.names import column_words, counts_column, listed
from pingce.inputs.tables.detect import LIKELY, as_option
from pingce.inputs.vocabulary import KNOWN, LABEL, PREDICTED_SCORE, PREDICTED_VALUE

HEAD = 1 << 20
_LONGEST_NAME = 1 << 17
"Of a column: a longer one is a quote left open. Ids may be of any length."


class Titles(NamedTuple):
    """The names of the columns: those of the header, or, where there is none, their numbers from 1."""

    names: list[str]
    headerless: bool


def titles_of(file: File, delimiter: str, words: Sequence[str] = ()) -> Titles:
    """The names of the columns, where the caller names some by these words; wrong separators and no header are told."""
    fields = header(file, delimiter)
    if words and all(map(counts_column, words)) and not _is_header(file, fields) and not _counts_from_0(fields):
        numbers = [str(place) for place in range(1, len(fields) + 1)]
        if fields == numbers:
            line = file.first_line()[0]
            raise InputError(
                f"{file.path}:{line}: is {listed(fields)} the header or a row? Give the file a header with names",
                f"{file.path}:{line}：{listed(fields)} 是表头还是数据行？请给文件加上有列名的表头",
            )
        return Titles(numbers, headerless=True)
    if not _is_header(file, fields) and not set(words) & set(fields):
        _refuse_other_separator(file, delimiter, fields)
        if words or file.role in KNOWN:
            _refuse_row(file, fields)
    return Titles(fields, headerless=False)


def counted_columns(file: File, columns: Mapping[str, str | int] | None) -> dict[str, str]:
    """What the caller says of the columns of a ranking without a header; query and item come first where nothing is said."""
    words = column_words(file.role, columns)
    first = {
        f"{file.role}.{part}": place for part, place in (("query", "1"), ("item", "2")) if part in KNOWN[file.role]
    }
    return first | {f"{file.role}.{part}": word for part, word in words.items()}


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


def header(file: File, delimiter: str) -> list[str]:
    """The fields of the first line; only the head of a long file is looked at."""
    names = next(records(file, delimiter, HEAD), (0, [""]))[1]
    if not any(name.strip() for name in names):
        raise file.empty()
    return names


def header_lines(file: File, delimiter: str) -> int:
    """Number of the line that the names of the columns end in."""
    return next(records(file, delimiter, HEAD), (0, [""]))[0]


def records(file: File, delimiter: str, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each record, slowly: for the header and for messages."""
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
