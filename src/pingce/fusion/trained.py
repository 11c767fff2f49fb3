"""Methods that learn from judged queries what the ranks of each run are worth: those of ranx, by its names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, exact_sum
from pingce.base.records import dataclass
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.aligned import AlignedRun, AlignedRuns
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs.columns import Rows
from pingce.metrics.ranking.average_precision import AveragePrecision

_ODDS_BOUNDS = np.array([0, 5, 10, 15, 20, 30, 100, 200, 500, 1000])
_SEGMENT_BOUNDS = np.array([0, *(10 * 2 ** (k - 1) - 5 for k in range(1, 11))])
_LEAST = 0.001
"No probability that is taken as odds is nearer to 0 or 1."
LEAST_ODDS = math.log(_LEAST / (1 - _LEAST))
"Of bayesfuse: what an item that a list does not have is worth."


@dataclass(frozen=True, eq=False)
class Lesson:
    """Where the relevant items of the judged queries stand in one run."""

    lengths: Ints
    "Of the list of each query, 0 where the run has none."
    query: Ints
    "Of each relevant item that the run returned."
    rank: Ints
    "Its rank, from 0."
    average_precision: float
    "The mean over all queries, 0 for one without relevant items."

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def of(cls, evidence: RankingEvidence, ties: str) -> Lesson:
        """What the evidence of one run says."""
        view = evidence.view(ties=ties)
        precision = np.nan_to_num(AveragePrecision().values(view))
        mean = float(exact_sum(precision) / len(precision))
        return cls(evidence.returned, view.query[view.relevant], view.rank[view.relevant] - 1, mean)

    def shares(self, bounds: Ints) -> Floats:
        """Per stretch of ranks between two bounds the share of places, over all queries, that hold a relevant item."""
        inside = self.rank[self.rank < bounds[-1]]
        hits = np.bincount(np.searchsorted(bounds, inside, "right") - 1, minlength=len(bounds) - 1)
        return np.asarray(hits / (np.diff(bounds) * len(self)))


def learn_lessons(truth: Rows, runs: Sequence[Rows], policies: Policies, threads: int | None) -> list[Lesson]:
    """What judged queries that any of the runs answers say of each run."""
    pieces = [ranking_evidence(truth, run, policies, threads=threads) for run in runs]
    answered = np.logical_or.reduce([piece.answered for piece in pieces])
    return [Lesson.of(piece.select(answered), policies.ties) for piece in pieces]


@dataclass(frozen=True)
class Learner:
    """How a method learns from one run, and what the rows of the run are worth then."""

    learn: Callable[[Lesson, int], Floats]
    "What is kept of a lesson; the number is the one that a search varies."
    worth: Callable[[Floats, AlignedRun, int], Floats]
    "Of each row of a run, in rank order."
    tunes: str = ""
    "The parameter that this number is."
    absent: float = 0.0
    "What an item is worth to a run that answers its query without it."
    by_score: bool = False
    "Whether the worth of a rank multiplies the normalised score, and 1."

    def values(self, tables: Sequence[Floats], aligned: AlignedRuns, number: int) -> list[Floats]:
        """The worth of every run's rows; of every item where one that is absent counts too."""
        worths = [self.worth(table, run, number) for table, run in zip(tables, aligned.runs, strict=True)]
        if not self.absent:
            return worths
        return [self._everywhere(aligned, run, worth) for run, worth in zip(aligned.runs, worths, strict=True)]

    def _everywhere(self, aligned: AlignedRuns, run: AlignedRun, worth: Floats) -> Floats:
        values: Floats = np.repeat(np.where(run.lengths > 0, self.absent, 0.0), np.diff(aligned.begin))
        values[run.place] = worth
        return values


def _at(table: Floats, places: NDArray[np.integer], beyond: float = 0.0) -> Floats:
    """The numbers of a table at some places; those beyond its end are the same."""
    values: Floats = np.append(table, beyond)[np.minimum(places, len(table))]
    return values


