"""Tables in text: CSV, TSV and other separators. Ids are read as text: 007 stays 007."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import Source, Wanted, no_rows
from pingce.inputs.files import File
from pingce.inputs.tables import Format
from pingce.inputs.tables.base import Columns, Read, Table, Types
from pingce.inputs.tables.detect import HEAD, records, titles_of
from pingce.inputs.tables.text import Part, TextParts

_SHOWN = 200
"Records by which it is known which columns hold numbers."


class TextTable(Table):
    """A table whose first line names the columns, unless the caller's words count them."""

    untyped = True

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        self._delimiter = kind.delimiter
        self.names, self.headerless = titles_of(file, kind.delimiter, words)

    def numeric(self, names: Sequence[str]) -> Sequence[str]:
        first = [record for _, record in islice(records(self.file, self._delimiter, HEAD), 1, _SHOWN)]
        whole = [record for record in first if len(record) == len(self.names)]
        columns = {name: [record[self.names.index(name)] for record in whole] for name in names if name in self.names}
        return [
            name
            for name, words in columns.items()
            if all(map(_is_number, words)) and any(map(str.isdigit, "".join(words)))
        ]

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        """By Arrow; columns whose type nobody says have the one that the first rows show."""
        if memory is None:
            yield self._parsed(self.file, stored, types), 0
        else:
            yield from self._parts().read(memory, lambda part: self._chunk(part, stored, types))

    def estimate(self, wanted: Wanted, like: Table | None = None) -> int:
        return self._parts().estimate

    def _parts(self) -> TextParts:
        sample = self.file
        assert isinstance(sample, Part)  # noqa: S101 - what is streamed was opened by its beginning
        lines = 0 if self.headerless else next(records(sample, self._delimiter, HEAD))[0] - sample.lines_before
        header = b"".join(line + b"\n" for line in sample.content.tobytes().split(b"\n")[:lines])
        quoted = self._delimiter if self._delimiter != "\t" else None
        like = replace(sample, header=header, above_header=sample.lines_before)
        return TextParts(sample, like, copies=2, more=24, delimiter=quoted)

    def _chunk(self, part: Part, stored: Wanted, types: Types) -> Columns:
        table, source = self._parsed(part, stored, types)
        if not table.num_rows:
            raise no_rows(source.name)
        fixed = {*stored.texts, *stored.numbers, *types}
        fresh = {field.name: field.type for field in table.schema if not pa.types.is_null(field.type)}
        types |= {name: kind for name, kind in fresh.items() if name not in fixed}
        return table, source

    def _parsed(self, file: File, stored: Wanted, earlier: Mapping[str, pa.DataType]) -> Columns:
        """Some columns, and where each row stands; `earlier` are types that a part before it has shown."""
        from pyarrow import csv as arrow_csv

        earlier = {name: kind for name, kind in earlier.items() if name in stored.columns}
        types: Types = dict.fromkeys(stored.texts, pa.string()) | dict.fromkeys(stored.numbers, pa.float64())
        convert = arrow_csv.ConvertOptions(
            check_utf8=False, column_types=types | earlier, include_columns=list(stored.columns)
        )
        quote = '"' if self._delimiter != "\t" else False
        parse = arrow_csv.ParseOptions(
            delimiter=self._delimiter, quote_char=quote, newlines_in_values=quote is not False
        )
        ends = np.flatnonzero(file.content == ord("\n"))
        longest = int(np.diff(ends, prepend=-1, append=len(file.content)).max())
        block = min(max(HEAD, 2 * longest), 2**31 - 1)  # a line must fit in a block
        read = arrow_csv.ReadOptions(block_size=block, column_names=self.names if self.headerless else None)
        try:
            table = arrow_csv.read_csv(pa.py_buffer(file.content[file.first_at :]), read, parse, convert)
        except MemoryError as problem:
            raise file.unreadable("CSV", problem) from None
        except (pa.ArrowException, UnicodeDecodeError) as problem:
            raise self._explained(file, problem, stored.numbers, earlier) from None

        def place(row: int) -> Text:
            line, _ = next(islice(self._records(file), row, None), (0, None))
            text = f"{file.path}:{line}" if line else str(file.path)
            return Text(text, text)

        return table, Source(file.name, place, untyped_ids=True)

    def _records(self, file: File) -> Iterator[tuple[int, list[str]]]:
        """Line number and fields of each row."""
        return islice(records(file, self._delimiter), 0 if self.headerless else 1, None)

    def _explained(
        self, file: File, problem: Exception, numbers: Sequence[str], earlier: Mapping[str, pa.DataType]
    ) -> InputError:
        """Which line made Arrow stop: one with another number of fields, a value that is no number or of another type."""
        titles, line = self.names, 0
        above = Text("the first line", "首行") if self.headerless else Text("the header", "表头")
        for line, record in self._records(file):
            place = f"{file.path}:{line}"
            if len(record) != len(titles):
                text = self._delimiter.join(record)[:160]
                return InputError(
                    f"{place}: {len(record)} fields, but {above.en} has {len(titles)}: {text}",
                    f"{place}：有 {len(record)} 个字段，而{above.zh}有 {len(titles)} 个：{text}",
                )
            odd = next((name for name in numbers if not _is_number(record[titles.index(name)])), None)
            if odd is not None:
                value = record[titles.index(odd)]
                return InputError(
                    f"{place}: '{value}' in column '{odd}' is not a number",
                    f"{place}：列 '{odd}' 中的 '{value}' 不是数字",
                )
            odd = next((name for name, kind in earlier.items() if not _fits(record[titles.index(name)], kind)), None)
            if odd is not None:
                value, kind = record[titles.index(odd)], earlier[odd]
                return InputError(
                    f"{place}: '{value}' in column '{odd}' is not {kind}, as the column is before; write it alike everywhere, "
                    "or read the file at once with a larger --memory",
                    f"{place}：列 '{odd}' 中的 '{value}' 不是 {kind}，与之前的类型不同；请统一该列的写法，或调大 --memory 一次读入",
                )
        if not line:
            return no_rows(file.name)
        return file.unreadable("CSV", problem)


_NO_NUMBERS = ("-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN")
_MISSING = ("", "#N/A", "#N/A N/A", "#NA", *_NO_NUMBERS, "N/A", "NA", "NULL", "n/a", "null")


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
    try:
        pa.array([value]).cast(kind)
    except pa.ArrowException:
        return value in _MISSING
    return True
