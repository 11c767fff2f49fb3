"""Slices and intervals of predictions on Spark: the bytes of one machine, however rows are spread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce import spark as ps
from pingce.base.errors import InputError

from .made import classes, clicks, frame


def with_slices(table: pa.Table) -> pa.Table:
    """The table with a column of words that some rows lack, one of numbers, and times."""
    random = np.random.default_rng(9)
    device = random.choice(np.array(["app", "web", ""]), len(table))
    hours = 1_763_300_000 + random.integers(0, 72, len(table)) * 3600
    return (
        table.append_column("device", pa.array([word or None for word in device.tolist()]))
        .append_column("place", pa.array(random.integers(1, 12, len(table))))
        .append_column("at", pa.array(hours))
        .append_column("stamp", pa.array(hours).cast(pa.timestamp("us", tz="UTC")))
    )


CLICKS: dict[str, Any] = {"label": "click", "score": "pctr"}
ANIMALS = {"label": "true", "prediction": "pred"}
NUMBERS = {"label": "y", "prediction": "y_pred"}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "clicks by words": ("binary", CLICKS | {"by": "device"}),
    "clicks by numbers and days": ("binary", CLICKS | {"by": ["place", "at:1d", "stamp:12h@Asia/Shanghai"], "group": "user"}),
    "clicks by activity": ("binary", CLICKS | {"by": "activity", "group": "user"}),
    "clicks with weights": ("binary", {"label": "word", "positive": "yes", "score": "single", "weight": "weight", "by": "at:1d", "metrics": ["auc", "logloss", "f1"]}),
    "clicks with intervals": ("binary", CLICKS | {"ci": 0.9, "samples": 50, "group": "user"}),
    "clicks with intervals of many metrics": ("binary", {"label": "word", "positive": "no", "score": "single", "ci": 0.95, "samples": 40, "metrics": ["auc", "pr_auc", "ks", "logloss", "brier", "pcoc", "ne", "ece", "accuracy", "f1", "mcc"]}),
    "clicks with weights and intervals": ("binary", CLICKS | {"ci": 0.9, "samples": 50, "weight": "weight", "metrics": ["auc", "pr_auc", "logloss", "f1", "ks", "ece"]}),
    "clicks with both": ("binary", CLICKS | {"ci": 0.95, "samples": 30, "by": ["device", "stamp:1d"], "min_n": 100}),
    "gaps": ("binary", CLICKS | {"metrics": ["gap(of=auc,by=device)", "auc"], "ci": 0.9, "samples": 30}),
    "classes": ("multiclass", ANIMALS | {"by": ["device", "at:1w"], "ci": 0.95, "samples": 30}),
    "classes by slices": ("multiclass", ANIMALS | {"by": ["device", "place"], "weight": "weight"}),
    "numbers": ("regression", NUMBERS | {"by": "stamp:1d", "ci": 0.95, "samples": 30, "metrics": ["mae", "rmse", "medae", "spearman"]}),
    "numbers by slices": ("regression", NUMBERS | {"by": ["device", "at:1d"], "weight": "weight"}),
    "numbers by slices without weights": ("regression", NUMBERS | {"by": "device", "metrics": ["medae", "spearman", "mae"]}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_document_of_one_machine(spark: Any, case: str) -> None:
    task, given = CASES[case]
    options, table = dict(given), with_slices(clicks(1500) if task == "binary" else classes(900))
    metrics, label = options.pop("metrics", None), options.pop("label")
    prediction = options.pop("score" if task == "binary" else "prediction")
    named = {"label": label, "score" if task == "binary" else "prediction": prediction}
    found = getattr(ps, f"evaluate_{task}")(frame(spark, table), metrics, **named, **options)
    local = getattr(pc, f"evaluate_{task}")(label, prediction, metrics, data=table, **options)
    assert found.to_json() == local.to_json()


def test_slices_of_more_scores_than_the_driver_takes(spark: Any) -> None:
    table = with_slices(clicks(1500))
    metrics = ["auc", "logloss", "accuracy"]
    found = ps.evaluate_binary(frame(spark, table), metrics, **CLICKS, by=["device", "at:1d"], distinct=100)
    local = pc.evaluate_binary("click", "pctr", metrics, data=table, by=["device", "at:1d"])
    assert found.slices is not None
    assert local.slices is not None
    assert found.slices.to_dict() == local.slices.to_dict()


def test_bad_input(spark: Any) -> None:
    table = with_slices(clicks(200))
    data = frame(spark, table)
    for options, words in (
        ({"by": "town"}, "has no column 'town'"),
        ({"by": "word:1d"}, r"the DataFrame, row \(.*word='(yes|no)'.*\): column 'word' of the DataFrame is '(yes|no)', which cannot be read as a time"),
        ({"by": "at:1m"}, "'1m' is no width of time"),
        ({"ci": 2}, "ci=2: it is the confidence"),
        ({"ci": 0.95, "collect": 100, "by": "device"}, "ci= needs the columns that are evaluated of all 200 rows on the driver, and collect=100"),
        ({"ci": 0.95, "collect": 100, "metrics": ["logloss"]}, "needs labels and scores of all 200 rows on the driver, and collect=100"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            ps.evaluate_binary(data, **{"metrics": ["auc"]} | CLICKS | options)
