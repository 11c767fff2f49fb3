"""Documents of search engines, each one JSON object with rated or returned documents in lists of lists."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Role, Rows, Source
from pingce.inputs.dicts import make_ids
from pingce.inputs.files import File
from pingce.inputs.tables.base import Chunked, Read


@dataclass(frozen=True)
class Entry:
    """A rated or a returned document of a query, and where in the file it stands."""

    query: str
    item: str
    number: float
    place: str


def objects_with(value: Any, key: str) -> bool:
    """Whether a value is a list of objects that have this key."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) and key in each for each in value)


class DocumentRows(Chunked[Rows]):
    """Rows of one JSON object, which is read at once."""

    title: str
    roles: tuple[Role, ...] = ("truth", "run")

    def __init__(self, file: File, reading: Reading) -> None:
        super().__init__(file)
        self.notes: list[Text] = []
        self.index: str | None = None

    @classmethod
    @abstractmethod
    def holds(cls, data: Mapping[str, object]) -> bool:
        """Whether a JSON object is such a document."""

    @abstractmethod
    def ratings(self, data: Any) -> Iterator[Entry]:
        """The rated documents of a truth."""

    @abstractmethod
    def hits(self, data: Any) -> Iterator[Entry]:
        """The returned documents of a run, best first: the number is minus the rank."""

    def chunks(self, memory: int | None = None) -> Read[Rows]:
        """All rows."""
        role = self.file.role
        if role not in self.roles:
            self.refuse(f"{self.title} holds ratings and hits", f"{self.title} 中是评级与命中")
        data = self._parsed()
        entries = list(self.ratings(data) if role == "truth" else self.hits(data))
        if not entries:
            name = self.file.name
            raise EmptyInputError(f"{name.en} has no documents", f"{name.zh} 中没有文档")
        yield self._rows(entries, "given" if role == "truth" else "rank"), 0

    def _parsed(self) -> Any:
        try:
            data = json.loads(self.file.content.tobytes())
        except (ValueError, RecursionError) as problem:
            raise self.file.unreadable("JSON", problem) from None
        if not isinstance(data, Mapping):
            self.refuse(f"{self.title} is one JSON object", f"{self.title} 应为一个 JSON 对象")
        return data

    def _rows(self, entries: Sequence[Entry], meaning: Any) -> Rows:
        path = self.file.path

        def place(row: int) -> Text:
            return Text(f"{path}: {entries[row].place}", f"{path}：{entries[row].place}")

        source = Source(self.file.name, place, tuple(self.notes), untyped_ids=True, index=self.index)
        query, item = (make_ids([getattr(each, part) for each in entries], part, source) for part in ("query", "item"))
        return Rows(query, item, np.array([each.number for each in entries]), source, meaning)

    def of(self, holder: Any, key: str, kind: type, place: str) -> Any:
        """A value of an object in the file; refused where it is missing or of another kind."""
        value = holder.get(key) if isinstance(holder, Mapping) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            words = {list: "a list", Mapping: "an object", str: "a string", object: "a value"}
            text = json.dumps(value, ensure_ascii=False)[:80]
            raise InputError(
                f"{self.file.path}: {place}.{key} is {text}, not {words.get(kind, 'a number')}; {self.title} has it there",
                f"{self.file.path}：{place}.{key} 为 {text}，类型不对；{self.title} 在此处应有该值",
            )
        return value

    def number(self, holder: Any, key: str, place: str) -> float:
        """A number of an object in the file, as such or as text."""
        value = holder.get(key) if isinstance(holder, Mapping) else None
        if isinstance(value, (int, float, str)) and not isinstance(value, bool):
            with suppress(ValueError):
                return float(value)
        text = json.dumps(value, ensure_ascii=False)[:80]
        raise InputError(
            f"{self.file.path}: {place}.{key} is {text}, not a number; give the rating of the document",
            f"{self.file.path}：{place}.{key} 为 {text}，不是数字；请给出该文档的评级",
        )

    def refuse(self, en: str, zh: str) -> NoReturn:
        """Refuse a file that does not have what its role needs."""
        raise InputError(f"{self.file.name.en}: {en}", f"{self.file.name.zh}：{zh}")

    def note(self, en: str, zh: str) -> None:
        """Say something of how the file was read."""
        self.notes.append(Text(f"{self.file.name.en}: {en}", f"{self.file.name.zh}：{zh}"))
