"""`unjudged=worst|best`: values are those of a truth in which somebody had judged what lists show."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.metrics.declared import registry
from pingce.metrics.ranking.items import ItemMetric

QRELS = {"a": {"d1": 2, "d2": 0, "d3": -1, "d9": 1}, "b": {"d1": 1}, "c": {"d4": 3}}
RUN = {"a": {"d1": 3, "d5": 2, "d2": 2, "d6": 1, "d3": 1}, "b": {"d7": 2, "d1": 1}}


def judged(truth: Any, run: Any, unjudged: str) -> dict[str, dict[str, float]]:
    """The truth with a grade for whatever the lists show: 0, or its largest."""
    top = max(grade for items in truth.values() for grade in items.values())
    grade = 0 if unjudged == "worst" else top if top > 0 else 1
    whole = {query: dict(items) for query, items in truth.items()}
    for query, items in whole.items():
        items |= {item: grade for item in run.get(query, {}) if items.get(item, -1) < 0}
    return whole


def metrics() -> list[str]:
    """Every metric of grades with a value that follows from them alone."""
    names = []
    for kind in registry("ranking").values():
        spelling = kind.about.example[0]
        if not (kind.is_reading or issubclass(kind, ItemMetric) or kind.of_subtopics):
            names.append(spelling)
    return names


@pytest.mark.sweep
@given(
    st.dictionaries(
        st.sampled_from("pqr"), st.dictionaries(st.sampled_from("stuvwx"), st.integers(-1, 2), min_size=1), min_size=1
    ),
    st.dictionaries(
        st.sampled_from("pqr"), st.dictionaries(st.sampled_from("stuvwxyz"), st.integers(0, 3), min_size=1), min_size=3
    ),
    st.sampled_from(["worst", "best"]),
    st.sampled_from(["id", "id_ascending", "order", "worst", "best"]),
)
def test_every_metric_is_that_of_a_truth_that_judges_all(truth: Any, run: Any, unjudged: Any, ties: Any) -> None:
    names = metrics()
    options: dict[str, Any] = {"ties": ties, "relevant": 1}
    bound = pc.evaluate_ranking(truth, run, names, unjudged=unjudged, **options)
    whole = pc.evaluate_ranking(judged(truth, run, unjudged), run, names, **options)
    for name in names:
        assert repr(bound[name]) == repr(whole[name]), name


def test_the_worked_example() -> None:
    """Of a: d1 2, d5 ?, d2 0, d6 ?, d3 −1, and d9 1 that is not returned. Precision 1/5, and 4/5 were the three relevant."""
    names = [
        "precision@5",
        "precision(unjudged=best)@5",
        "recall",
        "recall(unjudged=best)",
        "unjudged(unjudged=best)@5",
    ]
    scores = pc.evaluate_ranking({"a": QRELS["a"]}, {"a": RUN["a"]}, names)
    assert list(scores.values()) == [1 / 5, 4 / 5, 1 / 2, 4 / 5, 0]
    assert scores.counts["unjudged"]["@5"] == pytest.approx(3 / 5), "what is counted is what was judged"
    assert scores.signature("recall(unjudged=best)").startswith("recall|")
    assert "|unjudged:best|" in scores.signature("recall(unjudged=best)")
    assert "unjudged" not in scores.signature("recall").partition("|")[2]


@pytest.mark.parametrize("unjudged", ["worst", "best"])
def test_batches_and_explanations(unjudged: Any) -> None:
    names = ["ndcg@3", "bpref", "err@5", "precision@2"]
    whole = pc.evaluate_ranking(QRELS, RUN, names, unjudged=unjudged)
    evaluator = pc.RankingEvaluator(QRELS, names, split="never", unjudged=unjudged)
    for query, items in RUN.items():
        evaluator.update({query: items})
    assert evaluator.compute().to_json(per_query=True) == whole.to_json(per_query=True)
    for name in names:
        for ties in ("id", "worst", "best", "order"):
            told = pc.explain(name, QRELS, RUN, query="a", unjudged=unjudged, ties=ties)
            alone = pc.evaluate_ranking(QRELS, RUN, [name], unjudged=unjudged, ties=ties)
            assert told.value == alone.per_query[name].to_pylist()[0]
    assert f"(unjudged={unjudged}): 3 of them." in str(
        pc.explain("precision@5", QRELS, RUN, query="a", unjudged=unjudged)
    )


def test_the_ends_lie_on_either_side_where_nothing_is_divided_by_relevant_items() -> None:
    for name in ("precision@3", "rr", "dcg@5", "rbp", "cg@3"):
        plain, low, high = (
            pc.evaluate_ranking(QRELS, RUN, [name], unjudged=unjudged)[name] for unjudged in ("zero", "worst", "best")
        )
        assert low <= plain <= high
        assert not math.isclose(low, high)


@pytest.mark.parametrize(
    ("metrics", "options", "sentence"),
    [
        (["coverage(of=count)@3"], {}, "coverage looks at which items lists show"),
        (["ndcg@3"], {"judged_only": True}, "judged_only=yes leaves no unjudged item in the lists"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(metrics: list[str], options: Any, sentence: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_ranking(QRELS, RUN, metrics, unjudged="best", **options)
    assert sentence in refused.value.text.en
    assert "unjudged=best" in refused.value.text.zh
    with pytest.raises(pc.InputError, match="unjudged='most': choose one of zero, worst, best"):
        pc.evaluate_ranking(QRELS, RUN, ["ndcg"], unjudged="most")  # type: ignore[arg-type]
