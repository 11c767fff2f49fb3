"""`evaluate_binary`, `evaluate_multiclass` and `evaluate_regression` of a file that is larger than `memory=` says."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.memory import human, size_of
from pingce.base.text import Text
from pingce.engines.predictions import (
    Columns,
    Shares,
    Streaming,
    held,
    stream_binary,
    stream_classes,
    stream_numbers,
)
from pingce.evaluate.definitions import Definitions
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.sizes import unpacked_size

if TYPE_CHECKING:
    from pingce.evaluators import BinaryEvaluator, MulticlassEvaluator, RegressionEvaluator
    from pingce.inputs.streams import TableStream
    from pingce.scores.binary import BinaryScores
    from pingce.scores.multiclass import MulticlassScores
    from pingce.scores.regression import RegressionScores

    Name = str | os.PathLike[str]


class Large:
    """A table that is streamed, and how."""

    def __init__(self, stream: TableStream, columns: Columns, how: Streaming) -> None:
        self.stream, self.columns, self.how = stream, columns, how


def large(
    data: Any,
    names: Mapping[str, Any],
    memory: str | int | None,
    tmpdir: Name | None,
    *,
    numbers: tuple[str, ...],
    more: tuple[str, ...] = (),
    whole: Mapping[str, Any],
    reading: Reading,
) -> Large | None:
    """The table as a stream, if it would take more than the memory; None where it is to be read at once.

    `names` are columns by role, `whole` what was given that needs all rows at once.
    """
    limit = size_of(memory)
    stated = memory is not None or tmpdir is not None
    if stated:
        _refuse_other_than_names(data, names, "tmpdir=" if memory is None else "memory=")
    elif not all(name is None or isinstance(name, str) for name in names.values()):
        return None
    given = {role: str(name) for role, name in names.items() if name is not None}
    wanted = Wanted(
        tuple(dict.fromkeys((*given.values(), *more))),
        texts=(given["group"],) if "group" in given else (),
        numbers=tuple(dict.fromkeys((*(given[role] for role in numbers if role in given), *more))),
    )
    from pingce.inputs.stream_files import open_table

    stream = open_table(data, wanted, reading, limit)
    need = 2 * _size(data) if stream is None else held(stream)
    if need <= limit:
        return None
    unable = next((f"{name}=" for name, value in whole.items() if value is not None), None)
    if memory is None and (unable is not None or stream is None):
        problem = _cannot_be_streamed(data, human(need), human(limit), unable).text
        warnings.warn(PingceWarning(str(Text(f"read at once: {problem.en}", f"一次读入：{problem.zh}"))), stacklevel=4)
        return None
    if unable is None and stream is not None:
        prediction = given.get("y_score", given.get("y_pred"))
        if prediction is None:
            raise _no_name("y_pred", "memory=")
        columns = Columns(given["y_true"], prediction, given.get("group"), given.get("weight"), more)
        return Large(stream, columns, Streaming(Shares.of(limit), tmpdir))
    raise _cannot_be_streamed(data, human(need), human(limit), unable)


def _refuse_other_than_names(data: Any, names: Mapping[str, Any], option: str) -> None:
    if not isinstance(data, (str, os.PathLike)):
        raise InputError(
            f"{option} is for files: data= must be a path, not {type(data).__name__}",
            f"{option} 用于文件：data= 须为路径，而不是 {type(data).__name__}",
        )
    odd = next((role for role, name in names.items() if name is not None and not isinstance(name, str)), None)
    odd = odd or next((role for role in ("y_true", "y_score") if role in names and names[role] is None), None)
    if odd is not None:
        raise _no_name(odd, option)


def _no_name(role: str, option: str) -> InputError:
    return InputError(
        f"{option} is for files: {role}= must be the name of a column of data=",
        f"{option} 用于文件：{role}= 须为 data= 中的列名",
    )


def _size(data: Name) -> int:
    path = Path(data)
    return unpacked_size(path) if path.is_file() else 0


def _cannot_be_streamed(data: Name, need: str, limit: str, unable: str | None) -> InputError:
    if unable is not None:
        return InputError(
            f"{data}: {unable} needs all rows at once, which take {need}, more than memory={limit}; give more memory, or leave "
            "memory= out",
            f"{data}：{unable} 需要一次用到全部数据行，约 {need}，超过 memory={limit}；请调大 memory，或不给 memory=",
        )
    return InputError(
        f"{data}: {need} would exceed memory={limit}, and the file cannot be streamed (Parquet, CSV and TSV can); convert it, "
        "or give more memory",
        f"{data}：{need} 会超出 memory={limit}，而该文件不能流式读取（Parquet、CSV、TSV 可以）；请转换格式，或调大 memory",
    )


def large_binary(
    y_true: Any,
    y_score: Any,
    metrics: Any,
    given: Mapping[str, Any],
    *,
    memory: str | int | None,
    tmpdir: Name | None,
) -> BinaryScores | None:
    """The scores, where the table is streamed; `given` are the keywords of `evaluate_binary`."""
    from pingce.evaluate.binary import default_metrics
    from pingce.evaluators import BinaryEvaluator

    policies = {name: given[name] for name in ("threshold", "compare", "undefined")}
    define = Definitions(BinaryPolicies, given["convention"], policies)
    asked = None if metrics is None else define.asked(metrics)
    more = dict.fromkeys(name for one in asked or () for name in one.metric.needed_columns())
    for name in given["group_weight"] or ():
        more.pop(name, None)
    found = large(
        given["data"],
        {"y_true": y_true, "y_score": y_score, "group": given["group"], "weight": given["weight"]},
        memory,
        tmpdir,
        numbers=("y_score", "weight"),
        more=tuple(more),
        whole={name: given[name] for name in ("ci", "by", "group_weight")},
        reading=_reading(given),
    )
    if found is None:
        return None

    def made(tables: Any, room: int, _: Any) -> BinaryEvaluator:
        return BinaryEvaluator.of(
            asked,
            define.policies,
            bins=given["bins"],
            positive=given["positive"],
            tables=tables if given["bins"] is None else None,
            defaults=lambda rows: define.defaults(default_metrics(rows)),
            room=room,
            threads=given["threads"],
        )

    return stream_binary(found.stream, found.columns, made, found.how)


def large_classes(
    evaluator: MulticlassEvaluator, names: Mapping[str, Any], given: Mapping[str, Any], **limits: Any
) -> MulticlassScores | None:
    """The scores of classes, where the table is streamed; `given` are the keywords of `evaluate_multiclass`."""
    whole = {name: given[name] for name in ("ci", "by", "proba")}
    found = large(given["data"], names, numbers=("weight",), whole=whole, reading=_reading(given), **limits)
    return None if found is None else stream_classes(found.stream, found.columns, evaluator, found.how)


def large_numbers(
    evaluator: RegressionEvaluator, names: Mapping[str, Any], given: Mapping[str, Any], **limits: Any
) -> RegressionScores | None:
    """The scores of numbers, where the table is streamed; `given` are the keywords of `evaluate_regression`."""
    whole = {name: given[name] for name in ("ci", "by")}
    if limits["memory"] is None and given["metrics"] is not None:
        whole["metrics"] = next((metric.name for metric in evaluator.asked if metric.metric.needs_rows), None)
    found = large(given["data"], names, numbers=tuple(names), whole=whole, reading=_reading(given), **limits)
    if found is None:
        return None
    return stream_numbers(found.stream, found.columns, evaluator, found.how, usual=given["metrics"] is None)


def _reading(given: Mapping[str, Any]) -> Reading:
    return Reading(None, given["input_format"], given["encoding"], given["threads"])
