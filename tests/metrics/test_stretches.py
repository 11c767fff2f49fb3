"""Values of many queries are computed some queries after others, and nobody can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pingce as pc
from drawn import ALL
from pingce.base.errors import InputError
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs import read_run, read_truth
from pingce.run import stretches
from pingce.run.states import ranking

pytestmark = pytest.mark.filterwarnings("ignore")
random = np.random.default_rng(16)
TRUTH = {
    f"q{i}": {f"d{j}": int(grade) for j, grade in enumerate(random.integers(-1, 4, random.integers(1, 9)))}
    for i in range(30)
}
RUN = {
    f"q{i}": {f"d{j}": float(score) for j, score in enumerate(random.integers(0, 6, random.integers(1, 12)))}
    for i in range(3, 34)
}
POLICIES: list[dict[str, Any]] = [
    {},
    {"ties": "worst", "relevant": 2},
    {"ties": "expected", "missing": "skip"},
    {"ties": "order", "judged_only": True, "undefined": "zero"},
    {"summation": "sequential"},
]
_DEEP = pytest.mark.deep("every metric under four more policies")
TRIED = [pytest.param(each, marks=[_DEEP] if at else [], id=str(each)) for at, each in enumerate(POLICIES)]


def outcome(metrics: Any, **policies: Any) -> str:
    """The whole document, or the refusal."""
    try:
        return pc.evaluate_ranking(TRUTH, RUN, metrics, **policies).to_json(per_query=True)
    except InputError as problem:
        return str(problem)


@pytest.mark.sweep
@pytest.mark.parametrize("policies", TRIED)
def test_every_metric_is_the_same_to_the_last_bit(policies: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    lists = (m for m in ALL if not m.of_items)  # where items are known all queries are looked at together
    metrics = [m for m in lists if policies.get("ties") != "expected" or m.knows_expected()]
    whole = outcome(metrics, **policies)
    assert whole.startswith("{")
    parts: list[slice] = []
    part_of = stretches.evidence_within

    def counted(evidence: RankingEvidence, queries: slice) -> RankingEvidence:
        parts.append(queries)
        return part_of(evidence, queries)

    monkeypatch.setattr(stretches, "evidence_within", counted)
    for size in (1, 7, 64):
        monkeypatch.setattr(stretches, "_SIZE", size)
        parts.clear()
        assert outcome(metrics, **policies) == whole
        assert len(parts) > 2


@pytest.mark.parametrize("policies", [{"ties": "expected"}, {"undefined": "error"}, {"missing": "error"}], ids=str)
def test_what_is_refused_is_refused_in_the_same_words(
    policies: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = [["mrr", "ndcg@3"], ["ndcg(ideal=topk)@3", "map"], ["map", "ndcg(ideal=topk)@3"], ["p@2", "bpref"]]
    whole = [outcome(metrics, **policies) for metrics in lists]
    monkeypatch.setattr(stretches, "_SIZE", 5)
    assert [outcome(metrics, **policies) for metrics in lists] == whole
    assert not all(text.startswith("{") for text in whole)


@pytest.mark.parametrize("size", [1, 2, 9, 1_000])
def test_stretches_hold_every_query_once(size: int) -> None:
    evidence = ranking_evidence(read_truth(TRUTH), read_run(RUN))
    parts = stretches.stretches_of(evidence, size)
    assert [place for part in parts for place in range(part.start, part.stop)] == [*range(len(evidence))]
    for part in parts:
        some, chosen = stretches.evidence_within(evidence, part), evidence.select(np.arange(part.start, part.stop))
        assert some.queries.to_list() == chosen.queries.to_list()
        for name in ("hit_begin", "judged_begin", "judged", "above", "grade", "returned"):
            assert np.array_equal(getattr(some, name), getattr(chosen, name))


def test_subtopics_are_those_of_their_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = {
        query: {item: {str(s): 1 for s in range(1, 2 + (len(query) + place) % 3)} for place, item in enumerate(items)}
        for query, items in TRUTH.items()
    }
    metrics = ["alpha_ndcg@3", "err_ia", "nnrbp", "ap_ia", "subtopic_recall@2", "map"]
    whole = pc.evaluate_ranking(truth, RUN, metrics).to_json(per_query=True)
    monkeypatch.setattr(ranking, "_MOST_PENDING", 30)
    evaluator = pc.RankingEvaluator(truth, metrics, split="never")
    for query, listed in RUN.items():
        evaluator.update({query: listed})
    assert evaluator.compute().to_json(per_query=True) == whole
    monkeypatch.setattr(stretches, "_SIZE", 9)
    assert pc.evaluate_ranking(truth, RUN, metrics).to_json(per_query=True) == whole
