"""Scores of predicted numbers: every kind of input, what is counted and said, and bad input."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.metrics.declared import registry

CHINESE = re.compile("[\u4e00-\u9fff]")
TRUE, PREDICTED = [3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0]
ROWS = {"y": TRUE, "yhat": PREDICTED, "w": [1, 2, 1, 0]}
EVERY = list(registry("regression"))


def scored(metrics: Any = None, **more: Any) -> pc.RegressionScores:
    return pc.evaluate_regression(TRUE, PREDICTED, metrics, **more)


def test_worked_example_24() -> None:
    scores = scored(["mae", "rmse"])
    assert scores["mae"] == 0.5
    assert scores["rmse"] == pytest.approx(0.6123724356958, rel=1e-12)


KINDS: dict[str, Callable[[list[float]], Any]] = {
    "list": list,
    "tuple": tuple,
    "float64": np.array,
    "float32": lambda values: np.array(values, np.float32),
    "float16": lambda values: np.array(values, np.float16),
    "big-endian": lambda values: np.array(values, ">f8"),
    "long double": lambda values: np.array(values, np.longdouble),
    "a column": lambda values: np.array(values).reshape(-1, 1),
    "decimals": lambda values: [Decimal(value) for value in values],
    "pandas": pd.Series,
    "nullable": lambda values: pd.Series(values, dtype="Float64"),
    "polars": pl.Series,
    "Arrow": pa.array,
    "chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "a generator": iter,
}


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_kind(kind: str) -> None:
    scores = pc.evaluate_regression(KINDS[kind](TRUE), KINDS[kind](PREDICTED), EVERY[:5])
    assert dict(scores) == dict(scored(EVERY[:5]))


def test_integers_and_truth_values() -> None:
    for make in (list, np.array, lambda values: np.array(values, np.uint8), pd.Series):
        scores = pc.evaluate_regression(make([1, 2, 6]), make([1, 3, 4]), ["mae", "max_error"])
        assert dict(scores) == {"mae": 1, "max_error": 2}
    assert pc.evaluate_regression([True, False], [0.5, 0.5], ["mse"])["mse"] == 0.25


def test_32_bit_numbers_are_subtracted_as_doubles() -> None:
    scores = pc.evaluate_regression(np.array([0.1], np.float32), [0.1], ["mae"])
    assert scores["mae"] == float(np.float32(0.1)) - 0.1


@pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    scores = pc.evaluate_regression(torch.tensor(TRUE), torch.tensor(PREDICTED, requires_grad=True), ["mae"])
    assert scores["mae"] == 0.5


@pytest.mark.parametrize(
    "name", ["pandas", "polars", "lazy", "arrow", "dict", "csv", "tsv", "jsonl", "parquet", "feather"]
)
def test_columns_of_a_table(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame(ROWS)
    path = tmp_path / f"rows.{name}"
    writers: dict[str, Callable[[], object]] = {
        "csv": lambda: frame.to_csv(path, index=False),
        "tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(path),
        "feather": lambda: frame.to_feather(path),
    }
    tables: dict[str, Callable[[], Any]] = {
        "pandas": lambda: frame,
        "polars": lambda: pl.DataFrame(ROWS),
        "lazy": lambda: pl.LazyFrame(ROWS),
        "arrow": lambda: pa.table(ROWS),
        "dict": lambda: ROWS,
    }
    if name in writers:
        writers[name]()
    data = path if name in writers else tables[name]()
    assert pc.evaluate_regression("y", "yhat", ["mae"], data=data)["mae"] == 0.5
    assert pc.evaluate_regression("y", "yhat", ["mae"], data=data, weight="w")["mae"] == 1.5 / 4
    assert pc.evaluate_regression("y", PREDICTED, ["mae"], data=data)["mae"] == 0.5


# What is counted, shown and said.


def test_counts() -> None:
    scores = scored(["mae", "r2"])
    assert scores.counts == {"rows": 4, "weight": None, "undefined": {"mae": 0, "r2": 0}}
    weighted = scored(["mae"], weight=[1, 2, 0.5, 0])
    assert weighted.counts == {"rows": 4, "weight": 3.5, "undefined": {"mae": 0}}
    assert weighted.find("mae").count == 4


SHARES = {"r2", "explained_variance", "pearson", "spearman", "d2_pinball", "d2_tweedie"}
PAIRS = {"xauc", "xgauc", "kendall", "normalized_gini"}
UNDEFINED = {
    "the truth is constant": ([1, 1], [1, 2], SHARES | PAIRS),
    "the prediction is constant": ([1, 2], [3, 3], {"pearson", "spearman", "kendall"}),
    "a true number is 0": ([0, 1], [1, 2], {"mape"}),
    "every true number is 0": ([0, 0], [1, 2], {"mape", "wmape", "total_ratio", "nrmse"} | SHARES | PAIRS),
    "one row": ([1], [2], SHARES | PAIRS),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_is_undefined_is_so_by_metric(name: str) -> None:
    true, predicted, wanted = UNDEFINED[name]
    scores = pc.evaluate_regression(true, predicted, EVERY, group=[7] * len(true))
    assert {metric for metric, value in scores.items() if math.isnan(value)} == wanted
    assert {metric for metric, count in scores.counts["undefined"].items() if count} == wanted
    document = json.loads(scores.to_json())
    assert {entry["name"] for entry in document["metrics"] if entry["value"] is None} == wanted


@pytest.mark.parametrize(("policy", "wanted"), [("skip", None), ("nan", None), ("zero", 0.0), ("one", 1.0)])
def test_an_undefined_value_is_what_the_policy_says(policy: str, wanted: float | None) -> None:
    of_call = pc.evaluate_regression([1, 1], [1, 2], ["r2", "mae"], undefined=policy)  # type: ignore[arg-type]
    name = f"r2(undefined={policy})"
    of_metric = pc.evaluate_regression([1, 1], [1, 2], [name, "mae"])
    for scores, metric in ((of_call, "r2"), (of_metric, name)):
        assert scores[metric] == wanted if wanted is not None else math.isnan(scores[metric])
        assert scores["mae"] == 0.5
        assert scores.counts["undefined"] == {metric: 1, "mae": 0}
        assert f"undefined:{policy}" in scores.signature(metric)


def test_an_undefined_value_may_be_an_error() -> None:
    with pytest.raises(InputError, match=r"r2 is undefined here \(the truth is constant\)"):
        pc.evaluate_regression([1, 1], [1, 2], ["r2"], undefined="error")


def test_default_metrics_look_up_and_frames() -> None:
    scores = scored()
    assert list(scores) == ["mae", "rmse", "r2", "medae", "max_error"]
    assert scores["mean_absolute_error"] == scores["MAE"] == 0.5
    assert scores.to_arrow().column_names == ["metric", "id", "value", "count", "unit", "undefined"]
    assert scores.to_pandas()["count"].tolist() == [4] * 5
    assert scores.signature("mae") == f"mae|undefined:skip|pingce:{pc.__version__}"
    assert scored(["mae"], weight=[1] * 4).signature("mae").endswith(f"|weight:given|pingce:{pc.__version__}")
    document = json.loads(scores.to_json())
    assert (document["task"], document["metrics"][0]["rows"]) == ("regression", 4)
    assert document["policies"] == {"undefined": "skip"}
    assert scores.unit_columns() == {}
    with pytest.raises(KeyError, match="'mse' was not computed"):
        scores["mse"]


def test_reading_errors() -> None:
    found = scored().diagnosis
    assert found["rmse"] == pytest.approx(math.sqrt(0.375))
    assert found["rmse_of_mean"] == pytest.approx(math.sqrt(7.296875))
    assert found["bias"] == 0.25
    assert found["text"]["en"] == (
        "RMSE 0.612372; always predicting the mean gives 2.70127: better than always predicting the mean. "
        "Predictions are too high by 0.25 on average."
    )
    assert found["text"]["zh"] == "RMSE 0.612372；一律预测均值时 RMSE 为 2.70127：优于一律预测均值。预测平均偏高 0.25。"


def test_other_readings() -> None:
    low = pc.evaluate_regression([1, 3], [0, 2]).diagnosis
    assert "no better than always predicting the mean. Predictions are too low by 1 on average." in low["text"]["en"]
    assert "并不优于一律预测均值。预测平均偏低 1。" in low["text"]["zh"]
    right = pc.evaluate_regression([1, 3], [1, 3]).diagnosis
    assert (right["rmse"], right["bias"]) == (0, 0)
    assert "on average" not in right["text"]["en"]
    assert scored(["medae"]).diagnosis == scored().diagnosis
    weighted = scored(weight=[1, 1, 1, 0]).diagnosis
    assert weighted == pc.evaluate_regression(TRUE[:3], PREDICTED[:3]).diagnosis


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_reading_errors_of_any_size(scale: float) -> None:
    true, predicted = ([value * scale for value in column] for column in (TRUE, PREDICTED))
    found = pc.evaluate_regression(true, predicted, ["mae"]).diagnosis
    assert found["rmse"] == pytest.approx(0.6123724356958 * scale, rel=1e-12)
    assert found["rmse_of_mean"] == pytest.approx(math.sqrt(7.296875) * scale, rel=1e-12)


# Bad input: one sentence in each language.

NAN, INF = math.nan, math.inf
CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "different lengths": (lambda: pc.evaluate_regression([1, 2], [1]), "y_true has 2 rows, but y_pred has 1"),
    "weights of another length": (lambda: scored(weight=[1]), "y_true has 4 rows, but weight has 1"),
    "NaN": (lambda: pc.evaluate_regression([1, NAN, NAN], [1, 1, 1]), "row 1 of y_true: y_true is nan; remove such rows or fill them in (2 in all)"),
    "infinite": (lambda: pc.evaluate_regression([1, 1], [1, -INF]), "row 1 of y_pred: y_pred is -inf"),
    "null": (lambda: pc.evaluate_regression([1.5, None, None], [1, 1, 1]), "row 1 of y_true: y_true is null; remove such rows or fill them in (2 in all)"),
    "NA": (lambda: pc.evaluate_regression([1, 1], pd.Series([1, None], dtype="Int64")), "row 1 of y_pred: y_pred is null"),
    "strings": (lambda: pc.evaluate_regression(["1", "2"], [1, 2]), "row 0 of y_true: y_true holds string, e.g. '1', but numbers are needed"),
    "mixed": (lambda: pc.evaluate_regression([1.5, "2"], [1, 2]), "y_true cannot be read as one column"),
    "dates": (lambda: pc.evaluate_regression(pd.to_datetime(["2020-01-01"]), [1]), "y_true holds timestamp"),
    "integers beyond doubles": (lambda: pc.evaluate_regression([2**60, 1], [1, 1]), "integers beyond 2^53"),
    "the row of the first": (lambda: pc.evaluate_regression([1, 2**60, -2**60], [1] * 3), f"row 1 of y_true: y_true is {2**60}; integers beyond 2^53 cannot be told apart as doubles: scale them down (2 in all)"),
    "unsigned integers beyond doubles": (lambda: pc.evaluate_regression([1, 1], np.array([1, 2**64 - 1], np.uint64)), f"row 1 of y_pred: y_pred is {2**64 - 1}"),
    "integers beyond all": (lambda: pc.evaluate_regression([2**70], [1]), "y_true cannot be read as one column"),
    "a matrix": (lambda: pc.evaluate_regression(np.zeros((2, 2)), [1, 2]), "y_true has the shape 2 × 2"),
    "a number": (lambda: pc.evaluate_regression(3, 3), "y_true cannot be read as one column (it is int)"),
    "complex numbers": (lambda: pc.evaluate_regression(np.array([1j]), [1]), "y_true cannot be read as one column"),
    "empty": (lambda: pc.evaluate_regression([], []), "y_true is empty"),
    "empty prediction": (lambda: pc.evaluate_regression([1], []), "y_pred is empty"),
    "empty table": (lambda: pc.evaluate_regression("y", "p", data=pd.DataFrame({"y": [], "p": []})), "has no rows"),
    "no table": (lambda: pc.evaluate_regression("y", "p"), "give the table too, with data="),
    "no such column": (lambda: pc.evaluate_regression("y", "yhatt", data=ROWS), "did you mean 'yhat'"),
    "negative weights": (lambda: scored(weight=[1, 1, -2, -1]), "row 2 of weight: the weight is -2; weights must be numbers from 0 up (2 are negative)"),
    "no weight at all": (lambda: scored(weight=[0] * 4), "all weights are 0"),
    "weights that are NaN": (lambda: scored(weight=[1, NAN, 1, 1]), "row 1 of weight: weight is nan"),
    "weights in words": (lambda: scored(weight=list("abcd")), "weight holds string"),
    "a difference beyond doubles": (lambda: pc.evaluate_regression([1e308], [-1e308]), "row 0 of y_true: the difference"),
    "logarithms of -1": (lambda: pc.evaluate_regression([1, -1], [1, 1], ["msle"]), "row 1 of y_true: msle and rmsle take ln(1 + v)"),
    "unknown metric": (lambda: scored(["rmsee"]), "did you mean 'rmse'"),
    "another task's metric": (lambda: scored(["ndcg@10"]), "it is a metric of rankings"),
    "a cut-off": (lambda: scored(["mae@10"]), "mae takes no @k"),
    "a parameter": (lambda: scored(["mae(beta=1)"]), "mae has no parameter 'beta'"),
    "no metric": (lambda: scored([]), "no metric was asked for"),
    "unknown policy": (lambda: scored(undefined="zeroo"), "did you mean 'zero'"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str) -> None:
    call, says = CASES[name]
    with pytest.raises(InputError) as caught:
        call()
    english, chinese = caught.value.text
    assert says in english
    assert not CHINESE.search(english)
    assert CHINESE.search(chinese)
    assert "\n" not in english + chinese


def test_a_bad_row_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("y,yhat\n1,1\n2,\n")
    with pytest.raises(InputError, match=r"rows\.csv:3: column 'yhat' of predictions rows\.csv is null"):
        pc.evaluate_regression("y", "yhat", data=path)
    path.write_text("y,yhat\n1,1\n2,x\n")
    with pytest.raises(InputError, match=r"rows\.csv:3: 'x' in column 'yhat' is not a number"):
        pc.evaluate_regression("y", "yhat", data=path)
