"""`pingce.compare_conventions`: one run under several tools' conventions, and the choice that makes each difference.

Causes are found by switching: starting from pingce's definition, one choice after another is set as the tool has it, the
one with the largest effect first, until the tool's number stands there. Choices that change nothing are not switched.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.comparison.causes import Names, Step, path
from pingce.comparison.convention_values import ConventionComparison, ConventionSwitch, ConventionValue
from pingce.conventions.declared import Convention
from pingce.conventions.resolve import NoSuchMetricError, asked_under, convention_named, policies_under, spelling_of
from pingce.evidence.policy_set import PolicySet
from pingce.inputs.data import RankingData, RowData
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import shown
from pingce.request import Request
from pingce.run.feed import evaluate
from pingce.run.memory import may_exceed

if TYPE_CHECKING:
    from pingce.scores import Scores

Score = Callable[[list[MetricRequest]], "Scores"]


def compare_tools(
    request: Request, data: RowData | RankingData, conventions: Iterable[str] | str
) -> ConventionComparison:
    """The values under each convention; metrics come to be scored with all their policies."""
    if isinstance(data, RankingData):
        data = _read_once(request, data)
    bare = replace(request, policies=type(request.policies)(), stated={}, convention=None)

    def score(requests: list[MetricRequest]) -> Scores:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PingceWarning)
            scores: Scores = evaluate(replace(bare, metrics=tuple(requests)), data)
            return scores

    tools = conventions.split(",") if isinstance(conventions, str) else conventions
    return compare_definitions(score, request, tools)


def _read_once(request: Request, data: RankingData) -> RankingData:
    """Truth and run, read a single time although they are scored under every definition.

    Files that would exceed the memory stay files: they are streamed, once for each definition.
    """
    if may_exceed(request.limits.memory, data.truth, data.prediction, data.exclude):
        return data
    truth, run = request.reading.read(data.truth, "truth"), request.reading.read(data.prediction, "run")
    return replace(data, truth=truth, prediction=run)


def compare_definitions(score: Score, definitions: Request, tools: Iterable[str | Convention]) -> ConventionComparison:
    """Score once as it is asked, then as each tool would; `score` takes metrics whose policies are pinned.

    Policies that the caller chose hold for every tool.
    """
    conventions = list({tool.tool: tool for tool in map(convention_named, tools)}.values())
    if not conventions:
        raise InputError("no convention was named to compare with", "没有指明要比较的约定")
    requests = definitions.metrics or ()
    bases = [_Definition.of(request, definitions.policies) for request in requests]
    scores = score([base.request(f"{i}") for i, base in enumerate(bases)])
    rows = [
        _compare(score, definitions, tool, request, bases[i], reference=scores[f"{i}"])
        for i, request in enumerate(requests)
        for tool in conventions
    ]
    return ConventionComparison(
        reference={request.name: scores[f"{i}"] for i, request in enumerate(requests)},
        signatures={request.name: scores.signature(f"{i}") for i, request in enumerate(requests)},
        rows=tuple(rows),
        base="pingce" if definitions.convention is None else convention_named(definitions.convention).tool,
    )


@dataclass(frozen=True)
class _Definition:
    """A metric's kind, with every parameter and policy by name."""

    kind: type[Any]
    k: Any
    choices: Mapping[str, object]
    policy_kind: type[PolicySet]

    @staticmethod
    def of(request: MetricRequest, policies: PolicySet) -> _Definition:
        metric, pinned = request.metric, request.under(policies)
        parameters = {p.name: getattr(metric, p.name) for p in metric.parameters()}
        choices = {f.name: getattr(pinned, f.name) for f in fields(pinned)}
        return _Definition(type(metric), metric.k, {**parameters, **choices}, type(policies))

    def request(self, name: str, **changes: object) -> MetricRequest:
        """The metric under another name, with some choices changed; an impossible combination is refused."""
        choices = {**self.choices, **changes}
        policies = {f.name: choices[f.name] for f in fields(self.policy_kind)}
        parameters = {p.name: choices[p.name] for p in self.kind.parameters()}
        metric = self.kind.make(k=self.k, **parameters)
        return MetricRequest(name, metric, asdict(self.policy_kind.of(**policies)))

    def words(self, names: Names) -> str:
        """Choices as they are written; a dash for none."""
        values = [self.choices[name] for name in names]
        return ", ".join("–" if value is None else shown(value) for value in values)


def _compare(
    score: Score, definitions: Request, tool: Convention, request: MetricRequest, base: _Definition, *, reference: float
) -> ConventionValue:
    """A metric as the tool has it, and why its value is another."""
    task, policies = request.metric.task, definitions.stated
    blank = ConventionValue(request.name, tool.tool, tool.version, "–", "", math.nan, reference, ())
    try:
        (theirs,) = asked_under(request.name, tool, task, policies, yielding=True)
        target = _Definition.of(theirs, base.policy_kind.of(**policies_under(tool, task, policies)))
        scores = score([target.request("theirs")])
    except NoSuchMetricError:
        why = Text(f"{tool.title} has no such metric", f"{tool.title} 没有该指标")
        return replace(blank, refused=why)
    except InputError as problem:
        return replace(blank, refused=problem.text)
    return replace(
        blank,
        spelling=spelling_of(theirs, tool),
        signature=scores.signature("theirs"),
        value=scores["theirs"],
        switches=_switches(score, base, target, reference, scores["theirs"]),
    )


def _switches(
    score: Score, base: _Definition, target: _Definition, start: float, end: float
) -> tuple[ConventionSwitch, ...]:
    """The choices that matter, each with the value from then on."""
    different = [name for name, value in base.choices.items() if value != target.choices[name]]

    def values(switched: Sequence[Names]) -> list[float | None]:
        """The value with each set of choices switched; None where the combination means nothing."""
        possible: dict[int, MetricRequest] = {}
        for i, names in enumerate(switched):
            with suppress(InputError):
                possible[i] = base.request(f"{i}", **{name: target.choices[name] for name in names})
        values: list[float | None] = [None] * len(switched)
        try:
            scores = score(list(possible.values())) if possible else {}
            for i in possible:
                values[i] = scores[f"{i}"]
        except InputError:
            for i, request in possible.items():  # one of them cannot be scored: ask one by one
                with suppress(InputError):
                    values[i] = score([request])[f"{i}"]
        return values

    def switch(step: Step) -> ConventionSwitch:
        return ConventionSwitch(" + ".join(step.names), base.words(step.names), target.words(step.names), step.value)

    return tuple(switch(step) for step in path(different, values, start, end))
