"""Documents that `to_json` wrote, read back: values, definitions, and the value of each query or group."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNITS = ("queries", "rows", "groups", "classes")


def definition(signature: str) -> str:
    """A signature without the version, and without whether excluded pairs were met in this very run."""
    return "|".join(part for part in signature.split("|") if not part.startswith(("pingce:", "exclude:")))


@dataclass(frozen=True)
class SavedMetric:
    """One value as it was written; NaN where it was undefined."""

    name: str
    id: str
    value: float
    signature: str
    n: int
    unit: str
    undefined: int = 0
    interval: tuple[float, float] | None = None
    confidence: float | None = None
    "Of the interval."

    @property
    def definition(self) -> str:
        """What must agree for two values to be comparable."""
        return definition(self.signature)


@dataclass(frozen=True)
class UnitTable:
    """The value of each query, group or class: ids first, then a column a number (None where undefined)."""

    unit: str
    ids: Sequence[str | int]
    columns: Mapping[str, Sequence[float | None]]

    def values(self, name: str) -> NDArray[np.float64]:
        """One column; NaN where undefined."""
        import numpy as np

        return np.array([math.nan if value is None else value for value in self.columns[name]], dtype=np.float64)


@dataclass(frozen=True)
class Document:
    """One run or model."""

    source: Text
    "What messages call it."
    task: str
    metrics: Mapping[str, SavedMetric]
    "By the spelling asked for."
    version: str = ""
    run: str | None = None
    per: UnitTable | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def per_query(self) -> UnitTable | None:
        """The value of each query, where they were saved (`-q`, or `per_query=True`)."""
        return self.per if self.per is not None and self.per.unit == "query" else None

    def find(self, name: str) -> SavedMetric | None:
        """A metric under any of its spellings; None where it was not saved."""
        if name in self.metrics:
            return self.metrics[name]
        from pingce.metrics.grammar import parse_metric

        try:
            wanted = parse_metric(name, task=self.task).id
        except InputError:
            return None
        return next((metric for metric in self.metrics.values() if metric.id == wanted), None)


def read_document(data: Any, *, run: str | None = None) -> Document:
    """The document in a file, or the dictionary that `to_dict` gives; of several runs the one that is named."""
    documents = read_documents(data)
    if run is None and len(documents) == 1:
        return documents[0]
    names = [document.run or "" for document in documents]
    if run in names:
        return documents[names.index(run)]
    source, listed = _source(data), ", ".join(f"'{name}'" for name in names)
    if run is None:
        raise InputError(
            f"{source.en} holds {len(documents)} runs ({listed}); save one run a file, or say which one is meant",
            f"{source.zh} 含 {len(documents)} 份预测（{listed}）；请每个文件只保存一份，或指明是哪一份",
        )
    hint = did_you_mean(run, names)
    raise InputError(
        f"{source.en} has no run '{run}'; it has {listed}{hint.en}",
        f"{source.zh} 没有预测 '{run}'；现有 {listed}{hint.zh}",
    )


def _source(data: Any) -> Text:
    """What messages call a document."""
    is_path = isinstance(data, (str, os.PathLike))
    return Text(str(data), str(data)) if is_path else Text("the document", "该文档")


def is_document(path: Any) -> bool:
    """Whether a file looks like a saved document: JSON that says its schema."""
    file = Path(path)
    if file.suffix.lower() != ".json" or not file.is_file():
        return False
    with file.open("rb") as opened:
        if not opened.read(16).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return False
    try:
        content = _loaded(file, finite=False)  # a document with an impossible number is one: its reader says so
    except InputError:
        return False
    return isinstance(content, Mapping) and "schema_version" in content


def as_document(data: Any) -> Document | None:
    """What was read before: a document, or scores that hold one."""
    document = getattr(data, "document", data)
    return document if isinstance(document, Document) else None


def read_documents(data: Any) -> list[Document]:
    """Every run or model of a file, or of the dictionary that `documents` gives; what was read before comes back."""
    document = as_document(data)
    if document is not None:
        return [document]
    source, value = _source(data), data
    if isinstance(data, (str, os.PathLike)):
        value = _loaded(Path(data))
    elif not isinstance(data, Mapping):
        raise InputError(
            f"a saved document is a path or a dictionary, not {type(data).__name__}",
            f"保存的文档应为路径或字典，而不是 {type(data).__name__}",
        )
    if not isinstance(value, Mapping) or "schema_version" not in value:
        raise _no_document(source)
    _refuse_other_schema(value["schema_version"], source)
    runs = value.get("runs", [value])
    try:
        documents = [_document(run, source) for run in runs]
    except InputError:
        raise
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise _no_document(source) from None
    if not documents:
        raise _no_document(source)
    return documents


def _loaded(path: Path, *, finite: bool = True) -> Any:
    real, whole = (_double, _whole) if finite else (float, int)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return json.loads(text, parse_constant=_refused, parse_float=real, parse_int=whole)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise InputError(f"{path}: cannot be read ({reason})", f"{path}：无法读取（{reason}）") from None
    except json.JSONDecodeError as problem:
        raise InputError(
            f"{path}, line {problem.lineno}: this is not JSON ({problem.msg}); give a file that pingce eval -f json wrote",
            f"{path} 第 {problem.lineno} 行：不是 JSON（{problem.msg}）；请给出 pingce eval -f json 写出的文件",
        ) from None
    except OverflowError as problem:
        raise InputError(
            f"{path}: the number {problem} is beyond what a double holds, and pingce never wrote it; save the scores anew",
            f"{path}：数字 {problem} 超出双精度的范围，不可能由 pingce 写出；请重新保存分数",
        ) from None
    except (ValueError, RecursionError):
        raise _no_document(Text(str(path), str(path))) from None


def _double(digits: str) -> float:
    """A number of the file; one that would become infinite is refused."""
    value = float(digits)
    if math.isinf(value):
        raise OverflowError(digits)
    return value


def _whole(digits: str) -> int:
    _double(digits)
    return int(digits)


def _refused(word: str) -> Any:
    raise ValueError(word)


def _no_document(source: Text) -> InputError:
    return InputError(
        f"{source.en} is no document of pingce scores; give one that pingce eval -f json or scores.to_json() wrote",
        f"{source.zh} 不是 pingce 的分数文档；请给出 pingce eval -f json 或 scores.to_json() 写出的文档",
    )


def _refuse_other_schema(version: Any, source: Text) -> None:
    from pingce.base.tables import SCHEMA_VERSION

    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise _no_document(source)
    if version > SCHEMA_VERSION:
        raise InputError(
            f"{source.en} has schema version {version}, newer than the {SCHEMA_VERSION} that this pingce reads; upgrade pingce",
            f"{source.zh} 的格式版本为 {version}，比当前 pingce 能读的 {SCHEMA_VERSION} 新；请升级 pingce",
        )


def _document(value: Mapping[str, Any], source: Text) -> Document:
    from pingce.tasks import TASKS

    _refuse_other_schema(value["schema_version"], source)
    if value["task"] not in TASKS:
        raise ValueError(value["task"])
    name = value.get("run")
    metrics = [_metric(entry) for entry in value["metrics"]]
    return Document(
        source if name is None else Text(f"{source.en} (run '{name}')", f"{source.zh}（预测 '{name}'）"),
        value["task"],
        {metric.name: metric for metric in metrics},
        str(value.get("pingce_version", "")),
        None if name is None else str(name),
        _units(value),
        dict(value.get("counts", {})),
    )


def _metric(entry: Mapping[str, Any]) -> SavedMetric:
    unit = next(name for name in _UNITS if name in entry) if any(name in entry for name in _UNITS) else "rows"
    ends = entry.get("interval")
    return SavedMetric(
        str(entry["name"]),
        str(entry["id"]),
        _number(entry["value"]),
        str(entry["signature"]),
        int(entry.get(unit, 0)),
        unit,
        int(entry.get("undefined", 0)),
        None if ends is None else (_number(ends["low"]), _number(ends["high"])),
        None if ends is None else _number(ends.get("confidence")),
    )


def _number(value: Any) -> float:
    if isinstance(value, (bool, str)):
        raise TypeError(value)
    return math.nan if value is None else float(value)


def _units(value: Mapping[str, Any]) -> UnitTable | None:
    unit = next((unit for unit in ("query", "group", "class") if f"per_{unit}" in value), None)
    if unit is None:
        return None
    table = value[f"per_{unit}"]
    ids, columns = list(table[unit]), {str(name): list(column) for name, column in table["values"].items()}
    if any(len(column) != len(ids) for column in columns.values()):
        raise ValueError(unit)
    if not all(isinstance(unit_id, (str, int)) for unit_id in ids):
        raise TypeError(unit)
    for column in columns.values():
        for cell in column:
            _number(cell)
    return UnitTable(unit, ids, columns)
