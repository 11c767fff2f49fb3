"""Metrics of one plain list, for a notebook or a lesson: grades in ranked order in (None = not judged), a float out.

>>> round(ndcg_at_k([3, 2, 3, 0, 1], 5), 12)
0.957478466641
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from typing import Any, TypeAlias

from pingce.base.errors import InputError
from pingce.evidence.policies import relevant_from
from pingce.metrics.declared import registry
from pingce.metrics.ranking import RankedList, RankingMetric
from pingce.metrics.ranking.base import plain_grades

Grades: TypeAlias = Sequence[float | None]
"In ranked order; None is not judged."
Judged: TypeAlias = Sequence[float] | None
"The grades of all judged items."
Relevant: TypeAlias = float | str
"The lowest grade that is relevant."


def _score(
    name: str, grades: Grades, k: int | None, /, *, judged: Judged, relevant: Relevant = 1, **options: Any
) -> float:
    ranked, every = plain_grades(grades, judged)
    metric: RankingMetric = registry()[name].make(k=k, **options)
    top = max(every, default=0.0)
    return metric.define(RankedList(tuple(ranked), tuple(every), relevant_from(relevant), top))


def precision_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """Share of the top k that is relevant: h_k / k.

    >>> precision_at_k([1, 0, 1, 0], 4)
    0.5
    """
    return _score("precision", grades, k, judged=judged, relevant=relevant, **options)


def recall_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """Share of the relevant items that the top k holds: h_k / R. `judged` are the grades of all judged items.

    >>> recall_at_k([1, 0, 1, 0], 2, judged=[1, 1])
    0.5
    """
    return _score("recall", grades, k, judged=judged, relevant=relevant, **options)


def hit_rate_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """1 if the top k holds a relevant item, else 0.

    >>> hit_rate_at_k([0, 0, 1], 2)
    0.0
    """
    return _score("hit_rate", grades, k, judged=judged, relevant=relevant, **options)


def average_precision_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """Precision at each relevant item of the top k, averaged: Σ rel_i · h_i / i, over `norm`.

    >>> average_precision_at_k([1, 0, 0, 1, 0, 1], 6, norm="hits")
    0.6666666666666666
    """
    return _score("ap", grades, k, judged=judged, relevant=relevant, **options)


def reciprocal_rank_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """1 / rank of the first relevant item of the top k, else 0.

    >>> reciprocal_rank_at_k([0, 1], 5)
    0.5
    """
    return _score("rr", grades, k, judged=judged, relevant=relevant, **options)


def cg_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """Sum of the gains of the top k.

    >>> cg_at_k([3, 2, 3, 0, 1], 5)
    9.0
    """
    return _score("cg", grades, k, judged=judged, relevant=relevant, **options)


def dcg_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """Sum of the discounted gains of the top k.

    >>> dcg_at_k([3, 2, 3], 3, gain="linear", discount="zipf")
    5.0
    """
    return _score("dcg", grades, k, judged=judged, relevant=relevant, **options)


def ndcg_at_k(
    grades: Grades, k: int | None = None, *, judged: Judged = None, relevant: Relevant = 1, **options: Any
) -> float:
    """DCG of the top k over that of the ideal list; `judged` are the grades of all judged items.

    >>> ndcg_at_k([1, 1], 2)
    1.0
    """
    return _score("ndcg", grades, k, judged=judged, relevant=relevant, **options)


def average_precision(ranked_ids: Sequence[Hashable], relevant_ids: Collection[Hashable]) -> float:
    """AP of a ranked list of ids against a set of relevant ids: Σ h_i / i over the relevant, divided by how many there are.

    >>> average_precision(["a", "x", "b"], {"a", "b"})
    0.8333333333333333
    """
    if isinstance(ranked_ids, (Set, Mapping)):
        raise InputError(
            f"the ranked list is a {type(ranked_ids).__name__}, which has no order; give a list, best first, and the relevant ids second",
            f"排序列表是 {type(ranked_ids).__name__}，没有先后；请先给出列表（最好的在前），再给出相关编号",
        )
    truth = set(relevant_ids)
    ids = set(ranked_ids)
    if len(ids) != len(ranked_ids):
        raise InputError("an id stands twice in the ranked list", "排序列表中有重复的编号")
    grades = [float(item in truth) for item in ranked_ids]
    return _score("ap", grades, None, judged=[1.0] * len(truth))
