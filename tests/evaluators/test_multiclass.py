"""Classes in batches give the numbers of one call."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import EmptyInputError
from pingce.run.states import rows as waiting

from .splits import cuts, part, seen

SUMS = ["accuracy", "f1(average=none)", "mcc", "f1(average=macro,undefined_class=skip)"]
PROBABLE = ["logloss", "logloss(eps=0.01)", "top_k_accuracy@2", "accuracy"]


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PingceWarning)
        yield


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Columns of a call, and its options."""
    n = draw(st.integers(1, 30))
    kind = draw(st.sampled_from(["words", "numbers", "truth"]))
    every: dict[str, list[Any]] = {"words": ["b", "a", "é", "c"], "numbers": [7, -2, 40, 3], "truth": [True, False]}
    names = every[kind]
    codes = st.lists(st.integers(0, len(names) - 1), min_size=n, max_size=n)
    dtype = object if kind == "words" else None
    true, predicted = (np.array([names[code] for code in draw(codes)], dtype) for _ in range(2))
    weights = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
    weight = draw(st.none() | weights)
    task: dict[str, Any] = {"y_true": true, "y_pred": predicted, "weight": weight, "metrics": SUMS}
    if draw(st.booleans()):
        task["labels"] = names
    if draw(st.booleans()):
        numbers = np.random.default_rng(draw(st.integers(0, 99))).integers(1, 4, (n, len(names)))
        counted = np.ones(n, bool) if weight is None else np.array(weight) > 0
        shown = set(true[counted]) | set(predicted[counted])
        if "labels" in task or len(shown) == len(names):
            proba = (numbers / numbers.sum(axis=1, keepdims=True)).astype(draw(st.sampled_from(["f4", "f8"])))
            more: list[Any] = draw(st.sampled_from([[], ["auc"], [None]]))
            task |= {"proba": proba, "metrics": None if more == [None] else PROBABLE + more}
            if "labels" in task and draw(st.booleans()):
                task["y_pred"] = None
    if draw(st.integers(0, 3)) == 0:
        values: list[Any] = draw(
            st.sampled_from([["x", "10", "9", ""], [1.5, 2.0, float("nan"), 10.0], [3, 11, -1, 0]])
        )
        task["by"] = {"city": np.array([values[draw(st.integers(0, 3))] for _ in range(n)])}
    return task


def one_call(task: dict[str, Any]) -> Any:
    return pc.evaluate_multiclass(**task)


def make(task: dict[str, Any]) -> pc.MulticlassEvaluator:
    return pc.MulticlassEvaluator(task["metrics"], labels=task.get("labels"))


def batch_of(task: dict[str, Any], rows: slice) -> dict[str, Any]:
    found = {name: part(task.get(name), rows) for name in ("y_true", "y_pred", "weight", "proba")}
    return found | ({"by": {name: column[rows] for name, column in task["by"].items()}} if "by" in task else {})


@given(tasks(), st.data())
def test_any_split_and_merge_gives_the_document_of_one_call(task: dict[str, Any], data: st.DataObject) -> None:
    batches, seed = data.draw(cuts(len(task["y_true"]))), data.draw(st.integers(0, 10**6))

    def found_in_batches() -> Any:
        return seen(
            lambda: make(task),
            lambda evaluator, rows: evaluator.update(**batch_of(task, rows)),
            batches,
            random.Random(seed),
        ).compute()

    try:
        expected = one_call(task)
    except pc.InputError:
        with pytest.raises(pc.InputError):
            found_in_batches()
        return
    found = found_in_batches()
    assert found.to_json(per_query=True) == expected.to_json(per_query=True)
    assert found.notes == expected.notes
    assert found.warnings == expected.warnings


def big(n: int = 3000) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(1)
    return random.integers(0, 9, n), random.integers(0, 11, n), random.random((n, 12))


def test_many_rows_are_added_up_and_no_longer_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MANY", 500)
    true, said, _ = big()
    evaluator = pc.MulticlassEvaluator(["accuracy", "kappa"])
    for begin in range(0, 3000, 100):
        evaluator.update(true[begin : begin + 100], said[begin : begin + 100])
        assert sum(map(len, evaluator._state._waiting)) <= 600
    scores = evaluator.compute()
    expected = pc.evaluate_multiclass(true, said, ["accuracy", "kappa"])
    assert scores.to_json() == expected.to_json()
    assert scores.per_class == expected.per_class
    with pytest.raises(pc.InputError, match="needs the rows"):
        _ = scores.evidence.rows
    with pytest.raises(pc.InputError, match="needs the rows"):
        scores.evidence.view(scores.policies).evidence.pairs(0)


