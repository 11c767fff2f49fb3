"""What a call asks for: metrics and policies, under a tool's convention where one is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pingce.base.lazy import cached_property
from pingce.evidence.policies import PolicySet
from pingce.metrics.grammar import MetricRequest, parse_metrics

if TYPE_CHECKING:
    from pingce.metrics.declared import Metric

_PolicySet = TypeVar("_PolicySet", bound=PolicySet)


class Definitions(Generic[_PolicySet]):
    """The definitions of one call. A policy that is None is the convention's, or else the default."""

    def __init__(self, kind: type[_PolicySet], convention: str | None, given: Mapping[str, Any]) -> None:
        self.kind = kind
        self.convention = convention
        follows = {name: given.get(other) for name, other in kind.follows.items() if given.get(name) is None}
        self.given = {**given, **follows}
        self.task = kind.task

    @cached_property
    def policies(self) -> _PolicySet:
        """Those of the call."""
        if self.convention is None:
            return self.kind.of(**self.given)
        from pingce.conventions.resolve import policies_under

        return self.kind.of(**policies_under(self.convention, self.task, self.given))

    def asked(
        self,
        metrics: Iterable[str | Metric | MetricRequest] | str | Metric | MetricRequest,
        *,
        default_k: int | None = None,
    ) -> list[MetricRequest]:
        """The metrics that were named; a signature names one too."""
        from pingce.scores.signature import with_signatures

        metrics = with_signatures(metrics)
        if self.convention is None:
            return parse_metrics(metrics, default_k=default_k, task=self.task)
        from pingce.conventions.resolve import asked_under

        return asked_under(metrics, self.convention, self.task, self.given, default_k=default_k)

    def defaults(self, names: Iterable[str], *, default_k: int | None = None) -> list[MetricRequest]:
        """The metrics where none was named: the usual ones, or those of them that the tool has."""
        if self.convention is None:
            return self.asked(list(names), default_k=default_k)
        from pingce.conventions.resolve import defaults_under

        return self.asked(defaults_under(names, self.convention, self.task), default_k=default_k)
