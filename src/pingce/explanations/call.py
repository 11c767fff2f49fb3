"""`pingce.explain`: whatever a metric can be computed of, worked out on paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.policies import Stated
from pingce.explanations.contrast import Contrast
from pingce.explanations.derivation import Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.tasks import TASKS
from pingce.tasks.options import no_option_here, refuse_options


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
