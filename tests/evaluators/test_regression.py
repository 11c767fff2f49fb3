"""Numbers in batches give the numbers of one call."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import EmptyInputError
from pingce.request import Request
from pingce.run.states import rows as waiting
from pingce.tasks import TASKS

from .splits import cuts, part, seen

SUMS = ["mae", "rmse", "r2", "max_error", "mape", "smape", "wmape", "msle", "pearson", "explained_variance"]
SOME = [["mae"], ["mae", "rmse", "r2"], SUMS, ["medae", "spearman", "mae"], None]


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Columns of a call, and its metrics."""
    n = draw(st.integers(1, 30))
    numbers = st.floats(0, 1e6) | st.sampled_from([0.0, 1e-300, 0.1])
    columns = st.lists(numbers, min_size=n, max_size=n)
    task: dict[str, Any] = {"y_true": draw(columns), "y_pred": draw(columns), "metrics": draw(st.sampled_from(SOME))}
    weights = st.lists(st.integers(0, 3) | st.floats(0.1, 9), min_size=n, max_size=n).filter(any)
    task["weight"] = draw(st.none() | weights)
    if draw(st.integers(0, 3)) == 0:
        values: list[Any] = draw(
            st.sampled_from([["x", "10", "9", ""], [1.5, 2.0, float("nan"), 10.0], [3, 11, -1, 0]])
        )
        task["by"] = {"city": np.array([values[draw(st.integers(0, 3))] for _ in range(n)])}
    return task


def make(task: dict[str, Any]) -> pc.RegressionEvaluator:
    return pc.RegressionEvaluator(task["metrics"])


def batch_of(task: dict[str, Any], rows: slice) -> dict[str, Any]:
    found = {name: part(task[name], rows) for name in ("y_true", "y_pred", "weight")}
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
        expected = pc.evaluate_regression(**task)
    except pc.InputError:
        with pytest.raises(pc.InputError):
            found_in_batches()
        return
    found = found_in_batches()
    assert found.to_json(per_query=True) == expected.to_json(per_query=True)


def test_many_rows_are_added_up_and_no_longer_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MANY", 500)
    true, said = np.random.default_rng(1).normal(size=(2, 3000))
    evaluator = pc.RegressionEvaluator(["mae", "r2"])
    for begin in range(0, 3000, 100):
        evaluator.update(true[begin : begin + 100], said[begin : begin + 100])
        assert sum(map(len, evaluator._state._waiting)) <= 600
    scores = evaluator.compute()
    assert scores.to_json() == pc.evaluate_regression(true, said, ["mae", "r2"]).to_json()
    with pytest.raises(pc.InputError, match="needs the rows"):
        _ = scores.data


def test_intervals_of_batches() -> None:
    true, said = np.random.default_rng(1).normal(size=(2, 60))
    options: dict[str, Any] = {"ci": 0.9, "samples": 20, "seed": 3}
    expected = pc.evaluate_regression(true, said, ["mae"], **options)
    evaluator = pc.RegressionEvaluator(["mae"], **options)
    evaluator.update(true[40:], said[40:]).update(true[:40], said[:40])
    assert pc.Evaluator.from_bytes(evaluator.to_bytes()).compute().to_json() == expected.to_json()


def test_a_buffer_may_be_used_again() -> None:
    true, said = np.array([1.0]), np.array([2.0])
    evaluator = pc.RegressionEvaluator(["mae"]).update(true, said)
    said[:] = 5
    assert evaluator.update(true, said).compute()["mae"] == 2.5


def test_tables_and_slices_of_batches() -> None:
    table: dict[str, list[Any]] = {"y": [1.0, 2.0, 3.0], "p": [1.0, 1.0, 1.0], "city": ["b", "a", None]}
    evaluator = pc.RegressionEvaluator(["mae"])
    for row in range(3):
        evaluator.update("y", "p", data={name: [column[row]] for name, column in table.items()}, by="city")
    expected = pc.evaluate_regression("y", "p", ["mae"], data=table, by="city")
    assert evaluator.compute().to_json() == expected.to_json()
    nothing = pc.RegressionEvaluator(["mae"]).update([1], [1], by={"x": [None]})
    with pytest.raises(pc.InputError, match="by 'x' has no value in any row"):
        nothing.compute()


def test_the_place_of_a_bad_row_in_a_batch() -> None:
    evaluator = pc.RegressionEvaluator(["msle"]).update([1, 2], [1, 2]).update([1, -3], [1, 2]).update([1], [2])
    with pytest.raises(pc.InputError, match="row 1 of y_true in batch 2: "):
        evaluator.compute()


def test_another_shape_than_the_first_and_nothing_at_all() -> None:
    evaluator = pc.RegressionEvaluator(["mae"])
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        evaluator.compute()
    evaluator.update([1], [1])
    with pytest.raises(pc.InputError, match="weights: none in the first batch, given in this one"):
        evaluator.update([1], [1], weight=[1])
    with pytest.raises(pc.InputError, match="columns to slice by: none in the first batch, x in this one"):
        evaluator.update([1], [1], by={"x": [1]})
    with pytest.raises(pc.InputError, match="differ in metrics"):
        evaluator.merge(pc.RegressionEvaluator(["rmse"]))
    with pytest.raises(pc.InputError, match="cannot be merged with itself"):
        evaluator.merge(evaluator)
    with pytest.raises(pc.InputError, match="MulticlassEvaluator cannot be merged into a RegressionEvaluator"):
        evaluator.merge(pc.MulticlassEvaluator(["accuracy"]))  # type: ignore[arg-type]
    assert evaluator.compute()["mae"] == 0


def test_weights_that_are_all_0() -> None:
    evaluator = pc.RegressionEvaluator(["mae"]).update([1], [3], weight=[0])
    for one in (evaluator, pc.Evaluator.from_bytes(evaluator.to_bytes())):
        with pytest.raises(pc.InputError, match="all weights are 0"):
            one.compute()
        assert one.update([1], [2], weight=[2]).compute()["mae"] == 1


@pytest.mark.parametrize("task", ["regression", "multiclass"])
def test_a_state_made_from_another_has_usual_metrics_of_its_own(task: str) -> None:
    kind = TASKS[task].load("state")
    name = kind.usual[1]
    own = type("Own", (kind,), {"usual": (name,)})(Request.of(task))
    assert [metric.name for metric in own.metrics] == [name]
