"""Parquet, JSON lines, and JSON objects {query: {item: number}}."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pingce.errors import InputError
from pingce.inputs.columns import Rows, Source
from pingce.inputs.dicts import read_dict
from pingce.inputs.names import map_columns
from pingce.inputs.tables import from_table
from pingce.language import Text

if TYPE_CHECKING:
    from pingce.inputs.files import File


def read_parquet(file: File, columns: Mapping[str, str] | None) -> Rows:
    """Rows of a Parquet file; only the columns that matter are read."""
    import pyarrow as pa
    from pyarrow import parquet

    def place(row: int) -> Text:
        return Text(f"{file.path}: row {row}", f"{file.path}：第 {row} 行（从 0 起）")

    try:
        reader = parquet.ParquetFile(pa.py_buffer(file.content))
        mapped = map_columns(reader.schema_arrow.names, file.role, columns, file.name)
        table = reader.read(columns=mapped.columns())
    except (pa.ArrowInvalid, OSError) as problem:
        raise _damaged(file, "Parquet", problem) from None
    return from_table(table, mapped, Source(file.name, place))


def read_jsonl(file: File, columns: Mapping[str, str] | None) -> Rows:
    """Rows of a file with one JSON object a line."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    def place(row: int) -> Text:
        lines = [number for number, line in enumerate(file.content.tobytes().split(b"\n"), 1) if line.strip()]
        return Text(f"{file.path}:{lines[row]}", f"{file.path}:{lines[row]}")

    try:
        table = arrow_json.read_json(pa.BufferReader(pa.py_buffer(file.content)))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as problem:
        raise _bad_json_line(file, problem) from None
    mapped = map_columns(table.column_names, file.role, columns, file.name)
    return from_table(table.select(mapped.columns()), mapped, Source(file.name, place))


def read_json(file: File, columns: Mapping[str, str] | None) -> Rows:
    """Rows of one JSON object {query: {item: number}} or {query: [items]}; JSON lines are read as such."""
    try:
        data = json.loads(file.content.tobytes())
    except ValueError:
        return read_jsonl(file, columns)
    if not isinstance(data, dict) or not all(isinstance(value, (dict, list)) for value in data.values()):
        return read_jsonl(file, columns)
    return read_dict(data, file.role, file.name)


def _bad_json_line(file: File, problem: Exception) -> InputError:
    for number, line in enumerate(file.content.tobytes().split(b"\n"), 1):
        try:
            found = json.loads(line) if line.strip() else {}
        except ValueError:
            found = None
        if not isinstance(found, dict):
            shown = line[:160].decode("utf-8", "backslashreplace")
            place = f"{file.path}:{number}"
            return InputError(f"{place}: not a JSON object: {shown}", f"{place}：不是 JSON 对象：{shown}")
    return _damaged(file, "JSON", problem)


def _damaged(file: File, kind: str, problem: Exception) -> InputError:
    first = str(problem).splitlines()[0]
    return InputError(f"{file.path}: not readable as {kind} ({first})", f"{file.path}：无法作为 {kind} 读取（{first}）")
