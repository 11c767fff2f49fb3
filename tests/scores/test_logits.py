"""Scores that are no probabilities, and labels that are not 0 and 1: what was taken for granted is said."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce import PingceWarning, use_language

LABELS = [0, 1, 0, 1, 1]
LOGITS = [-3.0, -1.0, -2.5, 0.2, 0.4]


def texts(scores: Any) -> str:
    return "\n".join(f"{text.en}\n{text.zh}" for text in scores.warnings)


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
@pytest.mark.parametrize("metric", ["f1", "accuracy", "precision", "recall", "mcc"])
def test_the_usual_threshold_on_logits_is_said(metric: str) -> None:
    scores = pc.evaluate_binary(LABELS, LOGITS, [metric, "auc"])
    said = texts(scores)
    assert f"the scores go from -3 to 0.4 (no probabilities: they look like logits), and {metric} took" in said
    assert "score ≥ 0.5 calls 0 of 5 rows positive; for logits say threshold=0 (--threshold 0)" in said
    assert (
        f"分数从 -3 到 0.4（不是概率，像是 logit），而 {metric} 用了通常的阈值：按分数 ≥ 0.5，5 行中有 0 判为正" in said
    )
    assert "calls 0 of 5 rows positive" in scores.to_dict()["diagnosis"]["text"]["en"]


def test_the_caller_is_warned() -> None:
    with pytest.warns(PingceWarning, match="for logits say threshold=0") as caught:
        pc.evaluate_binary(LABELS, LOGITS, ["f1"])
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "chosen",
    [
        {"metrics": ["f1"], "threshold": 0},
        {"metrics": ["f1"], "threshold": 0.3},
        {"metrics": ["f1(threshold=0.3)"]},
        {"metrics": ["auc", "pr_auc"]},
    ],
)
def test_nothing_is_said_where_the_threshold_was_chosen_or_is_not_needed(chosen: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.evaluate_binary(LABELS, LOGITS, **chosen)
        pc.evaluate_binary(LABELS, 1 / (1 + np.exp(-np.array(LOGITS))), chosen["metrics"])


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_scores_beyond_one_are_not_called_logits() -> None:
    said = texts(pc.evaluate_binary(LABELS, [0.1, 3, 0.2, 7, 1], ["f1"], weight=[1, 1, 1, 1, 0.5]))
    assert "from 0.1 to 7 (no probabilities), and f1" in said
    assert "calls 2.5 of 4.5 of the weight positive; say which threshold is meant with threshold=" in said
    assert "1.0000001" in texts(pc.evaluate_binary(LABELS, [0.1, 1.0000001, 0.2, 0.7, 1], ["f1"]))


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
@pytest.mark.parametrize(("group", "names"), [(None, "logloss"), ([1, 1, 1, 2, 2], "logloss, ece, pcoc")])
def test_usual_metrics_that_are_left_out_are_named(group: Any, names: str) -> None:
    scores = pc.evaluate_binary(LABELS, LOGITS, group=group)
    assert f"left out of the usual metrics, since probabilities are needed: {names}; the scores" in texts(scores)
    assert "left out" not in texts(pc.evaluate_binary(LABELS, LOGITS, ["auc"], group=group))
    assert "left out" not in texts(pc.evaluate_binary(LABELS, [0.1, 0.3, 0.2, 0.8, 0.9], group=group))


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_evaluators_and_their_states_say_the_same() -> None:
    for threshold in (None, 0.5):
        whole = pc.evaluate_binary(LABELS, LOGITS, threshold=threshold)
        evaluator = pc.BinaryEvaluator(threshold=threshold)
        for part in (slice(0, 2), slice(2, 5)):
            evaluator.update(LABELS[part], LOGITS[part])
        again = pc.BinaryEvaluator.from_bytes(evaluator.to_bytes())
        assert evaluator.compute().warnings == again.compute().warnings == whole.warnings
        assert again.compute().to_json() == whole.to_json()
        assert ("threshold=0" in texts(whole)) == (threshold is None)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((1, 2), "labels 1 and 2: 2 is positive; if it is the other, say positive=1 (--positive 1)"),
        ((-1, 1), "labels -1 and 1: 1 is positive; if it is the other, say positive=-1 (--positive -1)"),
        ((0, 2), "labels 0 and 2: 2 is positive; if it is the other, say positive=0 (--positive 0)"),
        ((0, 1), None),
        ((False, True), None),
    ],
)
def test_labels_that_are_not_0_and_1_are_said(names: tuple[Any, Any], said: str | None) -> None:
    labels = [names[y] for y in LABELS]
    notes = [note.en for note in pc.evaluate_binary(labels, LOGITS, ["auc"]).notes]
    assert notes == ([] if said is None else [said])
    assert not pc.evaluate_binary(labels, LOGITS, ["auc"], positive=names[0]).notes


def test_strings_need_to_be_told() -> None:
    labels = [("no", "yes")[y] for y in LABELS]
    with pytest.raises(pc.InputError, match=r"say which is positive, e\.g\. positive='yes'"):
        pc.evaluate_binary(labels, LOGITS, ["auc"])
    assert not pc.evaluate_binary(labels, LOGITS, ["auc"], positive="yes").notes


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_a_notebook_shows_definitions_notes_and_warnings_escaped() -> None:
    shown = pc.evaluate_binary([y + 1 for y in LABELS], LOGITS, ["f1", "accuracy(threshold=0)"])._repr_html_()
    assert shown.startswith('<div class="pingce"><table>')
    assert "<details><summary>definitions</summary><div>f1: f|beta:1|threshold:0.5|" in shown
    assert "<div>accuracy(threshold=0): accuracy|threshold:0.0|" in shown
    assert "<details><summary>policies</summary><table>" in shown
    assert "<div>labels 1 and 2: 2 is positive" in shown
    assert "<div>warning: the scores go from -3 to 0.4" in shown
    hostile = pc.evaluate_binary(
        [("<b>", "y")[y] for y in LABELS], LOGITS, ["f1"], positive="<b>", by={"<i>": ["<u>"] * 5}, ci=0.9, samples=20
    )
    for text in (hostile._repr_html_(), hostile.slices._repr_html_() if hostile.slices else ""):
        assert "<b>" not in text
        assert "<i>" not in text
        assert "<u>" not in text
    assert "<div>1 of 1 slices have fewer than 20 rows" in (hostile.slices._repr_html_() if hostile.slices else "")


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
@pytest.mark.parametrize(
    "scores",
    [
        pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}),
        pc.evaluate_binary(LABELS, [0.1, 0.4, 0.2, 0.8, 0.7], ["auc"]),
        pc.evaluate_multiclass(["a", "b"], ["a", "a"]),
        pc.evaluate_regression([1, 2, 3], [1, 2, 4]),
    ],
    ids=lambda scores: scores.task,
)
def test_the_diagnosis_prints_in_the_language_in_force(scores: Any) -> None:
    text = scores.diagnosis["text"]
    assert set(text) == {"en", "zh"}
    assert str(text) == text["en"]
    use_language("zh")
    assert f"{text}" == text["zh"]
    assert scores.to_dict()["diagnosis"]["text"] == dict(text)
