"""Scores of a classifier: every kind of label and input, what is counted and said, and bad input."""

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
from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import use_language

CHINESE = re.compile("[\u4e00-\u9fff]")
TRUE, PREDICTED = list("aaaabbc"), list("aaabbcc")
ROWS = {"true": TRUE, "pred": PREDICTED, "w": [1, 2, 1, 1, 1, 1, 1]}
PROBA = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.2, 0.5, 0.3]]
BIG = 2**62


def scored(metrics: Any = None, **more: Any) -> pc.MulticlassScores:
    return pc.evaluate_multiclass(TRUE, PREDICTED, metrics, **more)


# Labels of every kind.

KINDS: dict[str, tuple[Callable[[list[int]], Any], list[Any]]] = {
    "strings": (lambda codes: [f"c{code}" for code in codes], ["c0", "c1", "c2"]),
    "Chinese strings": (lambda codes: ["甲乙丙"[code] for code in codes], ["丙", "乙", "甲"]),
    "NumPy strings": (lambda codes: np.array(["a", "b", "c"])[codes], ["a", "b", "c"]),
    "objects": (lambda codes: np.array(["a", "b", "c"], object)[codes], ["a", "b", "c"]),
    "integers": (list, [0, 1, 2]),
    "negative integers": (lambda codes: [code - 7 for code in codes], [-7, -6, -5]),
    "integers far apart": (lambda codes: [[-BIG, 0, BIG][code] for code in codes], [-BIG, 0, BIG]),
    "huge neighbours": (lambda codes: [BIG + code for code in codes], [BIG, BIG + 1, BIG + 2]),
    "small integers": (lambda codes: np.array(codes, np.int8), [0, 1, 2]),
    "unsigned integers": (lambda codes: np.array(codes, np.uint64) + np.uint64(2**62), [2**62, 2**62 + 1, 2**62 + 2]),
    "whole floats": (lambda codes: [float(code) for code in codes], [0, 1, 2]),
    "32-bit floats": (lambda codes: np.array(codes, np.float32) - 1, [-1, 0, 1]),
    "decimals": (lambda codes: [Decimal(code) for code in codes], [0, 1, 2]),
    "pandas": (lambda codes: pd.Series([f"c{code}" for code in codes]), ["c0", "c1", "c2"]),
    "pandas categorical": (
        lambda codes: pd.Series([f"c{code}" for code in codes], dtype="category"),
        ["c0", "c1", "c2"],
    ),
    "categorical integers": (lambda codes: pd.Categorical([code + 3 for code in codes]), [3, 4, 5]),
    "pandas strings": (lambda codes: pd.Series([f"c{code}" for code in codes], dtype="string"), ["c0", "c1", "c2"]),
    "nullable integers": (lambda codes: pd.Series(codes, dtype="Int64"), [0, 1, 2]),
    "polars": (lambda codes: pl.Series([f"c{code}" for code in codes]), ["c0", "c1", "c2"]),
    "polars categorical": (
        lambda codes: pl.Series([f"c{code}" for code in codes], dtype=pl.Categorical),
        ["c0", "c1", "c2"],
    ),
    "Arrow": (lambda codes: pa.array([f"c{code}" for code in codes]), ["c0", "c1", "c2"]),
    "Arrow dictionary": (
        lambda codes: pa.array([f"c{code}" for code in codes]).dictionary_encode(),
        ["c0", "c1", "c2"],
    ),
    "a column": (lambda codes: np.array(codes).reshape(-1, 1), [0, 1, 2]),
    "a generator": (lambda codes: (f"c{code}" for code in codes), ["c0", "c1", "c2"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_kind(kind: str) -> None:
    make, names = KINDS[kind]
    scores = pc.evaluate_multiclass(make([0, 0, 1, 2, 2]), make([0, 1, 1, 2, 0]), ["accuracy", "f1"])
    assert scores.labels == names
    assert scores["accuracy"] == 3 / 5
    assert scores["f1"] == pytest.approx((1 / 2 + 2 / 3 + 2 / 3) / 3)
    assert scores.per_class.column("class").to_pylist() == names
    assert json.loads(scores.to_json())["per_class"]["class"] == names
    assert [type(label) for label in scores.labels] == [type(name) for name in names]


def test_truth_values() -> None:
    for make in (list, np.array, pd.Series, pa.array):
        scores = pc.evaluate_multiclass(
            make([True, False, True]), make([True, True, True]), ["accuracy", "f(label=True)"]
        )
        assert scores.labels == [False, True]
        assert scores["accuracy"] == 2 / 3
        assert scores["f(label=True)"] == 4 / 5
    mixed = pc.evaluate_multiclass(np.array([True, False]), [1, 2], ["accuracy"])
    assert mixed["accuracy"] == 0.5


@pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    true, predicted = torch.tensor([2, 0, 1]), torch.tensor([2, 1, 1], dtype=torch.int32)
    scores = pc.evaluate_multiclass(true, predicted, ["accuracy", "logloss"], proba=torch.eye(3)[true])
    assert scores["accuracy"] == 2 / 3
    assert scores["logloss"] < 1e-6
    half = torch.tensor([[0.5, 0.25, 0.25]] * 3, dtype=torch.bfloat16, requires_grad=True)
    assert pc.evaluate_multiclass(true, None, ["topk@1"], proba=half)["topk@1"] == 1 / 3


@pytest.mark.parametrize("name", ["pandas", "polars", "lazy", "arrow", "dict", "csv", "jsonl", "parquet", "feather"])
def test_columns_of_a_table(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame(ROWS)
    path = tmp_path / f"rows.{name}"
    data: Any = path
    if name == "csv":
        frame.to_csv(path, index=False)
    elif name == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif name == "parquet":
        frame.to_parquet(path)
    elif name == "feather":
        frame.to_feather(path)
    else:
        made: dict[str, Callable[[], Any]] = {
            "pandas": lambda: frame,
            "polars": lambda: pl.DataFrame(ROWS),
            "lazy": lambda: pl.LazyFrame(ROWS),
            "arrow": lambda: pa.table(ROWS),
            "dict": lambda: ROWS,
        }
        data = made[name]()
    for table in (data, str(data)) if isinstance(data, Path) else (data,):
        scores = pc.evaluate_multiclass("true", "pred", ["accuracy", "f1"], data=table, weight="w")
        assert scores["accuracy"] == 6 / 8
        assert scores.counts["weight"] == 8
    assert pc.evaluate_multiclass("true", PREDICTED, ["accuracy"], data=data)["accuracy"] == 5 / 7


@pytest.mark.parametrize("make", [list, np.array, pd.DataFrame, pa.table, pl.DataFrame], ids=range(5))
def test_probabilities_of_every_kind(make: Any) -> None:
    columns = {label: [row[i] for row in PROBA] for i, label in enumerate("abc")}
    proba = make(PROBA if make in (list, np.array) else columns)
    scores = pc.evaluate_multiclass(list("abc"), proba=proba)
    assert list(scores)[-2:] == ["logloss", "auc(multi=ovr)"]
    assert scores["logloss"] == pytest.approx(-(math.log(0.7) + math.log(0.35) + math.log(0.3)) / 3)
    assert scores["auc"] == pytest.approx(5 / 6)
    assert scores.confusion.matrix.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert "most probable class; in 0 rows several" in scores.notes[0].en
    assert "有 0 行并列" in scores.notes[0].zh


def test_labels_say_which_column_is_which_class() -> None:
    swapped = [[row[1], row[0], row[2]] for row in PROBA]
    given = pc.evaluate_multiclass(list("abc"), proba=swapped, labels=["b", "a", "c"])
    assert given["logloss"] == pc.evaluate_multiclass(list("abc"), proba=PROBA)["logloss"]
    frame = pd.DataFrame(swapped, columns=["b", "a", "c"])
    assert pc.evaluate_multiclass(list("abc"), proba=frame, labels=["b", "a", "c"])["logloss"] == given["logloss"]
    more = pc.evaluate_multiclass(
        ["a", "a"], proba=[[0.5, 0.5, 0.0], [0.1, 0.9, 0.0]], labels=np.array(["a", "b", "c"])
    )
    assert more.labels == ["a", "b", "c"]
    assert more["accuracy"] == 0.5


def test_predicted_labels_win_over_probabilities() -> None:
    scores = pc.evaluate_multiclass(list("abc"), list("abc"), ["accuracy", "topk"], proba=PROBA)
    assert (scores["accuracy"], scores["topk"]) == (1, 1 / 3)
    assert scores.notes == ()


def test_probabilities_that_were_floats_before_are_not_refused() -> None:
    proba = np.full((2, 3), np.float32(1) / np.float32(3)).astype(float)
    assert pc.evaluate_multiclass(["a", "b"], proba=proba, labels=["a", "b", "c"])["accuracy"] == 0.5


# What is counted, shown and said.


def test_per_class() -> None:
    table = scored().per_class
    assert table.column_names == ["class", "precision", "recall", "f1", "support", "predicted"]
    assert table.column("support").to_pylist() == [4, 2, 1]
    assert table.column("predicted").to_pylist() == [3, 2, 2]
    assert table.column("f1").to_pylist() == pytest.approx([6 / 7, 1 / 2, 2 / 3])
    never = scored(labels=["c", "b", "a", "z"]).per_class
    assert never.column("class").to_pylist() == ["c", "b", "a", "z"]
    assert [never.column(name).to_pylist()[-1] for name in never.column_names[1:]] == [None, None, None, 0, 0]


def test_counts() -> None:
    counts = scored(["accuracy", "precision", "f1(average=micro)"], labels=["a", "b", "c", "z"]).counts
    assert counts == {
        "rows": 7,
        "weight": None,
        "classes": 4,
        "right": 5,
        "never_true": 1,
        "never_predicted": 1,
        "undefined": {"accuracy": 0, "precision": 1, "f1(average=micro)": 0},
    }
    weighted = scored(["accuracy"], weight=[0.5, 0, 1, 1, 1, 1, 1]).counts
    assert (weighted["rows"], weighted["weight"], weighted["right"]) == (7, 5.5, 3.5)


def test_the_confusion_matrix() -> None:
    assert scored().confusion.matrix.tolist() == [[3, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert scored(labels=["c", "a", "b"]).confusion.matrix.tolist() == [[1, 0, 0], [0, 3, 1], [1, 0, 1]]
    assert scored(weight=[0.5] * 7).confusion.matrix.tolist() == [[1.5, 0.5, 0], [0, 0.5, 0.5], [0, 0, 0.5]]


def test_tables_for_readers() -> None:
    report, matrix = scored().more_tables()
    assert report.titles == ["class", "precision", "recall", "f1", "support", "predicted"]
    assert matrix.titles == ["true \\ predicted", "a", "b", "c"]
    assert matrix.rows[1] == ["b", 0, 1, 1]
    use_language("zh")
    assert [table.titles[0] for table in scored().more_tables()] == ["类别", "真值 \\ 预测"]
    many = list(range(31))
    assert len(pc.evaluate_multiclass(many, many, ["accuracy"]).more_tables()) == 1


def test_signature_and_look_up() -> None:
    scores = scored(["f1(average=macro)", "accuracy"], weight=[1] * 7)
    assert scores.signature("accuracy") == (
        f"accuracy|undefined:skip|undefined_class:zero|weight:given|pingce:{pc.__version__}"
    )
    assert scores["f"] == scores["f1(average=macro)"] == scores["fbeta(beta=1)"]
    assert "f(average=micro)" not in scores
    with pytest.raises(KeyError, match="did you mean 'accuracy'"):
        scores["acuracy"]


def test_what_is_shown_by_default() -> None:
    assert list(scored()) == [
        "accuracy", "balanced_accuracy", "precision(average=macro)", "recall(average=macro)", "f1(average=macro)",
        "f1(average=weighted)", "kappa", "mcc",
    ]  # fmt: skip
    assert pc.evaluate_multiclass(TRUE, PREDICTED, "accuracy,kappa").keys() == {"accuracy", "kappa"}


def imbalanced() -> pc.MulticlassScores:
    """95 of a, all right; 3 of b and 2 of c, called a, but for one c."""
    true = ["a"] * 95 + ["b"] * 3 + ["c"] * 2
    return pc.evaluate_multiclass(true, ["a"] * 99 + ["c"])


def test_macro_far_below_micro_names_the_small_classes() -> None:
    found = imbalanced().diagnosis
    assert [(one["class"], one["support"]) for one in found["failing"]] == [("b", 3), ("c", 2)]
    assert found["failing"][0]["f1"] == 0
    assert found["confused"] == {"true": "b", "predicted": "a", "rows": 3}
    assert found["micro_f1"] - found["macro_f1"] > 0.1
    assert found["text"]["en"] == (
        "Macro F1 0.5487, micro F1 0.9600 over 3 classes. Macro is far below micro: small classes fail, above all "
        "b (F1 0.00, 3 rows), c (F1 0.67, 2 rows). Most often confused: b predicted as a (3 rows)."
    )
    assert found["text"]["zh"] == (
        "共 3 个类别：宏平均 F1 0.5487，微平均 F1 0.9600。宏平均远低于微平均：小类没有学好，主要是 "
        "b（F1 0.00，3 行）、c（F1 0.67，2 行）。最常混淆：b 被判为 a（3 行）。"
    )


def test_no_more_than_five_failing_classes_are_named() -> None:
    true = ["a"] * 100 + list("bcdefgh")
    found = pc.evaluate_multiclass(true, ["a"] * 107).diagnosis
    assert [one["class"] for one in found["failing"]] == list("bcdef")


def test_other_readings() -> None:
    right = pc.evaluate_multiclass(list("abc"), list("abc")).diagnosis
    assert right["failing"] == []
    assert right["confused"] is None
    assert "Small classes do about as well as large ones." in right["text"]["en"]
    assert "小类与大类的表现相近" in right["text"]["zh"]
    large = pc.evaluate_multiclass(["a"] * 8 + list("bcde"), ["a"] * 4 + ["b"] * 4 + list("bcde")).diagnosis
    assert "The large classes do worse than the small ones." in large["text"]["en"]
    assert "大类反而不如小类" in large["text"]["zh"]
    never = pc.evaluate_multiclass(list("abc"), list("abc"), labels=list("abcdef")).diagnosis
    assert "3 classes never occur in the truth and count 0" in never["text"]["en"]
    assert "有 3 个类别在真值中没有出现，按 0 计入" in never["text"]["zh"]


def test_a_constant_that_is_as_accurate_is_a_warning() -> None:
    with pytest.warns(PingceWarning, match="always predicting a reaches an accuracy of 0.8"):
        scores = pc.evaluate_multiclass(list("aaaab"), list("aaaba"), ["accuracy"])
    assert scores.warnings[0].en == (
        "always predicting a reaches an accuracy of 0.8, this model 0.6 (balanced accuracy 0.375)"
    )
    assert scores.warnings[0].zh == "一律判为 a 的准确率就有 0.8，本模型为 0.6（平衡准确率 0.375）"
    assert scored().warnings == ()
    assert pc.evaluate_multiclass(list("aaaab"), list("aaaba"), ["f1"]).warnings == ()


def test_documents_and_frames() -> None:
    scores = imbalanced()
    document = json.loads(scores.to_json())
    assert document["task"] == "multiclass"
    assert document["per_class"]["values"]["support"] == [95, 3, 2]
    assert document["policies"] == {"undefined": "skip", "undefined_class": "zero"}
    assert scores.to_pandas()["unit"].tolist() == ["rows"] * 8
    assert scores.to_arrow().column_names == ["metric", "id", "value", "count", "unit", "undefined"]
    assert scores.to_csv(per_query=True).splitlines()[0] == "class,precision,recall,f1,support,predicted"
    assert "| metric | value | rows |" in scores.to_markdown()
    hostile = pc.evaluate_multiclass(["<b>", "x"], ["<b>", "x"], ["f1(label=<b>)"])
    assert "<b>" not in hostile._repr_html_()


# Bad input: one sentence in each language.

CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "different lengths": (lambda: pc.evaluate_multiclass(["a", "b"], ["a"]), "y_true has 2 rows, but y_pred has 1"),
    "weights of another length": (lambda: scored(weight=[1, 2]), "y_true has 7 rows, but weight has 2"),
    "null": (lambda: pc.evaluate_multiclass(["a", None, None], ["a"] * 3), "row 1 of y_true: y_true is null"),
    "nulls are counted": (lambda: pc.evaluate_multiclass(["a"] * 3, ["a", None, None]), "(2 in all)"),
    "NaN among objects": (
        lambda: pc.evaluate_multiclass(pd.Series(["a", math.nan]), ["a", "a"]),
        "row 1 of y_true: y_true is null",
    ),
    "NA": (lambda: pc.evaluate_multiclass(pd.Series([1, None], dtype="Int64"), [1, 1]), "row 1 of y_true"),
    "NaN": (lambda: pc.evaluate_multiclass([1.0, math.nan], [1, 1]), "row 1 of y_true: the label is nan"),
    "infinite": (lambda: pc.evaluate_multiclass([1, 1], [1.0, math.inf]), "row 1 of y_pred: the label is inf"),
    "fractions": (lambda: pc.evaluate_multiclass([1, 2.5], [1, 2]), "row 1 of y_true: 2.5 is no label"),
    "fractions ask for another task": (lambda: pc.evaluate_multiclass([1, 2.5], [1, 2]), "evaluate_regression"),
    "floats beyond whole numbers": (lambda: pc.evaluate_multiclass([1, 1e300], [1, 1]), "the label 1e+300 is too large"),
    "integers beyond 64 bits": (
        lambda: pc.evaluate_multiclass(np.array([1, 2**64 - 1], np.uint64), [1, 1]),
        "row 1 of y_true: the label 18446744073709551615 is too large",
    ),
    "integers beyond all": (lambda: pc.evaluate_multiclass([2**70], [1]), "y_true cannot be read as one column"),
    "'1' against 1": (lambda: pc.evaluate_multiclass(["1", "2"], [1, 2]), "strings and integers are never equal"),
    "mixed": (lambda: pc.evaluate_multiclass(["a", 1], ["a", "a"]), "y_true cannot be read as one column"),
    "dates": (lambda: pc.evaluate_multiclass(pd.to_datetime(["2020-01-01"]), ["a"]), "y_true holds timestamp"),
    "lists": (lambda: pc.evaluate_multiclass([[1], [2]], [1, 2]), "y_true holds list"),
    "a matrix": (lambda: pc.evaluate_multiclass(np.zeros((2, 2)), [1, 2]), "y_true has the shape 2 × 2"),
    "masked": (lambda: pc.evaluate_multiclass(np.ma.array([1, 2], mask=[False, True]), [1, 2]), "masked cells"),
    "a number": (lambda: pc.evaluate_multiclass(3, 3), "y_true cannot be read as one column (it is int)"),
    "a dict": (lambda: pc.evaluate_multiclass({"a": 1}, ["a"]), "it is dict"),
    "a set": (lambda: pc.evaluate_multiclass({"a", "b"}, ["a", "b"]), "it is set"),
    "a column name without a table": (lambda: pc.evaluate_multiclass("true", "pred"), "give the table too, with data="),
    "no such column": (lambda: pc.evaluate_multiclass("true", "prd", data=ROWS), "did you mean 'pred'"),
    "no table": (lambda: pc.evaluate_multiclass("true", "pred", data=3), "data is int"),
    "no such file": (lambda: pc.evaluate_multiclass("true", "pred", data="none.csv"), "none.csv: no such file"),
    "nothing predicted": (lambda: pc.evaluate_multiclass(TRUE), "give the predicted labels, or proba="),
    "empty": (lambda: pc.evaluate_multiclass([], []), "y_true is empty"),
    "empty prediction": (lambda: pc.evaluate_multiclass(["a"], []), "y_pred is empty"),
    "empty table": (lambda: pc.evaluate_multiclass("a", "b", data=pd.DataFrame({"a": [], "b": []})), "has no rows"),
    "unknown label": (
        lambda: pc.evaluate_multiclass(["a", "b"], ["a", "bb"], labels=["a", "b"]),
        "row 1 of y_pred: the label 'bb' of y_pred is not among labels=['a', 'b']; did you mean 'b'",
    ),
    "unknown true label": (lambda: scored(labels=["a", "b"]), "row 6 of y_true: the label 'c'"),
    "repeated labels": (lambda: scored(labels=["a", "b", "c", "a"]), "labels= has 'a' twice"),
    "no labels": (lambda: scored(labels=[]), "labels= is empty"),
    "labels of another type": (lambda: scored(labels=[1, 2, 3]), "labels= has 1, but the labels of y_true are such as 'a'"),
    "a null label": (lambda: scored(labels=["a", "b", "c", None]), "labels= has None"),
    "a fraction as label": (lambda: pc.evaluate_multiclass([1, 2], [1, 2], labels=[1, 2, 2.5]), "labels= has 2.5"),
    "labels in a string": (lambda: scored(labels="abc"), "labels= is str; give a list"),
    "labels without order": (lambda: scored(labels={"a", "b", "c"}), "labels= is set; give a list"),
    "labels that are a number": (lambda: scored(labels=3), "labels= is int"),
    "negative weights": (lambda: scored(weight=[1, -1, 1, -1, 1, 1, 1]), "row 1 of weight: the weight is -1"),
    "negative weights are counted": (lambda: scored(weight=[1, -1, 1, -1, 1, 1, 1]), "(2 are negative)"),
    "no weight at all": (lambda: scored(weight=[0] * 7), "all weights are 0"),
    "weights that are NaN": (lambda: scored(weight=[math.nan] * 7), "row 0 of weight: weight is nan"),
    "weights in words": (lambda: scored(weight=["1"] * 7), "weight holds string, e.g. '1', but numbers are needed"),
    "too many classes": (
        lambda: pc.evaluate_multiclass(np.arange(20001), np.arange(20001)),
        "20001 classes: a confusion matrix holds at most 20000",
    ),
    "too few rows of probabilities": (
        lambda: pc.evaluate_multiclass(list("abc"), proba=PROBA[:2]),
        "proba has the shape 2 × 3, but y_true has 3 rows",
    ),
    "one probability a row": (lambda: pc.evaluate_multiclass(list("abc"), proba=[0.1] * 3), "proba has the shape 3,"),
    "a single probability": (lambda: pc.evaluate_multiclass(list("abc"), proba=0.5), "proba has the shape ()"),
    "probabilities in words": (lambda: pc.evaluate_multiclass(["a"], proba=[["x"]]), "proba must be a matrix of numbers"),
    "ragged probabilities": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[1.0], [0.5, 0.5]]),
        "proba must be a matrix of numbers",
    ),
    "probabilities beyond 1": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[0.5, 0.5], [1.5, -0.5]]),
        "row 1 of proba: 1.5 in column 0 is no probability (2 cells in all); if these are logits, apply the softmax",
    ),
    "probabilities that are NaN": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[math.nan, 1], [0, 1]]),
        "row 0 of proba: nan in column 0 is no probability",
    ),
    "probabilities that sum to less": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[0.5, 0.5], [0.5, 0.4]]),
        "row 1 of proba sums to 0.9, not to 1 (1 rows in all)",
    ),
    "columns and classes": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[0.5, 0.3, 0.2]] * 2),
        "proba has 3 columns, but there are 2 classes ['a', 'b']; say which class each column is with labels=",
    ),
    "columns and labels=": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=[[0.5, 0.3, 0.2]] * 2, labels=["a", "b"]),
        "proba has 3 columns, but there are 2 classes",
    ),
    "columns in another order": (
        lambda: pc.evaluate_multiclass(["a", "b"], proba=pd.DataFrame({"b": [0.5, 1], "a": [0.5, 0]})),
        "column 0 of proba is named 'b', but class 0 is 'a'; reorder the columns",
    ),
    "no probabilities": (lambda: scored(["logloss"]), "give proba="),
    "unknown policy": (lambda: scored(undefined="drop"), "undefined='drop': choose one of"),
    "unknown policy for classes": (lambda: scored(undefined_class="zeroes"), "did you mean 'zero'"),
    "unknown metric": (lambda: scored(["acuracy"]), "did you mean 'accuracy'"),
    "no metric": (lambda: scored([]), "no metric was asked for"),
    "no surrogates": (lambda: pc.evaluate_multiclass(["\ud800"], ["a"]), "y_true cannot be read as one column"),
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


