"""Worked examples that a person computed, from the definitions of the metrics.

Beside each figure stands the arithmetic that gives it, so that the figure is checked before anything is compared with
it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log2
from typing import Any

import naive
import pytest
from cases import Query, close, evaluate, hits, per_query, score
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc

# Lists from lessons are full of what rightly warns: every item relevant, grades that differ.
pytestmark = pytest.mark.filterwarnings("ignore")

FIVE = Query((3, 2, 3, 0, 1))
BEST_OF_FIVE = Query((3, 3, 2, 1, 0))
EIGHT = Query((3, 2, 3, 0, 1, 2, 3, 0))
BEST_OF_EIGHT = Query((3, 3, 3, 2, 2, 1, 0, 0))
STARS = Query((4, 5, 2, 3, 1))
BEST_STARS = Query((5, 4, 3, 2, 1))

# (worked example, metric, list, figure, arithmetic)
GAINS: list[tuple[int, str, Query, float, float]] = [
    (1, "cg@5", FIVE, 9, 3 + 2 + 3 + 0 + 1),
    (1, "dcg@5", FIVE, 12.77964206795, 7 + 3 / log2(3) + 7 / 2 + 1 / log2(6)),
    (1, "dcg@5", BEST_OF_FIVE, 13.34718483307, 7 + 7 / log2(3) + 3 / 2 + 1 / log2(5)),
    (
        1,
        "ndcg@5",
        FIVE,
        0.9574784666413,
        (7 + 3 / log2(3) + 7 / 2 + 1 / log2(6)) / (7 + 7 / log2(3) + 3 / 2 + 1 / log2(5)),
    ),
    (
        1,
        "ndcg(gain=linear)@5",
        FIVE,
        0.9723642841729,
        (3 + 2 / log2(3) + 3 / 2 + 1 / log2(6)) / (3 + 3 / log2(3) + 2 / 2 + 1 / log2(5)),
    ),
    (2, "dcg(gain=linear)@6", EIGHT, 6.861126688594, 3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) + 2 / log2(7)),
    (
        2,
        "dcg(gain=linear)@6",
        BEST_OF_EIGHT,
        8.384055178438,
        3 + 3 / log2(3) + 3 / 2 + 2 / log2(5) + 2 / log2(6) + 1 / log2(7),
    ),
    (2, "ndcg(gain=linear)@6", EIGHT, 0.8183541904923, 6.861126688593502 / 8.384055178438263),
    (2, "ndcg(gain=linear,ideal=list)@6", EIGHT, 0.8183541904923, 6.861126688593502 / 8.384055178438263),
    (
        2,
        "ndcg(gain=linear,ideal=topk)@6",
        EIGHT,
        0.9608081943361,
        6.861126688593502 / (3 + 3 / log2(3) + 2 / 2 + 2 / log2(5) + 1 / log2(6)),
    ),
    (
        2,
        "ndcg(gain=exp2)@6",
        EIGHT,
        0.7812708867825,
        (7 + 3 / log2(3) + 7 / 2 + 1 / log2(6) + 3 / log2(7))
        / (7 + 7 / log2(3) + 7 / 2 + 3 / log2(5) + 3 / log2(6) + 1 / log2(7)),
    ),
    (3, "dcg@5", STARS, 39.46041107446, 15 + 31 / log2(3) + 3 / 2 + 7 / log2(5) + 1 / log2(6)),
    (3, "dcg@5", BEST_STARS, 45.64282878503, 31 + 15 / log2(3) + 7 / 2 + 3 / log2(5) + 1 / log2(6)),
    (3, "ndcg@5", STARS, 0.8645478846265, 39.46041107446347 / 45.64282878502658),
    (5, "dcg@3", Query((3,)), 7, 2**3 - 1),
    (5, "dcg@3", Query((0, 3)), 4.416508275, 7 / log2(3)),
    (5, "dcg@3", Query((0, 0, 3)), 3.5, 7 / log2(4)),
]

SIX = [hits([1, 4, 6], 6), hits([2, 5], 6), hits([1, 2, 4], 6)]
TWO_USERS = [hits([1, 2, 4, 7], 7), hits([1, 3, 5], 7)]
EARLY, LATE = hits([1, 2], 5, total=3), hits([4, 5], 5, total=3)
SPREAD, FIRST = Query((1, 0, 0, 1, 0, 1)), Query((1, 1, 1, 0, 0, 0))
FIRST_HITS = [hits([1], 5), hits([2], 5), hits([5], 5), hits([], 5, total=1)]
FIRST_HITS_DEEPER = [*FIRST_HITS[:3], hits([6], 6)]
OWNERS = [hits(range(1, 7), 10, 10), hits(range(3, 8), 10, 12), hits(range(7, 11), 10, 8)]
FILMS, SONGS = hits([2, 5, 7, 10], 10, total=10), hits([1, 3, 4, 8], 10, total=4)

# (worked example, metric, lists, value of each list, mean)
COUNTS: list[tuple[int, str, list[Query], list[Fraction], Fraction]] = [
    (6, "ap(norm=hits)@6", SIX, [Fraction(2, 3), Fraction(9, 20), Fraction(11, 12)], Fraction(61, 90)),
    (7, "ap", TWO_USERS, [Fraction(93, 112), Fraction(34, 45)], Fraction(7993, 10080)),
    (8, "precision@5", [EARLY, LATE], [Fraction(2, 5), Fraction(2, 5)], Fraction(2, 5)),
    (8, "ap", [EARLY, LATE], [Fraction(2, 3), Fraction(13, 60)], Fraction(53, 120)),
    (8, "ap(norm=hits)", [EARLY, LATE], [Fraction(1), Fraction(13, 40)], Fraction(53, 80)),
    (9, "precision@6", [SPREAD, FIRST], [Fraction(1, 2), Fraction(1, 2)], Fraction(1, 2)),
    (9, "ap(norm=hits)", [SPREAD, FIRST], [Fraction(2, 3), Fraction(1)], Fraction(5, 6)),
    (10, "rr@5", FIRST_HITS, [Fraction(1), Fraction(1, 2), Fraction(1, 5), Fraction(0)], Fraction(17, 40)),
    (10, "rr@5", FIRST_HITS_DEEPER, [Fraction(1), Fraction(1, 2), Fraction(1, 5), Fraction(0)], Fraction(17, 40)),
    (
        11,
        "rr",
        [hits([3], 4), hits([2], 4), hits([1], 4)],
        [Fraction(1, 3), Fraction(1, 2), Fraction(1)],
        Fraction(11, 18),
    ),
    (13, "hit_rate@10", OWNERS, [Fraction(1), Fraction(1), Fraction(1)], Fraction(1)),
    (14, "recall@5", [FILMS], [Fraction(1, 5)], Fraction(1, 5)),
    (14, "recall@10", [FILMS], [Fraction(2, 5)], Fraction(2, 5)),
    (14, "precision@5", [FILMS], [Fraction(2, 5)], Fraction(2, 5)),
    (14, "precision@10", [FILMS], [Fraction(2, 5)], Fraction(2, 5)),
    (15, "precision@5", [SONGS], [Fraction(3, 5)], Fraction(3, 5)),
    (15, "precision@10", [SONGS], [Fraction(2, 5)], Fraction(2, 5)),
]


@pytest.mark.parametrize(("example", "metric", "ranked", "figure", "arithmetic"), GAINS)
def test_metrics_with_gains(example: int, metric: str, ranked: Query, figure: float, arithmetic: float) -> None:
    """Examples 1, 2, 3 and 5."""
    assert figure == close(float(arithmetic))
    assert score(metric, [ranked]) == close(float(figure))
    assert score(metric, [ranked]) == pytest.approx(arithmetic, rel=1e-14, abs=0)


@pytest.mark.parametrize(("example", "metric", "lists", "values", "average"), COUNTS)
def test_metrics_that_count(
    example: int, metric: str, lists: list[Query], values: list[Fraction], average: Fraction
) -> None:
    """Examples 6 to 15: each list, and the mean over them."""
    assert sum(values) / len(values) == average
    scores = evaluate(lists, [metric])
    assert scores[metric] == close(average)
    assert per_query(scores, metric) == [close(value) for value in values]


@pytest.mark.parametrize(("k", "value"), [(3, Fraction(2, 3)), (5, Fraction(3, 5))])
def test_example_4_relevant_from_three(k: int, value: Fraction) -> None:
    """Of grades 4, 5, 2, 3, 1 those from 3 on are relevant: two of the first three, three of five."""
    assert score(f"precision@{k}", [STARS], relevant=3) == close(value)
    assert pc.precision_at_k(STARS.grades, k, relevant=3) == close(value)
    assert naive.precision_at_k(STARS.grades, k, relevant=3) == value


TOP_THREE = {"a": [1, 2, 5], "b": [1, 5, 6], "c": [3, 7, 9]}
TRUTH = {"a": [2], "b": [3, 4], "c": [4, 7]}


@pytest.mark.parametrize("kind", [int, str])
def test_example_12_hit_rate_of_three_lists(kind: Callable[[int], Any]) -> None:
    """Two of three users find something; ids may be numbers or strings."""
    qrels = {user: {kind(item): 1 for item in items} for user, items in TRUTH.items()}
    run = {user: [kind(item) for item in items] for user, items in TOP_THREE.items()}
    scores = pc.evaluate_ranking(qrels, run, ["hit_rate@3"])
    assert scores["hit_rate@3"] == close(Fraction(2, 3))
    assert per_query(scores, "hit_rate@3") == [1, 0, 1]


def test_example_13_micro_hit_rate() -> None:
    """Found items over owned items of all users together: 15 of 30."""
    assert [naive.hits_at_k(owner.grades, 10) for owner in OWNERS] == [6, 5, 4]
    assert [naive.total_relevant(owner.judged) for owner in OWNERS] == [10, 12, 8]
    assert score("hit_rate(mode=micro)@10", OWNERS) == Fraction(1, 2)


# The same examples as plain lists: name of the function, its arguments, value.
PLAIN: list[tuple[str, tuple[Any, ...], dict[str, Any], Fraction | float]] = [
    ("cg_at_k", (FIVE.grades, 5), {}, 9),
    ("dcg_at_k", (FIVE.grades, 5), {}, 12.77964206795),
    ("dcg_at_k", (BEST_OF_FIVE.grades, 5), {}, 13.34718483307),
    ("ndcg_at_k", (FIVE.grades, 5), {}, 0.9574784666413),
    ("ndcg_at_k", (FIVE.grades, 5), {"gain": "linear"}, 0.9723642841729),
    ("dcg_at_k", (EIGHT.grades, 6), {"gain": "linear"}, 6.861126688594),
    ("dcg_at_k", (BEST_OF_EIGHT.grades, 6), {"gain": "linear"}, 8.384055178438),
    ("ndcg_at_k", (EIGHT.grades, 6), {"gain": "linear"}, 0.8183541904923),
    ("ndcg_at_k", (EIGHT.grades, 6), {"gain": "linear", "ideal": "list"}, 0.8183541904923),
    ("ndcg_at_k", (EIGHT.grades, 6), {"gain": "linear", "ideal": "topk"}, 0.9608081943361),
    ("ndcg_at_k", (EIGHT.grades, 6), {"gain": "exp2"}, 0.7812708867825),
    ("dcg_at_k", (STARS.grades, 5), {}, 39.46041107446),
    ("ndcg_at_k", (STARS.grades, 5), {}, 0.8645478846265),
    ("dcg_at_k", ([3], 1), {}, Fraction(7)),
    ("dcg_at_k", ([0, 3], 2), {}, 4.416508275),
    ("dcg_at_k", ([0, 0, 3], 3), {}, Fraction(7, 2)),
    ("average_precision_at_k", (SIX[0].grades, 6), {"norm": "hits"}, Fraction(2, 3)),
    ("average_precision_at_k", (SIX[1].grades, 6), {"norm": "hits"}, Fraction(9, 20)),
    ("average_precision_at_k", (SIX[2].grades, 6), {"norm": "hits"}, Fraction(11, 12)),
    ("average_precision_at_k", (TWO_USERS[0].grades, 7), {}, Fraction(93, 112)),
    ("average_precision_at_k", (TWO_USERS[1].grades, 7), {}, Fraction(34, 45)),
    ("average_precision_at_k", (EARLY.grades, 5), {"judged": EARLY.judged}, Fraction(2, 3)),
    ("average_precision_at_k", (LATE.grades, 5), {"judged": LATE.judged}, Fraction(13, 60)),
    ("average_precision_at_k", (LATE.grades, 5), {"judged": LATE.judged, "norm": "hits"}, Fraction(13, 40)),
    ("average_precision_at_k", (SPREAD.grades, 6), {"norm": "hits"}, Fraction(2, 3)),
    ("precision_at_k", (SPREAD.grades, 6), {}, Fraction(1, 2)),
    ("precision_at_k", (FIRST.grades, 6), {}, Fraction(1, 2)),
    ("reciprocal_rank_at_k", (FIRST_HITS[2].grades, 5), {}, Fraction(1, 5)),
    ("reciprocal_rank_at_k", (FIRST_HITS_DEEPER[3].grades, 5), {}, Fraction(0)),
    ("reciprocal_rank_at_k", ([0, 0, 1, 0], 4), {}, Fraction(1, 3)),
    ("hit_rate_at_k", ([0, 1, 0], 3), {}, Fraction(1)),
    ("hit_rate_at_k", ([0, 0, 0, 1], 3), {}, Fraction(0)),
    ("recall_at_k", (FILMS.grades, 5), {"judged": FILMS.judged}, Fraction(1, 5)),
    ("recall_at_k", (FILMS.grades, 10), {"judged": FILMS.judged}, Fraction(2, 5)),
    ("precision_at_k", (FILMS.grades, 10), {}, Fraction(2, 5)),
    ("precision_at_k", (SONGS.grades, 5), {}, Fraction(3, 5)),
    ("precision_at_k", (SONGS.grades, 10), {}, Fraction(2, 5)),
    ("average_precision", ("abcdefg", "abdg"), {}, Fraction(93, 112)),
    ("average_precision", (["a", "b", "c", "d", "e"], {"d", "e", "z"}), {}, Fraction(13, 60)),
]


@pytest.mark.parametrize("source", [pc, naive], ids=["pingce", "naive"])
@pytest.mark.parametrize(("function", "arguments", "options", "value"), PLAIN)
def test_plain_lists(
    source: Any, function: str, arguments: tuple[Any, ...], options: dict[str, Any], value: Fraction | float
) -> None:
    """The functions for lessons, and the oracles, give the same figures."""
    ranked, *rest = arguments
    assert float(getattr(source, function)(list(ranked), *rest, **options)) == close(value)


@st.composite
def one_relevant(draw: st.DrawFn) -> Query:
    """A list of any length whose only relevant item is somewhere in it, or was not returned."""
    length = draw(st.integers(1, 12))
    rank = draw(st.integers(1, length + 1))
    return hits([rank] if rank <= length else [], length, total=1)


@given(users=st.lists(one_relevant(), min_size=1, max_size=5), k=st.integers(1, 14))
def test_example_16_one_relevant_item_each(users: list[Query], k: int) -> None:
    """With one relevant item per user recall is the hit rate, and average precision the reciprocal rank."""
    metrics = [f"recall@{k}", f"hit_rate@{k}", f"ap@{k}", f"rr@{k}"]
    scores = evaluate(users, metrics)
    recall, hit_rate, ap, rr = (per_query(scores, metric) for metric in metrics)
    assert recall == hit_rate == [float(1 in user.grades[:k]) for user in users]
    assert ap == rr == [float(naive.reciprocal_rank_at_k(user.grades, k)) for user in users]
    assert scores[f"recall@{k}"] == scores[f"hit_rate@{k}"]
    assert scores[f"ap@{k}"] == scores[f"rr@{k}"]


@given(user=one_relevant(), k=st.integers(1, 14))
def test_example_16_as_plain_lists(user: Query, k: int) -> None:
    """The same, list by list."""
    ranked = list(user.grades)
    assert pc.recall_at_k(ranked, k, judged=user.judged) == pc.hit_rate_at_k(ranked, k, judged=user.judged)
    ap = pc.average_precision_at_k(ranked, k, judged=user.judged)
    assert ap == pc.reciprocal_rank_at_k(ranked, k, judged=user.judged)
