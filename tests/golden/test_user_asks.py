"""Cases that users of evaluation tools brought up: where tools disagreed, or one of them was wrong.

Each figure is checked at the precision it was printed with, and the full value against an independent formula.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from math import log2
from pathlib import Path
from typing import Any

import naive
import pytest
from cases import Query, close, hits, score

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")

Scored = Mapping[str, Mapping[str, float]]


def agrees(value: float, formula: Fraction | float, printed: str) -> None:
    """The value is that of the formula, and rounds to the figure as printed."""
    figure = Decimal(printed)
    assert round(Decimal(float(formula)), -int(figure.as_tuple().exponent)) == figure
    assert value == pytest.approx(float(formula), rel=1e-12, abs=0)


def evaluate(qrels: Any, run: Any, metric: str, **policies: Any) -> float:
    """One metric of one run."""
    return pc.evaluate_ranking(qrels, run, [metric], **policies)[metric]


def one_query(grades: Sequence[float], scores: Sequence[float]) -> tuple[Scored, Scored]:
    """Items a, b, c … with these grades and scores, as qrels and run."""
    names = [chr(ord("a") + n) for n in range(len(grades))]
    return {"q": dict(zip(names, grades, strict=True))}, {"q": dict(zip(names, scores, strict=True))}


def dcg(gains: Sequence[float]) -> float:
    """Σ gain / log2(rank + 1)."""
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


RATED = [10, 0, 0, 1, 5]
IDEAL = 10 + 5 / log2(3) + 1 / 2
D = [1 / log2(rank + 1) for rank in range(1, 6)]

# Each item of a tied block stands, on average, at the mean discount of the block's ranks.
TIED = [
    ("dcg(gain=linear)", [1, 1, 1, 1, 1], 16 * sum(D) / 5, "9.435069"),
    ("ndcg(gain=linear)", [1, 1, 1, 1, 1], 16 * sum(D) / 5 / IDEAL, "0.690979"),
    ("ndcg(gain=linear)", [1, 1, 1, 0.5, 0.5], (10 * sum(D[:3]) / 3 + 6 * sum(D[3:]) / 2) / IDEAL, "0.699812"),
    ("ndcg(gain=linear)", [0.1, 0.2, 0.3, 4, 70], (5 + 1 / log2(3) + 10 / log2(6)) / IDEAL, "0.695694"),
    ("ndcg(gain=linear)@3", [0.1, 0.2, 0.3, 4, 70], (5 + 1 / log2(3)) / IDEAL, "0.4124"),
    ("ndcg(gain=linear,ideal=topk)@3", [0.1, 0.2, 0.3, 4, 70], 1.0, "1.0"),
]


@pytest.mark.parametrize(("metric", "scores", "formula", "printed"), TIED)
def test_tie_averaged(metric: str, scores: list[float], formula: float, printed: str) -> None:
    """Grades 10, 0, 0, 1, 5 with everything tied, two tied groups, and no ties (the expectation is then the value)."""
    qrels, run = one_query(RATED, scores)
    ties = {} if "topk" in metric else {"ties": "expected"}
    agrees(evaluate(qrels, run, metric, **ties), formula, printed)


@pytest.mark.parametrize("scores", [[1, 1, 1, 1, 1], [1, 1, 1, 0.5, 0.5]])
def test_tie_averages_are_means_over_all_orders(scores: list[float]) -> None:
    """The brute force of the oracles says the same, and favourable ties reach 1 when all is tied."""
    qrels, run = one_query(RATED, scores)
    blocks = naive.tied_blocks(zip(scores, RATED, strict=True))
    expected = naive.brute_force_expected(blocks, lambda order: naive.ndcg_at_k(order, gain="linear"))
    assert evaluate(qrels, run, "ndcg(gain=linear)", ties="expected") == close(expected)
    best = max(dcg([grade or 0 for grade in order]) for order in naive.all_orders(blocks)) / IDEAL
    assert evaluate(qrels, run, "ndcg(gain=linear)", ties="best") == close(best)
    assert (best == close(1.0)) == (len(blocks) == 1)


FIVE_BEST = 7 * sum(D)

IDEAL_LISTS = [
    ("ndcg(gain=exp2)@10", Query((3,), (3, 3, 3, 3)), 7 / FIVE_BEST, "0.3392"),
    ("ndcg(gain=exp2,ideal=list)@10", Query((3,), (3, 3, 3, 3)), 1.0, "1.0"),
    ("ndcg(gain=exp2)@10", Query((None,) * 5 + (3,) * 5), dcg([0] * 5 + [7] * 5) / FIVE_BEST, "0.5410"),
    ("ndcg(gain=linear)", Query((1, 3, 0)), dcg([1, 3]) / dcg([3, 1]), "0.7967"),
    ("ndcg(gain=exp2)", Query((1, 3, 0)), dcg([1, 7]) / dcg([7, 1]), "0.7098"),
    ("ndcg(gain=linear,discount=jarvelin)", Query((3, 5), (4,)), 8 / (5 + 4 + 3 / log2(3)), "0.7344"),
    ("ndcg(gain=linear,discount=jarvelin)@2", Query((3, 5), (4,)), Fraction(8, 9), "0.8889"),
    ("ndcg(gain=linear)", Query((3, 5), (4,)), dcg([3, 5]) / dcg([5, 4, 3]), "0.6821"),
    ("ndcg(gain=linear)@2", Query((3, 5), (4,)), dcg([3, 5]) / dcg([5, 4]), "0.8180"),
]


@pytest.mark.parametrize(("metric", "query", "formula", "printed"), IDEAL_LISTS)
def test_gain_discount_and_ideal(metric: str, query: Query, formula: float, printed: str) -> None:
    """The ideal comes from all judged items, cut at k; gain and discount are what they are said to be."""
    agrees(score(metric, [query]), formula, printed)


TWO_QUERIES = (
    {"0": {"a": 0, "b": 0, "c": 1}, "1": {"d": 0, "e": 1, "f": 0, "g": 1}},
    {"0": {"a": 0.2, "b": 0.3, "c": 0.5}, "1": {"d": 0.1, "e": 0.3, "f": 0.5, "g": 0.2}},
)
SECOND = dcg([0, 1, 1]) / dcg([1, 1])


@pytest.mark.parametrize(
    ("cut", "formula", "printed"),
    [
        ("", (1 + SECOND) / 2, "0.8467"),
        ("@1", Fraction(1, 2), "0.5"),
        ("@2", (1 + dcg([0, 1]) / dcg([1, 1])) / 2, "0.6934"),
        ("@3", (1 + SECOND) / 2, "0.8467"),
        ("@100", (1 + SECOND) / 2, "0.8467"),
    ],
)
def test_two_queries(cut: str, formula: float, printed: str) -> None:
    """Lists of three and four items; a cut beyond the list changes nothing."""
    agrees(evaluate(*TWO_QUERIES, f"ndcg{cut}"), formula, printed)


@pytest.mark.parametrize(
    ("metric", "query", "value"),
    [
        ("ap@3", Query((1, 0, 0, 0, 1)), Fraction(1, 2)),
        ("ap(norm=min)@3", Query((1, 0, 0, 0, 1)), Fraction(1, 2)),
        ("ap(norm=hits)@3", Query((1, 0, 0, 0, 1)), Fraction(1)),
        ("ap@5", hits([1, 2, 3, 4, 5], 5, total=10), Fraction(1, 2)),
        ("ap(norm=min)@5", hits([1, 2, 3, 4, 5], 5, total=10), Fraction(1)),
    ],
)
def test_denominators_of_average_precision(metric: str, query: Query, value: Fraction) -> None:
    """By R, by min(R, k) and by the hits in the top k."""
    assert score(metric, [query]) == close(value)


TWICE = {"q": ["a", "a", "a"]}


@pytest.mark.parametrize("policy", ["first", "last", "best"])
@pytest.mark.parametrize(
    ("metric", "formula", "printed"),
    [
        ("recall@3", Fraction(1, 2), "0.5"),
        ("precision@3", Fraction(1, 3), "0.3333"),
        ("ndcg(gain=linear)@3", 1 / (1 + 1 / log2(3)), "0.6131"),
    ],
)
def test_duplicates_count_once(policy: str, metric: str, formula: float, printed: str) -> None:
    """The same item three times is one item: nothing exceeds 1."""
    agrees(evaluate({"q": {"a": 1, "b": 1}}, TWICE, metric, duplicates=policy), formula, printed)


def test_duplicates_are_an_error(tmp_path: Path) -> None:
    """Unless a policy says which one counts; in a file, both lines are named."""
    with pytest.raises(pc.InputError):
        evaluate({"q": {"a": 1, "b": 1}}, TWICE, "recall@3")
    items = [f"d{n}" for n in range(1, 1001)]
    items[976] = items[432]
    run = tmp_path / "twice.run"
    run.write_text("".join(f"q Q0 {item} 0 {-n}.5 x\n" for n, item in enumerate(items)))
    with pytest.raises(pc.InputError, match=r"(?s)(?=.*\b433\b)(?=.*\b977\b)"):
        evaluate({"q": {"d1": 1}}, run, "recall@3")


THREE_TIED = ({"q": {"d3": 1}}, {"q": {"d1": 0.5, "d2": 0.5, "d3": 0.5}})


@pytest.mark.parametrize(
    ("ties", "ap", "ndcg", "printed"),
    [
        ("id", Fraction(1), 1.0, ("1", "1")),
        ("id_ascending", Fraction(1, 3), 0.5, ("0.3333", "0.5")),
        ("order", Fraction(1, 3), 0.5, ("0.3333", "0.5")),
        ("best", Fraction(1), 1.0, ("1", "1")),
        ("worst", Fraction(1, 3), 0.5, ("0.3333", "0.5")),
        ("expected", Fraction(11, 18), sum(D[:3]) / 3, ("0.6111", "0.7103")),
    ],
)
def test_ties_by_document_id(ties: str, ap: Fraction, ndcg: float, printed: tuple[str, str]) -> None:
    """Three documents tied, only d3 relevant."""
    agrees(evaluate(*THREE_TIED, "ap", ties=ties), ap, printed[0])
    agrees(evaluate(*THREE_TIED, "ndcg", ties=ties), ndcg, printed[1])


@pytest.mark.parametrize(("rival", "value", "printed"), [("a", 1.0, "1.0"), ("c", 1 / log2(3), "0.6309")])
def test_renaming(rival: str, value: float, printed: str) -> None:
    """By id a tie depends on names; the expectation does not, and without a tie nothing does."""
    tied = {"q": {"b": 1.0, rival: 1.0}}
    agrees(evaluate({"q": {"b": 1}}, tied, "ndcg"), value, printed)
    assert evaluate({"q": {"b": 1}}, tied, "ndcg", ties="expected") == close((1 + 1 / log2(3)) / 2)
    assert evaluate({"q": {"b": 1}}, {"q": {"b": 0.5, rival: 1.0}}, "ndcg") == close(1 / log2(3))


def test_expected_reciprocal_rank() -> None:
    """One relevant item among four tied: (1 + 1/2 + 1/3 + 1/4) / 4."""
    qrels, run = one_query([0, 1, 0, 0], [2, 2, 2, 2])
    by_hand = sum(Fraction(1, order.index(1) + 1) for order in permutations([0, 1, 0, 0])) / 24
    assert by_hand == Fraction(25, 48)
    agrees(evaluate(qrels, run, "rr", ties="expected"), by_hand, "0.5208")


PERFECT = ["ndcg@10", "map", "rr", "recall@10", "r_precision", "hit_rate@10", "bpref"]


def test_an_item_named_like_its_query_is_kept() -> None:
    """Query 0 asks for items 0 to 9 and gets them all: every metric is 1."""
    items = [str(n) for n in range(10)]
    qrels = {query: dict.fromkeys(items, 1) for query in ("0", "7")}
    run = {query: {item: 10.0 - n for n, item in enumerate(items)} for query in ("0", "7")}
    scores = pc.evaluate_ranking(qrels, run, [*PERFECT, "num_ret"])
    assert {metric: scores[metric] for metric in PERFECT} == dict.fromkeys(PERFECT, 1.0)
    assert scores["num_ret"] == 20


def test_second_call_is_identical() -> None:
    """MetricRequest twice, together or apart, the numbers have the same bits, and what was passed in is unchanged."""
    queries = [({"a": 3, "b": 1, "z": 2}, {"a": 0.1, "b": 0.7, "c": 0.3}), ({"a": 1}, {"c": 0.2, "a": 0.1})]
    qrels = {f"q{n}": dict(truth) for n, (truth, _) in enumerate(queries)}
    run = {f"q{n}": dict(shown) for n, (_, shown) in enumerate(queries)}
    first, second = (pc.evaluate_ranking(qrels, run, ["ndcg@10", "ndcg@20"]) for _ in range(2))
    alone = pc.evaluate_ranking(qrels, run, ["ndcg@20"])
    assert [first[name].hex() for name in first] == [second[name].hex() for name in second]
    assert first.per_query.equals(second.per_query)
    assert alone["ndcg@20"].hex() == first["ndcg@20"].hex()
    assert first.to_json() == second.to_json()
    assert qrels == {"q0": {"a": 3, "b": 1, "z": 2}, "q1": {"a": 1}}
    assert run == {"q0": {"a": 0.1, "b": 0.7, "c": 0.3}, "q1": {"c": 0.2, "a": 0.1}}


HUGE_IDS = """
import resource
import pingce as pc

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

def value(ids):
    qrels = {query: {1: 1, 2: 0} for query in ids}
    run = {query: {1: 0.3, 2: 0.9} for query in ids}
    return pc.evaluate_ranking(qrels, run, ["rr"])["rr"]

print(value([1, 2, 3]))
before = peak()
print(value([1000, 50000, 90_000_000]))
print(peak() - before)
"""


def test_memory_does_not_depend_on_the_size_of_ids() -> None:
    """Three queries with huge, sparse ids cost no more than three with small ones."""
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", HUGE_IDS], capture_output=True, text=True, check=True)
    small, huge, growth = done.stdout.split()
    assert float(small) == float(huge) == 0.5
    assert int(growth) < 32 * (2**20 if sys.platform == "darwin" else 2**10)
