"""Whole queries are added up where they are: small states that score as one call does."""

from __future__ import annotations

import pickle
from typing import Any

import pyarrow as pa
import pytest

import pingce as pc
from pingce.run.evaluator import state_of
from pingce.run.evaluators.ranking import RankingEvaluator
from pingce.run.states.fixed_tables import FixedTables

from .test_tallies import PLAIN, RUN, TRUTH

OPTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "worst"},
    {"ties": "expected"},
    {"missing": "skip"},
    {"judged_only": True},
    {"undefined": "zero"},
    {"undefined": "nan"},
    {"relevant": 2},
]


def summed(
    metrics: list[str], size: int = 5, top_grade: float | None = None, **options: Any
) -> tuple[RankingEvaluator, list[pa.Table]]:
    """An evaluator of sums that others have sent, so many queries each, and the values that stayed behind."""
    whole = pc.RankingEvaluator(None, metrics, split="never", **options)
    whole = RankingEvaluator.of(whole.request, FixedTables(top_grade=top_grade))
    settings, names = whole.to_bytes(), list(TRUTH)
    rows: list[pa.Table] = []
    for begin in range(0, len(names), size):
        part = pc.RankingEvaluator.from_bytes(settings)
        queries = names[begin : begin + size]
        part.update({q: RUN[q] for q in queries if q in RUN}, qrels={q: TRUTH[q] for q in queries})
        rows += state_of(part).unit_tables()
        state_of(part).condense()
        whole.merge(pc.RankingEvaluator.from_bytes(part.to_bytes()))
    return whole, rows


def metrics_under(options: dict[str, Any]) -> list[str]:
    return ["ndcg@2", "mrr", "hit_rate@1"] if options.get("ties") == "expected" else PLAIN


@pytest.mark.parametrize("size", [1, 5, 12])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_documents_are_those_of_one_call(options: dict[str, Any], size: int) -> None:
    metrics = metrics_under(options)
    evaluator, rows = summed(metrics, size, **options)
    scores, whole = evaluator.score(), pc.evaluate_ranking(TRUTH, RUN, metrics, **options)
    assert scores.to_json() == whole.to_json()
    assert scores.warnings == whole.warnings
    assert pa.concat_tables(rows).sort_by("query").equals(whole.per_query.sort_by("query"))


def test_a_top_grade_that_was_found_first_leaves_no_evidence() -> None:
    metrics = ["err", "ndcg@2", "ndcg(gain=linear)@2"]
    evaluator, _ = summed(metrics, top_grade=2.0)
    assert evaluator.score().to_json() == pc.evaluate_ranking(TRUTH, RUN, metrics).to_json()


def test_a_state_of_sums_does_not_grow_with_queries() -> None:
    def size(queries: int) -> int:
        truth = {f"q{i:05}": {"a": 1, "b": i % 2} for i in range(queries)}
        evaluator = pc.RankingEvaluator(None, ["ndcg@10", "map"], split="never")
        evaluator.update({q: {"b": 2.0, "a": 1.0} for q in truth}, qrels=truth)
        state_of(evaluator).condense()
        return len(evaluator.to_bytes())

    # Beside the sums a state has some rows for messages, a thousand at most.
    assert size(8000) < size(2000) + 500


def test_what_names_queries_of_the_whole_keeps_them() -> None:
    evaluator, rows = summed(["ndcg@2"], missing="error")
    assert rows == []
    with pytest.raises(pc.InputError, match="does not answer 2 judged queries"):
        evaluator.score()


def test_an_order_of_ties_without_closed_form_is_refused() -> None:
    with pytest.raises(pc.InputError, match="bpref: the mean over all orders of tied items has no closed form"):
        summed(["bpref"], ties="expected")


def test_what_comes_after_sums_is_added_to_them() -> None:
    names = list(TRUTH)
    early, late = names[:5], names[5:]
    first, second = (pc.RankingEvaluator(None, PLAIN, split="never") for _ in range(2))
    first.update({q: RUN[q] for q in early}, qrels={q: TRUTH[q] for q in early})
    state_of(first).condense()
    again = pc.RankingEvaluator.from_bytes(first.to_bytes())
    for evaluator in (first, again):
        evaluator.update({q: RUN[q] for q in late if q in RUN}, qrels={q: TRUTH[q] for q in late})
        assert evaluator.score().to_json() == pc.evaluate_ranking(TRUTH, RUN, PLAIN).to_json()
    assert second.merge(pc.RankingEvaluator.from_bytes(first.to_bytes())).score().counts["scored"] == len(TRUTH)


def test_scores_can_be_pickled() -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, PLAIN)
    assert pickle.loads(pickle.dumps(scores)).to_json(per_query=True) == scores.to_json(per_query=True)


def test_values_that_stayed_behind_are_refused() -> None:
    evaluator, _ = summed(["ndcg@2"])
    with pytest.raises(pc.InputError, match="those of each query stayed there"):
        evaluator.score().per_query  # noqa: B018 - a property that refuses


@pytest.mark.parametrize(
    "change",
    [
        {"metrics": []},
        {"stages": [[1], [1]]},
        {"top_grade": "nan"},
        {"answered": [[99, []]]},
        {"totals": {}},
        {"tally": {}},
    ],
)
def test_forged_sums_are_refused(change: dict[str, Any]) -> None:
    import json

    from pingce.run.sums import RankingSums

    evaluator, _ = summed(["ndcg@2"])
    state = state_of(evaluator)
    table = state.to_tables()["sums"]
    about = json.loads(table.schema.metadata[b"pingce.said"]) | change
    forged = table.replace_schema_metadata({b"pingce.said": json.dumps(about)})
    plan: Any = getattr(state, "_plan")  # noqa: B009 - what an evaluator plans is its own
    assert RankingSums.from_table(table, plan).to_table().equals(table, check_metadata=True)
    with pytest.raises(pc.InputError, match="damaged"):
        RankingSums.from_table(forged, plan)
