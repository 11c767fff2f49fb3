"""A metric under a tool's convention: the parameters and policies that make its number that tool's number."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.conventions.declared import Convention, Entry, convention_file, conventions
from pingce.evidence.policy_set import Stated
from pingce.metrics.grammar import (
    AnyMetric,
    MetricRequest,
    Written,
    each_metric,
    parse_metric,
    parse_metrics,
    read_metric,
)
from pingce.metrics.parameters import Parameters
from pingce.tasks import TASKS

_FREE = re.compile(r"(\w+)=([^,(){}]*)\{(\w+)\}([^,(){}]*),?")
"A parameter whose number the tool leaves to its user, in what an entry means."


class NoSuchMetricError(InputError):
    """A metric that a tool does not have."""


def convention_named(name: str | Convention) -> Convention:
    """The convention of a tool, under any of its names."""
    if isinstance(name, Convention):
        return name
    plain = re.sub(r"[\s-]+", "_", str(name).strip().lower())
    alone = convention_file(plain)
    if alone is not None:
        return alone
    names = {alias: tool for tool in conventions().values() for alias in (tool.tool, *tool.aliases)}
    if plain in names:
        return names[plain]
    hint, tools = did_you_mean(plain, names), list(conventions())
    raise InputError(
        f"unknown convention '{name}'{hint.en} (known are {', '.join(tools)})",
        f"未知的约定 '{name}'{hint.zh}（可用 {'、'.join(tools)}）",
    )


def policies_under(convention: str | Convention | None, task: str, policies: Stated) -> Stated:
    """The policies of a call: those given, and for the others the tool's."""
    explicit = {name: value for name, value in policies.items() if value is not None}
    return explicit if convention is None else {**convention_named(convention).policies.get(task, {}), **explicit}


def asked_under(
    metrics: Iterable[AnyMetric] | AnyMetric,
    convention: str | Convention | None,
    task: str,
    policies: Stated | None = None,
    *,
    default_k: int | None = None,
    yielding: bool = False,
) -> list[MetricRequest]:
    """Metrics as a tool means them, in its own spelling or in pingce's; `policies` are those that the caller chose.

    Parameters that contradict the tool are refused, or give way to the tool's if they are `yielding`.
    """
    if convention is None:
        return parse_metrics(metrics, default_k=default_k, task=task)
    explicit = frozenset(name for name, value in (policies or {}).items() if value is not None)
    return each_metric(metrics, _Meaning(convention_named(convention), task, explicit, default_k, yielding).request)


def defaults_under(names: Iterable[str], convention: str | Convention, task: str) -> list[str]:
    """The metrics among some that the tool has; if it has none, its own first ones."""
    tool = convention_named(convention)
    names_of_tool = []
    for name in names:
        try:
            names_of_tool += [request.name for request in asked_under(name, tool, task)]
        except InputError:
            continue
    first = (entry.name_at_10 for entry in entries_of(tool, task))
    return names_of_tool or [name for name in first if "{" not in name][:6]


def entries_of(tool: Convention, task: str) -> list[Entry]:
    """The metrics of a task that a tool has; a tool without any is refused."""
    entries = [entry for entry in tool.entries if entry.task == task]
    if not entries:
        where, tasks = TASKS[task].noun, [TASKS[other].noun for other in tool.tasks]
        raise InputError(
            f"{tool.title} has no metrics of {where.en}; it has metrics of {', '.join(name.en for name in tasks)}",
            f"{tool.title} 没有{where.zh}的指标；它有{'、'.join(name.zh for name in tasks)}的指标",
        )
    return entries


def template(entry: Entry) -> Written:
    """What an entry means, with 1 for its cut-off and without the numbers that its user gives."""
    return read_metric(_FREE.sub("", re.sub(r"@\{\w+\}", "@1", entry.means)), task=entry.task)


