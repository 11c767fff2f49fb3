"""What all four evaluators say of batches: empty ones, the row of a batch in a message, and how much was seen."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pingce as pc
from inputs.samples import refused
from pingce.base.errors import EmptyInputError
from pingce.run.states import rows as rows_module

TRUTH = {"q": ["a"], "r": ["b"]}
RUN = {"q": {"a": 2.0, "x": 1.0}, "r": {"x": 2.0, "b": 1.0}}
NO_RUN = pd.DataFrame({"query": pd.Series([], dtype=str), "item": pd.Series([], dtype=str), "score": []})
TWO: dict[str, list[float]] = {"y": [], "p": []}
EMPTY = [
    pytest.param(lambda: pc.RankingEvaluator(TRUTH, ["mrr"]), [(RUN,)], ({},), {}, id="a run as a dict"),
    pytest.param(lambda: pc.RankingEvaluator(TRUTH, ["mrr"]), [(RUN,)], (NO_RUN,), {}, id="a run as a frame"),
    pytest.param(
        lambda: pc.RankingEvaluator(TRUTH, ["mrr"], split="never"),
        [({"q": RUN["q"]},), ({"r": RUN["r"]},)],
        (pa.Table.from_pandas(NO_RUN),),
        {},
        id="a run as an Arrow table",
    ),
    pytest.param(lambda: pc.BinaryEvaluator(["auc"]), [([1, 0], [0.4, 0.2]), ([1], [0.1])], ([], []), {}, id="labels"),
    pytest.param(
        lambda: pc.BinaryEvaluator(["auc"]),
        [([1, 0], [0.4, 0.2])],
        (np.zeros(0, int), np.zeros(0)),
        {"weight": np.zeros(0), "group": [], "by": {"x": []}},
        id="labels with more",
    ),
    pytest.param(
        lambda: pc.MulticlassEvaluator(["accuracy"]), [(["a"], ["a"]), (["b"], ["c"])], ([], []), {}, id="classes"
    ),
    pytest.param(
        lambda: pc.MulticlassEvaluator(["accuracy"], labels=["a", "b"]),
        [(["a", "b"], ["a", "b"])],
        ([], []),
        {"weight": [], "by": {"x": np.zeros(0)}},
        id="classes with more",
    ),
    pytest.param(lambda: pc.RegressionEvaluator(["mae"]), [([1], [2]), ([3], [3])], ([], []), {}, id="numbers"),
    pytest.param(
        lambda: pc.RegressionEvaluator(["mae"]), [([1], [2])], ("y", "p"), {"data": TWO}, id="a table without rows"
    ),
]


@pytest.mark.parametrize("make, batches, nothing, options", EMPTY)
def test_an_empty_batch_is_nothing(
    make: Callable[[], Any], batches: list[Any], nothing: tuple[Any, ...], options: dict[str, Any]
) -> None:
    evaluator, expected = make(), make()
    assert evaluator.update(*nothing, **options) is evaluator
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        evaluator.compute()
    for batch in batches:
        evaluator.update(*batch).update(*nothing, **options)
        expected.update(*batch)
    assert evaluator.compute().to_json() == expected.compute().to_json()


def test_a_column_that_alone_is_empty_is_refused() -> None:
    for evaluator in (pc.BinaryEvaluator(["auc"]), pc.MulticlassEvaluator(), pc.RegressionEvaluator()):
        refused(evaluator.update, [], [1.0]).both_name("y_")
        refused(evaluator.update, [1, 0], []).both_name("y_")
        refused(evaluator.update, [], [], weight=[1.0])
        refused(evaluator.update, [], iter([]))
    refused(pc.BinaryEvaluator(["auc"]).update, [], [], group_weight={"x": [1.0]})
    refused(pc.RegressionEvaluator().update, [], [], by={"x": [1]})
    for call in (pc.evaluate_binary, pc.evaluate_multiclass, pc.evaluate_regression):
        refused(call, [], []).both_name("y_true")
    refused(pc.evaluate_ranking, TRUTH, {})


def test_an_empty_batch_of_probabilities() -> None:
    evaluator = pc.MulticlassEvaluator(["logloss"], labels=["a", "b"])
    evaluator.update(["a"], proba=[[0.5, 0.5]]).update([], proba=np.zeros((0, 2)))
    assert evaluator.compute()["logloss"] == pytest.approx(np.log(2))


def test_judgements_of_queries_that_nobody_answered() -> None:
    evaluator = pc.RankingEvaluator(None, ["mrr"], split="never")
    evaluator.update(RUN, qrels=TRUTH).update({}, qrels={"s": ["c"]}).update({}, qrels={})
    assert evaluator.compute()["mrr"] == pc.evaluate_ranking({**TRUTH, "s": ["c"]}, RUN, ["mrr"])["mrr"]


def test_popularity_needs_the_whole_truth_from_the_first_batch_on() -> None:
    evaluator = pc.RankingEvaluator(None, ["mrr"], split="never", by="popularity")
    said = refused(evaluator.update, RUN, qrels=TRUTH)
    said.both_name("popularity")
    assert "make the evaluator with it" in said.en


def test_a_row_of_a_batch_is_called_so_where_there_are_several() -> None:
    labels = pc.BinaryEvaluator(["logloss"])
    refused(labels.update, [1, 0], [0.1, float("nan")]).both_name("y_score")
    labels.update([1, 0], [0.1, 7.0])
    assert refused(labels.compute).en.startswith("row 1 of y_score: ")
    for column, batch in (
        ("y_score", ([1, 0], [0.1, float("nan")])),
        ("y_true", ([1, None], [0.1, 0.2])),
        ("weight", ([1, 0], [0.1, 0.3], None, None, [1, -1])),
    ):
        named = dict(zip(("y_true", "y_score", "data", "group", "weight"), batch, strict=False))
        said = refused(labels.update, **named)
        assert f"row 1 of {column} in batch 2: " in said.en
        assert f"第 2 批的 {column} 第 1 行（从 0 起）：" in said.zh
    table = {"y": [1, 0], "p": [0.1, float("nan")]}
    assert "row 1 of the table (dict) in batch 2" in refused(labels.update, "y", "p", data=table).en
    labels.update([], []).update([1, 0], [0.1, 8.0])
    assert refused(labels.compute).en.startswith("row 1 of y_score in batch 1: ")
    numbers = pc.RegressionEvaluator(["mae"]).update([1], [1])
    assert "row 0 of y_pred in batch 2" in refused(numbers.update, [1], [float("inf")]).en
    classes = pc.MulticlassEvaluator(["accuracy"]).update(["a"], ["a"])
    assert "row 1 of y_true in batch 2" in refused(classes.update, ["a", None], ["a", "b"]).en


def test_batches_of_a_merged_evaluator_are_counted_on() -> None:
    evaluator, other = (pc.RankingEvaluator({"s": ["b"]}, ["mrr"]) for _ in range(2))
    evaluator.update({"q": {"a": 1.0}}).merge(other.update({"s": {"b": 1.0}}).update({"s": {"b": 2.0}}))
    assert re.search(r"in batch 2 \(.*\) stands again at .* in batch 3 ", refused(evaluator.compute).en)


def test_lines_of_files_say_themselves_where_they_are(tmp_path: Any) -> None:
    (tmp_path / "a.csv").write_text("y,p\n1,2\n1,x\n")
    numbers = pc.RegressionEvaluator(["mae"]).update([1], [1])
    said = refused(numbers.update, "y", "p", data=tmp_path / "a.csv")
    assert "batch" not in said.en
    assert "a.csv" in said.en


def test_how_an_evaluator_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "MANY", 1)
    shown = {
        "<RankingEvaluator: mrr, ndcg@5; 1 batches seen>": pc.RankingEvaluator(TRUTH, ["mrr", "ndcg@5"]).update(RUN),
        "<BinaryEvaluator: the usual metrics; 2 rows seen>": pc.BinaryEvaluator().update([1, 0], [0.2, 0.3]),
        "<MulticlassEvaluator: accuracy; 3 rows seen>": pc.MulticlassEvaluator(["accuracy"])
        .update(["a"], ["b"], weight=[0])
        .update(["a", "b"], ["b", "b"], weight=[1, 1]),
        "<RegressionEvaluator: mae; 4 rows seen>": pc.RegressionEvaluator(["mae"])
        .update([1, 2], [3, 4])
        .merge(pc.RegressionEvaluator(["mae"]).update([1, 2], [3, 4])),
    }
    for text, evaluator in shown.items():
        assert repr(evaluator) == text
        assert repr(pc.Evaluator.from_bytes(evaluator.to_bytes())) == text
        assert " 0 " in repr(evaluator.reset())
        for name in ("request", "policies"):
            with pytest.raises(AttributeError):
                setattr(evaluator, name, None)


def test_warnings_point_at_the_caller_or_at_nobody() -> None:
    made: list[Any] = [
        pc.RankingEvaluator({"q": ["a"]}, ["mrr"]).update({"q": ["b"]}),
        pc.BinaryEvaluator(["auc"]).update([1, 0, 1], [1, 0, 0]),
    ]
    for evaluator in made:
        with pytest.warns(pc.PingceWarning) as caught:
            evaluator.compute()
        assert {one.filename for one in caught} == {__file__}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert evaluator.score().warnings


def test_one_wording_for_split() -> None:
    for kind, what in ((pc.RankingEvaluator, "query"), (pc.BinaryEvaluator, "group")):
        said = refused(kind, split="nevr")
        assert f"split='nevr': choose allowed (a {what} may come in several batches" in said.en
        said.both_name("'never'")


def test_tmpdir_without_a_file() -> None:
    for call in (pc.evaluate_binary, pc.evaluate_multiclass, pc.evaluate_regression):
        said = refused(call, [1, 0], [0.5, 0.2], tmpdir="/tmp")
        said.both_name("tmpdir=", "data=")
        assert "memory" not in said.en
