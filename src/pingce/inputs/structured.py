"""Parquet, Feather, JSON lines, and JSON objects {query: {item: number}}."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.arrow_ids import is_string
from pingce.inputs.columns import Rows, Source, Wanted
from pingce.inputs.compressed import more_than_fits, room
from pingce.inputs.dicts import read_dict, read_pairs
from pingce.inputs.names import Mapped, map_columns
from pingce.inputs.numeric import of_objects, of_schema
from pingce.inputs.tables import from_table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from pingce.inputs.columns import Reading
    from pingce.inputs.files import File

_BLOCK = 1 << 20
_LARGE = 1 << 27
"Bytes that fit anywhere."


def read_parquet(file: File, reading: Reading) -> Rows:
    """Rows of a Parquet file; only the columns that matter are read."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with file.opened() as source:
            known = parquet.ParquetFile(source)
            schema = known.schema_arrow
            names = file.partition.names(schema.names)
            mapped = map_columns(names, file.role, reading.columns, file.name, numeric=of_schema(schema))
            coded = coded_queries(schema, known.metadata, mapped)
            reader = parquet.ParquetFile(source, metadata=known.metadata, read_dictionary=coded, pre_buffer=True)
            columns = list(file.partition.stored(mapped.wanted, schema.names).columns)
            refuse_more_than_fits(file, known, columns)
            table = reader.read(columns=columns)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        raise file.unreadable("Parquet", problem) from None
    table = file.partition.completed(table, mapped.wanted, file.path)
    return from_table(table, mapped, counted_rows(file))


def coded_queries(schema: pa.Schema, metadata: Any, mapped: Mapped) -> list[str]:
    """The query column, if it can be read as a dictionary: it stands in many rows, and most writers write it as one."""
    is_text = mapped.query in schema.names and is_string(schema.field(mapped.query).type)
    return [mapped.query] if is_text and not _has_deltas(metadata, mapped.query) else []


def pages_size(metadata: Any, columns: Sequence[str]) -> int:
    """Bytes of some columns after decompression, as the footer says: before runs and dictionaries are written out."""
    places = [at for at in range(metadata.num_columns) if metadata.schema.column(at).path in columns]
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    return sum(group.column(place).total_uncompressed_size for group in groups for place in places)


def refuse_more_than_fits(file: File, reader: Any, columns: Sequence[str]) -> None:
    """Refuse a file whose rows would take more than half of the memory there is: few bytes may hold very many rows."""
    size = max(reader.metadata.num_rows * 8 * len(columns), pages_size(reader.metadata, columns))
    if size > _LARGE and size > room():
        raise more_than_fits(file.path, size)


def _has_deltas(metadata: Any, name: str) -> bool:
    """Whether some of a column is in an encoding that Arrow cannot make a dictionary of (DuckDB and Parquet v2 write it)."""
    place = next(at for at in range(metadata.num_columns) if metadata.schema.column(at).path == name)
    groups = (metadata.row_group(group).column(place) for group in range(metadata.num_row_groups))
    return any(encoding.startswith("DELTA") for group in groups for encoding in group.encodings)


def read_feather(file: File, reading: Reading) -> Rows:
    """Rows of a Feather (Arrow IPC) file."""
    import pyarrow as pa

    try:
        with file.opened() as source:
            reader = pa.ipc.open_file(source)
            names = reader.schema.names
            present, numeric = file.partition.names(names), of_schema(reader.schema)
            mapped = map_columns(present, file.role, reading.columns, file.name, numeric=numeric)
            table = reader.read_all().select(list(file.partition.stored(mapped.wanted, names).columns))
        table.validate(full=True)  # its offsets come from the file, and the core follows them
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        raise file.unreadable("Feather", problem) from None
    table = file.partition.completed(table, mapped.wanted, file.path)
    return from_table(table, mapped, counted_rows(file))


def counted_rows(file: File, first: int = 0) -> Source:
    """The source of a file without lines, or of its rows from some row on: rows are counted from 0."""
    path = file.path
    return Source(file.name, lambda row: Text(f"{path}: row {first + row}", f"{path}：第 {first + row} 行（从 0 起）"))


def read_jsonl(file: File, reading: Reading) -> Rows:
    """Rows of a file with one JSON object a line; the first one says which columns there are."""
    first, blank = first_object(file)
    names = file.partition.names(list(first))
    mapped = map_columns(names, file.role, reading.columns, file.name, numeric=of_objects(file))
    table, source = read_json_columns(file, first, blank, mapped.wanted)
    return from_table(table, mapped, source)