@dataclass(frozen=True)
class _Meaning:
    """What metrics mean under one tool."""

    tool: Convention
    task: str
    explicit: frozenset[str]
    "Policies that the caller chose: they hold, whatever the tool does."
    default_k: int | None
    yielding: bool

    def request(self, text: AnyMetric) -> MetricRequest:
        """The tool's own spelling first, then pingce's; what is a metric already stays."""
        if not isinstance(text, str):
            return parse_metric(text, task=self.task)
        for entry in entries_of(self.tool, self.task):
            if (meaning := entry.read(text)) is not None:
                return self._named(text, entry, parse_metric(meaning, task=self.task))
        try:
            written = read_metric(text, task=self.task)
        except InputError:
            raise self._not_there(text) from None
        if written.kind.is_reading:
            return self._reading(text, written)
        k = written.cutoff(self.default_k)
        entry, parameters = self._matching(text, written, k)
        return self._named(text, entry, MetricRequest(text, written.kind.make(k=k, **parameters), written.policies))

    def _reading(self, text: str, written: Written) -> MetricRequest:
        """What is read out of a metric, as the tool means that one."""
        of = written.parameters.get("of")
        if not isinstance(of, str) or not of:
            return parse_metric(text, task=self.task)
        inner = self.request(of)
        metric = written.kind.make(**{**written.parameters, "of": inner.metric})
        return MetricRequest(text.strip(), metric, {**inner.policies, **written.policies})

    def _named(self, text: str, entry: Entry, request: MetricRequest) -> MetricRequest:
        policies = {name: value for name, value in entry.policies.items() if name not in self.explicit}
        return MetricRequest(text.strip(), request.metric, {**policies, **request.policies})

    def _matching(self, text: str, written: Written, k: float | None) -> tuple[Entry, Parameters]:
        """The first metric of the tool with this name and cut-off, in which nothing contradicts what was written."""
        every = [(entry, template(entry)) for entry in entries_of(self.tool, self.task)]
        same = [(entry, meant) for entry, meant in every if meant.kind is written.kind]
        if not same:
            raise self._not_there(text)
        cut = [(entry, _filled_in(entry, meant, written)) for entry, meant in same if (meant.k is None) == (k is None)]
        agreeing = [(entry, parameters) for entry, parameters in cut if _agree(written, k, parameters)]
        if agreeing or (self.yielding and cut):
            return (agreeing or cut)[0]
        spellings = [entry.name_at_10 for entry, _ in same]
        raise InputError(
            f"{self.tool.title} has no '{text}'; its metrics of this kind are {', '.join(spellings)}",
            f"{self.tool.title} 没有 '{text}'；它的同类指标有 {'、'.join(spellings)}",
        )

    def _not_there(self, text: str) -> InputError:
        entries = entries_of(self.tool, self.task)
        hint, spellings = did_you_mean(text, [each.name for each in entries]), [each.name_at_10 for each in entries]
        return NoSuchMetricError(
            f"{self.tool.title} has no metric '{text}'{hint.en} (it has {', '.join(spellings)})",
            f"{self.tool.title} 没有指标 '{text}'{hint.zh}（它有 {'、'.join(spellings)}）",
        )


def _filled_in(entry: Entry, meant: Written, written: Written) -> Parameters:
    """The parameters of an entry, with the numbers that its user gives as they were written."""
    free = {parameter for parameter, *_ in _FREE.findall(entry.means)}
    return {**meant.parameters, **{name: value for name, value in written.parameters.items() if name in free}}


def _agree(written: Written, k: float | None, parameters: Parameters) -> bool:
    """Whether no parameter that was written is another in the tool."""
    theirs = written.kind.make(k=k, **parameters)
    merged = written.kind.make(k=k, **{**parameters, **written.parameters})
    return all(getattr(theirs, name) == getattr(merged, name) for name in written.parameters)


def spelling_of(request: MetricRequest, convention: str | Convention) -> str:
    """How the tool itself calls a metric that was resolved under it."""
    metric, entries = request.metric, entries_of(convention_named(convention), request.metric.task)
    if any(entry.read(request.name) is not None for entry in entries):
        return request.name
    parameters = {p.name: getattr(metric, p.name) for p in metric.parameters()}
    for entry in entries:
        meant = template(entry)
        same = meant.kind is type(metric) and (meant.k is None) == (metric.k is None)
        if same and meant.kind.make(k=metric.k, **{**parameters, **meant.parameters}) == metric:
            spelling = entry.name.replace("{k}", str(metric.k))
            for parameter, before, place, after in _FREE.findall(entry.means):
                number = str(getattr(metric, parameter, "…")).removeprefix(before).removesuffix(after)
                spelling = spelling.replace(f"{{{place}}}", number)
            return spelling
    return request.name
