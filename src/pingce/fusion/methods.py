"""How the ranks or scores of several lists become one score: the methods of ranx, by its names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.records import dataclass
from pingce.evidence.ranking.aligned import AlignedRun, AlignedRuns, order_places
from pingce.fusion.norms import NORMS
from pingce.fusion.trained import LEARNERS, Learner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Parameters:
    """The numbers that methods take."""

    k: float = 60
    "Of rrf: how little the first ranks stand out."
    phi: float = 0.8
    "Of rbc: the patience of its reader."
    sigma: float = 0.01
    "Of logn_isr: what an item of one run keeps."
    gamma: float = 1.0
    "Of gmnz: how much the number of runs counts."
    weights: tuple[float, ...] = ()
    "Of each run; all 1 where none are given."
    segments: int | None = None
    "Of probfuse: into how many a list is cut; None: as many as a search finds best."
    window: int | None = None
    "Of slidefuse: how many ranks above and below count; None: as many as a search finds best."

    def number(self, name: str) -> int:
        """The whole number of this name; 0 where a method has none."""
        number: int | None = getattr(self, name) if name else None
        return number or 0


@dataclass(frozen=True)
class Lists:
    """Aligned runs with the values that their rows bring, and what the method takes."""

    aligned: AlignedRuns
    values: Sequence[Floats]
    "Of the rows of each run, or of every item where `everywhere`."
    parameters: Parameters
    ties: str
    everywhere: bool = False
    "Whether a normalisation gave each run a value for each item."

    def places(self, run: int) -> Ints | slice:
        """The items of a run's values."""
        return slice(None) if self.everywhere else self.aligned.runs[run].place

    def weights(self) -> tuple[float, ...]:
        """Of each run."""
        return self.parameters.weights or (1.0,) * len(self.values)

    def total(self, weights: Sequence[float] | None = None) -> Floats:
        """The sum of each item's values, added run by run."""
        total = np.zeros(len(self.aligned.member))
        for run, values in enumerate(self.values):
            total[self.places(run)] += values if weights is None else weights[run] * values
        return total

    def count(self, weights: Sequence[float] | None = None) -> Floats:
        """How many runs have each item, or the sum of their weights."""
        count = np.zeros(len(self.aligned.member))
        for run in range(len(self.values)):
            count[self.places(run)] += 1.0 if weights is None else weights[run]
        return count

    def by_count(self, function: Callable[[int], float]) -> Floats:
        """A function of how many runs have each item."""
        table = np.array([0.0, *(function(number) for number in range(1, len(self.values) + 1))])
        return table[self.count().astype(np.int64)]

    def columns(self) -> Floats:
        """A row per item and a column per run; NaN where the run does not have it."""
        table = np.full((len(self.aligned.member), len(self.values)), np.nan)
        for run, values in enumerate(self.values):
            table[self.places(run), run] = values
        return table


