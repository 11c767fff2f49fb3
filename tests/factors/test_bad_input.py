"""What is wrong with vectors, ids and tables is said in one sentence, with the place, the value and the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc

USERS, ITEMS = np.eye(3, dtype=np.float32), np.eye(4, 3, dtype=np.float32)
TRUTH = {0: [1], 1: [2]}
BAD = ITEMS.copy()
BAD[2:, 1] = [np.nan, np.inf]


def refused(
    sentence: str, chinese: str, *, users: Any = USERS, items: Any = ITEMS, truth: Any = None, **options: Any
) -> None:
    with pytest.raises(pc.InputError) as refusal:
        pc.evaluate_factors(users, items, TRUTH if truth is None else truth, ["mrr"], **options)
    assert sentence in refusal.value.text.en
    assert chinese in refusal.value.text.zh


@pytest.mark.parametrize(("options", "sentence", "chinese"), [
    ({"users": np.ones((3, 2))}, "users= has vectors of 2 numbers and items= of 3: give matrices of one model", "请给出同一模型的矩阵"),
    ({"items": BAD}, "row 2 of items= has nan; 2 of 4 rows have something that is no finite number: correct them, or leave", "4 行中有 2 行"),
    ({"items": BAD, "item_ids": ["a", "b", "c", "d"]}, "row 2 ('c') of items= has nan", "第 2 行 ('c')"),
    ({"users": np.zeros((0, 3))}, "users= has 0 rows and 3 columns: give at least one vector", "请至少给出一个向量"),
    ({"items": np.zeros((3, 0))}, "items= has 3 rows and 0 columns", "0 列"),
    ({"users": np.ones(3)}, "users= has the shape 3; needed is a matrix with a vector a row", "应为每行一个向量的矩阵"),
    ({"users": [[1.0, 2.0], [1.0]]}, "users= cannot be read as vectors", "无法作为向量读取"),
    ({"users": object()}, "users= cannot be read as vectors (object); give a matrix of floats", "请给出浮点矩阵"),
    ({"users": np.full((3, 3), "x")}, "users= cannot be read as vectors (<U1)", "<U1"),
    ({"users": USERS * 3e19, "items": ITEMS * 3e19}, "the factors are as large as 3e+19: their scores may exceed float32; give float64", "请用 float64"),
    ({"user_ids": ["a", "b"]}, "user_ids= has 2 ids, but users= has 3 rows; give one for each, in order", "请按顺序逐一给出"),
    ({"item_ids": [7, 8, 7, 9]}, "row 2 of items= has the id 7, which row 0 has too; give each row an id of its own", "请为每行给出不同的编号"),
    ({"truth": {3: [0]}}, "users= has no ids, so that its rows are called 0 to 2, and the query is none of these; give user_ids=[…]", "请用 user_ids=[…]"),
    ({"truth": {0: ["x"]}}, "items= has no ids, so that its rows are called 0 to 3, and the item is none of these; give item_ids=[…]", "请用 item_ids=[…]"),
    ({"truth": {"u": ["x"]}}, "users= has no ids, so that its rows are called 0 to 2, and the query is none of these", "该用户不在其中"),
    ({"truth": {"z": {"a": 1}}, "user_ids": list("uvw"), "item_ids": list("abcd")}, "truth and run have no query in common: truth has 'z'", "没有共同的查询"),
    ({"truth": {0: {9: 1, 7: 1}}, "item_ids": [7, 8, 5, 6], "outside": "error"}, "the item is not in the catalogue, nor are those of 0 other judgements; outside='count'", "outside='drop' 则不计入"),
    ({"outside": "ignore"}, "outside='ignore': choose one of count, drop, error", "可选 count、drop、error"),
    ({"similarity": "cos"}, "similarity='cos': choose one of dot, cosine, l2; did you mean 'cosine'?", "可选 dot、cosine、l2"),
    ({"batch": 0}, "batch=0: it is how many users are taken together, a whole number from 1", "从 1 起的整数"),
    ({"device": "cuda:7"}, "device='cuda:7': there is no such device here; leave it out, or say device='cpu'", "这里没有该设备"),
    ({"item_bias": [1.0]}, "item_bias= has 1 numbers for 4 rows; give one for each, in order", "item_bias= 有 1 个数"),
    ({"user_bias": [1.0, np.nan, 0.0]}, "row 1 of user_bias= is nan; 1 of 3 numbers are not finite", "不是有限数"),
    ({"user_bias": ["a", "b", "c"]}, "user_bias= cannot be read as vectors", "无法作为向量读取"),
    ({"candidates": [0, 9]}, "candidates=: 1 item without a vector, such as 9; name items of items= only", "有 1 个条目没有向量"),
    ({"candidates": np.array([True])}, "candidates= is a mask of 1 items, 1 of them true, but there are 4", "而条目有 4 个"),
    ({"extra": "error"}, "1 users have no judgements, such as 2; extra=ignore leaves them out", "extra=ignore 可忽略它们"),
    ({"truth": {0: {1: float("nan")}}}, "the grade is nan", "等级为 nan"),
])  # fmt: skip
def test_what_is_wrong_is_said(options: dict[str, Any], sentence: str, chinese: str) -> None:
    refused(sentence, chinese, **options)


def headed(text: str) -> bytes:
    return len(text).to_bytes(8, "little") + text.encode()


@pytest.mark.parametrize(("content", "sentence"), [
    (b"", "its header would have 0 bytes"),
    (b"\xff" * 8, "its header would have"),
    (headed("hello"), "its header is no JSON"),
    (headed("[]"), "its header is no JSON object"),
    (headed("{}"), "has the matrices –: say which one"),
    (headed('{"a": {"shape": [1, 1]}, "b": {"shape": [1, 1]}}'), "has the matrices 'a', 'b': say which one"),
    (headed('{"a": {"shape": [1, 1]}}'), "'a' lacks its type, shape or place"),
    (headed('{"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}'), "'a' does not fit into the file"),
    (headed('{"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 8]}}') + bytes(8), "'a' does not fit into the file"),
    (headed('{"a": {"dtype": "I32", "shape": [1, 1], "data_offsets": [0, 4]}}') + bytes(4), "holds I32; vectors are F64, F32, F16, BF16"),
])  # fmt: skip
def test_what_is_wrong_with_a_file_of_tensors_is_said(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "users.safetensors"
    path.write_bytes(content)
    refused(sentence, str(path), users=path)


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(b"no array")
    refused("a.npy cannot be read", "请给出 .npy", users=tmp_path / "a.npy")
    refused("b.npy cannot be read", "请给出 .npy", users=tmp_path / "b.npy")
    refused("b.txt cannot be read", "请给出 .npy", user_ids=tmp_path / "b.txt")
    (tmp_path / "t.csv").write_text("user_id,x\n1,2\n")
    refused(
        "one column must hold the vectors, as lists of numbers; it has 'user_id', 'x'",
        "须有一列为向量",
        users=tmp_path / "t.csv",
    )


def test_all_scores_equal_are_warned_of() -> None:
    with pytest.warns(
        pc.PingceWarning,
        match="every user gives all candidates the same score: ranks are decided by the policy of ties",
    ):
        scores = pc.evaluate_factors(np.zeros((3, 3)), ITEMS, TRUTH, ["mrr"])
    assert "每个用户给所有候选条目的分数都相同" in "".join(text.zh for text in scores.cautions)


def test_a_cut_beyond_the_catalogue_is_said() -> None:
    scores = pc.evaluate_factors(USERS, ITEMS, TRUTH, ["recall@10", "recall@2"])
    assert scores["recall@10"] == 1
    assert scores.notes[-1].en == "recall@10: there are only 4 candidates, so that the cut is at the end of the list"
    assert "候选条目只有 4 个" in scores.notes[-1].zh


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_a_user_without_candidates_is_missing() -> None:
    scores = pc.evaluate_factors(USERS, ITEMS, TRUTH, ["mrr"], candidates={0: [0, 1], 2: [3]})
    assert scores.counts["missing"] == 1
    assert scores.counts["extra"] == 1
    assert scores["mrr"] == pytest.approx(0.25)  # item 1 stands behind item 0, and user 1 has no list


def test_items_outside_of_the_catalogue_count_or_are_dropped() -> None:
    names: dict[str, Any] = {"item_ids": ["a", "b", "c", "d"], "user_ids": ["u", "v", "w"]}
    truth = {"u": {"a": 1, "new": 1}, "v": {"b": 1}}
    counted = pc.evaluate_factors(USERS, ITEMS, truth, ["recall@1"], **names)
    assert counted["recall@1"] == 0.75
    assert any("1 judgement is of items that are not in the catalogue" in note.en for note in counted.notes)
    dropped = pc.evaluate_factors(USERS, ITEMS, truth, ["recall@1"], outside="drop", **names)
    assert dropped["recall@1"] == 1
    assert any("有 1 条标注的条目不在目录中，已不计入" in note.zh for note in dropped.notes)
