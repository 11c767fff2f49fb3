"""Which task a metric and its data belong to."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.tasks import TASKS, checked_task

if TYPE_CHECKING:
    from pingce.explanations.given import Given

MARKS: dict[str, tuple[str, ...]] = {
    "query": ("ranking",),
    "grades": ("ranking",),
    "judged": ("ranking",),
    "exclude": ("ranking",),
    "columns": ("ranking",),
    "labels": ("binary",),
    "scores": ("binary",),
    "group": ("binary",),
    "group_weight": ("binary",),
    "of_group": ("binary",),
    "positive": ("binary",),
    "true": ("multiclass", "regression"),
    "pred": ("multiclass", "regression"),
    "proba": ("multiclass",),
    "classes": ("multiclass",),
    "of_class": ("multiclass",),
    "data": ("binary", "multiclass", "regression"),
    "weight": ("binary", "multiclass", "regression"),
}
"What an argument says about the task."
_ENOUGH = 1000
"Values to look at, to know what they are."


def task_of(
    metric: str | Metric | MetricRequest,
    given: Given,
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
    likely = _likely(given)
    if len(likely) == 1 and _is_known(metric, likely[0], convention):  # the metrics of other tasks need not be loaded
        return likely[0]
    known = tasks_with(metric, convention)
    found = known
    for said in given.said():
        found = [one for one in found if one in MARKS[said]]
        if not found:
            raise _out_of_place(metric, known, said)
    for name in policies:
        with_it = [
            one for one in found if any(one_field.name == name for one_field in fields(TASKS[one].load("policies")))
        ]
        found = with_it or found
    if len(found) > 1:
        found = [one for one in found if _looks_like(given, one)] or found
    if len(found) > 1:
        names = ", ".join(f"{one}" for one in found)
        raise InputError(
            f"'{metric}' is a metric of several tasks; say which one you mean with task= or --task: {names}",
            f"'{metric}' 在多种任务中都有；请用 task= 或 --task 指明：{names.replace(', ', '、')}",
        )
    return found[0]


def _likely(given: Given) -> list[str]:
    """The tasks that every argument goes with."""
    found = [task for task in TASKS if all(task in MARKS[said] for said in given.said())]
    tables = given.data is None and isinstance(given.truth, (str, os.PathLike, Mapping))
    return [task for task in found if task == "ranking"] if tables else found


def _is_known(metric: str, task: str, convention: str | None) -> bool:
    try:
        return bool(_asked(metric, task, convention))
    except InputError:
        return False


def _asked(metric: str, task: str, convention: str | None) -> list[MetricRequest]:
    """The metric in the grammar, or as a tool spells it."""
    try:
        return Definitions(TASKS[task].load("policies"), None, {}).asked(metric)
    except InputError:
        if convention is None:
            raise
        return Definitions(TASKS[task].load("policies"), convention, {}).asked(metric)


def tasks_with(metric: str, convention: str | None = None) -> list[str]:
    """Tasks in which the name means something, in the grammar or under a tool's convention."""
    found, problems = [], []
    for task in TASKS:
        try:
            _asked(metric, task, convention)
            found.append(task)
        except InputError as refused:
            problems.append(refused)
    if not found:
        raise problems[0]
    return found


def _out_of_place(metric: str, known: Sequence[str], said: str) -> InputError:
    where = [TASKS[one].noun for one in known]
    words = Text(", ".join(one.en for one in where), "、".join(one.zh for one in where))
    return InputError(
        f"{said}= (--{said.replace('_', '-')}) does not go with '{metric}', which is a metric of {words.en}",
        f"{said}=（--{said.replace('_', '-')}）与 '{metric}' 不相配，它是{words.zh}的指标",
    )


def _looks_like(given: Given, task: str) -> bool:
    """Whether truth and prediction look like data of the task: tables of queries, or one value a row."""
    if given.data is None and (_is_table(given.truth) or _is_table(given.prediction)):
        return task == "ranking"
    if task == "ranking":
        return False
    values = _plain(given.prediction)
    if any(isinstance(value, str) for value in values):
        return task == "multiclass"
    if any(isinstance(value, float) and not value.is_integer() for value in values):
        return task in ("binary", "regression")
    return True


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
