"""What evaluate_binary refuses: one sentence in each language that names the place, the value and the way out."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import use_language
from pingce.inputs.binary import GROUP_WORDS
from pingce.metrics.binary.grouped import BY

NAN, INF = math.nan, math.inf
Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
CHINESE = re.compile("[\u4e00-\u9fff]")


class Bad(NamedTuple):
    """A call, and what both sentences must hold; then what only the English or the Chinese one must."""

    call: dict[str, Any]
    both: list[str]
    english: Sequence[str] = ()
    chinese: Sequence[str] = ()


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"y": Y, "s": S, "u": ["a", "a", "b", "b"], "w": [1.0] * 4} | columns)


def named(**more: Any) -> dict[str, Any]:
    return {"y_true": "y", "y_score": "s"} | more


CASES: dict[str, Bad] = {
    # Lengths: both are named.
    "shorter scores": Bad({"y_score": S[:3]}, ["y_true", "4", "y_score", "3"], ["give one value of each a row"]),
    "longer scores": Bad({"y_score": [*S, 0.5]}, ["y_true", "4", "y_score", "5"]),
    "group of another length": Bad({"group": [1, 2]}, ["y_true", "4", "group", "2"]),
    "weight of another length": Bad({"weight": [1, 2, 3]}, ["y_true", "4", "weight", "3"]),
    "group weight of another length": Bad(
        {"group": [1] * 4, "group_weight": {"bid": [1]}, "metrics": ["gauc(by=bid)"]},
        ["y_true", "4", "group_weight 'bid'", "1"],
    ),
    "columns of a dict differ in length": Bad(
        named(data={"y": Y, "s": S[:2]}),
        ["'y'", "4", "'s'", "2"],
        ["give one value of each a row"],
        ["请每行各给一个值"],
    ),
    "an array beside a table": Bad({"y_true": "y", "y_score": S[:2], "data": frame()}, ["'y'", "4", "y_score", "2"]),
    # Values that are none: the first row and how many.
    "nan label": Bad({"y_true": [1.0, NAN, 0.0, NAN]}, ["y_true", "nan", "1", "2"], ["remove such rows"], ["请删除"]),
    "infinite label": Bad({"y_true": [1.0, 0.0, INF, 1.0]}, ["y_true", "inf", "2", "1"], ["remove such rows"]),
    "null label": Bad(
        {"y_true": [1, None, 0, 1]}, ["y_true", "1"], ["is null", "remove", "1 in all"], ["空值", "共 1 处"]
    ),
    "null word": Bad({"y_true": ["a", "b", None, None], "positive": "a"}, ["y_true", "2"], ["is null"], ["空值"]),
    "null label of pandas": Bad({"y_true": pd.array([1, 0, None, 1], "Int8")}, ["y_true", "2"], ["is null"], ["空值"]),
    "nan score": Bad({"y_score": [NAN, 0.1, NAN, 0.2]}, ["y_score", "nan", "0", "2"], ["remove such rows or fill"]),
    "infinite score": Bad({"y_score": [0.1, -INF, 0.3, 0.2]}, ["y_score", "-inf", "1"], ["remove such rows or fill"]),
    "null score": Bad({"y_score": [0.1, None, 0.3, 0.2]}, ["y_score", "1"], ["is null"], ["空值"]),
    "null score of polars": Bad({"y_score": pl.Series([0.1, 0.2, 0.3, None])}, ["y_score", "3"], ["is null"], ["空值"]),
    "nan weight": Bad({"weight": [1, NAN, 1, 1]}, ["weight", "nan", "1"], ["remove such rows or fill"]),
    "infinite weight": Bad({"weight": [1, 1, INF, 1]}, ["weight", "inf", "2"]),
    "null weight": Bad({"weight": [1, 1, None, 1]}, ["weight", "2"], ["is null"], ["空值"]),
    "null label of a table": Bad(
        named(data=frame(y=pd.array([1, 0, None, 1], "Int64"))), ["'y'", "2", "DataFrame"], ["is null"], ["空值"]
    ),
    "nan score of a table": Bad(
        named(data=frame(s=[0.1, NAN, 0.2, 0.3])), ["'s'", "1", "DataFrame"], ["remove such rows or fill"]
    ),
    "masked scores": Bad(
        {"y_score": np.ma.masked_less(np.array(S), 0.5)}, ["y_score"], ["masked", "fill or drop"], ["掩盖"]
    ),
    # Not probabilities.
    **{
        f"{metric} of a logit": Bad(
            {"y_score": [0.5, 0.2, -1.5, 3.0], "metrics": [metric]},
            ["y_score", "2", "-1.5", metric, "[0, 1]"],
            ["needs probabilities", "if these are logits, apply the sigmoid first"],
            ["需要概率", "sigmoid"],
        )
        for metric in ("logloss", "brier", "ece", "mce", "ne", "pcoc")
    },
    "a probability a hair above 1": Bad(
        {"y_score": np.array([0.1, 0.2, 0.3, 1 + 2**-22], np.float32), "metrics": ["logloss"]},
        ["y_score", "3", "1.000000238418579", "1"],
    ),
    "a probability of a table": Bad(
        named(data=frame(s=[0.1, 0.2, 0.3, 1.5]), metrics=["brier"]),
        ["DataFrame", "3", "1.5"],
        ["sigmoid"],
        ["sigmoid"],
    ),
    # Weights.
    "negative weights": Bad(
        {"weight": [1, -2, 0, -0.5]}, ["weight", "1", "-2", "2"], ["numbers from 0 up"], ["不小于 0"]
    ),
    "no weight at all": Bad(
        {"weight": [0, 0, 0, 0]}, ["weight", "0"], ["all weights are 0", "no weights at all"], ["全为 0"]
    ),
    "a weight beyond all measure": Bad({"weight": [1, 1, 1e300, 1]}, ["weight", "2", "1e+300"], ["scale"], ["缩放"]),
    "a weight of nearly nothing": Bad({"weight": [1, 1e-300, 1, 1]}, ["weight", "1", "1e-300"], ["scale"], ["缩放"]),
    "weights that are words": Bad(
        {"weight": list("abcd")}, ["weight", "0", "'a'"], ["numbers are needed", "convert"], ["数字"]
    ),
    # Labels.
    "three labels": Bad(
        {"y_true": [0, 1, 2, 1]},
        ["y_true", "3", "0, 1, 2", "evaluate_multiclass"],
        ["a binary task has two"],
        ["二分类只有两种"],
    ),
    "three words": Bad(
        {"y_true": list("abca"), "positive": "a"}, ["y_true", "3", "'a', 'b', 'c'", "evaluate_multiclass"]
    ),
    "many labels": Bad({"y_true": [0.1, 0.2, 0.3, 0.4]}, ["y_true", "4", "evaluate_regression"]),
    "a string for integers": Bad(
        {"positive": "1"}, ["positive='1'", "y_true", "0"], ["is a str", "holds int"], ["是 str"]
    ),
    "an integer for strings": Bad(
        {"y_true": ["1", "0", "1", "0"], "positive": 1}, ["positive=1", "y_true", "'0'"], ["is a int"], ["是 int"]
    ),
    "words, and nobody says which": Bad(
        {"y_true": ["no", "yes", "no", "yes"]}, ["y_true", "'no', 'yes'", "positive='yes'"], ["say which"], ["请说明"]
    ),
    "a positive label that is not there": Bad(
        {"positive": 2}, ["positive=2", "y_true", "0, 1"], ["no such label"], ["没有"]
    ),
    "a positive word that is not there": Bad(
        {"y_true": ["yes", "no"] * 2, "positive": "yess"}, ["positive='yess'", "'no', 'yes'", "'yes'"], ["did you mean"]
    ),
    "one label that is neither 0 nor 1": Bad(
        {"y_true": [5] * 4}, ["y_true", "5", "positive="], ["say which"], ["请用"]
    ),
    "labels that are dates": Bad({"y_true": [datetime.date(2024, 1, 1)] * 4, "positive": "x"}, ["y_true", "date32"]),
    # Columns that are none.
    "nothing": Bad({"y_true": [], "y_score": []}, ["y_true"], ["is empty", "at least one row"], ["空的", "至少"]),
    "an empty array": Bad({"y_score": np.zeros(0)}, ["y_score"], ["is empty"], ["空的"]),
    "an empty table": Bad(named(data=frame()[:0]), ["DataFrame"], ["has no rows"], ["没有数据行"]),
    "a number": Bad({"y_score": 0.5}, ["y_score", "float"], ["give a list, an array"], ["请给出"]),
    "None": Bad({"y_score": None}, ["y_score", "NoneType"], ["give a list, an array"], ["请给出"]),
    "a dict": Bad({"y_true": {"a": 1}}, ["y_true", "dict"], ["give a list"], ["请给出"]),
    "a set, which has no order": Bad(
        {"y_score": {0.1, 0.2, 0.3, 0.4}}, ["y_score", "set"], ["give a list"], ["请给出"]
    ),
    "a matrix": Bad({"y_score": np.zeros((4, 2))}, ["y_score", "4 × 2"], ["one value a row"], ["每行一个值"]),
    "mixed types": Bad({"y_true": [1, "0", 1, 0]}, ["y_true"], ["of one type"], ["同一类型"]),
    "scores that are words": Bad({"y_score": list("abcd")}, ["y_score", "'a'", "0"], ["numbers are needed"], ["数字"]),
    "scores beyond doubles": Bad({"y_score": [2**60, 1, 2, 3]}, ["y_score", "2^53"], ["scale them down"], ["请缩小"]),
    # Groups.
    "no groups": Bad({"metrics": ["gauc"]}, ["gauc", "group="], ["needs groups"], ["需要分组"]),
    "fractional ids": Bad(
        {"group": [1.5, 2, 3, 4]}, ["group", "0", "1.5"], ["integers or strings", "convert"], ["整数或字符串"]
    ),
    "nan ids": Bad({"group": [1, 2, NAN, 3]}, ["group", "2", "nan"], ["remove such rows or fill"], ["补全"]),
    "null ids": Bad({"group": ["a", None, "b", "c"]}, ["group", "1"], ["is null"], ["空值"]),
    "null ids of a table": Bad(
        named(data=frame(u=["a", None, "b", "c"]), group="u"), ["'u'", "1"], ["is null"], ["空值"]
    ),
    "ids that are lists": Bad({"group": [[1], [2], [3], [4]]}, ["group", "0", "[1]"], ["integers or strings"]),
    "ids of two types": Bad({"group": [1, "a", 2, "b"]}, ["group"], ["of one type"], ["同一类型"]),
    "an unknown group weight": Bad(
        {"group": [1, 1, 2, 2], "metrics": ["gauc(by=bids)"]},
        ["gauc(by=bids)", "'bids'", "impressions", "group_weight="],
        ["there is no column"],
        ["没有列"],
    ),
    "group weights without names": Bad(
        {"group": [1, 1, 2, 2], "group_weight": [1, 2, 3, 4]}, ["group_weight", "list"], ["give a dict"], ["字典"]
    ),
    # Metrics.
    "a metric misspelt": Bad(
        {"metrics": ["acu"]}, ["'acu'", "'auc'"], ["unknown metric", "did you mean"], ["未知的指标"]
    ),
    "a metric of rankings": Bad({"metrics": ["ndcg@10"]}, ["'ndcg'"], ["a metric of rankings"], ["它是排序的指标"]),
    "a metric of numbers": Bad({"metrics": ["rmse"]}, ["'rmse'"], ["a metric of numbers"], ["它是回归的指标"]),
    "a metric of classes": Bad(
        {"metrics": ["top_k_accuracy@3"]}, ["'top_k_accuracy'"], ["a metric of classes"], ["多分类"]
    ),
    "a metric of rankings, made": Bad(
        {"metrics": [pc.parse_metric("ndcg@10").metric]}, ["ndcg@10"], ["a metric of rankings"], ["是排序的指标"]
    ),
    "a cut-off that nothing takes": Bad({"metrics": ["auc@10"]}, ["auc", "@k"], ["takes no @k"], ["不带 @k"]),
    "a share above 1": Bad({"metrics": ["lift@10"]}, ["lift@10", "lift@0.1"], ["a share of the rows"], ["占比"]),
    "an unknown parameter": Bad({"metrics": ["f1(bta=2)"]}, ["'bta'", "beta"], ["has no parameter"], ["没有参数"]),
    "a wrong parameter": Bad({"metrics": ["f1(beta=-1)"]}, ["beta=-1", "> 0"], ["must be a number"], ["须为数字"]),
    "a number of bins that is none": Bad({"metrics": ["ece(bins=2.5)"]}, ["bins=2.5"], ["whole number"], ["整数"]),
    "no metric": Bad({"metrics": []}, [], ["no metric was asked for"], ["没有指定任何指标"]),
    # Columns by name.
    "a name and no table": Bad({"y_true": "click"}, ["y_true='click'", "data="], ["give the table"], ["给出表"]),
    "a group's name and no table": Bad({"group": "user"}, ["group='user'", "data="], ["give the table"], ["给出表"]),
    "a name that is not there": Bad(
        {"y_true": "y", "y_score": "score", "data": frame().rename(columns={"s": "scores"})},
        ["'score'", "'scores'", "DataFrame"],
        ["has no column", "did you mean"],
        ["没有列"],
    ),
    "a name that is there twice": Bad(
        named(data=pa.table([Y, S, S], names=["y", "s", "s"])), ["'s'"], ["two columns named"], ["两列同名"]
    ),
    "a table that is none": Bad(named(data=[1, 2, 3]), ["list"], ["give a path, a data frame"], ["请给出路径"]),
    "a file that is not there": Bad(named(data=Path("no/such/file.csv")), ["file.csv"]),
    "an unknown format": Bad(named(data=__file__, input_format="parquett"), ["parquett", "parquet"], ["did you mean"]),
    # Settings of the call.
    **{
        f"ci={ci!r}": Bad({"ci": ci}, [f"ci={ci}", "0.95"], ["between 0 and 1"], ["介于 0 与 1 之间"])
        for ci in (0, 1, 95, -0.5, "0.95", True, NAN)
    },
    **{
        f"samples={samples!r}": Bad(
            {"ci": 0.9, "samples": samples}, [f"samples={samples}", "10"], ["whole number"], ["整数"]
        )
        for samples in (0, 9, 2.5, "100", 10**7, True)
    },
    **{
        f"seed={seed!r}": Bad({"ci": 0.9, "seed": seed}, [f"seed={seed!r}"], ["whole number from 0 up"], ["整数"])
        for seed in (-1, 1.5, "x", None, True)
    },
    **{
        f"threshold={t!r}": Bad({"threshold": t}, [f"threshold={t!r}"], ["a number"], ["应为数字"])
        for t in ("half", NAN, INF, True, [0.5])
    },
    "an unknown comparison": Bad(
        {"compare": "greater"}, ["compare='greater'", "ge", "gt"], ["choose one of"], ["可选"]
    ),
    "an unknown policy": Bad(
        {"undefined": "skipp"}, ["undefined='skipp'", "'skip'", "zero"], ["choose one of", "did you mean"], ["可选"]
    ),
    "an undefined value": Bad(
        {"y_true": [1] * 4, "metrics": ["auc"], "undefined": "error"},
        ["auc", "undefined=skip"],
        ["is undefined"],
        ["没有定义"],
    ),
    "threads": Bad({"threads": 0}, ["0", "1024"], ["threads must be"], ["线程数"]),
}


def refused(call: dict[str, Any]) -> InputError:
    settings: dict[str, Any] = {"y_true": Y, "y_score": S, "metrics": ["auc", "f1"]} | call
    y_true, y_score, metrics = (settings.pop(name) for name in ("y_true", "y_score", "metrics"))
    with pytest.raises(InputError) as caught:
        pc.evaluate_binary(y_true, y_score, metrics, **settings)
    return caught.value


@pytest.mark.parametrize("case", sorted(CASES))
def test_one_sentence_names_the_place_the_value_and_the_way_out(case: str) -> None:
    bad = CASES[case]
    error = refused(bad.call)
    english, chinese = error.text
    for text in (english, chinese):
        assert text
        assert "\n" not in text
        assert "Traceback" not in text
        for part in bad.both:
            assert part in text, (part, text)
    assert not CHINESE.search(english.replace("用户", "")), english
    assert CHINESE.search(chinese)
    for part in bad.english:
        assert part in english, english
    for part in bad.chinese:
        assert part in chinese, chinese
    use_language("zh")
    assert str(error) == chinese
    use_language("en")
    assert str(error) == english


@pytest.mark.parametrize("case", sorted(CASES))
def test_both_sentences_hold_the_same_numbers(case: str) -> None:
    """What one language says of rows, values and limits, the other says too; rows are counted from 0, says one."""
    error = refused(CASES[case].call)
    numbers = [sorted(re.findall(r"\d+(?:\.\d+)?", text.replace("（从 0 起）", ""))) for text in error.text]
    assert numbers[0] == numbers[1], error.text


BAD_FILES: dict[str, tuple[str, list[str]]] = {
    "nan.csv": ("y,s\n1,0.5\n0,nan\n", ["nan.csv:3", "nan"]),
    "missing.csv": ("y,s\n1,0.5\n0,\n", ["missing.csv:3", "'s'"]),
    "label.csv": ("y,s\n1,0.5\n,0.4\n0,0.1\n", ["label.csv:3", "'y'"]),
    "word.csv": ("y,s\n1,0.5\n0,high\n", ["word.csv:3", "'high'", "'s'"]),
    "short.csv": ("y,s\n1,0.5\n0\n", ["short.csv:3"]),
    "logit.csv": ("y,s\n1,0.5\n0,-2.5\n", ["logit.csv:3", "-2.5", "sigmoid"]),
    "three.csv": ("y,s\n1,0.5\n0,0.5\n2,0.5\n", ["three.csv", "3", "0, 1, 2"]),
    "header.csv": ("y,s\n", ["header.csv"]),
    "empty.csv": ("", ["empty.csv"]),
    "other.csv": ("label,s\n1,0.5\n", ["other.csv", "'y'", "label"]),
    "null.jsonl": ('{"y": 1, "s": 0.5}\n{"y": 0, "s": null}\n', ["null.jsonl:2", "'s'"]),
    "type.jsonl": ('{"y": 1, "s": 0.5}\n{"y": 0, "s": "x"}\n', ["type.jsonl:2", "'s'"]),
    "broken.jsonl": ('{"y": 1, "s": 0.5}\n{"y": 0\n', ["broken.jsonl:2"]),
    "text.parquet": ("not parquet", ["text.parquet"]),
}


@pytest.mark.parametrize("name", sorted(BAD_FILES))
def test_files_are_refused_with_file_and_line(name: str, tmp_path: Path) -> None:
    text, parts = BAD_FILES[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    error = refused(named(data=path, metrics=["auc", "logloss"]))
    for sentence in error.text:
        assert "\n" not in sentence
        for part in parts:
            assert part in sentence, (part, sentence)
    assert CHINESE.search(error.text.zh)


def test_a_bad_row_of_several_files_is_found_in_its_own(tmp_path: Path) -> None:
    for number, last in enumerate(("0.1", "0.2", "nan")):
        (tmp_path / f"part-{number}.csv").write_text(f"y,s\n1,0.5\n0,{last}\n", encoding="utf-8")
    assert "part-2.csv:3" in refused(named(data=tmp_path)).text.en
    assert "part-2.csv:3" in refused(named(data=tmp_path)).text.zh


@pytest.mark.parametrize(
    ("labels", "undefined"),
    [([1, 1, 1], ["auc", "specificity", "ne"]), ([0, 0, 0], ["auc", "recall", "pr_auc", "ne", "pcoc", "lift@0.1"])],
)
def test_one_class_is_nan_counted_and_warned_of(labels: list[int], undefined: list[str]) -> None:
    """Never a silent 0."""
    with pytest.warns(PingceWarning, match=r"only one class occurs .*: auc") as caught:
        scores = pc.evaluate_binary(labels, [0.2, 0.3, 0.9], [*undefined, "accuracy", "logloss"])
    assert len(caught) == 1
    for metric in undefined:
        assert math.isnan(scores[metric])
        assert scores.find(metric).undefined == 1
        assert scores.counts["undefined"][metric] == 1
    assert scores.counts["undefined"]["accuracy"] == 0
    assert not math.isnan(scores["logloss"])
    (warning,) = scores.warnings
    assert f"{sum(labels)} of 3 positive" in warning.en
    assert f"3 中有 {sum(labels)} 个正例" in warning.zh


def test_one_class_by_weight_is_one_class() -> None:
    with pytest.warns(PingceWarning, match="only one class"):
        scores = pc.evaluate_binary([1, 0, 1], [0.2, 0.3, 0.9], ["auc"], weight=[1, 0, 1])
    assert math.isnan(scores["auc"])


def test_one_class_is_said_also_where_a_number_was_put_in_its_place() -> None:
    with pytest.warns(PingceWarning, match="only one class"):
        scores = pc.evaluate_binary([1, 1], [0.2, 0.3], ["auc"], undefined="zero")
    assert scores["auc"] == 0
    assert scores.find("auc").undefined == 1


@pytest.mark.parametrize("word", GROUP_WORDS)
def test_a_group_weight_that_is_called_like_a_word_of_gauc(word: str) -> None:
    columns: dict[str, Any] = {"group": ["u", "u"], "group_weight": {word: [1.0, 2.0]}}
    metric = f"gauc(by={word})"
    with pytest.raises(pc.InputError, match=rf"group_weight has a column '{word}', but gauc\(by={word}\) counts"):
        pc.evaluate_binary([1, 0], [0.9, 0.2], metric, **columns)
    with pytest.raises(pc.InputError, match=rf"write gauc\(by=my_{word}\)"):
        pc.BinaryEvaluator(metric).update([1, 0], [0.9, 0.2], **columns)
    with pytest.raises(pc.InputError, match="group_weight has a column"):
        pc.explain(metric, labels=[1, 0], scores=[0.9, 0.2], **columns)


@pytest.mark.parametrize("more", [{}, {"bins": 64}])
def test_a_group_weight_that_no_metric_names(more: dict[str, Any]) -> None:
    labels, scores, users = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ["u", "u", "v", "v"]
    with pytest.warns(
        PingceWarning, match=r"column 'spent' that no metric reads; write gauc\(by=spent\), or leave it out"
    ):
        pc.evaluate_binary(labels, scores, ["auc"], group=users, group_weight={"spent": [1, 2, 3, 4]}, **more)
    with pytest.warns(PingceWarning, match=r"'bids' that no metric reads; .*; did you mean 'bid'\?"):
        columns = {"bid": [1, 2, 3, 4], "bids": [1, 2, 3, 4]}
        pc.evaluate_binary(labels, scores, ["gauc(by=bid)"], group=users, group_weight=columns)
    with pytest.raises(pc.InputError, match=r"there is no column 'bid'; .*; did you mean 'bids'\?"):
        pc.evaluate_binary(labels, scores, ["gauc(by=bid)"], group=users, group_weight={"bids": [1, 2, 3, 4]})


def test_the_words_of_gauc_are_known_where_columns_are_read() -> None:
    assert tuple(BY) == GROUP_WORDS