def _positions(lesson: Lesson, _: int) -> Floats:
    """Per rank the share of the lists that are so long and have a relevant item there."""
    longest = int(lesson.lengths.max(initial=0))
    lists = len(lesson) - np.cumsum(np.bincount(lesson.lengths, minlength=longest + 1))[:longest]
    return np.asarray(np.bincount(lesson.rank, minlength=longest) / lists)


def _slid(table: Floats, run: AlignedRun, window: int) -> Floats:
    """The mean over the ranks of the list that are at most so many away."""
    rank, length = run.rank, np.repeat(run.lengths, run.lengths)
    longest = int(run.lengths.max(initial=0))
    ranks = np.arange(longest)
    values = _window_means(table, np.maximum(ranks - window, 0), ranks + window)[rank]
    late = np.flatnonzero(rank + window >= length)
    ends, place = np.unique(length[late] * longest + rank[late], return_inverse=True)
    last, at = ends // max(longest, 1) - 1, ends % max(longest, 1)
    values[late] = _window_means(table, np.maximum(at - window, 0), last)[place.reshape(-1)]
    return values


def _window_means(table: Floats, first: Ints, last: Ints) -> Floats:
    """The means of stretches of a table, added up from the first to the last."""
    total = np.zeros(len(first))
    for step in range(int((last - first).max(initial=-1)) + 1):
        total += np.where(first + step <= last, _at(table, first + step), 0.0)
    return total / (last - first + 1)


def _segment_shares(lesson: Lesson, segments: int) -> Floats:
    """Per segment of the lists the mean share of its places that hold a relevant item."""
    size, length = (column[lesson.query] for column in (_segment_sizes(lesson.lengths, segments), lesson.lengths))
    segment = lesson.rank // size
    shares = 1 / np.minimum(size, length - segment * size)
    return np.array([float(exact_sum(shares[segment == at])) for at in range(segments)]) / len(lesson)


def _segment_sizes(lengths: Ints, segments: int) -> Ints:
    """Places of each segment but the last ones, where a list is cut into so many."""
    return -(-lengths // segments)


def _segmented(table: Floats, run: AlignedRun, segments: int) -> Floats:
    """The share of the rank's segment, divided by the number of the segment."""
    size = np.repeat(_segment_sizes(run.lengths, segments), run.lengths)
    values: Floats = (table / np.arange(1, segments + 1))[run.rank // size]
    return values


def _odds(lesson: Lesson, _: int) -> Floats:
    """Per stretch of ranks the logarithm of the odds that a place holds a relevant item."""
    shares = [share or _LEAST for share in lesson.shares(_ODDS_BOUNDS).tolist()]
    return np.array([math.log(share / (1 - share or _LEAST)) for share in shares])


def _by_stretch(bounds: Ints, beyond: float) -> Callable[[Floats, AlignedRun, int], Floats]:
    """What was learned of the stretch of ranks that a row stands in."""
    return lambda table, run, _: _at(np.repeat(table, np.diff(bounds)), run.rank, beyond)


LEARNERS: dict[str, Learner] = {
    "bayesfuse": Learner(_odds, _by_stretch(_ODDS_BOUNDS, LEAST_ODDS), absent=LEAST_ODDS),
    "mapfuse": Learner(
        lambda lesson, _: np.array([lesson.average_precision]), lambda table, run, _: table[0] / (run.rank + 1)
    ),
    "posfuse": Learner(_positions, lambda table, run, _: _at(table, run.rank)),
    "probfuse": Learner(_segment_shares, _segmented, tunes="segments"),
    "segfuse": Learner(
        lambda lesson, _: lesson.shares(_SEGMENT_BOUNDS), _by_stretch(_SEGMENT_BOUNDS, 0.0), by_score=True
    ),
    "slidefuse": Learner(_positions, _slid, tunes="window"),
}
