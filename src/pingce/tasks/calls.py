"""Which call of a task is meant, where a caller writes `pc.evaluate`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NoReturn

from pingce.base.errors import InputError
from pingce.base.text import Text

_CALLS = {
    "evaluate_ranking": Text("qrels and a run", "qrels 与预测的排序"),
    "evaluate_binary": Text("labels of two kinds and scores", "二类标签与分数"),
    "evaluate_multiclass": Text("true and predicted classes", "真实与预测的类别"),
    "evaluate_regression": Text("true and predicted numbers", "真实与预测的数值"),
}


def evaluate(*arguments: Any, **options: Any) -> NoReturn:
    """Say which of the four calls is meant: evaluate_ranking, evaluate_binary, evaluate_multiclass or evaluate_regression."""
    likely = _likely(arguments, options)
    listed_en = ", ".join(f"pc.{name} ({of.en})" for name, of in _CALLS.items())
    listed_zh = "、".join(f"pc.{name}（{of.zh}）" for name, of in _CALLS.items())
    raise InputError(
        f"there is no pc.evaluate: this looks like pc.{likely}(truth, prediction, …); the calls are {listed_en}",
        f"没有 pc.evaluate：这里应为 pc.{likely}（先给真值，后给预测）；可用的调用有 {listed_zh}",
    )


def _likely(arguments: tuple[Any, ...], options: Mapping[str, object]) -> str:
    """The call that fits the arguments by their shape; a ranking where nothing tells."""
    if {"proba", "labels", "average"} & options.keys():
        return "evaluate_multiclass"
    if {"group", "positive", "threshold", "y_score"} & options.keys():
        return "evaluate_binary"
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
