"""One JSON object {query: {item: number}} or {query: [items]}; where a file has one object a line, its rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Rows, Source, Wanted
from pingce.inputs.dicts import read_dict, read_pairs
from pingce.inputs.files import File
from pingce.inputs.tables import BY_NAME, Format, document_format
from pingce.inputs.tables.base import Chunked, Columns, Read, Table, Types


class ObjectRows(Chunked[Rows]):
    """Rows that are read at once."""

    def __init__(self, file: File, reading: Reading) -> None:
        super().__init__(file)
        self._reading = reading

    def chunks(self, memory: int | None = None) -> Read[Rows]:
        yield self._read(), 0

    def _read(self) -> Rows:
        """Rows of one JSON object {query: {item: number}} or {query: [items]}; JSON lines are read as such."""
        file = self.file
        try:
            data = json.loads(file.content.tobytes(), object_pairs_hook=_Object)
        except (ValueError, RecursionError):
            return BY_NAME["jsonl"].open_rows(file, self._reading).whole()
        document = document_format(data) if isinstance(data, _Object) else None
        if document is not None:
            return document.open_rows(file, self._reading).whole()
        kinds = {type(value) for value in data.values()} if isinstance(data, _Object) else {None}
        if file.role == "weights" and kinds and kinds <= {int, float, bool} and data.repeated is None:
            return read_pairs(list(data.items()), file.role, file.name, untyped_ids=True)
        if not kinds <= {_Object, list}:
            return BY_NAME["jsonl"].open_rows(file, self._reading).whole()
        for key, value in data.items():
            if data.repeated == key or getattr(value, "repeated", None) is not None:
                item = "" if data.repeated == key else f"['{value.repeated}']"
                raise InputError(
                    f"{file.path}: the key ['{key}']{item} stands twice in one object; remove one",
                    f"{file.path}：键 ['{key}']{item} 在同一对象中出现两次；请删除其一",
                )
        return read_dict(data, file.role, file.name, untyped_ids=True)


class _Object(Json):
    """A JSON object that knows whether a key stood in it twice: Python's dict keeps the last in silence."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: str | None = None
        if len(self) < len(pairs):
            keys: set[str] = set()
            self.repeated = next(key for key, _ in pairs if key in keys or keys.add(key))  # type: ignore[func-returns-value]


_BLOCK = 1 << 20
_SHOWN = 200
"Objects by which it is known which columns hold numbers."


class ObjectTable(Table):
    """A table by its first object."""

    def __init__(self, file: File, kind: Format, words: Sequence[str]) -> None:
        super().__init__(file)
        self._starts = np.concatenate([[0], np.flatnonzero(file.content == ord("\n")) + 1])
        self._blank = _refuse_other_than_objects(file, self._starts)
        number, line = file.first_line()
        first = _object(line)
        if first is None:
            raise _not_an_object(file, number, line)
        self._first, self.names = first, list(first)

    def numeric(self, names: Sequence[str]) -> Sequence[str]:
        lines = self.file.content[: 1 << 20].tobytes().split(b"\n")[:_SHOWN]
        objects = [record for record in map(_object, lines) if record is not None]
        values = {name: [each[name] for each in objects if each.get(name) is not None] for name in names}
        return [name for name, column in values.items() if column and all(map(_is_number, column))]

    def read(self, stored: Wanted, memory: int | None, types: Types) -> Read[Columns]:
        file = self.file

        def place(row: int) -> Text:
            lines = [number for number, line in enumerate(file.content.tobytes().split(b"\n"), 1) if line.strip()]
            return Text(f"{file.path}:{lines[row]}", f"{file.path}:{lines[row]}")

        longest = int(np.diff(self._starts, append=len(file.content) + 1).max())
        try:
            table = _read_json_table(file, self._first, stored, longest)
            if table.num_rows != len(self._starts) - self._blank:
                raise pa.ArrowInvalid("one object a line")
        except MemoryError as problem:
            raise file.unreadable("JSON", problem) from None
        except (pa.ArrowException, UnicodeError) as problem:
            raise _bad_json_line(file, stored, problem) from None
        yield (table, Source(file.name, place)), 0


def _read_json_table(file: File, first: Json, wanted: Wanted, longest: int) -> pa.Table:
    """Only the columns that matter, with the types that the first object shows: a date in an id stays a string."""
    from pyarrow import json as arrow_json

    kinds: dict[type, list[Any]] = {int: [pa.int64(), pa.float64()], bool: [pa.bool_()], str: [pa.string()]}

    def types(name: str) -> list[Any]:
        if name in wanted.texts:
            return [pa.string() if isinstance(first.get(name), str) else pa.int64()]
        return kinds.get(type(first.get(name)), [pa.float64()])

    read = arrow_json.ReadOptions(block_size=max(_BLOCK, longest + 1))
    for attempt in (0, -1):
        schema = pa.schema([(name, types(name)[attempt]) for name in wanted.columns])
        parse = arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
        try:
            return arrow_json.read_json(pa.BufferReader(pa.py_buffer(file.content)), read, parse)
        except pa.ArrowInvalid:
            if attempt:
                raise
    raise AssertionError


def _refuse_other_than_objects(file: File, starts: NDArray[np.int64]) -> int:
    """Arrow must not see a line that is no object: it may not survive it. How many lines are blank."""
    letters = file.content[starts[starts < len(file.content)]]
    odd = starts[: len(letters)][letters != ord("{")]
    blank = len(starts) - len(letters)
    for at in odd.tolist():
        line = file.line_at(at).strip()
        if line and not line.startswith(b"{"):
            raise _not_an_object(file, file.line_number(at), line)
        blank += not line
    return blank


def _object(line: bytes) -> Json | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _not_an_object(file: File, number: int, line: bytes) -> InputError:
    text = line[:160].decode("utf-8", "backslashreplace")
    place = f"{file.path}:{number}"
    return InputError(f"{place}: not a JSON object: {text}", f"{place}：不是 JSON 对象：{text}")


def _bad_json_line(file: File, wanted: Wanted, problem: Exception) -> InputError:
    """Which line made Arrow stop: one that is no object, or one with another type than the first has."""
    first: Json | None = None
    for number, line in enumerate(file.content.tobytes().split(b"\n"), 1):
        if not line.strip():
            continue
        record = _object(line)
        if record is None:
            return _not_an_object(file, number, line)
        first = record if first is None else first
        odd = next((name for name in wanted.columns if not _is_like(record.get(name), first.get(name))), None)
        if odd is not None:
            place, value = f"{file.path}:{number}", json.dumps(record.get(odd), ensure_ascii=False)[:80]
            return InputError(
                f"{place}: '{odd}' is {value}, of another type than in the first line; make the ids all strings or all "
                "integers, and grades and scores numbers",
                f"{place}：'{odd}' 为 {value}，类型与第一行不同；编号须全为字符串或全为整数，等级和分数须为数字",
            )
    return file.unreadable("JSON", problem)


def _is_like(value: Any, first: Any) -> bool:
    return value is None or (_is_number(value) if _is_number(first) else type(value) is type(first))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
