"""Confidence intervals of rankings: queries vary, whatever is made of their values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.stats.means import _Draws

RNG = np.random.default_rng(3)
COUNT = 40
QRELS = {f"q{i:02}": {f"d{j}": int(RNG.integers(0, 3)) for j in range(8)} for i in range(COUNT)}
RUN = {query: {item: float(RNG.random()) for item in (*items, "x", "y")} for query, items in list(QRELS.items())[:-2]}
WEIGHTS = {query: float(RNG.integers(0, 4)) for query in QRELS}
MEANS = ["ndcg@5", "mrr", "hit_rate@1", "f@3"]
OTHERS = ["gm_ap", "hit_rate(mode=micro)@2", "f(of=means)@3", "amri", "mean_rank(mode=micro)", "num_rel_ret"]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_means_have_the_intervals_of_a_comparison(weights: Any) -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, MEANS, ci=0.9, samples=500, seed=3, query_weight=weights)
    other = {query: dict(reversed(items.items())) for query, items in RUN.items()}
    comparison = pc.compare(
        QRELS, {"one": RUN, "two": other}, MEANS, confidence=0.9, samples=500, seed=3, query_weight=weights
    )
    for name in MEANS:
        assert scores.interval(name) == comparison[name].intervals[0], name
        assert scores.values_by_name[name].method == "bootstrap"


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_evaluated_on_the_queries_of_each_draw(name: str) -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, [name], ci=0.9, samples=10, seed=5, missing="skip")
    queries = sorted(RUN)
    values = []
    for draw in _Draws(np.zeros((len(queries), 1)), 5, 10).chosen(10).tolist():
        qrels = {f"{at}": QRELS[queries[place]] for at, place in enumerate(draw)}
        run = {f"{at}": RUN[queries[place]] for at, place in enumerate(draw)}
        values.append(pc.evaluate_ranking(qrels, run, [name])[name])
    assert scores.interval(name) == pytest.approx(np.quantile(values, [0.05, 0.95]), rel=1e-9)


def test_a_median_lies_between_two_of_the_sorted_values() -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, ["median_rank"], ci=0.95)
    values = np.sort([value for value in scores.per_query["median_rank"].to_pylist() if value is not None])
    half = 1.959964 / 2 * math.sqrt(len(values))
    ends = (values[math.ceil(len(values) / 2 - half) - 1], values[math.ceil(len(values) / 2 + half) - 1])
    assert scores.interval("median_rank") == ends
    assert scores.values_by_name["median_rank"].method == "order"


def test_beyond_many_queries_no_query_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = pc.evaluate_ranking(QRELS, RUN, [*MEANS, *OTHERS], ci=0.9, missing="skip")
    for module in ("means", "queries"):
        monkeypatch.setattr(f"pingce.stats.{module}.MANY", 1)
    scores = pc.evaluate_ranking(QRELS, RUN, [*MEANS, *OTHERS], ci=0.9, seed=1, missing="skip")
    for name in (*MEANS, *OTHERS):
        assert scores.values_by_name[name].method == ("t" if name in MEANS else "influence")
        ends, others = scores.interval(name), drawn.interval(name)
        if name == "gm_ap":  # far from linear in forty queries
            continue
        assert ends is not None
        assert others is not None
        assert ends[1] - ends[0] == pytest.approx(others[1] - others[0], rel=0.25), name


def test_what_has_no_interval_says_why() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr", "num_q"], ci=0.95)
    assert scores.interval("mrr") is None
    notes = [note.en for note in scores.notes]
    assert "mrr has no confidence interval: it needs at least two queries with a value" in notes
    alike = pc.evaluate_ranking({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]}, ["mrr", "num_q"], ci=0.95)
    assert [note.en.partition(":")[2][:20] for note in alike.notes if "confidence" in note.en] == [
        " queries drawn anew "
    ] * 2
    assert alike.to_dict()["metrics"][0]["interval"] == {"confidence": 0.95, "low": None, "high": None}


def test_without_ci_nothing_is_said_of_intervals() -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, MEANS)
    assert scores.confidence is None
    assert all("interval" not in entry for entry in scores.to_dict()["metrics"])


def test_slices_have_the_confidence_of_the_values() -> None:
    by = {query: "even" if at % 2 else "odd" for at, query in enumerate(QRELS)}
    scores = pc.evaluate_ranking(QRELS, RUN, MEANS, ci=0.8, by=by, min_n=5)
    assert scores.slices is not None
    assert scores.slices.confidence == 0.8
    assert scores.slices.overall.values["mrr"].interval == scores.interval("mrr")


def test_bad_intervals() -> None:
    for options, sentence in (
        ({"ci": 2}, "ci=2"),
        ({"ci": 0.9, "samples": 1}, "samples=1"),
        ({"ci": 0.9, "seed": -1}, "seed=-1"),
    ):
        with pytest.raises(pc.InputError, match=sentence):
            pc.evaluate_ranking(QRELS, RUN, MEANS, **options)


def test_the_way_that_intervals_were_made_stands_below_the_table() -> None:
    text = pc.evaluate_ranking(QRELS, RUN, ["mrr", "median_rank"], ci=0.95).to_markdown()
    assert "95 % intervals: mrr by bootstrap; median\\_rank by order statistics" in text


def test_queries_that_a_metric_does_not_look_at_are_not_drawn_for_it() -> None:
    options: dict[str, Any] = {
        "ci": 0.9,
        "samples": 100,
        "by": {q: str(at % 2) for at, q in enumerate(RUN)},
        "min_n": 5,
    }
    run, train = {**RUN, "extra": {"a": 1.0}}, {"q00": ["d1"]}
    names = ["mrr", "gm_ap", "hit_rate(mode=micro)@2"]
    alone = pc.evaluate_ranking(QRELS, run, names, **options)
    beside = pc.evaluate_ranking(QRELS, run, [*names, "popularity@3", "coverage(of=train)@3"], train=train, **options)
    assert [beside.interval(name) for name in names] == [alone.interval(name) for name in names]
    assert "coverage(of=train)@3 has no confidence interval" in " ".join(note.en for note in beside.notes)


@pytest.mark.parametrize("missing", ["zero", "skip"])
@pytest.mark.parametrize("extra", [1, 3])
def test_slices_are_of_their_queries_where_the_table_has_other_lists_too(missing: str, extra: int) -> None:
    run = {query: items for query, items in RUN.items() if query not in sorted(RUN)[:3]}
    run |= {f"extra{at}": {"a": 1.0} for at in range(extra)}
    options: dict[str, Any] = {"by": {q: str(at % 2) for at, q in enumerate(QRELS)}, "min_n": 5, "missing": missing}
    names = ["mrr", "gap(of=mrr)"]
    alone = pc.evaluate_ranking(QRELS, run, names, ci=0.9, samples=100, **options)
    beside = pc.evaluate_ranking(QRELS, run, [*names, "coverage(of=count)@3"], ci=0.9, samples=100, **options)
    assert beside.slices is not None
    assert alone.slices is not None
    for part, other in zip(
        (*beside.slices.parts, beside.slices.overall), (*alone.slices.parts, alone.slices.overall), strict=True
    ):
        assert part.values["mrr"] == other.values["mrr"]
    assert [part.n for part in beside.slices.parts] == [part.n for part in alone.slices.parts]
    assert beside.interval("gap(of=mrr)") == alone.interval("gap(of=mrr)")
