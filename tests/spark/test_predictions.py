"""Labels and scores, classes and numbers on two workers: the bytes of one machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.spark import evaluate_binary, evaluate_multiclass, evaluate_regression

from .made import classes, clicks, frame

BINARY: dict[str, dict[str, Any]] = {
    "usual": {"label": "click", "score": "pctr"},
    "groups": {"label": "click", "score": "pctr", "group": "user"},
    "weights": {"label": "word", "score": "single", "group": "name", "weight": "weight", "positive": "yes",
                "metrics": ["auc", "gauc(by=clicks)", "gauc(by=revenue)", "logloss", "f1", "ks", "pr_auc"], "threshold": 0.4},
    "bins": {"label": "click", "score": "pctr", "bins": 256, "metrics": ["auc", "ks", "logloss"]},
    "tool": {"label": "click", "score": "single", "convention": "sklearn"},
}  # fmt: skip


@pytest.mark.parametrize("case", BINARY)
def test_labels_and_scores(spark: Any, case: str) -> None:
    table, options = clicks(), dict(BINARY[case])
    metrics, label, score = (options.pop(name, None) for name in ("metrics", "label", "score"))
    found = evaluate_binary(frame(spark, table), metrics, label=label, score=score, **options)
    local = pc.evaluate_binary(label, score, metrics, data=table, **options)
    assert found.to_json(per_query=True) == local.to_json(per_query=True)
    if case == "groups":
        assert found.per_group.orderBy("group").toArrow().to_pydict() == local.per_group.to_pydict()
    if case == "usual":
        assert found.curve("roc").to_arrow() == local.curve("roc").to_arrow()


def test_more_scores_than_the_driver_takes(spark: Any) -> None:
    table = clicks()
    local = pc.evaluate_binary("click", "pctr", ["auc", "logloss"], data=table)
    found = evaluate_binary(frame(spark, table), ["auc", "logloss"], distinct=100)
    assert dict(found) == dict(local)
    table_of_all = local.evidence.thresholds
    points, complete = found.evidence.curve_table()
    assert not complete
    places = np.searchsorted(-table_of_all.score, -points.score)
    assert 2 < len(points) <= 1000
    for name in ("score", "tp", "fp"):
        assert np.array_equal(getattr(points, name), getattr(table_of_all, name)[places])
    assert points.tp[-1] == table_of_all.tp[-1]
    with pytest.raises(InputError, match=r"needs the table of all \d+ distinct scores .* distinct=100"):
        evaluate_binary(frame(spark, table), ["ks"], distinct=100)


@pytest.mark.parametrize("given", ["labels", "array", "columns"])
def test_classes(spark: Any, given: str) -> None:
    table = classes()
    names = ["p0", "p1", "p2"]
    proba = {"labels": None, "array": "proba", "columns": names}[given]
    matrix = None if proba is None else np.stack([table.column(name).to_numpy() for name in names], axis=1)
    options: dict[str, Any] = {} if proba is None else {"labels": ["cat", "dog", "eel"]}
    metrics = None if proba is None else ["accuracy", "logloss", "top_k_accuracy@2", "f1(average=none)"]
    metrics = metrics if given != "columns" else None
    weight = "weight" if given == "labels" else None
    prediction = "pred" if given == "labels" else None
    found = evaluate_multiclass(
        frame(spark, table), metrics, label="true", prediction=prediction, proba=proba, weight=weight, **options
    )
    local = pc.evaluate_multiclass("true", prediction, metrics, data=table, proba=matrix, weight=weight, **options)
    assert found.to_json() == local.to_json()


def test_numbers(spark: Any) -> None:
    table = classes()
    found = evaluate_regression(frame(spark, table), label="y", prediction="y_pred", weight="weight")
    assert found.to_json() == pc.evaluate_regression("y", "y_pred", data=table, weight="weight").to_json()
    metrics = ["medae", "spearman", "mae"]
    found = evaluate_regression(frame(spark, table), metrics, label="y", prediction="y_pred")
    assert found.to_json() == pc.evaluate_regression("y", "y_pred", metrics, data=table).to_json()


def test_pairs_of_numbers(spark: Any) -> None:
    """The whole by distinct pairs of numbers, groups where their rows meet; too many pairs are refused."""
    rng = np.random.default_rng(8)
    true = rng.integers(0, 30, 400).astype(float)
    columns = {"y": true, "y_pred": true + rng.integers(-9, 9, 400), "user": rng.integers(0, 25, 400)}
    table = pa.table({**columns, "weight": rng.integers(1, 4, 400).astype(float), "money": rng.random(400)})
    metrics = ["xauc", "xauc(pairs=all,tied=wrong,both=right)", "kendall", "normalized_gini", "d2_pinball", "ccc"]
    metrics += ["xgauc", "xgauc(by=pairs)", "xgauc(by=money)", "nrmse(by=range)"]
    names: dict[str, Any] = {"label": "y", "prediction": "y_pred", "group": "user"}
    found = evaluate_regression(frame(spark, table), metrics, **names)
    local = pc.evaluate_regression("y", "y_pred", metrics, data=table, group="user")
    assert found.to_json(per_query=True) == local.to_json(per_query=True)
    heavy = evaluate_regression(frame(spark, table), metrics[:4], weight="weight", **names)
    local = pc.evaluate_regression("y", "y_pred", metrics[:4], data=table, group="user", weight="weight")
    assert heavy.to_json() == local.to_json()
    with pytest.raises(InputError, match=r"xauc over all rows needs the distinct pairs .* more than distinct=5; round"):
        evaluate_regression(frame(spark, table), ["xauc"], label="y", prediction="y_pred", distinct=5)


def test_data_that_change_between_two_passes(spark: Any, tmp_path: Path) -> None:
    folder = str(tmp_path)

    def growing(batches: Iterator[Any]) -> Iterator[Any]:
        for _ in batches:
            pass
        Path(folder, str(len(list(Path(folder).iterdir())))).touch()
        rows = 10 * len(list(Path(folder).iterdir()))
        yield pa.record_batch({"label": np.arange(rows) % 2, "score": np.linspace(0, 1, rows)})

    data = spark.range(1, numPartitions=1).mapInArrow(growing, "label long, score double")
    with pytest.raises(InputError, match="changed between two passes: positives were 5, now they are 10; persist"):
        evaluate_binary(data, ["auc"])
