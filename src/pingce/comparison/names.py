"""The names of models: each its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text


def named(models: Any, *, columns: bool = False) -> tuple[dict[str, Any], tuple[Text, ...]]:
    """Models by name, and what was renamed. A dict, pairs (name, model), paths, or names of columns."""
    pairs = _pairs(_listed(models), columns) if not isinstance(models, Mapping) else models.items()
    by_name: dict[str, Any] = {}
    notes = []
    for wanted, model in pairs:
        name = str(wanted)
        if name in by_name:
            name = next(
                f"{wanted}#{number}" for number in range(2, len(by_name) + 3) if f"{wanted}#{number}" not in by_name
            )
            notes.append(
                Text(
                    f"there are two models named '{wanted}'; the later one is called '{name}'",
                    f"有两个模型都名为 '{wanted}'；后者改称 '{name}'",
                )
            )
        by_name[name] = model
    return by_name, tuple(notes)


def _listed(models: Any) -> Sequence[Any]:
    if isinstance(models, (list, tuple)):
        return models
    raise InputError(
        f"models is {type(models).__name__}; give a dict with a name for each run or model",
        f"models 是 {type(models).__name__}；请给出名称到预测的字典",
    )


def _pairs(models: Sequence[Any], columns: bool) -> list[tuple[str, Any]]:
    """Models and their names; files of the same name that nobody named have their folder's, if that tells them apart."""
    pairs = []
    paths = [Path(each) for each in models if isinstance(each, (str, os.PathLike))]
    for each in models:
        name, model = _pair(each, columns)
        folders = [path.parent.name for path in paths if path.name == name]
        apart = len(folders) > 1 and len(set(folders)) == len(folders) and not isinstance(each, tuple) and not columns
        pairs.append((Path(model).parent.name or name if apart else name, model))
    return pairs


def _pair(model: Any, columns: bool) -> tuple[str, Any]:
    if isinstance(model, tuple) and len(model) == 2 and isinstance(model[0], str):
        return model
    if isinstance(model, str) and columns:
        return model, model
    if isinstance(model, (str, os.PathLike)):
        return Path(model).name, model
    raise InputError(
        f"a model is {type(model).__name__} without a name; give a dict with a name for each run or model",
        f"有一个模型是 {type(model).__name__}，没有名称；请给出名称到预测的字典",
    )
