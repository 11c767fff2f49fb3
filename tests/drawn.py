"""Random rankings, and every metric with every parameter, drawn from the declarations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.metrics.declared import registry
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import Choice, GainCheck, Number
from pingce.metrics.ranking import RankedList, RankingMetric
from pingce.metrics.ranking.items import ItemMetric

Truth = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]

CUTOFFS = (None, 1, 3, 10)
NUMBERS: dict[str, tuple[Any, ...]] = {
    "a": (2,),
    "alpha": (0.25, 1),
    "b": (-0.5, 0),
    "beta": (0.5, 2),
    "catalog": (1000,),
    "goal": (0.5, 2),
    "max": (4,),
    "p": (0.5, 0.95),
    "recall": (0, 0.1, 0.7, 1),
    "times": (0.2, 1.4),
    "wrong": (1, 3),
}
GAIN_TABLE = {-1: 0, 1: 1, 2: 5, 3: 2}


def variants(kind: type[RankingMetric]) -> Iterator[RankingMetric]:
    """The metric at its defaults, and with each parameter in turn at each of its other values, at several cut-offs."""
    for options in ({}, *_deviations(kind)):
        needed = {"catalog": 1000} if kind.name == "fallout" and "over" not in options else {}
        for k in CUTOFFS if kind.takes else (None,):
            try:
                yield kind.make(k=k, **(needed | options))
            except InputError:
                assert options.get("ideal") == "full" or options.get("norm") == "depths"
                assert k is None


def _deviations(kind: type[RankingMetric]) -> Iterator[dict[str, Any]]:
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        if isinstance(check, (Choice, GainCheck)):
            values: Sequence[Any] = [word for word in check.words if word != parameter.default]
            if isinstance(check, GainCheck):
                most = min(1, check.most / max(GAIN_TABLE.values()))
                values = [*values, {grade: gain * most for grade, gain in GAIN_TABLE.items() if grade > 0}]
        else:
            assert isinstance(check, Number)
            most = math.inf if check.most is None else check.most
            values = [value for value in NUMBERS[parameter.name] if value <= most]
        needed = {"ideal": "full"} if (kind.name, parameter.name) == ("ndcg", "max") else {}
        yield from (needed | {parameter.name: value} for value in values)


ALL = [metric for kind in registry().values() if not issubclass(kind, ItemMetric) for metric in variants(kind)]
"Metrics of items need tables of their own: drawn_items.py draws them."
SOME = st.lists(st.sampled_from(ALL), min_size=12, max_size=12, unique=True)
OF_EACH_QUERY = SOME.map(lambda metrics: [metric for metric in metrics if not metric.of_items])
"Without those that look at what other queries judge."


def at_least(examples: int) -> settings:
    """So many examples where the profile asks for fewer; a number of its own would keep a test from the profile."""
    return settings(max_examples=max(examples, settings().max_examples))


@dataclass(frozen=True)
class Case:
    """A truth and a run over it."""

    truth: Truth
    run: Run

    def top_grade(self) -> float:
        """The largest grade."""
        return max(grade for graded in self.truth.values() for grade in graded.values())

    def ranked(self, query: str, ties: str = "id", relevant: float | str = 1) -> RankedList:
        """The list of one query in a fixed order of ties, sorted in plain Python."""
        truth, run = self.truth[query], self.run.get(query, {})
        items = list(run)
        if ties in ("id", "best", "worst"):
            items.sort(reverse=True)
        elif ties == "id_ascending":
            items.sort()
        if ties in ("best", "worst"):
            items.sort(key=lambda item: (truth.get(item, 0), item in truth), reverse=ties == "best")
        items.sort(key=lambda item: -run[item])
        grades = tuple(truth.get(item) for item in items)
        anywhere = self.judged_anywhere(items)
        return RankedList(grades, tuple(truth.values()), relevant, self.top_grade(), judged_anywhere=anywhere)

    def judged_anywhere(self, items: Sequence[str]) -> tuple[bool, ...]:
        """Whether any query has judged each of some items."""
        judged = {item for graded in self.truth.values() for item, grade in graded.items() if grade >= 0}
        return tuple(item in judged for item in items)

    def evaluate(self, metrics: Sequence[RankingMetric | MetricRequest | str], **policies: Any) -> pc.RankingScores:
        """The scores."""
        return pc.evaluate_ranking(self.truth, self.run, list(metrics), **policies)


_ITEMS = [f"d{number}" for number in range(14)] + ["条目", "d1a"]
_NAMES = st.lists(st.sampled_from(["1", "2", "10", "九", "q", "Q"]), min_size=1, max_size=4, unique=True)
_TIED = st.integers(0, 4).map(float)
_EITHER = st.booleans()
WHOLE_GRADES = st.sampled_from([-1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0])


# A strategy is made and checked once, not for every example.
@cache
def _graded(grades: st.SearchStrategy[float]) -> st.SearchStrategy[dict[str, float]]:
    return st.dictionaries(st.sampled_from(_ITEMS), grades, min_size=1, max_size=10)


@cache
def _listed(scores: st.SearchStrategy[float], most: int) -> st.SearchStrategy[dict[str, float]]:
    return st.dictionaries(st.sampled_from(_ITEMS), scores, min_size=1, max_size=most)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    grades: st.SearchStrategy[float] = WHOLE_GRADES,
    scores: st.SearchStrategy[float] | None = None,
    most: int = 12,
) -> Case:
    """A few queries, some judged only, some run only; by default many ties."""
    scores = scores if scores is not None else _TIED
    names = draw(_NAMES)
    truth = {name: draw(_graded(grades)) for name in names}
    run = {name: draw(_listed(scores, most)) for name in names if name == names[0] or draw(_EITHER)}
    if draw(_EITHER):
        run["unjudged"] = draw(_listed(scores, most))
    return Case(truth, run)


def without_ties(draw_case: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """The same cases with scores that all differ within a query."""

    def spread(case: Case) -> Case:
        run = {
            query: {
                item: float(place) for place, item in enumerate(sorted(listed, key=lambda item: (listed[item], item)))
            }
            for query, listed in case.run.items()
        }
        return Case(case.truth, run)

    return draw_case.map(spread)
