"""One run under several conventions: every number is the tool's, and the causes really lead there."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given

import pingce as pc
from drawn import Case, cases

TRUTH = {"q": {"a": 3, "b": 2, "c": 1, "d": 1, "e": 0}, "r": {"a": 1}, "s": {"z": 0}}
RUN = {"q": {"x": 5, "a": 4, "e": 4, "c": 2, "b": 1}, "r": {"b": 2, "a": 1}}
SIX = ["trec_eval", "ranx", "sklearn", "recbole", "lenskit", "rectools"]
pytestmark = pytest.mark.filterwarnings("ignore")


def test_six_values_and_a_cause_for_each_difference() -> None:
    found = pc.compare_conventions(TRUTH, RUN, "ndcg@3", SIX)
    assert [one.tool for one in found.rows] == ["trec_eval_9", *SIX[1:]]
    for one in found.rows:
        assert one.value == pc.evaluate_ranking(TRUTH, RUN, "ndcg@3", convention=one.tool)["ndcg@3"]
        assert (one.value == found.reference["ndcg@3"]) == (one.switches == ())
    causes = {one.tool: {step.name for step in one.switches} for one in found.rows}
    assert causes["lenskit"] >= {"gain", "discount"}
    assert "ideal" in causes["rectools"]
    assert found.rows[0].spelling == "ndcg_cut_3"


@pytest.mark.sweep
@given(case=cases())
def test_the_switches_lead_from_one_value_to_the_other(case: Case) -> None:
    rows = pc.compare_conventions(case.truth, case.run, ["ndcg@3", "ap@3", "precision@3"], SIX).rows
    assert len(rows) == 3 * len(SIX)
    for one in rows:
        if one.refused is not None:
            continue
        reached = [one.reference, *(step.value for step in one.switches)]
        assert reached[-1] == one.value or (reached[-1] != reached[-1] and one.value != one.value)
        assert all(a != b for a, b in itertools.pairwise(reached))
        assert all(step.before != step.after for step in one.switches)


def test_a_metric_that_a_tool_does_not_have_is_said_not_left_out() -> None:
    (one,) = pc.compare_conventions(TRUTH, RUN, "err(max=4)@3", "recbole").rows
    assert one.refused is not None
    assert one.cause == "RecBole has no such metric"
    assert one.value != one.value


def test_other_tasks() -> None:
    labels, scores, users = [1, 0, 1, 1], [0.9, 0.8, 0.5, 0.2], ["u", "u", "v", "v"]
    found = pc.compare_conventions(
        labels, scores, ["gauc", "f1"], ["torchmetrics", "recbole"], task="binary", group=users
    )
    assert {(one.metric, one.tool): one.cause for one in found.rows} == {
        ("gauc", "torchmetrics"): "single: drop → zero",
        ("gauc", "recbole"): "no difference",
        ("f1", "torchmetrics"): "compare: ge → gt",
        ("f1", "recbole"): "RecBole has no such metric",
    }


def test_documents_and_tables() -> None:
    found = pc.compare_conventions(TRUTH, RUN, ["ndcg@3", "map"], "trec_eval,ranx")
    document = json.loads(found.to_json())
    assert [entry["metric"] for entry in document["metrics"]] == ["ndcg@3", "map"]
    assert document["metrics"][0]["conventions"][0]["signature"].startswith("ndcg@3|gain:linear")
    assert pc.from_signature(document["metrics"][0]["conventions"][1]["signature"]).metric.gain == "linear"
    assert found.to_markdown().count("\n") == 1 + 2 * 3
    assert r"\begin{tabular}" in found.to_latex()
    assert "<table>" in found._repr_html_()
    assert str(found).splitlines()[0].startswith("metric")


def test_an_unknown_task_or_tool() -> None:
    with pytest.raises(pc.InputError, match=r"did you mean 'binary'"):
        pc.compare_conventions([1], [1], "auc", "sklearn", task="binry")
    with pytest.raises(pc.InputError, match=r"unknown convention 'x'"):
        pc.compare_conventions(TRUTH, RUN, "map", ["x"])
