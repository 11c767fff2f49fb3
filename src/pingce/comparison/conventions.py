"""`pingce.compare_conventions`: one run under several tools' conventions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pingce.base.errors import PingceWarning
from pingce.base.text import Text
from pingce.request import Request
from pingce.tasks import TASKS, checked_task
from pingce.tasks.options import refuse_options

if TYPE_CHECKING:
    from pingce.comparison.convention_values import ConventionComparison
    from pingce.metrics.declared import Metric
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores import Scores


def compare_conventions(
    truth: Any,
    prediction: Any,
    metrics: Iterable[str | Metric] | str,
    conventions: Iterable[str] | str,
    *,
    task: str = "ranking",
    **options: Any,
) -> ConventionComparison:
    """What several tools would say of the same predictions, and which choice makes each difference.

    `options` are those of the task's evaluate call: policies, and how data is read.

    >>> import pingce as pc
    >>> truth, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    >>> tools = pc.compare_conventions(truth, run, "ndcg@10", ["trec_eval", "recbole"])
    >>> [(row.tool, round(row.value, 4), row.cause) for row in tools.rows]
    [('trec_eval_9', 0.7967, 'gain: exp2 → linear'), ('recbole', 1.0, 'gain: exp2 → binary')]
    """
    checked_task(task)
    from pingce.comparison.definitions import compare_definitions

    call, kind = TASKS[task].load("evaluate"), TASKS[task].load("policies")
    refuse_options(options, Text(f"comparing conventions of {task}", f"比较 {task} 的约定"), task)
    policies = {field.name: options.pop(field.name, None) for field in fields(kind)}
    request = Request.of(task, metrics, convention=options.pop("convention", None), policies=policies)
    if not TASKS[task].of_rows:
        truth, prediction = _read_once(truth, prediction, options)

    def score(requests: list[MetricRequest]) -> Scores:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PingceWarning)
            scores: Scores = call(truth, prediction, requests, **options)
            return scores

    tools = conventions.split(",") if isinstance(conventions, str) else conventions
    return compare_definitions(score, request, tools)


_READING = ("columns", "input_format", "encoding", "threads", "queries", "items")


def _read_once(qrels: Any, run: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    """Truth and run, read a single time although they are scored under every definition; slices are not compared.

    Files that would exceed the memory stay files: they are streamed, once for each definition.
    """
    from pingce.inputs import read_run, read_truth
    from pingce.run.memory import may_exceed

    options.pop("by", None)
    if may_exceed(options.get("memory"), qrels, run, options.get("exclude")):
        return qrels, run
    reading = {name: options[name] for name in _READING if name in options}
    return read_truth(qrels, **reading), read_run(run, **reading)