def first_object(file: File) -> tuple[dict[str, Any], int]:
    """The first object of a file with one a line, and how many lines are blank."""
    blank = _refuse_other_than_objects(file, _line_starts(file))
    number, line = file.first_line()
    first = _object(line)
    if first is None:
        raise _not_an_object(file, number, line)
    return first, blank


def _line_starts(file: File) -> NDArray[np.int64]:
    return np.concatenate([[0], np.flatnonzero(file.content == ord("\n")) + 1])


def read_json_columns(file: File, first: dict[str, Any], blank: int, wanted: Wanted) -> tuple[pa.Table, Source]:
    """Some columns, and where each row stands."""
    import pyarrow as pa

    def place(row: int) -> Text:
        lines = [number for number, line in enumerate(file.content.tobytes().split(b"\n"), 1) if line.strip()]
        return Text(f"{file.path}:{lines[row]}", f"{file.path}:{lines[row]}")

    stored = file.partition.stored(wanted, list(first))
    starts = _line_starts(file)
    longest = int(np.diff(starts, append=len(file.content) + 1).max())
    try:
        table = _read_json_table(file, first, stored, longest)
        if table.num_rows != len(starts) - blank:
            raise pa.ArrowInvalid("one object a line")
    except MemoryError as problem:
        raise file.unreadable("JSON", problem) from None
    except (pa.ArrowException, UnicodeError) as problem:
        raise _bad_json_line(file, stored, problem) from None
    return file.partition.completed(table, wanted, file.path), Source(file.name, place)


def read_json(file: File, reading: Reading) -> Rows:
    """Rows of one JSON object {query: {item: number}} or {query: [items]}; JSON lines are read as such."""
    try:
        data = json.loads(file.content.tobytes(), object_pairs_hook=_Object)
    except (ValueError, RecursionError):
        return read_jsonl(file, reading)
    if file.role == "weights" and isinstance(data, _Object) and data.repeated is None and _holds_numbers(data):
        return read_pairs(list(data.items()), file.role, file.name, untyped_ids=True)
    if not isinstance(data, _Object) or not all(isinstance(value, (dict, list)) for value in data.values()):
        return read_jsonl(file, reading)
    for key, value in data.items():
        if data.repeated == key or getattr(value, "repeated", None) is not None:
            item = "" if data.repeated == key else f"['{value.repeated}']"
            raise InputError(
                f"{file.path}: the key ['{key}']{item} stands twice in one object; remove one",
                f"{file.path}：键 ['{key}']{item} 在同一对象中出现两次；请删除其一",
            )
    return read_dict(data, file.role, file.name, untyped_ids=True)


def _holds_numbers(data: Mapping[str, Any]) -> bool:
    return bool(data) and all(isinstance(value, (int, float)) for value in data.values())


class _Object(dict[str, Any]):
    """A JSON object that knows whether a key stood in it twice: Python's dict keeps the last in silence."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: str | None = None
        if len(self) < len(pairs):
            seen: set[str] = set()
            self.repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _read_json_table(file: File, first: dict[str, Any], wanted: Wanted, longest: int) -> pa.Table:
    """Only the columns that matter, with the types that the first object shows: a date in an id stays a string."""
    import pyarrow as pa
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


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _not_an_object(file: File, number: int, line: bytes) -> InputError:
    shown = line[:160].decode("utf-8", "backslashreplace")
    place = f"{file.path}:{number}"
    return InputError(f"{place}: not a JSON object: {shown}", f"{place}：不是 JSON 对象：{shown}")


def _bad_json_line(file: File, wanted: Wanted, problem: Exception) -> InputError:
    """Which line made Arrow stop: one that is no object, or one with another type than the first has."""
    first: dict[str, Any] | None = None
    for number, line in enumerate(file.content.tobytes().split(b"\n"), 1):
        if not line.strip():
            continue
        found = _object(line)
        if found is None:
            return _not_an_object(file, number, line)
        first = found if first is None else first
        odd = next((name for name in wanted.columns if not _alike(found.get(name), first.get(name))), None)
        if odd is not None:
            place, value = f"{file.path}:{number}", json.dumps(found.get(odd), ensure_ascii=False)[:80]
            return InputError(
                f"{place}: '{odd}' is {value}, of another type than in the first line; make the ids all strings or all "
                "integers, and grades and scores numbers",
                f"{place}：'{odd}' 为 {value}，类型与第一行不同；编号须全为字符串或全为整数，等级和分数须为数字",
            )
    return file.unreadable("JSON", problem)


def _alike(value: Any, first: Any) -> bool:
    if value is None:
        return True
    if isinstance(first, (int, float)) and not isinstance(first, bool):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is type(first)
