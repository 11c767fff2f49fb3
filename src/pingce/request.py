"""What a call asks, by whichever entrance it came: metrics, policies, intervals, slices, reading and limits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policy_set import PolicySet, Stated
from pingce.inputs.columns import Reading
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest, parse_metric, parse_metrics
from pingce.tasks import TASKS, Task

if TYPE_CHECKING:
    from typing_extensions import Unpack

MetricNames: TypeAlias = "Iterable[str | Metric | MetricRequest] | str | Metric | MetricRequest"
"Metrics as callers name them."
_TRAVELLING = ("split", "bins", "positive", "labels", "min_n", "slice_ci", "threads")
"Settings that are plain values, as states of evaluators write them."
_READING = ("columns", "input_format", "encoding")


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of values: their level (None: no intervals), and how often and from which seed to draw."""

    ci: float | None = None
    samples: int = 1000
    seed: int = 0

    @classmethod
    def of(cls, task: Task, ci: float | None = None, samples: int | None = None, seed: int = 0) -> Intervals:
        """Those of a task, with its number of draws where none was named: queries are fewer than rows."""
        draws = 1000 if task.of_rows else 10_000
        return cls(ci, draws if samples is None else samples, seed)


@dataclass(frozen=True)
class Limits:
    """Files that would take more than `memory` are streamed; temporary files go to `tmpdir`."""

    memory: str | float | None = None
    tmpdir: str | os.PathLike[str] | None = None


class Settings(TypedDict, total=False):
    """What a request says beside metrics and policies."""

    intervals: Intervals
    min_n: int
    slice_ci: float
    reading: Reading
    limits: Limits
    threads: int | None
    split: str
    bins: int | None
    positive: Any
    labels: Any
    window: int | None


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of an evaluation; data is given beside it."""

    task: Task
    policies: Any
    "The policies of the task, each resolved: as stated, else the convention's, else the default."
    metrics: tuple[MetricRequest, ...] | None = None
    "None stands for the usual ones, which may depend on the data."
    readings: tuple[MetricRequest, ...] = ()
    "What is read out of the values of these metrics: gaps between slices, quantiles over queries."
    order: tuple[str, ...] = ()
    "Where there are readings, the names of all, as they were asked for; what only a reading needs stands before it."
    convention: str | None = None
    stated: Stated = field(default_factory=dict)
    "Policies as the caller wrote them; None for one that was not written."
    intervals: Intervals = Intervals()
    min_n: int = 20
    "Slices of fewer units have no interval."
    slice_ci: float = 0.95
    "Confidence of slices of queries, which have intervals whether or not values have."
    reading: Reading = Reading()
    limits: Limits = Limits()
    threads: int | None = None
    split: str = "allowed"
    "Whether a query or group may come in several batches."
    bins: int | None = None
    "Cells that scores are put into, to bound memory."
    positive: Any = None
    labels: Any = None
    "Classes in their order, where the caller named them."
    window: int | None = None
    "How many rows an evaluator looks back: the last so many; None: all."

    def __post_init__(self) -> None:
        if hasattr(self.positive, "item"):
            object.__setattr__(self, "positive", self.positive.item())
        if any(metric.metric.is_reading for metric in self.metrics or ()):
            metrics, readings, order = with_measured(self.metrics or ())
            object.__setattr__(self, "metrics", metrics)
            object.__setattr__(self, "readings", self.readings + readings)
            object.__setattr__(self, "order", order)
        if any(metric.metric.of_subtopics for metric in self.metrics or ()):
            object.__setattr__(self, "reading", replace(self.reading, subtopics=True))

    @classmethod
    def of(
        cls,
        task: str,
        metrics: MetricNames | None = None,
        *,
        convention: str | None = None,
        policies: Stated | None = None,
        default_k: int | None = None,
        **settings: Unpack[Settings],
    ) -> Request:
        """Resolve what a caller wrote: the only place where definitions are made."""
        kind: type[PolicySet] = TASKS[task].load("policies")
        stated = kind.stated(policies or {})
        requests = None if metrics is None else tuple(_parsed(task, convention, stated, metrics, default_k))
        resolved = _resolved(kind, convention, stated)
        return cls(
            task=TASKS[task], policies=resolved, metrics=requests, convention=convention, stated=stated, **settings
        )

    def parse(self, metrics: MetricNames, *, default_k: int | None = None) -> list[MetricRequest]:
        """Other metrics, as these definitions read them; a signature names one too."""
        return _parsed(self.task.name, self.convention, self.stated, metrics, default_k)

    def usual(self, names: Sequence[str], *, default_k: int | None = None) -> list[MetricRequest]:
        """The metrics where none was named: these, or those of them that the convention's tool has."""
        if self.convention is None:
            return self.parse(list(names), default_k=default_k)
        from pingce.conventions.resolve import defaults_under

        return self.parse(defaults_under(names, self.convention, self.task.name), default_k=default_k)

    def with_usual(self, names: Sequence[str], *, default_k: int | None = None) -> Request:
        """The same with the usual metrics where none was named."""
        return self if self.metrics else replace(self, metrics=tuple(self.usual(names, default_k=default_k)))

    def _in_order(self) -> list[MetricRequest]:
        """Metrics and readings as they were asked for."""
        place = {name: at for at, name in enumerate(self.order)}
        return sorted((*(self.metrics or ()), *self.readings), key=lambda each: place.get(each.name, -1))

    def to_json(self) -> Json:
        """Everything that a state of an evaluator must know again, as plain JSON."""
        return {
            "metrics": None if self.metrics is None else [_written(each) for each in self._in_order()],
            "convention": self.convention,
            "given": dict(self.stated) if self.convention is not None else {},
            "policies": self.policies.to_json(),
            "explicit": sorted(self.policies.explicit),
            **asdict(self.intervals),
            **{name: getattr(self, name) for name in _TRAVELLING},
            "reading": {name: getattr(self.reading, name) for name in _READING},
            **({} if self.window is None else {"window": self.window}),
        }

    @classmethod
    def from_json(cls, task: str, document: Json) -> Request:
        """The request that `to_json` wrote, here or in an earlier version."""
        metrics, stated = document["metrics"], document.get("given") or {}
        policies = TASKS[task].load("policies")(**document["policies"]).naming(document.get("explicit", ()))
        intervals = Intervals(document.get("ci"), document["samples"], document["seed"])
        if "confidence" in document:  # of slices, as rankings of pingce 0.1.0 called it
            document = {"slice_ci": document["confidence"], **document}
        return cls(
            task=TASKS[task],
            policies=policies,
            metrics=None if metrics is None else tuple(_read(request, task) for request in metrics),
            convention=document.get("convention"),
            stated=stated,
            intervals=intervals,
            reading=Reading(*[(document.get("reading") or {}).get(name) for name in _READING]),  # type: ignore[arg-type]
            **{name: document[name] for name in (*_TRAVELLING, "window") if name in document},
        )

    def refuse_readings(self, place: Text) -> None:
        """Refuse what is read out of the queries of one model where something else is done with values."""
        refuse_readings([reading.name for reading in self.readings if not reading.metric.of_slices], place)

    def refuse_unnamed(self) -> None:
        """Refuse a metric that cannot be found again by its name: one that was not declared, or with odd parameters."""
        for request in self.metrics or ():
            try:
                same = parse_metric(request.metric.id, task=self.task.name).metric == request.metric
            except InputError:
                same = False
            if not same:
                raise InputError(
                    f"{request.name} cannot be written: no name gives this metric back; ask for it by name, or declare it everywhere",
                    f"{request.name} 无法写出：没有名称能还原该指标；请按名称指定，或在各处声明该指标",
                )


