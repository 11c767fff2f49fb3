"""The same evidence of labels and scores in NumPy: slow, short, and what the core is held to, bit by bit."""

from __future__ import annotations

import math
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, weighted_dot, weighted_sum
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.evidence.binary.probability import Bin, ProbabilityEvidence, row_sums
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows


def tabulate(positive: NDArray[np.uint8], scores: NDArray[Any]) -> ThresholdEvidence:
    """Distinct scores, descending, with running counts."""
    distinct, place = np.unique(scores + 0, return_inverse=True)
    counts = [np.bincount(place.reshape(-1)[positive == side], minlength=len(distinct)) for side in (1, 0)]
    tp, fp = (np.cumsum(count[::-1], dtype=np.int64) for count in counts)
    return ThresholdEvidence(distinct[::-1].copy(), tp, fp)


def tabulate_weights(rows: BinaryRows) -> ThresholdEvidence:
    """Rows in an order that does not depend on how they were given, then running sums of weights; weight 0 = no row."""
    kept = rows.weight > 0  # type: ignore[operator]
    scores, positive, weight = rows.scores[kept] + 0, rows.positive[kept], rows.weight[kept]  # type: ignore[index]
    order = np.lexsort((weight, positive, -scores))
    scores, positive, weight = scores[order], positive[order], weight[order]
    last = np.flatnonzero(np.append(scores[1:] != scores[:-1], True)) if len(scores) else np.zeros(0, np.intp)
    tp, fp = (np.cumsum(np.where(positive == side, weight, 0.0))[last] for side in (1, 0))
    return ThresholdEvidence(scores[last], tp, fp)


def count_pairs(positive: NDArray[np.uint8], scores: NDArray[Any]) -> Pairs:
    """For each positive, the negatives below it, twice, and those beside it, once."""
    above, below = scores[positive == 1], np.sort(scores[positive == 0])
    smaller, upto = (np.searchsorted(below, above, side=side) for side in ("left", "right"))
    return Pairs(len(above), len(below), int(smaller.sum()) + int(upto.sum()))


def losses(scores: NDArray[Any], positive: NDArray[np.uint8], epsilon: float) -> Floats:
    """-ln p of each positive row, -ln(1 - p) of each negative one, by the C library as Python has it."""
    kept = np.clip(scores.astype(np.float64), epsilon, 1 - epsilon)
    # Where 1 - ε is rounded to 1, 1 - p is ε itself.
    others = np.where(kept == 1, epsilon, 1 - kept)
    columns = kept.tolist(), others.tolist(), positive.tolist()
    return np.fromiter(starmap(_loss, zip(*columns, strict=True)), np.float64, len(kept))


def losses_of_sides(scores: NDArray[Any], epsilon: float) -> tuple[Floats, Floats]:
    """The losses of a negative and of a positive row with each score."""
    negative, positive = (losses(scores, np.full(len(scores), side, np.uint8), epsilon) for side in (0, 1))
    return negative, positive


def count_clipped(p: Floats, epsilon: float, counts: Floats | None = None) -> int:
    """Rows whose p lies outside of [ε, 1 - ε], be 1 - ε rounded to 1 or not."""
    outside = (p < epsilon) | (p > min(1 - epsilon, 1 - 2.0**-53))
    return int(np.count_nonzero(outside) if counts is None else counts[outside].sum())


def _loss(p: float, other: float, positive: int) -> float:
    if positive:
        return -math.log(p)
    return -math.log(other) if 1.0 - other == p else -math.log1p(-p)


def probability_sums(rows: BinaryRows, epsilon: float, bins: int) -> ProbabilityEvidence:
    """Exact sums, and the same over the rows of each bin."""
    p, weight, positive = rows.scores.astype(np.float64), rows.weight, rows.positive.view(bool)
    error = p - positive
    total, positives = row_sums(rows)
    place = np.minimum((p * bins).astype(np.int64), bins - 1)

    def of_bin(mask: NDArray[np.bool_]) -> Bin:
        weights = None if weight is None else weight[mask]
        ones = np.ones(int(np.count_nonzero(mask)))
        return Bin(
            weighted_sum(ones, weights),
            weighted_sum(positive[mask].astype(np.float64), weights),
            weighted_sum(p[mask], weights),
        )

    return ProbabilityEvidence(
        epsilon=epsilon,
        rows=total,
        positives=positives,
        loss=weighted_sum(losses(rows.scores, rows.positive, epsilon), weight),
        squared=weighted_dot(error, error, weight),
        predicted=weighted_sum(p, weight),
        clipped=count_clipped(p, epsilon),
        bins=tuple(of_bin(place == number) for number in range(bins)),
    )


def group_pairs(rows: BinaryRows, epsilon: float | None, columns: tuple[str, ...]) -> GroupEvidence:
    """Group by group."""
    if rows.group is None:
        raise ValueError("no groups")
    names, first, code = np.unique(rows.group.plain().comparable(), return_index=True, return_inverse=True)
    order = np.argsort(code.reshape(-1), kind="stable")
    members = np.split(order, np.cumsum(np.bincount(code.reshape(-1), minlength=len(names)))[:-1])
    pairs = [count_pairs(rows.positive[places], rows.scores[places]) for places in members]
    out: dict[str, NDArray[Any]] = {
        "rows": np.array([len(places) for places in members], np.int64),
        "positives": np.array([group.positives for group in pairs], np.int64),
        "twice_concordant": np.array([group.twice_concordant for group in pairs], np.int64),
        "constant": np.array([_is_constant(rows, places) for places in members], np.uint8),
    }
    if rows.weight is not None:
        sums = np.array([_weighted_pairs(rows, places) for places in members])
        out |= {name: sums[:, i].copy() for i, name in enumerate(("positive_weight", "negative_weight", "concordant"))}
    if epsilon:
        loss = losses(rows.scores, rows.positive, epsilon)
        loss = loss if rows.weight is None else loss * rows.weight
        out["loss"] = _sorted_sums(loss, members)
    return GroupEvidence(
        groups=rows.group.take(first),
        columns={name: _sorted_sums(rows.column(name), members) for name in columns},
        **out,
    )


def _is_constant(rows: BinaryRows, places: NDArray[Any]) -> bool:
    """Whether rows of both labels are there, and all that weigh anything have one score."""
    kept = places if rows.weight is None else places[rows.weight[places] > 0]
    return len(np.unique(rows.scores[kept] + 0)) == 1 and len(np.unique(rows.positive[kept])) == 2


def _sorted_sums(values: Floats, members: list[NDArray[Any]]) -> Floats:
    """One after another, smallest first, as the core adds them up."""
    return np.array([np.add.accumulate(np.sort(values[places]))[-1] for places in members])


def _weighted_pairs(rows: BinaryRows, places: NDArray[Any]) -> tuple[float, float, float]:
    score, positive, weight = rows.scores[places], rows.positive[places], rows.weight[places]  # type: ignore[index]
    order = np.lexsort((weight, positive, score))
    total = below = concordant = 0.0
    for block in np.split(order, np.flatnonzero(score[order][1:] != score[order][:-1]) + 1):
        inside = [0.0, 0.0]
        for row in block.tolist():
            inside[positive[row]] += float(weight[row])
        concordant += inside[1] * (below + inside[0] / 2.0)
        total += inside[1]
        below += inside[0]
    return total, below, concordant