def test_probabilities_wait_until_every_class_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MANY", 1)
    proba = np.array([[0.6, 0.4], [0.3, 0.7], [0.5, 0.5], [0.9, 0.1]])
    evaluator = pc.MulticlassEvaluator(["logloss", "top_k_accuracy@1"])
    for row in (1, 3, 0, 2):
        evaluator.update([["a", "b", "a", "b"][row]], proba=proba[[row]])
    assert evaluator._state._sums is not None
    found = evaluator.compute()
    expected = pc.evaluate_multiclass(list("abab"), metrics=["logloss", "top_k_accuracy@1"], proba=proba)
    assert found.to_json() == expected.to_json()
    assert found.notes == expected.notes
    with pytest.raises(pc.InputError, match="proba has 2 columns, but there are 3 classes"):
        evaluator.update(["c"], proba=proba[[0]]).compute()


def test_columns_that_mean_other_classes_are_not_merged() -> None:
    proba = np.array([[0.6, 0.4], [0.3, 0.7]])
    one, other = (
        pc.MulticlassEvaluator.from_bytes(pc.MulticlassEvaluator("logloss").update(list(names), proba=proba).to_bytes())
        for names in ("ab", "ac")
    )
    before = one.compute().to_json()
    with pytest.raises(pc.InputError, match="proba has 2 columns, but there are 3 classes"):
        one.merge(other)
    assert one.compute().to_json() == before


def test_fractional_weights_agree() -> None:
    true, said, _ = big()
    weight = np.random.default_rng(2).random(3000)
    expected = pc.evaluate_multiclass(true, said, SUMS[:3], weight=weight)
    evaluator = pc.MulticlassEvaluator(SUMS[:3])
    for begin in range(0, 3000, 1000):
        rows = slice(begin, begin + 1000)
        piece = pc.MulticlassEvaluator(SUMS[:3]).update(true[rows], said[rows], weight=weight[rows])
        evaluator.merge(pc.MulticlassEvaluator.from_bytes(piece.to_bytes()))
    assert dict(evaluator.compute()) == pytest.approx(dict(expected), rel=1e-12)


def test_intervals_of_batches() -> None:
    true, said, _ = big(60)
    options: dict[str, Any] = {"ci": 0.9, "samples": 20, "seed": 3}
    expected = pc.evaluate_multiclass(true, said, ["accuracy"], **options)
    evaluator = pc.MulticlassEvaluator(["accuracy"], **options)
    evaluator.update(true[40:], said[40:]).update(true[:40], said[:40])
    assert pc.Evaluator.from_bytes(evaluator.to_bytes()).compute().to_json() == expected.to_json()


def test_a_buffer_may_be_used_again() -> None:
    proba, true = np.array([[0.9, 0.1]]), np.array([0])
    evaluator = pc.MulticlassEvaluator(["logloss(eps=0.01)"], labels=[0, 1])
    evaluator.update(true, proba=proba)
    proba[:] = [[0.2, 0.8]]
    true[:] = 1
    evaluator.update(true, proba=proba)
    both = np.array([[0.9, 0.1], [0.2, 0.8]])
    assert dict(evaluator.compute()) == dict(
        pc.evaluate_multiclass([0, 1], metrics="logloss(eps=0.01)", proba=both, labels=[0, 1])
    )


def test_settings_travel() -> None:
    evaluator = pc.MulticlassEvaluator(
        ["f1", "accuracy"], labels=np.array([2, 1]), convention="sklearn", undefined="zero", min_n=3, threads=1
    )
    again = pc.Evaluator.from_bytes(evaluator.to_bytes())
    assert isinstance(again, pc.MulticlassEvaluator)
    assert again.settings == evaluator.settings
    assert again.request.metrics == evaluator.request.metrics
    batch = ([1, 2, 1], [1, 1, 1])
    expected = pc.evaluate_multiclass(*batch, ["f1", "accuracy"], labels=[2, 1], convention="sklearn", undefined="zero")
    assert again.update(*batch).compute().to_json() == expected.to_json()
    usual = pc.MulticlassEvaluator(convention="sklearn")
    expected = pc.evaluate_multiclass(*batch, convention="sklearn")
    assert pc.Evaluator.from_bytes(usual.to_bytes()).update(*batch).compute().to_json() == expected.to_json()


