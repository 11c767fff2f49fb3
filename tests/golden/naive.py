"""Naive oracles: each metric as a lesson would write it, one query at a time, in plain Python.

A ranked list is a list of grades in ranked order; ``None`` stands for an item that was not judged. ``judged`` are the
grades of all judged items of the query, returned or not; without it the list itself is all there is. Counting metrics
are exact fractions, metrics with gains are floats. Nothing here looks at the library.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeVar

Grade = float | None
Grades = Sequence[Grade]
GainRule = str | Mapping[int, float]
Value = TypeVar("Value", Fraction, float)


def known(grades: Iterable[Grade]) -> list[float]:
    """The grades of the judged items."""
    return [grade for grade in grades if grade is not None]


def is_relevant(grade: Grade, relevant: float = 1) -> bool:
    """An item is relevant if it is judged, with at least the grade ``relevant``."""
    return grade is not None and grade >= relevant


def count_relevant(grades: Iterable[Grade], relevant: float = 1) -> int:
    """How many of these items are relevant."""
    return sum(is_relevant(grade, relevant) for grade in grades)


def total_relevant(grades: Grades, judged: Grades | None = None, relevant: float = 1) -> int:
    """R: the relevant items judged for the query, returned or not."""
    return count_relevant(grades if judged is None else judged, relevant)


def depth(grades: Grades, k: int | None) -> int:
    """The cut-off k; without one, the length of the list."""
    return len(grades) if k is None else k


def share(part: int | Fraction, whole: int) -> Fraction:
    """part / whole, and 0 when there is no part (a list without a hit scores 0, even an empty one)."""
    return Fraction(part) / whole if part else Fraction(0)


def average_precision(ranked: Sequence[Hashable], truth: Iterable[Hashable]) -> Fraction:
    """AP of a ranked list of ids against the relevant ids: the mean over these of the precision at each hit."""
    wanted = set(truth)
    hits, total = 0, Fraction(0)
    for rank, item in enumerate(ranked, start=1):
        if item in wanted:
            hits += 1
            total += Fraction(hits, rank)
    return total / len(wanted)


def hits_at_k(grades: Grades, k: int | None = None, relevant: float = 1) -> int:
    """h_k: relevant items among the top k."""
    return count_relevant(grades[: depth(grades, k)], relevant)


def precision_at_k(
    grades: Grades, k: int | None = None, *, judged: Grades | None = None, over: str = "k", relevant: float = 1
) -> Fraction:
    """h_k / k; over="list" divides by min(n, k), over="min" by min(k, R)."""
    cut = depth(grades, k)
    whole = {"k": cut, "list": min(len(grades), cut), "min": min(cut, total_relevant(grades, judged, relevant))}
    return share(hits_at_k(grades, k, relevant), whole[over])


def recall_at_k(
    grades: Grades, k: int | None = None, *, judged: Grades | None = None, over: str = "relevant", relevant: float = 1
) -> Fraction:
    """h_k / R; over="min" divides by min(R, k), over="list" by the relevant items in the list."""
    found = total_relevant(grades, judged, relevant)
    whole = {"relevant": found, "min": min(found, depth(grades, k)), "list": count_relevant(grades, relevant)}
    return share(hits_at_k(grades, k, relevant), whole[over])


def f_of(precision: Fraction, recall: Fraction, beta: int = 1, *, squared: bool = True) -> Fraction:
    """(1 + b²)PR / (b²P + R), 0 if both are 0; squared=False puts b where b² stands, as trec_eval's set_F does."""
    if not precision and not recall:
        return Fraction(0)
    weight = beta * beta if squared else beta
    return (1 + weight) * precision * recall / (weight * precision + recall)


def f_at_k(
    grades: Grades,
    k: int | None = None,
    *,
    judged: Grades | None = None,
    beta: int = 1,
    squared: bool = True,
    relevant: float = 1,
) -> Fraction:
    """F of the query's own precision and recall."""
    precision = precision_at_k(grades, k, relevant=relevant)
    return f_of(precision, recall_at_k(grades, k, judged=judged, relevant=relevant), beta, squared=squared)


def hit_rate_at_k(grades: Grades, k: int | None = None, relevant: float = 1) -> Fraction:
    """1 if the top k holds a relevant item, else 0."""
    return Fraction(hits_at_k(grades, k, relevant) > 0)


def average_precision_at_k(
    grades: Grades, k: int | None = None, *, judged: Grades | None = None, norm: str = "relevant", relevant: float = 1
) -> Fraction:
    """Sum over the hits in the top k of the precision at each, divided by R, h_k, min(R, k), k or min(R, n, k)."""
    cut = depth(grades, k)
    total = sum(
        (Fraction(hits_at_k(grades, rank, relevant), rank) for rank in hit_ranks(grades[:cut], relevant)), Fraction(0)
    )
    found = total_relevant(grades, judged, relevant)
    whole = {
        "relevant": found,
        "hits": hits_at_k(grades, k, relevant),
        "min": min(found, cut),
        "k": cut,
        "list": min(found, len(grades), cut),
    }
    return share(total, whole[norm])