def test_labels_with_control_characters_stay_in_one_line() -> None:
    with pytest.raises(InputError) as caught:
        pc.evaluate_multiclass(["a\x1b[31m\nb"], ["a"], labels=["a"])
    assert str(caught.value).isprintable()


def test_a_bad_row_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("true,pred\na,a\nb,z\n")
    with pytest.raises(InputError, match=r"rows\.csv:3: the label 'z' of column 'pred' of predictions rows\.csv"):
        pc.evaluate_multiclass("true", "pred", data=path, labels=["a", "b"])
    path.write_text("true,pred\n1,1\n2,\n")
    with pytest.raises(InputError, match=r"rows\.csv:3: column 'pred' of predictions rows\.csv is null"):
        pc.evaluate_multiclass("true", "pred", data=path)


def test_equal_probabilities_are_counted_and_said() -> None:
    proba = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.1, 0.2, 0.7], [0.4, 0.2, 0.4]]
    with pytest.warns(pc.PingceWarning, match="in 3 rows several classes are equally probable"):
        scores = pc.evaluate_multiclass([*"abcc"], None, ["accuracy", "top_k_accuracy@1"], proba=proba)
    assert scores.counts["tied"] == 3
    assert "top_k_accuracy@1: in 3 rows equal probabilities stand at the edge of the top 1" in scores.warnings[1].en
    evaluator = pc.MulticlassEvaluator(["accuracy", "top_k_accuracy@1"], labels=[*"abc"])
    whole = pc.evaluate_multiclass([*"abcc"], None, ["accuracy", "top_k_accuracy@1"], proba=proba, labels=[*"abc"])
    halves = evaluator.update([*"ab"], proba=proba[:2]).update([*"cc"], proba=proba[2:])
    again = pc.MulticlassEvaluator.from_bytes(halves.to_bytes()).compute()
    assert (again.to_json(), again.warnings) == (whole.to_json(), whole.warnings)


def test_nothing_is_said_where_no_probabilities_are_equal() -> None:
    scores = pc.evaluate_multiclass([*"ab"], None, ["accuracy"], proba=[[0.6, 0.4], [0.4, 0.6]])
    assert "tied" not in scores.counts
    assert scores.warnings == ()
