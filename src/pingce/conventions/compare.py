"""One run under several conventions: the numbers side by side, and the choice that makes each difference.

Causes are found by switching: starting from pingce's definition, one choice after another is set as the tool has it, the
one with the largest effect first, until the tool's number stands there. Choices that change nothing are not switched.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.conventions.causes import Names, Step, path
from pingce.conventions.comparison import ConventionComparison, Switch, Under
from pingce.conventions.declared import Convention
from pingce.conventions.resolve import NoSuchMetricError, asked_under, convention_named, policies_under, spelling_of
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import shown

if TYPE_CHECKING:
    from pingce.evidence.policies import PolicySet
    from pingce.scores import Scores

    Score = Callable[[list[MetricRequest]], Scores]


def compare(
    score: Score,
    asked: Sequence[MetricRequest],
    policies: PolicySet,
    tools: Iterable[str | Convention],
    given: Mapping[str, Any],
    *,
    base_tool: str | None = None,
) -> ConventionComparison:
    """Score once as asked, then as each tool would; `score` takes metrics whose policies are pinned.

    `given` are policies that hold for every tool; `base_tool` is the convention under which `asked` stands itself.
    """
    named = list({one.tool: one for one in map(convention_named, tools)}.values())
    if not named:
        raise InputError("no convention was named to compare with", "没有指明要比较的约定")
    base = [_Definition.of(one, policies) for one in asked]
    own = score([definition.asked(f"{i}") for i, definition in enumerate(base)])
    rows = [
        _Tool(score, tool, given).compare(one, base[i], own[f"{i}"]) for i, one in enumerate(asked) for tool in named
    ]
    return ConventionComparison(
        reference={one.name: own[f"{i}"] for i, one in enumerate(asked)},
        signatures={one.name: own.signature(f"{i}") for i, one in enumerate(asked)},
        rows=tuple(rows),
        base="pingce" if base_tool is None else convention_named(base_tool).tool,
    )


@dataclass(frozen=True)
class _Definition:
    """A metric's kind, with every parameter and policy by name."""

    kind: type[Any]
    k: Any
    choices: Mapping[str, Any]
    policy_kind: type[PolicySet]

    @staticmethod
    def of(asked: MetricRequest, policies: PolicySet) -> _Definition:
        own = asked.under(policies)
        parameters = {p.name: getattr(asked.metric, p.name) for p in asked.metric.parameters()}
        settled = {f.name: getattr(own, f.name) for f in dataclasses.fields(own)}
        return _Definition(type(asked.metric), asked.metric.k, {**parameters, **settled}, type(policies))

    def asked(self, name: str, **changed: Any) -> MetricRequest:
        """The metric under a name of its own, with some choices changed; an impossible combination is refused."""
        choices = {**self.choices, **changed}
        policies = {f.name: choices[f.name] for f in dataclasses.fields(self.policy_kind)}
        parameters = {p.name: choices[p.name] for p in self.kind.parameters()}
        return MetricRequest(
            name, self.kind.make(k=self.k, **parameters), dataclasses.asdict(self.policy_kind.of(**policies))
        )


@dataclass(frozen=True)
class _Tool:
    """One of the tools that are compared with."""

    score: Score
    tool: Convention
    given: Mapping[str, Any]

    def compare(self, one: MetricRequest, base: _Definition, reference: float) -> Under:
        """A metric as the tool has it, and why its value is another."""
        tool, task = self.tool, one.metric.task
        common: dict[str, Any] = {"metric": one.name, "tool": tool.tool, "version": tool.version}
        common["reference"] = reference
        try:
            (theirs,) = asked_under(one.name, tool, task, self.given, yielding=True)
            target = _Definition.of(theirs, base.policy_kind.of(**policies_under(tool, task, self.given)))
            found = self.score([target.asked("theirs")])
        except InputError as problem:
            why = problem.text
            if isinstance(problem, NoSuchMetricError):
                why = Text(f"{tool.title} has no such metric", f"{tool.title} 没有该指标")
            return Under(**common, spelling="–", signature="", value=math.nan, switches=(), refused=why)
        return Under(
            **common,
            spelling=spelling_of(theirs, tool),
            signature=found.signature("theirs"),
            value=found["theirs"],
            switches=_switches(self.score, base, target, reference, found["theirs"]),
        )


def _switches(score: Score, base: _Definition, target: _Definition, start: float, end: float) -> tuple[Switch, ...]:
    """The choices that matter, each with the value from then on."""
    different = [name for name, value in base.choices.items() if value != target.choices[name]]

    def values(switched: Sequence[Names]) -> list[float | None]:
        return _values(score, base, [{name: target.choices[name] for name in names} for names in switched])

    def switch(step: Step) -> Switch:
        before, after = (", ".join(_said(side, name) for name in step.names) for side in (base, target))
        return Switch(" + ".join(step.names), before, after, step.value)

    return tuple(switch(step) for step in path(different, values, start, end))


def _values(score: Score, base: _Definition, changes: Sequence[Mapping[str, Any]]) -> list[float | None]:
    """The value under each change; None where the combination means nothing."""
    possible: dict[int, MetricRequest] = {}
    for i, change in enumerate(changes):
        try:
            possible[i] = base.asked(f"{i}", **change)
        except InputError:
            continue
    values: list[float | None] = [None] * len(changes)
    try:
        scores = score(list(possible.values())) if possible else {}
        for i in possible:
            values[i] = scores[f"{i}"]
    except InputError:
        for i, one in possible.items():  # one of them cannot be scored: ask one by one
            try:
                values[i] = score([one])[f"{i}"]
            except InputError:
                continue
    return values


def _said(definition: _Definition, name: str) -> str:
    value = definition.choices[name]
    return "–" if value is None else shown(value)