def hit_ranks(grades: Grades, relevant: float = 1) -> list[int]:
    """The ranks, from 1, of the relevant items."""
    return [rank for rank, grade in enumerate(grades, start=1) if is_relevant(grade, relevant)]


def reciprocal_rank_at_k(
    grades: Grades, k: int | None = None, *, judged: Grades | None = None, of: str = "first", relevant: float = 1
) -> Fraction:
    """1 / rank of the first relevant item in the top k, else 0; of="all": the sum over all of them, divided by R; of="hits": their mean."""
    turns = [Fraction(1, rank) for rank in hit_ranks(grades[: depth(grades, k)], relevant)]
    if of == "all":
        return share(sum(turns, Fraction(0)), total_relevant(grades, judged, relevant))
    if of == "hits":
        return share(sum(turns, Fraction(0)), len(turns))
    return turns[0] if turns else Fraction(0)


def r_precision(grades: Grades, *, judged: Grades | None = None, relevant: float = 1) -> Fraction:
    """h_R / R."""
    found = total_relevant(grades, judged, relevant)
    return share(hits_at_k(grades, found, relevant), found)


def needed_hits(recall: str, found: int, rounding: str = "ceil") -> int:
    """How many hits reach the recall level, from the decimal as written: its ceiling, or the nearest (halves up)."""
    exact = Fraction(Decimal(recall)) * found
    return math.ceil(exact) if rounding == "ceil" else math.floor(exact + Fraction(1, 2))


def interpolated_precision(
    grades: Grades, recall: str, *, judged: Grades | None = None, rounding: str = "ceil", relevant: float = 1
) -> Fraction:
    """The best precision over the ranks at which the recall level is reached; 0 if it never is."""
    needed = needed_hits(recall, total_relevant(grades, judged, relevant), rounding)
    ranks = range(1, len(grades) + 1)
    reached = [rank for rank in ranks if hits_at_k(grades, rank, relevant) >= needed]
    return max((precision_at_k(grades, rank, relevant=relevant) for rank in reached), default=Fraction(0))


def eleven_points(
    grades: Grades, *, judged: Grades | None = None, rounding: str = "ceil", relevant: float = 1
) -> Fraction:
    """The mean of the interpolated precision at recall 0, 0.1 … 1."""
    levels = [f"{tenth / 10:.1f}" for tenth in range(11)]
    points = [
        interpolated_precision(grades, level, judged=judged, rounding=rounding, relevant=relevant) for level in levels
    ]
    return sum(points, Fraction(0)) / len(levels)


def is_nonrelevant(grade: Grade, relevant: float = 1) -> bool:
    """Judged and found not relevant; a negative grade means pooled but not judged."""
    return grade is not None and 0 <= grade < relevant


def bpref(grades: Grades, *, judged: Grades | None = None, relevant: float = 1) -> Fraction:
    """(1/R) Σ over returned relevant items of 1 − min(b, R)/min(N, R), b of the N judged non-relevant above it."""
    found = total_relevant(grades, judged, relevant)
    everything = grades if judged is None else judged
    opponents = min(sum(is_nonrelevant(grade, relevant) for grade in everything), found)
    above, total = 0, Fraction(0)
    for grade in grades:
        above += is_nonrelevant(grade, relevant)
        if is_relevant(grade, relevant):
            total += 1 - share(min(above, found), opponents)
    return total / found


def gain_of(grade: Grade, gain: GainRule = "exp2", *, relevant: float = 1, gain_below: str = "keep") -> float:
    """What an item is worth: 0 up to grade 0; else the grade, 2^grade − 1, 1 if relevant, or the entry of a table."""
    if grade is None or grade <= 0 or (gain_below == "zero" and grade < relevant):
        return 0.0
    if isinstance(gain, Mapping):
        return float(gain[int(grade)])
    return {"linear": float(grade), "exp2": math.pow(2, grade) - 1, "binary": float(grade >= relevant)}[gain]


def discount_at(rank: int, discount: str = "log2") -> float:
    """How much of a gain is left at this rank."""
    if discount == "zipf":
        return 1 / rank
    return 1 / math.log2(rank + 1) if discount == "log2" else 1 / max(1.0, math.log2(rank))


def discounted(gains: Iterable[float], discount: str = "log2") -> float:
    """Σ gain · discount over ranks from 1."""
    return math.fsum(gain * discount_at(rank, discount) for rank, gain in enumerate(gains, start=1))


def gains_of(
    grades: Iterable[Grade], gain: GainRule = "exp2", *, relevant: float = 1, gain_below: str = "keep"
) -> list[float]:
    """The gain of each item."""
    return [gain_of(grade, gain, relevant=relevant, gain_below=gain_below) for grade in grades]


def cg_at_k(
    grades: Grades, k: int | None = None, *, gain: GainRule = "linear", relevant: float = 1, gain_below: str = "keep"
) -> float:
    """Σ gain over the top k."""
    return math.fsum(gains_of(grades[: depth(grades, k)], gain, relevant=relevant, gain_below=gain_below))


