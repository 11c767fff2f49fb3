"""`pingce.compare_conventions`: one run under several tools' conventions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pingce.base.errors import PingceWarning
from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
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
    define = Definitions(kind, options.pop("convention", None), policies)
    score_rows = None if TASKS[task].of_rows else _read_once(truth, prediction, options)

    def score(requests: list[MetricRequest]) -> Scores:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PingceWarning)
            scores: Scores = score_rows(requests) if score_rows else call(truth, prediction, requests, **options)
            return scores

    tools = conventions.split(",") if isinstance(conventions, str) else conventions
    return compare_definitions(score, define.asked(metrics), define, tools)


_NOT_READING = ("by", "min_n", "memory", "tmpdir", "exclude", "query_weight")
"Slices are not compared, and limits are for streams."


def _read_once(qrels: Any, run: Any, options: dict[str, Any]) -> Callable[[list[MetricRequest]], Scores]:
    """A ranking is scored under every definition, but read a single time: each metric brings its own policies.

    Files that would exceed the memory are streamed, once for each definition.
    """
    from pingce.evaluate.ranking import evaluate_rows, ranking_rows
    from pingce.evidence import Policies
    from pingce.run.memory import may_exceed

    reading = {name: value for name, value in options.items() if name not in _NOT_READING}
    sides = {name: options.get(name) for name in ("exclude", "query_weight")}
    memory = options.get("memory")
    if may_exceed(memory, qrels, run, sides["exclude"]):
        from pingce.engines.opened import open_ranking

        opened = open_ranking(qrels, [run], memory=memory, reading=reading, **sides)
        if opened is not None:
            tmpdir = options.get("tmpdir")
            return lambda requests: opened.scores(str(run), requests, Policies(), tmpdir=tmpdir)
    truth, rows, more = ranking_rows(qrels, run, **sides, **reading)
    return lambda requests: evaluate_rows(truth, rows, requests, Policies(), **more)
