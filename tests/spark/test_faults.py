"""What goes wrong on a cluster is one sentence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import pingce
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.spark import evaluate_binary, evaluate_multiclass, evaluate_ranking, evaluate_regression
from pingce.spark.problems import translate_spark_errors

from .made import classes, clicks, frame, rankings


def test_nulls_are_named_by_their_column(spark: Any) -> None:
    truth, run = (frame(spark, table, 2) for table in rankings(20))
    with pytest.raises(InputError, match=r"run DataFrame, row \(user_id=None.*column 'user_id' is null"):
        evaluate_ranking(truth, run.selectExpr("if(user_id = 7, null, user_id) user_id", "item_id", "score"))
    with pytest.raises(InputError, match=r"truth DataFrame, row \(user_id=7.*column 'rel' is null"):
        evaluate_ranking(truth.selectExpr("user_id", "item_id", "if(user_id = 7, null, rel) rel"), run)
    data = frame(spark, clicks(300), 2)
    for role, name in (("label", "click"), ("score", "pctr"), ("group", "user")):
        columns = {"label": "click", "score": "pctr", "group": "user"} | {role: "odd"}
        odd = data.withColumn("odd", data[name]).selectExpr("*", f"if(user = 3, null, {name}) bad").drop("odd")
        with pytest.raises(InputError, match="column 'odd' of the DataFrame is null"):
            evaluate_binary(odd.withColumnRenamed("bad", "odd"), ["logloss"], **columns)  # type: ignore[arg-type]


def test_bad_rows_say_what_is_in_them_in_both_languages(spark: Any) -> None:
    truth, run = (frame(spark, table, 2) for table in rankings(20))
    with pytest.raises(InputError, match=r"run DataFrame.*query '5', item '") as caught:
        evaluate_ranking(truth, run.unionAll(run.where("user_id = 5")), "ndcg@10")
    use_language("zh")
    assert "预测 DataFrame" in str(caught.value)
    use_language("en")
    with pytest.raises(InputError, match="3 labels"):
        evaluate_binary(frame(spark, clicks(300), 2).selectExpr("user % 3 as label", "pctr"), ["auc"])
    with pytest.raises(InputError, match=r"holds string, e\.g\. .* but numbers are needed"):
        evaluate_regression(frame(spark, classes(50), 1), label="true", prediction="y_pred")
    with pytest.raises(InputError, match="no column 'nowhere'"):
        evaluate_multiclass(frame(spark, classes(50), 1), label="nowhere")
    with pytest.raises(InputError, match=r"no rows|has seen no"):
        evaluate_regression(frame(spark, classes(50), 1).where("y > 1e9"), label="y", prediction="y_pred")


def test_executors_without_the_wheel(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "bare-python"
    package = Path(pingce.__file__).resolve().parents[1]
    without = f"$(printf %s \"$PYTHONPATH\" | tr : '\\n' | grep -vxF '{package}' | paste -sd:)"
    bare.write_text(f'#!/bin/sh\nPYTHONPATH={without} exec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(bare))
    with pytest.raises(InputError, match=r"executors has no module '.*'.*--archives") as caught:
        evaluate_ranking(*(frame(spark, table, 1) for table in rankings(5)))
    assert "\n" not in str(caught.value)


def test_other_errors_of_spark_are_one_sentence(spark: Any) -> None:
    with pytest.raises(InputError, match=r"Spark gave up: .*PATH_NOT_FOUND") as caught, translate_spark_errors():
        spark.read.parquet("/nowhere/at/all.parquet")
    assert "\n" not in str(caught.value)
    data = spark.range(5).selectExpr("cast(id % 2 as int) label", "raise_error('the disk is on fire') pred")
    with pytest.raises(InputError, match="the disk is on fire"):
        evaluate_multiclass(data)
