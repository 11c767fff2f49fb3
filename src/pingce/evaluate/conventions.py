"""The same data under several tools' conventions, from Python."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import fields
from inspect import signature
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning, did_you_mean
from pingce.evaluate.definitions import Definitions
from pingce.tasks import TASKS, checked_task

if TYPE_CHECKING:
    from pingce.conventions.comparison import ConventionComparison
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
    >>> found = pc.compare_conventions(truth, run, "ndcg@10", ["trec_eval", "recbole"])
    >>> [(one.tool, round(one.value, 4), one.cause) for one in found.rows]
    [('trec_eval_9', 0.7967, 'gain: exp2 → linear'), ('recbole', 1.0, 'gain: exp2 → binary')]
    """
    checked_task(task)
    from pingce.conventions.compare import compare

    call, kind = TASKS[task].load("evaluate"), TASKS[task].load("policies")
    for name in options:
        if name not in signature(call).parameters:
            hint = did_you_mean(name, signature(call).parameters)
            raise InputError(
                f"compare_conventions has no option '{name}' for the task {task}{hint.en}",
                f"compare_conventions 没有用于任务 {task} 的选项 '{name}'{hint.zh}",
            )
    given = {name: options.pop(name, None) for name in (field.name for field in fields(kind))}
    define = Definitions(kind, options.pop("convention", None), given)

    score_rows = _read_once(truth, prediction, options) if task == "ranking" else None

    def score(asked: list[MetricRequest]) -> Scores:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PingceWarning)
            found: Scores = score_rows(asked) if score_rows else call(truth, prediction, asked, **options)
            return found

    tools = conventions.split(",") if isinstance(conventions, str) else conventions
    return compare(score, define.asked(metrics), define.policies, tools, define.given, base_tool=define.convention)


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
            return lambda asked: opened.scores(str(run), asked, Policies(), tmpdir=tmpdir)
    truth, rows, more = ranking_rows(qrels, run, **sides, **reading)
    return lambda asked: evaluate_rows(truth, rows, asked, Policies(), **more)
