"""`pingce.explain`: whatever a metric can be computed of, worked out on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.explanations.choice import task_of
from pingce.explanations.contrast import Contrast
from pingce.explanations.derivation import Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.inputs.aliases import one_weight
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.tasks import TASKS
from pingce.tasks.options import no_option_here, refuse_options


def explain(
    metric: str | Metric | MetricRequest,
    truth: Any = None,
    prediction: Any = None,
    *,
    query: str | int | None = None,
    grades: Sequence[float | None] | None = None,
    judged: Sequence[float] | None = None,
    labels: Any = None,
    scores: Any = None,
    true: Any = None,
    pred: Any = None,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    memory: str | float | None = None,
    group_weight: Mapping[str, Any] | None = None,
    positive: Any = None,
    proba: Any = None,
    classes: Iterable[Any] | None = None,
    of_class: Any = None,
    of_group: Any = None,
    exclude: Any = None,
    task: str | None = None,
    convention: str | None = None,
    against: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    queries: Any = None,
    items: Any = None,
    **policies: Any,
) -> Explanation | Contrast:
    """The worked calculation of a metric, as a teacher would write it.

    A ranking: `truth` and `prediction` are qrels and a run, `query` the one to work through; or bare `grades` in ranked
    order (None = not judged), with `judged`, the grades of all judged items. Labels and scores: `truth` and `prediction`,
    or `labels` and `scores`; classes and numbers: the two, or `true` and `pred`, or `proba`; with `data` they are names of
    its columns. `of_class` picks one class, `of_group` the rows of one group. The other keywords are those of the evaluate_* calls;
    but files of more than `memory` are refused, since all rows are read at once.

    `convention="ranx"` works as that tool does; `against="ranx"` shows both calculations and marks the first line that
    differs. The result prints itself; `to_markdown`, `to_html`, `to_latex` and `to_json` write it. Its `value` is the very
    float that the evaluation gives.

    >>> import pingce as pc
    >>> print(str(pc.explain("ndcg@5", grades=[3, 2, 3, 0, 1])).splitlines()[-3])
    NDCG@5 = 12.7796 / 13.3472 = 0.9575
    """
    from pingce.run.memory import refuse_larger

    refuse_larger(memory, (truth, prediction, exclude, data), "explain")
    inputs = ExplainInputs(
        truth=_one_of(truth=truth, labels=labels, true=true),
        prediction=_one_of(prediction=prediction, scores=scores, pred=pred),
        query=query,
        grades=grades,
        judged=judged,
        data=data,
        group=group,
        weight=one_weight(weight, sample_weight),
        group_weight=group_weight,
        positive=positive,
        proba=proba,
        classes=classes,
        of_class=of_class,
        of_group=of_group,
        exclude=exclude,
        columns=columns,
        input_format=input_format,
        encoding=encoding,
        threads=threads,
        queries=queries,
        items=items,
        named=tuple(
            name
            for name, value in (("labels", labels), ("scores", scores), ("true", true), ("pred", pred))
            if value is not None
        ),
    )
    chosen = task_of(metric, inputs, task, convention or against, policies)
    _refuse_unfit(chosen, policies)
    return Worker(chosen, metric, inputs, policies).explain(convention, against)


def _refuse_unfit(task: str, policies: Mapping[str, Any]) -> None:
    """Refuse keywords that are no policy of the task."""
    from inspect import signature

    place, of_task = Text(f"explaining {task}", f"讲解 {task}"), TASKS[task].load("policies").among(policies)
    refuse_options(policies, place, task, signature(explain).parameters)
    for name in policies:
        if name not in of_task:
            raise no_option_here(name, place, task)


def _one_of(**values: Any) -> Any:
    """The value that has one of several names."""
    names = [name for name, value in values.items() if value is not None]
    if len(names) > 1:
        raise InputError(
            f"{names[0]} and {names[1]} are two names for the same; give one of them",
            f"{names[0]} 与 {names[1]} 是同一内容的两种写法；请只给一个",
        )
    return values[names[0]] if names else None


@dataclass(frozen=True)
class Worker:
    """Reads data once, and explains it under as many definitions as wanted."""

    task: str
    metric: str | Metric | MetricRequest
    inputs: ExplainInputs
    policies: Mapping[str, Any] = field(default_factory=dict)

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
        task = TASKS[self.task]
        definition = Request.of(self.task, self.metric, convention=convention, policies=self.policies)
        requests = definition.metrics or ()
        if len(requests) != 1:
            raise InputError(
                f"'{self.metric}' names {len(requests)} metrics; explain one at a time",
                f"'{self.metric}' 含 {len(requests)} 个指标；请逐个讲解",
            )
        explanation: Explanation = task.load("explain")(self.inputs, requests[0], definition.policies)
        return explanation


def _name(convention: str | None) -> Text:
    if convention is None:
        return Text("pingce", "pingce")
    from pingce.conventions import convention_named

    tool = convention_named(convention)
    return Text(f"{tool.title} ({tool.version})", f"{tool.title}（{tool.version}）")