def dcg_at_k(
    grades: Grades,
    k: int | None = None,
    *,
    gain: GainRule = "exp2",
    discount: str = "log2",
    relevant: float = 1,
    gain_below: str = "keep",
) -> float:
    """Σ gain · discount over the top k."""
    return discounted(gains_of(grades[: depth(grades, k)], gain, relevant=relevant, gain_below=gain_below), discount)


def ideal_gains(gains: list[float], pool: list[float], k: int | None, ideal: str, top: float) -> list[float]:
    """The ideal list: from the gains shown (``gains``), from those of all judged items (``pool``), or the top gain."""
    best_shown, best_judged = sorted(gains, reverse=True), sorted(pool, reverse=True)
    lists = {
        "judged": best_judged[:k],
        "uncut": best_judged,
        "list": best_shown[:k],
        "list_uncut": best_shown,
        "topk": sorted(gains[:k], reverse=True),
        "full": [top] * (k or 0),
    }
    return lists[ideal]


def ndcg_at_k(
    grades: Grades,
    k: int | None = None,
    *,
    judged: Grades | None = None,
    gain: GainRule = "exp2",
    discount: str = "log2",
    ideal: str = "judged",
    relevant: float = 1,
    gain_below: str = "keep",
    top: float | None = None,
) -> float:
    """DCG@k / ideal. ``top`` is the grade of the best item there is, for ideal="full"; ZeroDivisionError: undefined."""
    pool = list(grades if judged is None else judged)
    best = max(known(pool), default=0.0) if top is None else top

    def gains(items: Iterable[Grade]) -> list[float]:
        return gains_of(items, gain, relevant=relevant, gain_below=gain_below)

    top_gain = 1.0 if gain == "binary" else gains([best])[0]
    reached = discounted(gains(grades)[: depth(grades, k)], discount)
    return reached / discounted(ideal_gains(gains(grades), gains(pool), k, ideal, top_gain), discount)


def rbp_at_k(
    grades: Grades, k: int | None = None, *, p: float = 0.8, gain: str = "binary", top: float = 1, relevant: float = 1
) -> float:
    """(1 − p) Σ u_i p^(i−1), the utility u being 1 if relevant, or the gain as a share of the top grade's."""
    gains = gains_of(grades[: depth(grades, k)], gain, relevant=relevant)
    most = gain_of(top, gain) if gain != "binary" else 1.0
    return (1 - p) * math.fsum(u / most * p**i for i, u in enumerate(gains))


def err_at_k(grades: Grades, k: int | None = None, *, top: float) -> float:
    """Σ (1/i) q_i Π_{j<i} (1 − q_j), q = (2^g − 1)/2^top: the reader stops at i with probability q_i."""
    still_reading, total = 1.0, 0.0
    for rank, gain in enumerate(gains_of(grades[: depth(grades, k)]), start=1):
        stops = gain / 2.0**top
        total += still_reading * stops / rank
        still_reading *= 1 - stops
    return total


def judged_at_k(grades: Grades, k: int | None = None) -> Fraction:
    """Judged items among the top k, as a share of the items shown; a negative grade is not a judgement."""
    shown = grades[: depth(grades, k)]
    return share(sum(grade is not None and grade >= 0 for grade in shown), len(shown))


def fallout_at_k(
    grades: Grades, k: int | None = None, *, catalog: int, judged: Grades | None = None, relevant: float = 1
) -> Fraction:
    """Non-relevant items shown in the top k, as a share of all non-relevant items of the catalog."""
    shown = min(len(grades), depth(grades, k))
    return Fraction(shown - hits_at_k(grades, k, relevant), catalog - total_relevant(grades, judged, relevant))


def geometric_mean(values: Sequence[float], floor: float = 1e-5) -> float:
    """exp of the mean logarithm, no value counting less than the floor."""
    return math.exp(math.fsum(math.log(max(value, floor)) for value in values) / len(values))


def mean(values: Sequence[Value]) -> Value:
    """The plain mean, exact as far as the values are."""
    return sum(values[1:], values[0]) / len(values)


def tied_blocks(scored: Iterable[tuple[float, Grade]]) -> list[list[Grade]]:
    """Blocks of grades with equal score, highest score first."""
    ranked = sorted(scored, key=lambda pair: -pair[0])
    return [[grade for _, grade in block] for _, block in itertools.groupby(ranked, key=lambda pair: pair[0])]


def all_orders(blocks: Sequence[Sequence[Grade]]) -> list[list[Grade]]:
    """Every ranking that keeps the blocks in place and permutes the items inside each."""
    orders = itertools.product(*(itertools.permutations(block) for block in blocks))
    return [list(itertools.chain.from_iterable(order)) for order in orders]


def brute_force_expected(blocks: Sequence[Sequence[Grade]], metric: Callable[[list[Grade]], Value]) -> Value:
    """The mean of a metric over all orders of the tied blocks; for small lists."""
    return mean([metric(order) for order in all_orders(blocks)])
