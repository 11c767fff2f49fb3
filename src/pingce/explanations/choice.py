"""Which task a metric and its data belong to."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.explanations.inputs import ExplainInputs
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.tasks import TASKS, Task, checked_task

_ENOUGH = 1000
"Values to look at, to know what they are."


def task_of(
    metric: str | Metric | MetricRequest,
    inputs: ExplainInputs,
    task: str | None,
    convention: str | None,
    policies: Mapping[str, Any],
) -> str:
    """The task, from the metric, the arguments and the policies; what is left open is asked for."""
    if task is not None:
        return checked_task(task).name
    if isinstance(metric, (Metric, MetricRequest)):
        of: str = metric.task if isinstance(metric, Metric) else metric.metric.task
        return of
    likely = _likely(inputs)
    if len(likely) == 1 and _is_known(metric, likely[0], convention):  # the metrics of other tasks need not be loaded
        return likely[0]
    every = tasks_with(metric, convention)
    left = every
    for mark in inputs.marks():
        left = [name for name in left if mark in TASKS[name].marks]
        if not left:
            raise _out_of_place(metric, every, mark)
    for policy in policies:
        left = [name for name in left if policy in _policy_names(name)] or left
    if len(left) > 1:
        left = [name for name in left if _looks_like(inputs, TASKS[name])] or left
    if len(left) > 1:
        names = ", ".join(left)
        raise InputError(
            f"'{metric}' is a metric of several tasks; say which one you mean with task= or --task: {names}",
            f"'{metric}' 在多种任务中都有；请用 task= 或 --task 指明：{names.replace(', ', '、')}",
        )
    return left[0]


def _policy_names(task: str) -> list[str]:
    return [field.name for field in fields(TASKS[task].load("policies"))]


def _likely(inputs: ExplainInputs) -> list[str]:
    """The tasks that every argument goes with."""
    tables = inputs.data is None and isinstance(inputs.truth, (str, os.PathLike, Mapping))
    return [
        name
        for name, task in TASKS.items()
        if not (tables and task.of_rows) and all(mark in task.marks for mark in inputs.marks())
    ]


def _is_known(metric: str, task: str, convention: str | None) -> bool:
    try:
        return bool(_asked(metric, task, convention))
    except InputError:
        return False


def _asked(metric: str, task: str, convention: str | None) -> list[MetricRequest]:
    """The metric in the grammar, or as a tool spells it."""
    try:
        return list(Request.of(task, metric).metrics or ())
    except InputError:
        if convention is None:
            raise
        return list(Request.of(task, metric, convention=convention).metrics or ())


def tasks_with(metric: str, convention: str | None = None) -> list[str]:
    """Tasks in which the name means something, in the grammar or under a tool's convention."""
    names, problems = [], []
    for task in TASKS:
        try:
            _asked(metric, task, convention)
            names.append(task)
        except InputError as problem:
            problems.append(problem)
    if not names:
        raise problems[0]
    return names


def _out_of_place(metric: str, tasks: Sequence[str], mark: str) -> InputError:
    nouns = [TASKS[name].noun for name in tasks]
    words = Text(", ".join(noun.en for noun in nouns), "、".join(noun.zh for noun in nouns))
    option = f"--{mark.replace('_', '-')}"
    return InputError(
        f"{mark}= ({option}) does not go with '{metric}', which is a metric of {words.en}",
        f"{mark}=（{option}）与 '{metric}' 不相配，它是{words.zh}的指标",
    )


def _looks_like(inputs: ExplainInputs, task: Task) -> bool:
    """Whether truth and prediction look like data of the task: tables of queries, or one value per row."""
    if inputs.data is None and (_is_table(inputs.truth) or _is_table(inputs.prediction)):
        return not task.of_rows
    values = _plain(inputs.prediction)
    if any(isinstance(value, str) for value in values):
        return str in task.predictions
    fractions = any(isinstance(value, float) and not value.is_integer() for value in values)
    return (float if fractions else int) in task.predictions


def _is_table(data: Any) -> bool:
    """Paths, dictionaries, frames, matrices and lists of lists hold queries and items."""
    if isinstance(data, (str, os.PathLike, Mapping)) or hasattr(data, "columns"):
        return True
    return len(getattr(data, "shape", ())) > 1 or any(isinstance(value, (list, tuple)) for value in _plain(data))


def _plain(values: Any) -> list[Any]:
    """Some values of a list or an array; nothing of what is neither."""
    if len(getattr(values, "shape", ())) == 1 and hasattr(values, "tolist"):
        values = values[:_ENOUGH].tolist()
    return list(values[:_ENOUGH]) if isinstance(values, (list, tuple)) else []
