"""`judged=list`: nothing but returned items is judged, as tools see it that know only lists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")
TRUTH = {"a": {"x": 1, "y": 1, "z": 2}, "b": {"x": 1}, "c": {"k": 1}, "d": {"k": 1}}
RUN = {"a": ["x", "m", "z"], "b": ["m", "k"], "c": ["k", "j"]}


def within(truth: Any, run: Any) -> Any:
    """The truth of returned items; an item of grade 0 keeps a query that has none."""
    return {
        query: {item: grade for item, grade in items.items() if item in run.get(query, ())} or {"\x00nothing": 0}
        for query, items in truth.items()
    }


def test_worked_by_hand() -> None:
    scores = pc.evaluate_ranking(
        TRUTH, RUN, ["recall", "ap", "rr", "num_rel", "hit_rate@1"], judged="list", missing="skip"
    )
    assert scores.per_query.to_pydict() == {
        "query": ["a", "b", "c"],
        "recall": [1.0, None, 1.0],
        "ap": [(1 + 2 / 3) / 2, None, 1.0],
        "rr": [1.0, None, 1.0],
        "num_rel": [2.0, 0.0, 1.0],
        "hit_rate@1": [1.0, None, 1.0],
    }
    assert scores.counts["without_relevant"] == 0  # of the truth
    assert "|judged:list|" in scores.signature("ap")
    assert scores.to_dict()["policies"]["judged"] == "list"
    assert "judged" not in pc.evaluate_ranking(TRUTH, RUN, "ap").to_dict()["policies"]


@given(case=drawn.cases(), metrics=drawn.SOME, judged_only=st.booleans())
def test_it_is_a_truth_of_returned_items(case: drawn.Case, metrics: list[Any], judged_only: bool) -> None:
    metrics = [metric for metric in metrics if not metric.needs_top_grade and getattr(metric, "ideal", "") != "full"]
    if not metrics or not any(set(items) & set(case.run.get(q, ())) for q, items in case.truth.items()):
        return
    options: dict[str, Any] = {"judged_only": judged_only, "missing": "skip"}
    try:
        ours = pc.evaluate_ranking(case.truth, case.run, metrics, judged="list", **options).per_query.to_pydict()
        theirs = pc.evaluate_ranking(within(case.truth, case.run), case.run, metrics, **options).per_query.to_pydict()
    except pc.InputError:
        return
    for name, column in ours.items():
        assert column == pytest.approx(theirs[name], nan_ok=True), name


@pytest.mark.parametrize("options", [{}, {"ties": "worst"}, {"relevant": 2}, {"judged_only": True}], ids=str)
def test_batches_say_the_same(options: dict[str, Any]) -> None:
    names = ["recall@3", "ap", "ndcg@3", "rr", "bpref", "num_rel"]
    whole = pc.evaluate_ranking(TRUTH, RUN, names, judged="list", **options)
    evaluator = pc.RankingEvaluator(TRUTH, names, split="never", judged="list", **options)
    for query, items in RUN.items():
        evaluator.update({query: items})
    assert evaluator.compute().to_json() == whole.to_json()
    again = pc.RankingEvaluator(None, names, split="never", judged="list", **options)
    for query, grades in TRUTH.items():
        part = pc.RankingEvaluator.from_bytes(
            pc.RankingEvaluator(None, names, split="never", judged="list", **options).to_bytes()
        )
        part.update({query: RUN[query]} if query in RUN else {}, qrels={query: grades})
        again.merge(pc.RankingEvaluator.from_bytes(part.to_bytes()))
    assert again.compute().to_json() == whole.to_json()


def test_subtopics_of_returned_items_alone() -> None:
    truth: dict[str, list[Any]] = {
        "query": ["q"] * 5,
        "item": ["a", "a", "b", "c", "d"],
        "subtopic": ["1", "2", "1", "3", "3"],
        "grade": [1] * 5,
    }
    run = {"q": ["b", "a", "x"]}
    names = ["subtopic_recall@2", "alpha_ndcg@3", "ap_ia"]
    listed = {name: column[:3] for name, column in truth.items()}
    columns = {"truth.subtopic": "subtopic"}
    ours = pc.evaluate_ranking(truth, run, names, judged="list", columns=columns)
    theirs = pc.evaluate_ranking(listed, run, names, columns=columns)
    assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}


@pytest.mark.parametrize("name", ["ap", "ndcg@3", "recall@3", "rr"])
def test_explanations(name: str) -> None:
    values = pc.evaluate_ranking(TRUTH, RUN, name, judged="list").per_query.to_pydict()[name]
    explanation = pc.explain(name, TRUTH, RUN, query="a", judged="list")
    assert explanation.value == values[0]
    assert "Only items of the list are judged (judged=list)" in str(explanation)
    assert "2 judged, R = 2 relevant" in str(explanation)
    # a list of grades under the same keyword is what it was
    assert pc.explain("recall@2", grades=[1, 0], judged=[1, 1]).value == 0.5


def test_a_word_that_is_no_value() -> None:
    word: Any = "lists"
    for call in (
        lambda: pc.evaluate_ranking(TRUTH, RUN, "ap", judged=word),
        lambda: pc.explain("ap", TRUTH, RUN, query="a", judged="lists"),
    ):
        with pytest.raises(pc.InputError, match="judged='lists': choose one of truth, list; did you mean 'list'"):
            call()


def test_conventions_of_tools_that_know_only_lists() -> None:
    for tool in ("torchmetrics", "lightgbm", "xgboost", "catboost", "tf_ranking", "torchrec", "evidently", "fuxictr"):
        first = pc.evaluate_ranking(TRUTH, RUN, convention=tool)
        assert first.policies.judged == "list"
        assert pc.evaluate_ranking(TRUTH, RUN, convention=tool, judged="truth").policies.judged == "truth"


@pytest.mark.parametrize(("undefined", "value"), [("skip", 1), ("zero", 1 / 2)])
def test_what_is_said_of_unanswered_queries_is_what_the_number_says(undefined: Any, value: float) -> None:
    """Nothing returned, nothing judged: such a query has no relevant item, and `undefined` decides."""
    truth: dict[str, dict[str, int]] = {"a": {"x": 1}, "b": {"y": 1}}
    scores = pc.evaluate_ranking(truth, {"a": ["x"]}, "ndcg@3", judged="list", undefined=undefined)
    assert scores["ndcg@3"] == value
    words = f"1 not answered (without judgements: judged=list, undefined={undefined})"
    assert words in [text.en for text in scores.count_texts()]
