"""CSV and TSV with a header line. Ids are read as text: 007 stays 007."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.text import Text
from pingce.inputs.columns import Rows, Source, Wanted
from pingce.inputs.headers import HEAD, counted_columns, records, titles_of
from pingce.inputs.names import asked_of, map_columns
from pingce.inputs.numeric import of_records
from pingce.inputs.tables import from_table

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.columns import Reading
    from pingce.inputs.files import File
    from pingce.inputs.headers import Titles
    from pingce.inputs.numeric import Numeric


_SHOWN = 200
"Records by which it is known which columns hold numbers."


def read_delimited(file: File, reading: Reading, delimiter: str) -> Rows:
    """Rows of a table; its first line names the columns, unless the caller counts them."""
    columns = reading.columns
    titles = titles_of(file, delimiter, list(asked_of(file.role, columns).values()))
    columns = counted_columns(file, columns) if titles.headerless else columns
    names, numeric = file.partition.names(titles.names), _numeric(file, delimiter, titles.names)
    mapped = map_columns(names, file.role, columns, file.name, numeric=numeric)
    table, source = read_columns(file, delimiter, mapped.wanted)
    return from_table(table, mapped, source)


def _numeric(file: File, delimiter: str, titles: list[str]) -> Numeric:
    """Which columns hold numbers, by the first records; nothing is read before somebody asks."""

    def numeric(names: Sequence[str]) -> Sequence[str]:
        first = [record for _, record in islice(records(file, delimiter, HEAD), 1, _SHOWN)]
        return of_records(titles, first, _is_number)(names)

    return numeric


def _placer(file: File, delimiter: str, above: int) -> Callable[[int], Text]:
    def place(row: int) -> Text:
        for index, (line, _) in enumerate(records(file, delimiter)):
            if index == row + above:
                return Text(f"{file.path}:{line}", f"{file.path}:{line}")
        return Text(str(file.path), str(file.path))

    return place


def read_columns(
    file: File, delimiter: str, wanted: Wanted, known: Mapping[str, pa.DataType] | None = None
) -> tuple[pa.Table, Source]:
    """Some columns, and where each row stands; `known` are types that an earlier part of the file has shown."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    titles = titles_of(file, delimiter, wanted.columns)
    stored = file.partition.stored(wanted, titles.names) if file.partition.values else wanted
    types: dict[str, Any] = dict.fromkeys(stored.texts, pa.string()) | dict.fromkeys(stored.numbers, pa.float64())
    known = {name: kind for name, kind in (known or {}).items() if name in stored.columns}
    types |= known
    convert = arrow_csv.ConvertOptions(
        include_columns=list(stored.columns), column_types=types, strings_can_be_null=False, check_utf8=False
    )
    quoted = delimiter != "\t"
    parse = arrow_csv.ParseOptions(delimiter=delimiter, quote_char='"' if quoted else False, newlines_in_values=quoted)
    ends = np.flatnonzero(file.content == ord("\n"))
    longest = int(np.diff(ends, prepend=-1, append=len(file.content)).max())
    block = min(max(HEAD, 2 * longest), 2**31 - 1)  # a line must fit in a block
    read = arrow_csv.ReadOptions(block_size=block, column_names=titles.names if titles.headerless else None)
    try:
        table = arrow_csv.read_csv(pa.py_buffer(file.content[file.first_at :]), read, parse, convert)
    except MemoryError as problem:
        raise file.unreadable("CSV", problem) from None
    except (pa.ArrowException, UnicodeDecodeError) as problem:
        raise _explained(file, delimiter, problem, header=titles, numbers=stored.numbers, known=known) from None
    table = file.partition.completed(table, wanted, file.path, untyped=True)
    return table, Source(file.name, _placer(file, delimiter, 0 if titles.headerless else 1), untyped_ids=True)


def _explained(
    file: File,
    delimiter: str,
    problem: Exception,
    *,
    header: Titles,
    numbers: Sequence[str],
    known: Mapping[str, pa.DataType],
) -> InputError:
    """Which line made Arrow stop: one with another number of fields, a value that is no number or of another type."""
    titles, line = header.names, 0
    above = Text("the first line", "首行") if header.headerless else Text("the header", "表头")
    for line, record in islice(records(file, delimiter), 0 if header.headerless else 1, None):
        place = f"{file.path}:{line}"
        if len(record) != len(titles):
            shown = delimiter.join(record)[:160]
            return InputError(
                f"{place}: {len(record)} fields, but {above.en} has {len(titles)}: {shown}",
                f"{place}：有 {len(record)} 个字段，而{above.zh}有 {len(titles)} 个：{shown}",
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
