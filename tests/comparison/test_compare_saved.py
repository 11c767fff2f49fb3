"""Saved scores in place of runs: paired by query id, refused where they cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pingce as pc

TRUTH = {f"q{i}": {"a": 1, "b": 2} for i in range(5)}
ONE = {query: ["x", "a", "b"] for query in TRUTH}
OTHER = {query: ["b", "a"] if query < "q3" else ["x", "y", "a"] for query in TRUTH}
METRICS = ["ndcg@3", "mrr"]


def saved(run: Any, *, per_query: bool = True, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pc.evaluate_ranking(TRUTH, run, METRICS, **options).to_json(per_query=per_query))
    return found


def test_saved_scores_compare_as_the_runs_do(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(saved(OTHER)))
    runs = pc.compare(TRUTH, {"one": ONE, "other": OTHER}, METRICS)
    documents = pc.compare(None, {"one": saved(ONE), "other": path})
    mixed = pc.compare(TRUTH, {"one": ONE, "other": path})
    for found in (documents, mixed):
        assert found.metrics == runs.metrics
        for metric in METRICS:
            assert found.difference(metric, "other") == runs.difference(metric, "other")
            assert found.per_query(metric).equals(runs.per_query(metric))
            assert found.signature(metric, "other") == runs.signature(metric, "other")
    assert pc.compare(None, {"one": saved(ONE), "other": path}, "rr").metrics == ("rr",)


def test_queries_that_only_one_of_them_has_are_left_out() -> None:
    fewer = {query: items for query, items in TRUTH.items() if query != "q4"}
    part = json.loads(pc.evaluate_ranking(fewer, OTHER, METRICS).to_json(per_query=True))
    gap = pc.compare(None, {"one": saved(ONE), "other": part}).difference("mrr", "other")
    assert (gap.pairs, gap.left_out) == (4, 1)


def test_a_document_of_several_runs_is_several_models() -> None:
    from pingce.scores.tables import documents

    both = documents(
        {"a": pc.evaluate_ranking(TRUTH, ONE, METRICS), "b": pc.evaluate_ranking(TRUTH, OTHER, METRICS)}, per_query=True
    )
    assert pc.compare(None, {"saved": both}).models == ("saved:a", "saved:b")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (saved(OTHER, per_query=False), "no values of single queries"),
        (saved(OTHER) | {"schema_version": 99}, "newer than"),
        (saved(OTHER, relevant=2), "defined differently"),
        (saved(OTHER, query_weight=dict.fromkeys(TRUTH, 2)), "is weighted by queries, and the weights were not saved"),
        (saved({"p": ["a"], **OTHER}) | {"metrics": []}, "no metric in common"),
    ],
)
def test_what_cannot_be_paired_is_refused(document: dict[str, Any], said: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.compare(None, {"one": saved(ONE), "other": document})
    assert said in refused.value.text.en
    assert refused.value.text.zh != refused.value.text.en


def test_runs_need_a_truth_and_named_metrics_must_be_there() -> None:
    with pytest.raises(pc.InputError, match="need the truth"):
        pc.compare(None, {"one": saved(ONE), "other": OTHER})
    with pytest.raises(pc.InputError, match="has no map; it has ndcg@3, mrr"):
        pc.compare(None, {"one": saved(ONE), "other": saved(OTHER)}, "map")
    with pytest.raises(pc.InputError, match="no query in common"):
        pc.compare(
            None,
            {
                "one": saved(ONE),
                "other": saved(OTHER) | {"per_query": {"query": ["z"], "values": {m: [0.1] for m in METRICS}}},
            },
        )


def test_saved_scores_of_rows_cannot_be_paired() -> None:
    scores = pc.evaluate_binary([1, 0, 1], [0.9, 0.2, 0.4], ["auc"])
    document = json.loads(scores.to_json())
    with pytest.raises(pc.InputError, match="without the rows"):
        pc.compare(None, {"one": document, "two": document})