def _median(lists: Lists) -> Floats:
    """The middle value, or the mean of the two."""
    table, count = np.sort(lists.columns(), axis=1), lists.count().astype(np.int64)
    rows = np.arange(len(table))
    low, high = table[rows, (count - 1) // 2], table[rows, count // 2]
    return np.where(count % 2 == 1, low, (low + high) / 2)


def _borda(lists: Lists, weights: Sequence[float] | None = None) -> Floats:
    """As many points as items from here down; a run shares what it leaves among the items that it does not have."""
    total = np.zeros(len(lists.aligned.member))
    for run, held in enumerate(lists.aligned.runs):
        points = borda_points(lists.aligned, held)
        total += points if weights is None else weights[run] * points
    return total


def borda_points(aligned: AlignedRuns, run: AlignedRun) -> Floats:
    """The Borda points that a run gives to every item of its queries."""
    size = np.diff(aligned.begin)
    points = np.repeat((size - run.lengths + 1) / 2, size)
    points[run.place] = np.repeat(size, run.lengths) - run.rank
    return points


def borda_shares(aligned: AlignedRuns, run: AlignedRun) -> Floats:
    """The normalisation `borda`: 1 - rank / items; for items that the run does not have the mean of what is left."""
    size = np.diff(aligned.begin)
    shares = np.repeat(0.5 - (run.lengths - 1) / (2 * np.maximum(size, 1)), size)
    shares[run.place] = 1 - run.rank / np.repeat(size, run.lengths)
    return shares


def _condorcet(lists: Lists, weights: Sequence[float] | None = None) -> Floats:
    """Items sorted by majorities: one stands before another if more runs say so; else as ties are ordered."""
    aligned, none = lists.aligned, np.iinfo(np.int64).max
    ranks = np.full((len(aligned.runs), len(aligned.member)), none, np.int64)
    for run, held in enumerate(aligned.runs):
        ranks[run, held.place] = held.rank
    start = order_places(aligned, np.zeros(len(aligned.member)), lists.ties)
    votes = np.array(weights or [1.0] * len(ranks))
    order, core = start, native_core()
    if core is None:
        from pingce.fusion.reference import majority_order

        order = majority_order(aligned.begin, start, ranks, votes)
    else:
        order = core.majority_order(aligned.begin, start, ranks.reshape(-1), votes, thread_count())
    size = np.diff(aligned.begin)
    scores = np.empty(len(order))
    scores[order] = np.repeat(aligned.begin[1:], size) - np.arange(len(order))
    return scores


@dataclass(frozen=True)
class Method:
    """A method of fusion."""

    scores: Callable[[Lists], Floats]
    points: Callable[[Parameters, int], Floats] | None = None
    "What each rank is worth, for methods that look at ranks and not at scores; None: at scores."
    weighs: bool = False
    "Whether it takes a weight for each run."
    needs_weights: bool = False
    tunes: str = ""
    "The parameter that a search varies."
    ranked: bool = False
    "Whether it looks at the order only."
    learner: Learner | None = None
    "How it learns from judged queries what ranks are worth, where it does."

    @property
    def by_rank(self) -> bool:
        """Whether scores do not matter beyond the order that they give."""
        return self.ranked or self.points is not None

    def rank_points(self, parameters: Parameters, longest: int) -> Floats:
        """What each rank is worth; nothing where the method does not add points."""
        return np.zeros(longest) if self.points is None else self.points(parameters, longest)


def reciprocal(parameters: Parameters, longest: int) -> Floats:
    """1 / (k + rank), ranks from 1."""
    return 1 / (parameters.k + np.arange(1, longest + 1))


def _squared(_: Parameters, longest: int) -> Floats:
    return 1 / np.square(np.arange(1, longest + 1, dtype=np.float64))


def _persistent(parameters: Parameters, longest: int) -> Floats:
    factors = np.full(longest, parameters.phi)
    factors[:1] = 1 - parameters.phi
    return np.multiply.accumulate(factors)


def _weighed_sum(lists: Lists) -> Floats:
    return lists.total(lists.parameters.weights or None)


METHODS: dict[str, Method] = {
    "rrf": Method(_weighed_sum, reciprocal, weighs=True, tunes="k"),
    "rbc": Method(_weighed_sum, _persistent, weighs=True, tunes="phi"),
    "isr": Method(lambda lists: lists.total() * lists.count(), _squared),
    "log_isr": Method(lambda lists: lists.total() * lists.by_count(math.log), _squared),
    "logn_isr": Method(
        lambda lists: lists.total() * lists.by_count(lambda n: math.log(n + lists.parameters.sigma)),
        _squared,
        tunes="sigma",
    ),
    "sum": Method(Lists.total),
    "mnz": Method(lambda lists: lists.total() * lists.count()),
    "anz": Method(lambda lists: lists.total() / lists.count()),
    "gmnz": Method(
        lambda lists: lists.total() * lists.by_count(lambda n: float(n) ** lists.parameters.gamma), tunes="gamma"
    ),
    "min": Method(lambda lists: np.fmin.reduce(lists.columns(), axis=1)),
    "max": Method(lambda lists: np.fmax.reduce(lists.columns(), axis=1)),
    "med": Method(_median),
    "wsum": Method(lambda lists: lists.total(lists.weights()), weighs=True, needs_weights=True, tunes="weights"),
    "wmnz": Method(
        lambda lists: lists.total() * lists.count(lists.weights()), weighs=True, needs_weights=True, tunes="weights"
    ),
    "mixed": Method(
        lambda lists: lists.total(lists.weights()) * np.sqrt(lists.count()),
        weighs=True,
        needs_weights=True,
        tunes="weights",
    ),
    "bordafuse": Method(_borda, ranked=True),
    "w_bordafuse": Method(
        lambda lists: _borda(lists, lists.weights()), ranked=True, weighs=True, needs_weights=True, tunes="weights"
    ),
    "condorcet": Method(_condorcet, ranked=True),
    "w_condorcet": Method(
        lambda lists: _condorcet(lists, lists.weights()), ranked=True, weighs=True, needs_weights=True, tunes="weights"
    ),
}
METHODS |= {
    name: Method(Lists.total, ranked=not learner.by_score, learner=learner, tunes=learner.tunes)
    for name, learner in LEARNERS.items()
}
ALIASES = {"combsum": "sum", "combmnz": "mnz", "combanz": "anz", "combgmnz": "gmnz", "combmin": "min", "combmax": "max",
           "combmed": "med", "borda": "bordafuse", "weighted_sum": "wsum", "w_borda": "w_bordafuse"}  # fmt: skip


def values_of(aligned: AlignedRuns, scores: Sequence[Floats], norm: str) -> tuple[list[Floats], bool]:
    """The values of every run's rows under a normalisation; and whether it gives every item one."""
    if norm == "borda":
        return [borda_shares(aligned, run) for run in aligned.runs], True
    ranked = [values[run.row] for values, run in zip(scores, aligned.runs, strict=True)]
    if norm == "none":
        return ranked, False
    return [NORMS[norm](values, run) for values, run in zip(ranked, aligned.runs, strict=True)], False


def points_of(method: Method, aligned: AlignedRuns, parameters: Parameters) -> list[Floats]:
    """What the ranks of every run's rows are worth."""
    longest = max((int(run.lengths.max(initial=0)) for run in aligned.runs), default=0)
    table = method.rank_points(parameters, longest)
    return [table[run.rank] for run in aligned.runs]
