"""Which call of a task is meant, where a caller writes `pc.evaluate`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NoReturn

from pingce.base.errors import InputError
from pingce.tasks import TASKS


def evaluate(*arguments: Any, **options: Any) -> NoReturn:
    """Say which call is meant: evaluate_ranking, evaluate_binary, evaluate_multiclass or evaluate_regression."""
    likely = _likely(arguments, options)
    listed_en = ", ".join(f"pc.evaluate_{name} ({task.sides.en})" for name, task in TASKS.items())
    listed_zh = "、".join(f"pc.evaluate_{name}（{task.sides.zh}）" for name, task in TASKS.items())
    raise InputError(
        f"there is no pc.evaluate: this looks like pc.{likely}(truth, prediction, …); the calls are {listed_en}",
        f"没有 pc.evaluate：这里应为 pc.{likely}（先给真值，后给预测）；可用的调用有 {listed_zh}",
    )


def _likely(arguments: tuple[Any, ...], options: Mapping[str, object]) -> str:
    """The call that fits the arguments by their shape; a ranking where nothing tells."""
    for name, task in TASKS.items():
        if options.keys() & {*task.hints, *(role.name for role in task.columns)}:
            return f"evaluate_{name}"
    sides = [side for side in arguments[:2] if not isinstance(side, (str, os.PathLike, Mapping))]
    if len(sides) < 2 or any(len(getattr(side, "shape", (0,))) != 1 for side in sides):
        return "evaluate_ranking"
    try:
        truth, prediction = (side.tolist() if hasattr(side, "tolist") else list(side) for side in sides)
        return _of_columns(truth, prediction)
    except TypeError:
        return "evaluate_ranking"


def _of_columns(truth: list[Any], prediction: list[Any]) -> str:
    labels = set(truth)
    if any(isinstance(label, float) and not label.is_integer() for label in labels):
        return "evaluate_regression"
    if len(labels) <= 2 and not set(prediction) <= labels:
        return "evaluate_binary"
    return "evaluate_multiclass"
