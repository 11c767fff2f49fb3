"""Expressions of polars: each has the number of the function of pingce whose name it has, in every context."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import pingce as pc
import pingce.polars as pp

RANDOM = np.random.default_rng(7)
FRAME = pl.DataFrame({
    "user": RANDOM.integers(0, 4, 300),
    "y": RANDOM.integers(0, 2, 300),
    "p": RANDOM.integers(0, 20, 300) / 20,
    "d": RANDOM.integers(0, 2, 300),
    "n": RANDOM.normal(size=300) + 3,
    "m": RANDOM.normal(size=300) + 3,
    "w": RANDOM.integers(1, 4, 300),
})  # fmt: skip
OF_NUMBERS = [name for name in pp.__all__ if list(inspect.signature(getattr(pc, name)).parameters)[1] == "y_pred" and "positive" not in inspect.signature(getattr(pc, name)).parameters and name not in ("accuracy", "balanced_accuracy", "kappa", "mcc")]  # fmt: skip


def columns(name: str) -> tuple[str, ...]:
    if name in OF_NUMBERS:
        return "n", "m"
    scored = "y_score" in inspect.signature(getattr(pc, name)).parameters
    return ("y", "p") if scored else ("y", "d")


@pytest.mark.parametrize("name", pp.__all__)
def test_each_expression_has_the_number_of_its_function(name: str) -> None:
    truth, guess = columns(name)
    more: dict[str, Any] = {"group": "w"} if name == "gauc" else {"positive": 1} if name in ("precision", "recall", "f1", "fbeta", "specificity", "jaccard") else {}  # fmt: skip
    more |= {"beta": 2.0} if name == "fbeta" else {}
    options: dict[str, Any] = {key: FRAME[value] if key == "group" else value for key, value in more.items()}
    whole = FRAME.select(getattr(pp, name)(truth, guess, **more))
    assert whole.columns == [name]
    assert whole.item() == getattr(pc, name)(FRAME[truth], FRAME[guess], **options)
    parts = FRAME.group_by("user").agg(getattr(pp, name)(truth, guess, **more).alias("value"))
    for user, value in parts.iter_rows():
        part = FRAME.filter(pl.col("user") == user)
        inner = {key: part[more[key]] if key == "group" else each for key, each in options.items()}
        expected = getattr(pc, name)(part[truth], part[guess], **inner)
        assert value == expected or (math.isnan(value) and math.isnan(expected))


def test_weights_expressions_windows_and_lazy_frames() -> None:
    weighted = FRAME.lazy().select(pp.auc("y", pl.col("p") * 2, weight="w")).collect().item()
    assert weighted == pc.auc(FRAME["y"], FRAME["p"], weight=FRAME["w"])
    window = FRAME.select("user", pp.auc("y", "p").over("user"))
    assert window.unique().height == 4


def test_what_is_no_column_is_refused() -> None:
    with pytest.raises(
        pc.InputError, match=r"pingce.polars.auc: y_true is Series; give the name of a column"
    ) as problem:
        pp.auc(FRAME["y"], "p")
    assert "列名" in problem.value.text.zh
    with pytest.raises(TypeError):
        pp.auc("y")
    with pytest.raises(AttributeError, match="no attribute 'ndcg'"):
        pp.ndcg  # noqa: B018
    with pytest.raises(ValueError, match="y_true"):
        FRAME.select(pp.auc("user", "p"))


def test_names_follow_the_functions() -> None:
    assert {"auc", "gauc", "logloss", "rmse", "spearman", "f1"} <= {*pp.__all__} == {*dir(pp)}
    assert "confusion_matrix" not in pp.__all__
    assert list(inspect.signature(pp.auc).parameters) == list(inspect.signature(pc.auc).parameters)
    assert inspect.signature(pp.auc).return_annotation is pl.Expr
