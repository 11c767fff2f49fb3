"""CSV and TSV with a header line. Ids are read as text: 007 stays 007."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import EmptyInputError, InputError
from pingce.inputs.columns import Rows, Source, Wanted
from pingce.inputs.names import map_columns
from pingce.inputs.numeric import of_records
from pingce.inputs.tables import from_table
from pingce.language import Text

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.columns import Reading
    from pingce.inputs.files import File
    from pingce.inputs.numeric import Numeric


_HEAD = 1 << 20
_SHOWN = 200
"Records by which it is known which columns hold numbers."
_LONGEST_NAME = 1 << 17
"Of a column: a longer one is a quote left open. Ids may be of any length."


def read_csv(file: File, reading: Reading) -> Rows:
    """Rows of a file with commas; its first line names the columns."""
    return _read_delimited(file, ",", reading.columns)


def read_tsv(file: File, reading: Reading) -> Rows:
    """Rows of a file with tabs; its first line names the columns."""
    return _read_delimited(file, "\t", reading.columns)


def _read_delimited(file: File, delimiter: str, columns: Mapping[str, str | int] | None) -> Rows:
    titles = header(file, delimiter)
    names, numeric = file.partition.names(titles), _numeric(file, delimiter, titles)
    mapped = map_columns(names, file.role, columns, file.name, numeric=numeric)
    table, source = read_columns(file, delimiter, mapped.wanted)
    return from_table(table, mapped, source)


def _numeric(file: File, delimiter: str, titles: list[str]) -> Numeric:
    """Which columns hold numbers, by the first records; nothing is read before somebody asks."""

    def numeric(names: Sequence[str]) -> Sequence[str]:
        records = [record for _, record in islice(_records(file, delimiter, _HEAD), 1, _SHOWN)]
        return of_records(titles, records, _is_number)(names)

    return numeric


def header(file: File, delimiter: str) -> list[str]:
    """The names of the columns; only the head of a long file is looked at."""
    names = next(_records(file, delimiter, _HEAD), (0, [""]))[1]
    if not any(name.strip() for name in names):
        raise file.empty()
    return names


def header_lines(file: File, delimiter: str) -> int:
    """Number of the line that the names of the columns end in."""
    return next(_records(file, delimiter, _HEAD), (0, [""]))[0]


def _records(file: File, delimiter: str, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each record, slowly: for the header and for messages."""
    begin = file.first_at
    above = int(np.count_nonzero(file.content[:begin] == ord("\n")))
    shown = file.content[begin : None if most is None else begin + most].tobytes()
    text = io.TextIOWrapper(io.BytesIO(shown), encoding="utf-8", errors="backslashreplace", newline="")
    usual = csv.field_size_limit(_LONGEST_NAME if most else max(_LONGEST_NAME, len(file.content)))
    reader = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE)
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


def _placer(file: File, delimiter: str) -> Callable[[int], Text]:
    def place(row: int) -> Text:
        for index, (line, _) in enumerate(_records(file, delimiter)):
            if index == row + 1:
                return Text(f"{file.path}:{line}", f"{file.path}:{line}")
        return Text(str(file.path), str(file.path))

    return place


def read_columns(
    file: File, delimiter: str, wanted: Wanted, known: Mapping[str, pa.DataType] | None = None
) -> tuple[pa.Table, Source]:
    """Some columns, and where each row stands; `known` are types that an earlier part of the file has shown."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    stored = file.partition.stored(wanted, header(file, delimiter)) if file.partition.values else wanted
    types: dict[str, Any] = dict.fromkeys(stored.texts, pa.string()) | dict.fromkeys(stored.numbers, pa.float64())
    known = {name: kind for name, kind in (known or {}).items() if name in stored.columns}
    types |= known
    convert = arrow_csv.ConvertOptions(
        include_columns=list(stored.columns), column_types=types, strings_can_be_null=False, check_utf8=False
    )
    quote = '"' if delimiter == "," else False
    parse = arrow_csv.ParseOptions(delimiter=delimiter, quote_char=quote, newlines_in_values=delimiter == ",")
    ends = np.flatnonzero(file.content == ord("\n"))
    longest = int(np.diff(ends, prepend=-1, append=len(file.content)).max())
    read = arrow_csv.ReadOptions(block_size=min(max(_HEAD, 2 * longest), 2**31 - 1))  # a line must fit in a block
    try:
        table = arrow_csv.read_csv(pa.py_buffer(file.content[file.first_at :]), read, parse, convert)
    except MemoryError as problem:
        raise file.unreadable("CSV", problem) from None
    except (pa.ArrowException, UnicodeDecodeError) as problem:
        raise _explained(file, delimiter, stored.numbers, problem, known) from None
    table = file.partition.completed(table, wanted, file.path, untyped=True)
    return table, Source(file.name, _placer(file, delimiter), untyped_ids=True)


def _explained(
    file: File, delimiter: str, numbers: Sequence[str], problem: Exception, known: Mapping[str, pa.DataType]
) -> InputError:
    """Which line made Arrow stop: one with another number of fields, a value that is no number or of another type."""
    records = _records(file, delimiter)
    titles = next(records)[1]
    line = 0
    for line, record in records:
        place = f"{file.path}:{line}"
        if len(record) != len(titles):
            shown = delimiter.join(record)[:160]
            return InputError(
                f"{place}: {len(record)} fields, but the header has {len(titles)}: {shown}",
                f"{place}：有 {len(record)} 个字段，而表头有 {len(titles)} 个：{shown}",
            )
        odd = next((name for name in numbers if not _is_number(record[titles.index(name)])), None)
        if odd is not None:
            value = record[titles.index(odd)]
            return InputError(
                f"{place}: '{value}' in column '{odd}' is not a number",
                f"{place}：列 '{odd}' 中的 '{value}' 不是数字",
            )
        odd = next((name for name, kind in known.items() if not _fits(record[titles.index(name)], kind)), None)
        if odd is not None:
            value, kind = record[titles.index(odd)], known[odd]
            return InputError(
                f"{place}: '{value}' in column '{odd}' is not {kind}, as the column is before; write it alike everywhere, "
                "or read the file at once with a larger --memory",
                f"{place}：列 '{odd}' 中的 '{value}' 不是 {kind}，与之前的类型不同；请统一该列的写法，或调大 --memory 一次读入",
            )
    if not line:
        return EmptyInputError(f"{file.name.en} has no rows", f"{file.name.zh} 没有数据行")
    return file.unreadable("CSV", problem)


_MISSING = (
    "",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "-1.#IND",
    "-1.#QNAN",
    "1.#IND",
    "1.#QNAN",
    "N/A",
    "NA",
    "NULL",
    "n/a",
    "null",
)


def _is_number(value: str) -> bool:
    """Whether Arrow reads it as a number or as missing."""
    if not value.isascii() or "_" in value:
        return False
    try:
        float(value)
    except ValueError:
        return value in _MISSING
    return True


@lru_cache(1 << 12)
def _fits(value: str, kind: pa.DataType) -> bool:
    """Whether Arrow reads it as a value of a type, or as missing."""
    import pyarrow as pa

    try:
        pa.array([value]).cast(kind)
    except pa.ArrowException:
        return value in _MISSING
    return True