def with_measured(
    metrics: Iterable[MetricRequest],
) -> tuple[tuple[MetricRequest, ...], tuple[MetricRequest, ...], tuple[str, ...]]:
    """Metrics that are measured, those that are read among them, what is read out of them, and all names in order."""
    every = list(metrics)
    measured = {_key(each.metric, each): each for each in every if not each.metric.is_reading}
    readings, order = tuple(each for each in every if each.metric.is_reading), list[str]()
    for each in every:
        for metric in each.metric.measured() if each.metric.is_reading else ():
            inner = replace(each, name=metric.id, metric=metric)
            if _key(metric, each) not in measured:
                measured[_key(metric, each)] = replace(inner, name=inner.id)
                order.append(inner.id)
        order.append(each.name)
    return tuple(measured.values()), readings, tuple(order)


def _key(metric: Metric, request: MetricRequest) -> tuple[Any, ...]:
    return metric, tuple(sorted(request.policies.items()))


def refuse_readings(names: Sequence[str], place: Text) -> None:
    """Refuse what is read out of one model, by name."""
    if names:
        raise InputError(
            f"{names[0]} is read out of the queries of one model, and has no place in {place.en}; ask pingce eval for it",
            f"{names[0]} 由单个模型的查询得出，不能用于{place.zh}；请用 pingce eval 计算",
        )


def gap_columns(request: Request) -> list[str]:
    """What gaps say that slices are by."""
    return list(dict.fromkeys(by for each in request.readings if (by := getattr(each.metric, "by", ""))))


def _resolved(kind: type[PolicySet], convention: str | None, stated: Stated) -> PolicySet:
    if convention is None:
        return kind.of(**stated)
    from pingce.conventions.resolve import policies_under

    return kind.of(**policies_under(convention, kind.task, stated))


def _parsed(
    task: str, convention: str | None, stated: Stated, metrics: MetricNames, default_k: int | None
) -> list[MetricRequest]:
    from pingce.scores.signature import with_signatures

    metrics = with_signatures(metrics)
    if convention is None:
        return parse_metrics(metrics, default_k=default_k, task=task)
    from pingce.conventions.resolve import asked_under

    return asked_under(metrics, convention, task, stated, default_k=default_k)


def _written(request: MetricRequest) -> Json:
    """A metric by its spelling, its definition, the policies that go with it, and what a signature says of the data."""
    from pingce.scores.signature import Signed

    document = {"name": request.name, "metric": request.metric.id, "policies": dict(request.policies)}
    if isinstance(request, Signed):
        document |= {"version": request.version, "given": dict(request.given)}
    return document


def _read(document: Json, task: str) -> MetricRequest:
    metric = parse_metric(document["metric"], task=task).metric
    if "given" not in document:
        return MetricRequest(document["name"], metric, document["policies"])
    from pingce.scores.signature import Signed

    return Signed(document["name"], metric, document["policies"], document["version"], document["given"])