def test_a_signature_travels() -> None:
    batch: dict[str, Any] = {"y_true": [1, 2, 1], "y_pred": [1, 1, 1], "weight": [1, 2, 1]}
    signature = pc.evaluate_multiclass(**batch, metrics="f1(average=weighted)").signature("f1(average=weighted)")
    evaluator = pc.Evaluator.from_bytes(pc.MulticlassEvaluator([signature]).to_bytes())
    expected = pc.evaluate_multiclass(**batch, metrics=[signature])
    assert evaluator.update(**batch).compute().to_json() == expected.to_json()
    with pytest.raises(pc.InputError, match="weight:given, here it is weight:none"):
        evaluator.reset().update([1], [1]).compute()


FIRST: dict[str, Any] = {"y_true": ["a", "b"], "y_pred": ["a", "a"]}
PROBA = np.array([[0.5, 0.5], [0.1, 0.9]])


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        (FIRST, {"y_true": [1, 2], "y_pred": [1, 2]}, "labels: strings in the first batch, integers in this one"),
        (
            {"y_true": [1], "y_pred": [1]},
            {"y_true": [True], "y_pred": [True]},
            "integers in the first batch, truth values",
        ),
        (FIRST, FIRST | {"weight": [1, 2]}, "weights: none in the first batch, given in this one"),
        (FIRST, {"y_true": ["a", "b"], "proba": PROBA}, "predicted labels: given in the first batch, none"),
        (
            FIRST | {"proba": PROBA},
            FIRST | {"proba": PROBA.astype("f4")},
            "probabilities: float64 × 2 in the first batch, float32 × 2 in this one",
        ),
        (FIRST | {"by": {"x": ["u", "v"]}}, FIRST, "columns to slice by: x in the first batch, none in this one"),
        (FIRST | {"by": {"x": ["u", "v"]}}, FIRST | {"by": {"x": [1, 2]}}, "by 'x': words in the first batch, numbers"),
    ],
)
def test_another_shape_than_the_first(first: dict[str, Any], then: dict[str, Any], said: str) -> None:
    evaluator = pc.MulticlassEvaluator(["accuracy"]).update(**first)
    before = evaluator.compute().to_json()
    with pytest.raises(pc.InputError, match=said):
        evaluator.update(**then)
    with pytest.raises(pc.InputError, match=said):
        evaluator.merge(pc.MulticlassEvaluator(["accuracy"]).update(**then))
    assert evaluator.compute().to_json() == before


def test_what_cannot_be_computed() -> None:
    evaluator = pc.MulticlassEvaluator(["accuracy"])
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        evaluator.compute()
    evaluator.update(["a"], ["a"], weight=[0])
    with pytest.raises(pc.InputError, match="all weights are 0"):
        evaluator.compute()
    again = pc.Evaluator.from_bytes(evaluator.to_bytes())
    with pytest.raises(pc.InputError, match="all weights are 0"):
        again.compute()
    assert again.update(["b"], ["b"], weight=[2]).compute()["accuracy"] == 1
    with pytest.raises(EmptyInputError):
        again.reset().compute()
    with pytest.raises(pc.InputError, match="is not among labels"):
        pc.MulticlassEvaluator(labels=["a"]).update(["b"], ["a"])


def test_evaluators_that_differ() -> None:
    accuracy = pc.MulticlassEvaluator(["accuracy"]).update(["a"], ["a"])
    for other, said in (
        (pc.MulticlassEvaluator(["mcc"]), "differ in metrics"),
        (pc.MulticlassEvaluator(["accuracy"], undefined="zero"), "differ in policies"),
        (pc.MulticlassEvaluator(["accuracy"], labels=["a"]), "differ in labels"),
    ):
        with pytest.raises(pc.InputError, match=said):
            accuracy.merge(other)
    assert accuracy.merge(pc.MulticlassEvaluator("accuracy", threads=1)).compute()["accuracy"] == 1


def test_a_metric_that_no_name_gives_back() -> None:
    precision = pc.registry("multiclass")["precision"](label="a, b")
    evaluator = pc.MulticlassEvaluator([precision]).update(["a, b"], ["a, b"])
    assert list(evaluator.compute().values()) == [1]
    with pytest.raises(pc.InputError, match="no name gives this metric back"):
        evaluator.to_bytes()
