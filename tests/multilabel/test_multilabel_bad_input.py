"""What several labels per row refuse, with the sentence, in both languages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pingce as pc

TRUTH, SCORE = [[1, 0], [0, 1]], [[0.9, 0.2], [0.1, 0.8]]
LINES: dict[str, list[Any]] = {
    "y": [1, 0, 0, 1],
    "s": [0.9, 0.2, 0.1, 0.8],
    "row": ["r1", "r1", "r2", "r2"],
    "tag": ["a", "b", "a", "b"],
}


def refusal(truth: Any = TRUTH, score: Any = SCORE, **more: Any) -> pc.InputError:
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_multilabel(truth, score, **more)
    return refused.value


def of_lines(**changes: Any) -> pc.InputError:
    lines = {**LINES, **changes}
    more = {name: lines.pop(name) for name in list(lines) if name not in ("y", "s", "row", "tag")}
    return refusal(lines["y"], lines["s"], row=lines["row"], tag=lines["tag"], **more)


def test_both_sides_have_the_same_rows_and_labels() -> None:
    problem = refusal(score=[[0.9, 0.2, 0.3], [0.1, 0.8, 0.3]])
    assert problem.text.en == "y_true has 2 labels, but y_score has 3; give a column of each label on both sides"
    assert problem.text.zh == "y_true 有 2 个标签，而 y_score 有 3 个；两边须各有每个标签的一列"
    assert "y_true has 2 rows, but y_score has 1" in str(refusal(score=[[0.9, 0.2]]))


def test_columns_are_the_same_labels_in_the_same_order() -> None:
    truth, score = pd.DataFrame(TRUTH, columns=["a", "b"]), pd.DataFrame(SCORE, columns=["b", "a"])
    problem = refusal(truth, score)
    assert problem.text.en == (
        "column 0 is label 'a' in y_true and 'b' in y_score; give the same labels in the same order on both sides, e.g. "
        "y_score[list(y_true.columns)]"
    )
    assert "第 0 列（从 0 起）在 y_true 中是标签 'a'，在 y_score 中是 'b'" in problem.text.zh
    right = pc.evaluate_multilabel(truth, score[["b", "a"]].set_axis(["a", "b"], axis=1), ["exact_match"])
    assert right.labels == ("a", "b")
    assert "label 'a' in y_true and 'x' in labels=" in str(refusal(truth, truth, labels=["x", "b"]))
    assert "labels= has 1 different names, but there are 2 columns" in str(refusal(labels=["a", "a"]))


def test_labels_are_0_or_1() -> None:
    problem = refusal([[1, 0], [0, 3]])
    assert problem.text.en == (
        "row 1 of y_true, label '1': 3 is neither 0 nor 1: a row has a label (1) or not (0); put graded labels to a threshold first (1 in all)"
    )
    assert problem.text.zh.startswith("y_true 第 1 行（从 0 起），标签 '1'：3 既不是 0 也不是 1")
    assert "nan is neither 0 nor 1" in str(refusal([[1, np.nan], [0, 1]]))
    assert "row 2 of y_true: y_true is 0.5, neither 0 nor 1" in str(of_lines(y=[1, 0, 0.5, 1]))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_scores_are_numbers(value: float) -> None:
    problem = refusal(score=[[0.9, 0.2], [value, 0.8]])
    assert (
        problem.text.en
        == f"row 1 of y_score, label '0': the score is {value}; remove such rows or fill them in (1 in all)"
    )
    assert f"分数为 {value}" in problem.text.zh
    assert f"y_score is {value}" in str(of_lines(s=[0.9, value, 0.1, 0.8]))
    assert "y_score['b'] holds" in str(
        refusal(pd.DataFrame(TRUTH, columns=["a", "b"]), pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    )


def test_what_is_no_matrix_is_refused() -> None:
    assert "y_score has the shape 2" in str(refusal(score=[0.9, 0.2]))
    assert "needed are numbers, a row each and a column a label" in str(refusal([[1, 0], [1]]))
    assert str(refusal([1, 0], [0.9, 0.1])).startswith("row= (--row) is missing: Which row a line is of")
    assert "tag= (--tag) is missing" in str(refusal([1, 0], [0.9, 0.1], row=[1, 2]))


def test_no_rows_are_refused() -> None:
    assert str(refusal([], [])).startswith("row= (--row) is missing")
    assert str(refusal(np.zeros((0, 3)), np.zeros((0, 3)))) == "y_true is empty; give at least one row"
    assert "y_true is empty" in str(of_lines(y=[], s=[], row=[], tag=[]))
    with pytest.raises(pc.InputError, match="the evaluator has seen no rows"):
        pc.MultilabelEvaluator().compute()
    evaluator = pc.MultilabelEvaluator(["hamming"]).update(np.zeros((0, 2)), np.zeros((0, 2)))
    assert evaluator.update(TRUTH, SCORE).compute()["hamming"] == 0


def test_a_pair_that_is_missing_is_named() -> None:
    problem = of_lines(y=[1, 0, 1], s=[0.9, 0.2, 0.8], row=["r1", "r1", "r2"], tag=["a", "b", "b"])
    assert problem.text.en == (
        "row 'r2' has no line for label 'a': each row needs a score for each of the 2 labels (1 of 4 pairs are missing); write a line with "
        "truth 0 or 1 and a score for each, and give all lines of a row"
    )
    assert "行 'r2' 没有标签 'a' 的条" in problem.text.zh
    assert "has no line for label 'c'" in str(of_lines(labels=["a", "b", "c"]))


def test_a_pair_that_comes_twice_is_named() -> None:
    problem = of_lines(tag=["a", "b", "a", "a"])
    assert problem.text.en == (
        "row 3 of y_true: row 'r2' has label 'a' twice; keep one line for each row and label (1 in all)"
    )
    assert "行 'r2' 的标签 'a' 出现了两次" in problem.text.zh


def test_a_label_that_was_not_named_is_refused() -> None:
    problem = of_lines(labels=["a", "c"])
    assert "row 1 of y_true: 'b' is not among labels= (a, c)" in problem.text.en
    assert "'b' 不在 labels=（a、c）之中" in problem.text.zh


def test_weights_and_slices_belong_to_rows() -> None:
    problem = of_lines(weight=[1, 2, 1, 1])
    assert problem.text.en == (
        "row 1 of y_true: weight differs between the lines of row 'r1'; it belongs to the row: write the same on all of its lines"
    )
    assert "行 'r1' 的各条权重不同" in problem.text.zh
    assert "by 'by' differs between the lines of row 'r2'" in str(of_lines(by=["x", "x", "x", "y"]))
    assert "all weights are 0" in str(refusal(weight=[0, 0]))
    assert "y_true has 2 rows, but weight has 3" in str(refusal(weight=[1, 1, 1]))


def test_batches_have_the_same_labels_and_the_same_form() -> None:
    evaluator = pc.MultilabelEvaluator(["hamming"])
    evaluator.update(*(pd.DataFrame(side, columns=["a", "b"]) for side in (TRUTH, SCORE)))
    with pytest.raises(pc.InputError, match="labels: a, b in the first batch, a, c in this one"):
        evaluator.update(*(pd.DataFrame(side, columns=["a", "c"]) for side in (TRUTH, SCORE)))
    with pytest.raises(pc.InputError, match="form: matrices in the first batch, lines in this one"):
        evaluator.update(*(LINES[name] for name in ("y", "s")), row=LINES["row"], tag=LINES["tag"])
    with pytest.raises(pc.InputError, match="row 1 of y_true in batch 2, label 'b': 2 is neither 0 nor 1"):
        evaluator.update(*(pd.DataFrame(side, columns=["a", "b"]) for side in ([[1, 0], [0, 2]], SCORE)))


def test_a_window_counts_rows_and_not_lines() -> None:
    evaluator = pc.MultilabelEvaluator(["exact_match"], window=2)
    for truth, score in zip([*TRUTH, [1, 1]], [*SCORE, [0.1, 0.1]], strict=True):
        evaluator.update([truth], [score])
    assert evaluator.compute()["exact_match"] == 0.5
    with pytest.raises(pc.InputError, match="window= counts rows, and lines of single labels are parts of rows"):
        pc.MultilabelEvaluator(window=2).update(LINES["y"], LINES["s"], row=LINES["row"], tag=LINES["tag"])


def test_columns_of_a_table_are_listed() -> None:
    table = pa.table({"ya": [1, 0], "yb": [0, 1], "pa": [0.9, 0.1], "pb": [0.2, 0.8]})
    scores = pc.evaluate_multilabel(["ya", "yb"], ["pa", "pb"], ["exact_match"], data=table)
    assert scores.labels == ("ya", "yb")
    assert scores["exact_match"] == 1
    assert "has no column 'pc'" in str(refusal(["ya", "yb"], ["pa", "pc"], data=table))
    assert "y_score: with data= give a list of columns" in str(refusal(["ya", "yb"], "pa", data=table))
    assert "y_true has 2 labels, but y_score has 1" in str(refusal(["ya", "yb"], ["pa"], data=table))


@pytest.mark.parametrize("form", ["matrices", "lines"])
def test_a_damaged_state_is_refused(form: str) -> None:
    evaluator = pc.MultilabelEvaluator(["hamming", "lrap", "auc"] if form == "lines" else ["hamming", "lrap"])
    if form == "lines":
        evaluator.update(LINES["y"], LINES["s"], row=LINES["row"], tag=LINES["tag"])
    else:
        evaluator.update(TRUTH, SCORE)
    state = bytearray(evaluator.to_bytes())
    state[len(state) // 2] ^= 0xFF
    with pytest.raises(pc.InputError):
        pc.MultilabelEvaluator.from_bytes(bytes(state))
