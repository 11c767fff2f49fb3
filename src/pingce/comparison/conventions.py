"""`pingce.compare_conventions`: one run under several tools' conventions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pingce.base.errors import PingceWarning
from pingce.comparison.convention_values import ConventionComparison
from pingce.comparison.definitions import compare_definitions
from pingce.inputs.data import RankingData, RowData
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.run.feed import evaluate
from pingce.run.memory import may_exceed

if TYPE_CHECKING:
    from pingce.scores import Scores


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
