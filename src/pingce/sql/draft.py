"""What the writers of queries share: the names of tables and columns, steps, and which function writes a metric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.evidence.policy_set import Stated
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.sql.dialects import Dialect
from pingce.sql.names import Names


def double(number: float) -> str:
    """A number as a literal of double precision: of some databases 0.5 is a decimal, whose means are rounded."""
    return f"CAST({number!r} AS DOUBLE)"


class Step(NamedTuple):
    """One table of a query, computed from those before it."""

    name: str
    select: str


@dataclass(frozen=True)
class Draft:
    """A metric that is to be written for a database."""

    request: MetricRequest
    names: Names
    dialect: Dialect

    @property
    def metric(self) -> Any:
        """The metric itself."""
        return self.request.metric

    def column(self, role: str) -> str:
        """The column of a role, quoted."""
        return self.dialect.identifier(getattr(self.names, role))

    def table(self, role: str) -> str:
        """The table of a role, quoted."""
        return self.dialect.table(getattr(self.names, role))

    def policy(self, name: str, default: Any) -> Any:
        """A policy that was written with the metric."""
        return self.request.policies.get(name, default)


Writer = Callable[[Draft], list[Step]]
_Writer = TypeVar("_Writer", bound=Writer)


class Written(NamedTuple):
    """The function that writes some metrics, and what it knows of their parameters and policies."""

    writer: Writer
    parameters: frozenset[str]
    policies: frozenset[str]


_WRITERS: dict[type[Metric], Written] = {}


def writes(*kinds: type[Metric], parameters: str = "", policies: str = "") -> Callable[[_Writer], _Writer]:
    """Mark a function as the one that writes these metrics; parameters and policies it does not name stay at their defaults."""

    def register(writer: _Writer) -> _Writer:
        record = Written(writer, frozenset(parameters.split()), frozenset(policies.split()))
        _WRITERS.update(dict.fromkeys(kinds, record))
        return writer

    return register


def written_kinds() -> tuple[type[Metric], ...]:
    """The metrics that can be written."""
    return tuple(_WRITERS)


def steps_of(draft: Draft) -> list[Step]:
    """The steps of a query; a metric without an exact query, or one with other parameters, is refused."""
    kind, name = type(draft.metric), draft.request.name
    if kind not in _WRITERS:
        raise InputError(
            f"{name} has no exact query that every database can run; evaluate it with pingce eval, on Spark with --engine spark",
            f"{name} 没有各数据库都能执行的精确查询；请用 pingce eval 计算，在 Spark 上可加 --engine spark",
        )
    written = _WRITERS[kind]
    _refuse_others(draft, written)
    return written.writer(draft)


def _refuse_others(draft: Draft, written: Written) -> None:
    usual = type(draft.metric).make(k=draft.metric.k)
    changed = [
        each.name for each in usual.parameters() if getattr(draft.metric, each.name) != getattr(usual, each.name)
    ]
    stated: Stated = draft.request.policies
    odd = [each for each in changed if each not in written.parameters] + [
        each for each in stated if each not in written.policies
    ]
    if odd:
        raise InputError(
            f"{draft.request.name}: there is no query for {odd[0]}=; leave it out, or evaluate with pingce eval",
            f"{draft.request.name}：{odd[0]}= 没有对应的查询；请去掉，或用 pingce eval 计算",
        )
