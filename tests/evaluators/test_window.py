"""Evaluators that look back a number of rows: the document of evaluating the last rows at once, however they came."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError

TASKS: dict[str, tuple[type[Any], Any]] = {
    "binary": (pc.BinaryEvaluator, pc.evaluate_binary),
    "multiclass": (pc.MulticlassEvaluator, pc.evaluate_multiclass),
    "regression": (pc.RegressionEvaluator, pc.evaluate_regression),
}


def columns(task: str, rows: int, seed: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, rows) if task == "binary" else np.array(list("abcd"))[random.integers(0, 4, rows)]
    prediction = random.random(rows) if task == "binary" else np.array(list("abcd"))[random.integers(0, 4, rows)]
    if task == "regression":
        truth, prediction = random.normal(size=rows), random.normal(size=rows)
    more = {
        "weight": random.integers(0, 3, rows).astype(float),
        "by": np.array(["1", "10", "x", "2"])[np.sort(random.integers(0, 4, rows))],
    }
    if task == "binary":
        more["group"] = random.integers(0, 5, rows)
    return (truth, prediction), more


@given(
    st.sampled_from(list(TASKS)),
    st.integers(1, 60),
    st.integers(1, 80),
    st.lists(st.integers(0, 60), max_size=6),
    st.sets(st.sampled_from(["weight", "by", "group"])),
    st.sampled_from([None, 0.9]),
    st.integers(0, 2),
)
def test_the_document_of_the_last_rows(
    task: str, rows: int, window: int, cuts: list[int], chosen: set[str], ci: float | None, travel: int
) -> None:
    kind, evaluate = TASKS[task]
    plain, more = columns(task, rows, rows + 100 * window)
    more = {name: column for name, column in more.items() if name in chosen}
    if "weight" in more:
        more["weight"][-1] = 2.0
    options: dict[str, Any] = {"ci": ci, "samples": 20} | ({"positive": 1} if task == "binary" else {})
    evaluator = kind(window=window, **options)
    parts = np.split(np.arange(rows), sorted(cut for cut in cuts if cut < rows))
    for place, part in enumerate(parts):
        batch = [column[part] for column in plain], {name: column[part] for name, column in more.items()}
        if place % 3 == 2:
            evaluator.merge(kind(window=window, **options).update(*batch[0], **batch[1]))
        else:
            evaluator.update(*batch[0], **batch[1])
        if travel == 1:
            evaluator = kind.from_bytes(evaluator.to_bytes())
        if travel == 2 and evaluator.rows_seen and ("weight" not in more or more["weight"][part].any()):
            evaluator.compute()
    last = [column[-window:] for column in plain], {name: column[-window:] for name, column in more.items()}
    expected, found = evaluate(*last[0], **last[1], **options), evaluator.compute()
    words = [note for note in found.notes if "window=" in note.en]
    assert bool(words) == (rows < window)
    found.notes = tuple(note for note in found.notes if note not in words)
    assert found.to_json() == expected.to_json()
    assert evaluator.rows_seen == min(rows, window)


def test_labels_that_slid_out_are_forgotten() -> None:
    evaluator = pc.BinaryEvaluator(["accuracy"], window=3, positive=2)
    evaluator.update([1, 2, 1, 2], [0.1, 0.9, 0.2, 0.8]).update([3, 2, 3], [0.1, 0.9, 0.2])
    assert (
        evaluator.compute().to_json()
        == pc.evaluate_binary([3, 2, 3], [0.1, 0.9, 0.2], ["accuracy"], positive=2).to_json()
    )
    classes = pc.MulticlassEvaluator(["accuracy"], window=2).update(list("abcab"), list("abbab"))
    assert classes.compute().to_json() == pc.evaluate_multiclass(list("ab"), list("ab"), ["accuracy"]).to_json()


def test_a_window_larger_than_the_data_is_said() -> None:
    scores = pc.RegressionEvaluator(["mae"], window=1000).update([1, 2], [1, 3]).compute()
    assert scores["mae"] == 0.5
    assert [note.en for note in scores.notes] == ["window=1000: no more than 2 rows were seen, and all of them count"]
    assert [note.zh for note in scores.notes] == ["window=1000：目前只有 2 行，全部计入"]


@pytest.mark.parametrize("window", [0, -1, 2.5, True, "all"])
@pytest.mark.parametrize("task", TASKS)
def test_windows_that_are_none(task: str, window: Any) -> None:
    with pytest.raises(InputError, match=r"it is how many of the last rows count, a whole number from 1 up"):
        TASKS[task][0](window=window)


def test_windows_must_be_alike_to_be_merged() -> None:
    with pytest.raises(InputError, match="the evaluators differ in window: 5 here, None there"):
        pc.RegressionEvaluator(window=5).merge(pc.RegressionEvaluator().update([1], [1]))


def test_memory_is_that_of_the_window() -> None:
    evaluator = pc.RegressionEvaluator(["mae"], window=100)
    for _ in range(50):
        evaluator.update(np.zeros(40), np.ones(40))
    assert len(evaluator.to_bytes()) < 8_000
