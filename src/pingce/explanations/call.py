"""`pingce.explain`: which task a metric and its data belong to, and the explanation under one definition or two."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text, listed
from pingce.conventions.resolve import convention_named
from pingce.evidence.policy_set import Stated
from pingce.explanations.contrast import Contrast
from pingce.explanations.derivation import Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.tasks import TASKS, Task, checked_task
from pingce.tasks.options import no_option_here, refuse_options

_ENOUGH = 1000
"Values to look at, to know what they are."


def refuse_unfit(task: str, policies: Stated, caller: Any) -> None:
    """Refuse keywords that are no policy of the task."""
    place, of_task = Text(f"explaining {task}", f"讲解 {task}"), TASKS[task].load("policies").among(policies)
    refuse_options(policies, place, task, caller)
    for name in policies:
        if name not in of_task:
            raise no_option_here(name, place, task)


@dataclass(frozen=True)
class Worker:
    """Reads data once, and explains it under as many definitions as wanted."""

    task: str
    metric: str | Metric | MetricRequest
    inputs: ExplainInputs
    policies: Stated = field(default_factory=dict)

    def explain(self, convention: str | None = None, against: str | None = None) -> Explanation | Contrast:
        """One explanation, or two."""
        first = self._under(convention)
        if against is None:
            return first
        if convention is not None and _name(against) == _name(convention):
            raise InputError(
                f"against={against} is the convention itself; name another tool, or leave convention= out",
                f"against={against} 就是所用的约定；请换一个工具，或不写 convention=",
            )
        return Contrast(first, self._under(against), (_name(convention), _name(against)))

    def _under(self, convention: str | None) -> Explanation:
        definition = Request.of(self.task, self.metric, convention=convention, policies=self.policies)
        if len(definition.readings) == 1:
            from pingce.explanations.readings import explain_reading

            return explain_reading(self.inputs, definition)
        requests = definition.metrics or ()
        if len(requests) != 1:
            raise InputError(
                f"'{self.metric}' names {len(requests)} metrics; explain one at a time",
                f"'{self.metric}' 含 {len(requests)} 个指标；请逐个讲解",
            )
        explanation: Explanation = definition.task.load("explain")(self.inputs, requests[0], definition.policies)
        return explanation


def _name(convention: str | None) -> Text:
    if convention is None:
        return Text("pingce", "pingce")
    tool = convention_named(convention)
    return Text(f"{tool.title} ({tool.version})", f"{tool.title}（{tool.version}）")


def task_of(
    metric: str | Metric | MetricRequest,
    inputs: ExplainInputs,
    task: str | None,
    convention: str | None,
    policies: Stated,
) -> str:
    """The task, from the metric, the arguments and the policies; what is left open is asked for."""
    if task is not None:
        return checked_task(task).name
    if not isinstance(metric, str):
        declared = metric.metric if isinstance(metric, MetricRequest) else metric
        if not isinstance(declared, Metric):
            raise InputError(f"{metric!r} is not the name of a metric", f"{metric!r} 不是指标名称")
        return declared.task
    likely = _likely(inputs)
    if len(likely) == 1 and _problem(metric, likely[0], convention) is None:  # the metrics of others need not be loaded
        return likely[0]
    every = tasks_with(metric, convention)
    left = every
    for mark in inputs.marks():
        left = [name for name in left if TASKS[name].takes(mark)]
        if not left:
            nouns = [TASKS[name].noun for name in every]
            en, zh = listed(noun.en for noun in nouns).en, listed(noun.zh for noun in nouns).zh
            option = f"--{mark.replace('_', '-')}"
            raise InputError(
                f"{mark}= ({option}) does not go with '{metric}', which is a metric of {en}",
                f"{mark}=（{option}）与 '{metric}' 不相配，它是{zh}的指标",
            )
    for policy in policies:
        left = [name for name in left if policy in {f.name for f in fields(TASKS[name].load("policies"))}] or left
    if len(left) > 1:
        left = [name for name in left if _looks_like(inputs, TASKS[name])] or left
    if len(left) > 1:
        en, zh = listed(left)
        raise InputError(
            f"'{metric}' is a metric of several tasks; say which one you mean with task= or --task: {en}",
            f"'{metric}' 在多种任务中都有；请用 task= 或 --task 指明：{zh}",
        )
    return left[0]


def _likely(inputs: ExplainInputs) -> list[str]:
    """The tasks that every argument goes with."""
    tables = inputs.data is None and isinstance(inputs.truth, (str, os.PathLike, Mapping))
    return [
        name for name, task in TASKS.items() if not (tables and task.of_rows) and all(map(task.takes, inputs.marks()))
    ]


def _problem(metric: str, task: str, convention: str | None) -> InputError | None:
    """Nothing where a task has the metric, in the grammar or as a tool spells it; else why not."""
    problem = None
    for tool in (None, convention) if convention else (None,):
        try:
            Request.of(task, metric, convention=tool)
        except InputError as refusal:
            problem = refusal
        else:
            return None
    return problem


def tasks_with(metric: str, convention: str | None = None) -> list[str]:
    """Tasks in which the name means something, in the grammar or under a tool's convention."""
    problems = {task: _problem(metric, task, convention) for task in TASKS}
    names = [task for task, problem in problems.items() if problem is None]
    if not names:
        raise next(problem for problem in problems.values() if problem is not None)
    return names


def _looks_like(inputs: ExplainInputs, task: Task) -> bool:
    """Whether truth and prediction look like data of the task: tables of queries, matrices, or one value per row with all that goes with it."""
    if inputs.data is None and (_is_table(inputs.truth) or _is_table(inputs.prediction)):
        return not task.of_rows or task.of_matrices
    if not inputs.roles.keys() >= {*task.columns.required()}:
        return False
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
