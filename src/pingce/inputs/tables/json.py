"""One JSON object {query: {item: number}} or {query: [items]}; where a file has one object a line, its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.inputs.dicts import read_dict, read_pairs
from pingce.inputs.tables import BY_NAME
from pingce.inputs.tables.base import Chunked

if TYPE_CHECKING:
    from pingce.inputs.columns import Reading, Rows
    from pingce.inputs.files import File


class ObjectRows(Chunked["Rows"]):
    """Rows that are read at once."""

    def __init__(self, file: File, reading: Reading) -> None:
        super().__init__(file)
        self._reading = reading

    def chunks(self, memory: int | None = None) -> Iterator[tuple[Rows, int]]:
        """A single one."""
        yield _read_object(self.file, self._reading), 0


def _read_object(file: File, reading: Reading) -> Rows:
    """Rows of one JSON object {query: {item: number}} or {query: [items]}; JSON lines are read as such."""
    try:
        data = json.loads(file.content.tobytes(), object_pairs_hook=_Object)
    except (ValueError, RecursionError):
        return BY_NAME["jsonl"].open_rows(file, reading).whole()
    if (
        file.role == "weights"
        and isinstance(data, _Object)
        and data.repeated is None
        and data
        and all(isinstance(value, (int, float)) for value in data.values())
    ):
        return read_pairs(list(data.items()), file.role, file.name, untyped_ids=True)
    if not isinstance(data, _Object) or not all(isinstance(value, (dict, list)) for value in data.values()):
        return BY_NAME["jsonl"].open_rows(file, reading).whole()
    for key, value in data.items():
        if data.repeated == key or getattr(value, "repeated", None) is not None:
            item = "" if data.repeated == key else f"['{value.repeated}']"
            raise InputError(
                f"{file.path}: the key ['{key}']{item} stands twice in one object; remove one",
                f"{file.path}：键 ['{key}']{item} 在同一对象中出现两次；请删除其一",
            )
    return read_dict(data, file.role, file.name, untyped_ids=True)


class _Object(dict[str, Any]):
    """A JSON object that knows whether a key stood in it twice: Python's dict keeps the last in silence."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: str | None = None
        if len(self) < len(pairs):
            keys: set[str] = set()
            self.repeated = next(key for key, _ in pairs if key in keys or keys.add(key))  # type: ignore[func-returns-value]
