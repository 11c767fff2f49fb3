"""Whole queries are tallied: their values are kept, their lists are not."""

from __future__ import annotations

from typing import Any

import pytest

import pingce as pc
from pingce.metrics.ranking import RankingMetric
from pingce.run.tallies import RankingTally

TRUTH = {f"q{i}": {"a": i % 3, "b": 1, "c": (i + 1) % 2} for i in range(12)}
RUN = {f"q{i}": {"a": 1.0, "b": 1.0 if i % 4 else 2.0, "x": 0.5} for i in range(10)}
PLAIN = ["ndcg@2", "map", "hit_rate(mode=micro)@1", "f1(of=means)@2", "gm_map", "num_rel_ret", "bpref"]


def split(metrics: list[str], *, whole_truth: bool, **options: Any) -> pc.RankingEvaluator:
    """An evaluator that has seen two batches, each of which is settled."""
    evaluator = pc.RankingEvaluator(TRUTH if whole_truth else None, metrics, split="never", **options)
    for queries in (list(TRUTH)[:5], list(TRUTH)[5:]):
        run = {query: RUN[query] for query in queries if query in RUN}
        evaluator.update(run, qrels=None if whole_truth else {query: TRUTH[query] for query in queries})
        evaluator._state.settle()
    return evaluator


@pytest.mark.parametrize("whole_truth", [True, False])
@pytest.mark.parametrize(
    "options",
    [{}, {"ties": "worst"}, {"missing": "skip"}, {"judged_only": True}, {"undefined": "zero"}, {"by": "activity"}],
    ids=str,
)
def test_documents_are_those_of_one_call(options: dict[str, Any], whole_truth: bool) -> None:
    evaluator = split(PLAIN, whole_truth=whole_truth, **options)
    assert all(isinstance(tally, RankingTally) for tally in evaluator._state._tallies)
    assert len(evaluator._state._tallies) == 2
    scores, whole = evaluator.compute(), pc.evaluate_ranking(TRUTH, RUN, PLAIN, **options)
    assert scores.to_json() == whole.to_json()
    assert scores.per_query.equals(whole.per_query)
    again = pc.RankingEvaluator(TRUTH if whole_truth else None, PLAIN, split="never", **options)
    assert again.merge(pc.RankingEvaluator.from_bytes(evaluator.to_bytes())).compute().to_json() == whole.to_json()


def test_lists_that_were_not_kept_are_refused_and_the_way_out_is_said() -> None:
    scores = split(["ndcg@2"], whole_truth=True).compute()
    with pytest.raises(
        pc.InputError, match=r'only its values were kept, not its list; .* leave memory= and split="never" out'
    ):
        scores.evidence  # noqa: B018 - a property that refuses


def test_a_state_grows_with_queries_and_not_with_their_lists() -> None:
    def size(items: int) -> int:
        truth = {f"q{i}": {f"d{j}": 1 for j in range(items)} for i in range(300)}
        evaluator = pc.RankingEvaluator(truth, ["ndcg@10", "map"], split="never")
        return len(evaluator.update({q: {d: -i for i, d in enumerate(own)} for q, own in truth.items()}).to_bytes())

    assert size(80) < size(8) + 2000


def test_a_top_grade_that_is_not_known_has_evidence_kept() -> None:
    whole = pc.evaluate_ranking(TRUTH, RUN, ["err", "ndcg@2"])
    tallied, kept = (split(["err", "ndcg@2"], whole_truth=known)._state for known in (True, False))
    assert tallied._tallies
    assert not tallied._pieces
    assert kept._pieces
    assert not kept._tallies
    assert tallied.score().to_json() == kept.score().to_json() == whole.to_json()


def test_a_metric_says_when_it_needs_lists() -> None:
    class Longest(RankingMetric):
        def summarize(self, view: Any, values: Any, mean: Any) -> float:
            return float(view.returned.max())

    assert Longest().needs_lists
    metrics = pc.RankingEvaluator(None, PLAIN).request.metrics or ()
    assert [metric.metric.needs_lists for metric in metrics] == [False] * len(PLAIN)
