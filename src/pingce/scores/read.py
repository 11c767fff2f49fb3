"""`pingce.read_scores`: scores that `to_json` wrote, read back."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pingce.base.addresses import public_path
from pingce.base.errors import InputError, did_you_mean
from pingce.base.json import Json
from pingce.base.tables import SCHEMA_VERSION
from pingce.base.text import Text
from pingce.inputs.remote import local_copy
from pingce.scores.saved import SavedMetric, SavedScores, UnitTable
from pingce.scores.values import UNITS
from pingce.tasks import TASKS
from pingce.tasks.options import checked_options


@checked_options()
def read_scores(path: str | os.PathLike[str] | Mapping[str, object], *, run: str | None = None) -> SavedScores:
    """Read scores that `scores.to_json()` or `pingce eval -f json` wrote; of several runs in a file, the one named `run`.

    `path` may also be what `to_dict` gave. The result is a mapping from metrics to values, with `per_query`,
    `signatures` and `counts`, and goes into `compare` and `check` in place of scores.

    >>> import pingce as pc
    >>> scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr"])
    >>> saved = pc.read_scores(scores.to_dict(per_query=True))
    >>> saved["mrr"], saved.counts["queries"], saved.per_query["mrr"].to_pylist()
    (0.5, {'mrr': 1}, [0.5])
    """
    documents = read_documents(path)
    if run is None and len(documents) == 1:
        return documents[0]
    names = [document.run or "" for document in documents]
    if run in names:
        return documents[names.index(run)]
    source, listed = _source(path), ", ".join(f"'{name}'" for name in names)
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


def _source(data: object) -> Text:
    """What messages call a document."""
    if isinstance(data, (str, os.PathLike)):
        return Text(public_path(data), public_path(data))
    return Text("the document", "该文档")


def is_document(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a saved document: JSON that says its schema."""
    if Path(public_path(path)).suffix.lower() != ".json" or not (file := Path(local_copy(path))).is_file():
        return False
    with file.open("rb") as opened:
        if not opened.read(16).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return False
    try:
        content = _load(file, finite=False)  # a document with an impossible number is one: its reader says so
    except InputError:
        return False
    return isinstance(content, Mapping) and "schema_version" in content


def read_documents(data: Any) -> list[SavedScores]:
    """Every run or model of a file, or of the dictionary that `documents` gives; what was read before comes back."""
    if isinstance(data, SavedScores):
        return [data]
    source, content = _source(data), data
    if isinstance(data, (str, os.PathLike)):
        content = _load(Path(local_copy(data)))
    elif not isinstance(data, Mapping):
        raise InputError(
            f"a saved document is a path or a dictionary, not {type(data).__name__}",
            f"保存的文档应为路径或字典，而不是 {type(data).__name__}",
        )
    if not isinstance(content, Mapping) or "schema_version" not in content:
        raise _no_document(source)
    _refuse_other_schema(content["schema_version"], source)
    try:
        documents = [_document(run, source) for run in content.get("runs", [content])]
    except InputError:
        raise
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        documents = []
    if not documents:
        raise _no_document(source)
    return documents


def _load(path: Path, *, finite: bool = True) -> Any:
    real, whole = (_double, _whole) if finite else (float, int)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return json.loads(text, parse_constant=_refuse_word, parse_float=real, parse_int=whole)
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
        raise _no_document(_source(path)) from None


def _double(digits: str) -> float:
    """A number of the file; one that would become infinite is refused."""
    value = float(digits)
    if math.isinf(value):
        raise OverflowError(digits)
    return value


def _whole(digits: str) -> int:
    _double(digits)
    return int(digits)


def _refuse_word(word: str) -> Any:
    raise ValueError(word)


def _no_document(source: Text) -> InputError:
    return InputError(
        f"{source.en} is no document of pingce scores; give one that pingce eval -f json or scores.to_json() wrote",
        f"{source.zh} 不是 pingce 的分数文档；请给出 pingce eval -f json 或 scores.to_json() 写出的文档",
    )


def _refuse_other_schema(version: object, source: Text) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise _no_document(source)
    if version > SCHEMA_VERSION:
        raise InputError(
            f"{source.en} has schema version {version}, newer than the {SCHEMA_VERSION} that this pingce reads; upgrade pingce",
            f"{source.zh} 的格式版本为 {version}，比当前 pingce 能读的 {SCHEMA_VERSION} 新；请升级 pingce",
        )


def _document(value: Json, source: Text) -> SavedScores:
    _refuse_other_schema(value["schema_version"], source)
    if value["task"] not in TASKS:
        raise ValueError(value["task"])
    name = value.get("run")
    metrics = [_metric(entry) for entry in value["metrics"]]
    return SavedScores(
        source=source if name is None else Text(f"{source.en} (run '{name}')", f"{source.zh}（预测 '{name}'）"),
        task=value["task"],
        metrics={metric.name: metric for metric in metrics},
        version=str(value.get("pingce_version", "")),
        run=None if name is None else str(name),
        per=_units(value),
        counts=dict(value.get("counts", {})),
    )


def _metric(entry: Json) -> SavedMetric:
    unit = next((name for name in UNITS if name in entry), "rows")
    ends = entry.get("interval")
    return SavedMetric(
        name=str(entry["name"]),
        id=str(entry["id"]),
        value=_number(entry["value"]),
        signature=str(entry["signature"]),
        n=int(entry.get(unit, 0)),
        unit=unit,
        undefined=int(entry.get("undefined", 0)),
        interval=None if ends is None else (_number(ends["low"]), _number(ends["high"])),
        confidence=None if ends is None else _number(ends.get("confidence")),
    )


def _number(value: Any) -> float:
    if isinstance(value, (bool, str)):
        raise TypeError(value)
    return math.nan if value is None else float(value)


def _units(value: Json) -> UnitTable | None:
    unit = next((unit for unit in ("query", "group", "class") if f"per_{unit}" in value), None)
    if unit is None:
        return None
    table = value[f"per_{unit}"]
    ids, columns = list(table[unit]), {str(name): list(column) for name, column in table["values"].items()}
    for column in columns.values():
        for _, cell in zip(ids, column, strict=True):
            _number(cell)
    if not all(isinstance(unit_id, (str, int)) for unit_id in ids):
        raise TypeError(unit)
    return UnitTable(unit, ids, columns)
