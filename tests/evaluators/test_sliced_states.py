"""Slices from sums of each: the document of slices of rows, however rows are spread over states that are merged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.inputs.data import RowData
from pingce.request import Request
from pingce.run.states.sliced import SlicedState
from pingce.run.states.tables import slices_from
from pingce.tasks import TASKS

METRICS = {
    "binary": ["auc", "logloss", "f1", "pcoc", "ks", "ece", "pr_auc"],
    "multiclass": ["accuracy", "f1(average=macro)", "f1(average=none)", "kappa", "mcc"],
    "regression": ["mae", "rmse", "r2", "max_error"],
}


def columns(task: str, rows: int, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    truth, prediction = random.integers(0, 2, rows), np.round(random.random(rows), 1)
    if task == "multiclass":
        truth, prediction = (np.array(list("abc"))[random.integers(0, 3, rows)] for _ in range(2))
    slices = np.array(["x", "10", "9", ""])[random.integers(0, 4, rows)]
    slices[0] = "x"
    return {
        "truth": truth,
        "prediction": prediction,
        "weight": random.integers(0, 2, rows).astype(float) + (np.arange(rows) == 0),
        "slices": slices,
        "days": 1_763_300_000 + random.integers(0, 3, rows) * 86_400,
        "share": np.round(random.random(rows).astype(np.float32), 1),
        "group": random.integers(0, 6, rows),
    }


@pytest.mark.sweep
@given(st.sampled_from(list(METRICS)), st.integers(1, 60), st.integers(1, 4), st.booleans(), st.booleans())
def test_the_document_of_slices_of_rows(task: str, rows: int, workers: int, weighted: bool, grouped: bool) -> None:
    table = columns(task, rows, rows)
    grouped = grouped and task == "binary"
    metrics = METRICS[task] + (["gauc"] if grouped else [])
    by = {"word": table["slices"], "day:1d": table["days"], "share": table["share"]}
    given_columns = {"weight": table["weight"] if weighted else None} | ({"group": table["group"]} if grouped else {})
    more: dict[str, Any] = {"positive": 1} if task == "binary" else {}
    evaluate = getattr(pc, f"evaluate_{task}")
    local = evaluate(table["truth"], table["prediction"], metrics, by=by, **given_columns, **more)
    request = Request.of(task, metrics, split="never", threads=1, **more)
    kind = TASKS[task].load("evaluator")

    def evaluator() -> Any:
        return kind.over(SlicedState(request))

    whole = evaluator()
    for worker in range(workers):
        mine = np.flatnonzero(table["group"] % workers == worker)
        if len(mine):
            part = evaluator()
            named = {name: column[mine] for name, column in given_columns.items() if column is not None}
            part.update(
                table["truth"][mine],
                table["prediction"][mine],
                by={name: column[mine] for name, column in by.items()},
                **named,
            )
            whole.merge(kind.from_bytes(part.to_bytes()))
    assert whole.score().to_json() == local.to_json()


def test_bad_slices() -> None:
    request = Request.of("regression", ["mae"])
    state = SlicedState(request)
    state.add(state.read(RowData(np.arange(3), np.arange(3), by={"a": [None, None, None]})))
    with pytest.raises(InputError, match="by 'a' has no value in any row"):
        state.score()
    many = SlicedState(request)
    for first in (0, 600):
        many.add(many.read(RowData(np.arange(600), np.arange(600), by={"a": np.arange(first, first + 600)})))
    with pytest.raises(InputError, match="by 'a' has 1200 different values, too many for slices"):
        many.score()


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["x", "x"]),
        pa.array(["x", None]),
        pa.array([None, None], pa.string()),
        pa.array([["x"], ["y"]]),
        pa.array([{"x": 1}, {"x": 2}]),
    ],
    ids=["twice", "none", "only none", "lists", "records"],
)
def test_slices_of_a_state_that_are_none(values: pa.Array) -> None:
    good = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["x", "y"]))
    (partition,) = slices_from(pa.table({"by.a": good}))
    assert list(partition.values) == ["x", "y"]
    with pytest.raises(InputError, match=r"'by\.a' holds odd slices"):
        slices_from(pa.table({"by.a": pa.DictionaryArray.from_arrays(pa.array([0, 1]), values)}))
    with pytest.raises(InputError, match=r"column 'by\.a' is not one of slices"):
        slices_from(pa.table({"by.a": ["x", "y"]}))
