"""Columns are found by the names people use; the caller's word comes first; what was chosen is said."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import pingce as pc
from pingce.base.text import use_language
from pingce.inputs import read_run, read_truth

from .samples import RUN, TRUTH, columns_of, refused, scored, table, triples, truth_table, write

QUERY = ("query_id", "qid", "query", "user_id", "user", "uid", "userID", "q_id", "query-id")
ITEM = ("doc_id", "docno", "docid", "item_id", "item", "iid", "itemID", "corpus-id", "pid")
GRADE = ("relevance", "rel", "label", "grade", "rating", "relevant", "click", "y_true", "target", "weight", "score")
SCORE = ("score", "prediction", "rating")
ROLES = ("truth", "run")


def read(role: str, data: Any, **options: Any) -> Any:
    return (read_truth if role == "truth" else read_run)(data, **options)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", QUERY)
def test_query_names(name: str, role: str) -> None:
    data = pa.table({"x": ["no"], "item": ["d"], "score": [2], name: ["q"]})
    assert columns_of(read(role, data)) == (["q"], ["d"], [2.0])


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ITEM)
def test_item_names(name: str, role: str) -> None:
    data = pa.table({"x": ["no"], name: ["d"], "score": [2], "query": ["q"]})
    assert columns_of(read(role, data)) == (["q"], ["d"], [2.0])


@pytest.mark.parametrize("name", GRADE)
def test_grade_names(name: str) -> None:
    rows = read_truth(pa.table({"qid": ["q"], "docid": ["d"], name: [3], "rank": [9], "prediction": [8]}))
    assert columns_of(rows) == (["q"], ["d"], [3.0])


@pytest.mark.parametrize("name", SCORE)
def test_score_names(name: str) -> None:
    rows = read_run(pa.table({"qid": ["q"], "docid": ["d"], name: [0.5], "label": [9], "relevance": [8]}))
    assert columns_of(rows) == (["q"], ["d"], [0.5])
    assert not rows.ordered


def test_rank_name() -> None:
    rows = read_run(pa.table({"qid": ["q", "q"], "docid": ["d", "e"], "rank": [2, 1], "grade": [7, 7]}))
    assert columns_of(rows) == (["q", "q"], ["d", "e"], [-2.0, -1.0])
    assert rows.ordered


@pytest.mark.parametrize("name", ["score", "rating"])
def test_the_role_decides_where_a_name_is_ambiguous(name: str) -> None:
    data = pa.table({"user_id": ["u", "u"], "item_id": ["a", "b"], name: [2, 0]})
    scores = pc.evaluate_ranking(data, data, ["cg@1", "rr"])
    assert dict(scores) == {"cg@1": 2.0, "rr": 1.0}
    notes = [str(note) for note in scores.notes]
    assert any(f"grade={name}" in note for note in notes)
    assert any(f"score={name}" in note for note in notes)


def test_recbole_says_the_type_in_the_name(tmp_path: Path) -> None:
    text = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n196\t242\t3\t881250949\n"
    path = write(tmp_path, "ml-100k.inter", text)
    assert columns_of(read_truth(path)) == (["196"], ["242"], [3.0])


def test_score_wins_over_rank_and_that_is_said_once() -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "rank": [1, 2], "score": [0.5, 0.75]})
    scores = pc.evaluate_ranking({"q": {"b": 1}}, run, ["rr", "ndcg@10", "p@1"])
    assert scores["rr"] == 1
    assert len([note for note in scores.notes if "rank" in note.en]) == 1
    assert len([note for note in scores.notes if "排名" in note.zh]) == 1


def test_rank_decides_where_there_is_no_score() -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "rank": [2, 1]})
    scores = pc.evaluate_ranking({"q": {"b": 1}}, run, "rr")
    assert scores["rr"] == 1
    assert any("rank=rank" in note.en for note in scores.notes)


def test_order_decides_where_there_is_neither() -> None:
    run = pa.table({"qid": ["q", "p", "q"], "docid": ["z", "a", "a"]})
    scores = pc.evaluate_ranking({"q": {"a": 1}, "p": {"a": 1}}, run, "rr")
    assert scores.per_query.to_pydict() == {"query": ["p", "q"], "rr": [1.0, 0.5]}
    assert any("order" in note.en for note in scores.notes)


@pytest.mark.parametrize("form", ["table", "csv", "jsonl"])
def test_truth_without_grades_is_all_relevant(form: str, tmp_path: Path) -> None:
    data: Any = pa.table({"user_id": ["u", "u"], "item_id": ["a", "b"]})
    if form == "csv":
        data = write(tmp_path, "t.csv", "user_id,item_id\nu,a\nu,b\n")
    if form == "jsonl":
        data = write(tmp_path, "t.jsonl", '{"user_id": "u", "item_id": "a"}\n{"user_id": "u", "item_id": "b"}\n')
    assert columns_of(read_truth(data)) == (["u", "u"], ["a", "b"], [1.0, 1.0])
    assert "1" in read_truth(data).source.notes[0].en


def test_the_mapping_is_said_in_both_languages() -> None:
    scores = pc.evaluate_ranking(truth_table(), RUN, "rr")
    (note,) = scores.notes
    for part in ("query=query_id", "item=doc_id", "grade=relevance"):
        assert part in note.en
        assert part in note.zh
    use_language("zh")
    assert str(note) == note.zh != note.en


def test_text_without_names_and_dicts_have_nothing_to_say(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "q1 0 d1 1\n")
    assert pc.evaluate_ranking(path, RUN, "rr").notes == ()


@pytest.mark.parametrize(
    "columns",
    [
        {"query": "who", "item": "what", "grade": "how", "score": "how"},
        {"truth.query": "who", "truth.item": "what", "grade": "how", "run.query": "who", "run.item": "what", "run.score": "how"},
    ],
    ids=["both sides", "each side"],
)  # fmt: skip
def test_the_callers_word_comes_first(columns: dict[str, str]) -> None:
    names = ("who", "what", "how")
    truth = table(triples(TRUTH), names).append_column("query_id", pa.array(["x"] * 9))
    run = table(triples(RUN), names).append_column("score", pa.array([0.0] * 11))
    assert scored(truth, run, columns=columns) == scored(TRUTH, RUN)


def test_one_side_may_have_its_own_names() -> None:
    run = table(triples(RUN), ("who", "item", "score"))
    assert scored(truth_table(), run, columns={"run.query": "who"}) == scored(TRUTH, RUN)


def test_a_named_rank_column_is_used() -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "position": [2, 1]})
    assert pc.evaluate_ranking({"q": {"b": 1}}, run, "rr", columns={"rank": "position"})["rr"] == 1


def test_an_unknown_column() -> None:
    said = refused(read_truth, truth_table(), columns={"query": "query_ids"})
    said.both_name("'query_ids'", "'query_id'", "'doc_id'", "'relevance'", "truth.query")
    assert "did you mean 'query_id'?" in said.en


@pytest.mark.parametrize(("role", "absent"), [("truth", "query"), ("truth", "item"), ("run", "query"), ("run", "item")])
def test_a_table_without_query_or_item(role: str, absent: str) -> None:
    names = {"query": "qid", "item": "docid"} | {absent: "thing"}
    data = pa.table({names["query"]: ["q"], names["item"]: ["d"], "score": [1]})
    known = QUERY if absent == "query" else ITEM
    said = refused(read, role, data)
    said.both_name("'thing'", "'score'", *known, f"--columns {absent}=", "columns={")
    assert role in said.en


@pytest.mark.parametrize(
    ("role", "nearest"), [("querry", "query"), ("scor", "score"), ("run.itm", "item"), ("zzz", None)]
)
def test_an_unknown_role(role: str, nearest: str | None) -> None:
    said = refused(pc.evaluate_ranking, truth_table(), RUN, columns={role: "qid"})
    said.both_name(f"'{role}'", "query", "item", "grade", "score", "rank", "run.query")
    assert (f"did you mean '{nearest}'" in said.en) == (nearest is not None)


def test_an_unknown_side() -> None:
    refused(read_truth, truth_table(), columns={"test.query": "qid"}).both_name(
        "'test.query'", "truth.query", "run.query"
    )


UNKNOWN = {"qid": ["q", "q"], "docid": ["a", "b"], "strength": [0.25, 0.75]}
FORMS = ("arrow", "pandas", "polars", "lazy", "csv", "tsv", "jsonl", "parquet", "feather")


def as_form(data: dict[str, Any], form: str, folder: Path) -> Any:
    """The same table as a frame or as a file."""
    arrow = pa.table(data)
    if form in ("csv", "tsv"):
        delimiter = "," if form == "csv" else "\t"
        rows = [list(data), *([str(value) for value in row] for row in zip(*data.values(), strict=True))]
        return write(folder, f"r.{form}", "".join(delimiter.join(row) + "\n" for row in rows))
    if form == "jsonl":
        return write(folder, "r.jsonl", "".join(json.dumps(row) + "\n" for row in arrow.to_pylist()))
    if form in ("parquet", "feather"):
        path = folder / f"r.{form}"
        (parquet.write_table if form == "parquet" else feather.write_feather)(arrow, path)
        return path
    frames: dict[str, Any] = {"arrow": arrow, "pandas": arrow.to_pandas(), "polars": pl.DataFrame(data)}
    return pl.LazyFrame(data) if form == "lazy" else frames[form]


@pytest.mark.parametrize("form", FORMS)
def test_a_score_of_unknown_name_is_asked_about(form: str, tmp_path: Path) -> None:
    run = as_form(UNKNOWN, form, tmp_path)
    said = refused(pc.evaluate_ranking, {"q": {"b": 1}}, run, "rr")
    said.both_name("'strength'", "columns={'score': 'strength'}", "columns={'rank': 'order'}", "--columns rank=order")
    assert "is 'strength' the score?" in said.en
    assert pc.evaluate_ranking({"q": {"b": 1}}, run, "rr", columns={"score": "strength"})["rr"] == 1
    given = pc.evaluate_ranking({"q": {"b": 1}}, run, "rr", columns={"rank": "order"})
    assert given["rr"] == 0.5
    assert any("order as given" in note.en for note in given.notes)


@pytest.mark.parametrize("form", FORMS)
def test_only_numbers_may_be_scores(form: str, tmp_path: Path) -> None:
    more = {"title": ["x", "y"], "shown": [True, False]}
    if form not in ("csv", "tsv", "jsonl"):
        more["day"] = [date(2024, 1, 2), date(2024, 1, 3)]
    run = as_form({"qid": ["q", "q"], "docid": ["a", "b"], **more}, form, tmp_path)
    scores = pc.evaluate_ranking({"q": {"b": 1}}, run, "rr")
    assert scores["rr"] == 0.5
    assert any("order as given" in note.en and "按给定顺序" in note.zh for note in scores.notes)


@pytest.mark.parametrize("name", ["prob", "p", "pred", "pctr", "logit", "yhat", "y_score", "probability", "y_pred"])
def test_runs_know_the_names_of_predictions(name: str) -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], name: [0.25, 0.75]})
    scores = pc.evaluate_ranking({"q": {"b": 1}}, run, "rr")
    assert scores["rr"] == 1
    assert any(f"score={name}" in note.en for note in scores.notes)


def test_several_numbers_are_all_named() -> None:
    run = pa.table({"qid": ["q"], "docid": ["a"], "one": [1], "two": [2.0], "three": ["x"]})
    said = refused(read_run, run)
    said.both_name("'one'", "'two'", "columns={'score': 'one'}")
    assert "three" not in said.en


def test_a_column_named_order_is_the_rank() -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "order": [2, 1]})
    assert pc.evaluate_ranking({"q": {"b": 1}}, run, "rr", columns={"rank": "order"})["rr"] == 1


@pytest.mark.parametrize("rank", ["order", "place"])
def test_a_rank_that_is_named_comes_before_a_score_that_is_not(rank: str) -> None:
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "score": [1.0, 2.0], "place": [1, 2]})
    assert pc.evaluate_ranking({"q": {"b": 1}}, run, "rr", columns={"rank": rank})["rr"] == 0.5


@pytest.mark.parametrize("form", FORMS)
def test_a_truth_is_asked_for_grades_with_an_unknown_name(form: str, tmp_path: Path) -> None:
    truth = as_form({"qid": ["q", "q"], "docid": ["a", "b"], "worth": [0, 2]}, form, tmp_path)
    run = {"q": {"a": 2.0, "b": 1.0}}
    said = refused(pc.evaluate_ranking, truth, run, "map")
    said.both_name("'worth'", "columns={'grade': 'worth'}", "--columns grade=worth", "columns={'grade': 'none'}")
    assert pc.evaluate_ranking(truth, run, "map", columns={"grade": "worth"})["map"] == 0.5
    assert pc.evaluate_ranking(truth, run, "map", columns={"truth.grade": "none"})["map"] == 1


@pytest.mark.parametrize(
    "name",
    ["timestamp", "ts", "timestamp:float", "created_at", "session_id", "categoryid", "Unnamed: 0", "index", "year"],
)
def test_times_and_ids_of_a_truth_are_no_grades(name: str) -> None:
    rows = read_truth(pa.table({"user": ["q"], "item": ["a"], name: [881250949]}))
    assert columns_of(rows) == (["q"], ["a"], [1.0])
    assert "every grade is 1" in rows.source.notes[0].en


@pytest.mark.parametrize(("read_side", "name"), [(read_run, "grade"), (read_truth, "rank"), (read_truth, "pctr")])
def test_a_name_of_the_other_side_may_mean_a_swap(read_side: Any, name: str) -> None:
    said = refused(read_side, pa.table({"user": ["q", "q"], "item": ["a", "b"], name: [1, 2]}))
    assert "are truth and run swapped" in said.en
    assert "真值与预测是否颠倒" in said.zh


def test_a_frame_with_an_item_in_each_column_is_told_what_to_do() -> None:
    items = [f"i{number}" for number in range(40)]
    frame = pa.table({name: [float(at)] for at, name in enumerate(items)}).to_pandas()
    frame.index = ["q"]
    truth = {"q": {"i39": 1}}
    said = refused(pc.evaluate_ranking, truth, frame, "rr")
    said.both_name("(frame.index, frame.to_numpy())", "items=frame.columns", "(40)")
    assert "'i39'" not in said.en
    assert pc.evaluate_ranking(truth, (frame.index, frame.to_numpy()), "rr", items=frame.columns)["rr"] == 1


def test_an_item_beyond_the_columns_of_a_matrix_asks_for_items() -> None:
    truth, matrix = {0: {2: 1}}, np.array([[0.1, 0.9]])
    refused(pc.evaluate_ranking, truth, matrix, "rr").both_name("items=[…]")
    assert pc.evaluate_ranking(truth, matrix, "rr", items=[1, 2])["rr"] == 1


@pytest.mark.parametrize(
    ("keyword", "value", "way_out"),
    [
        ("input_format", 5, "input_format='parquet'"),
        ("encoding", 5, "encoding='gb18030'"),
        ("columns", [1], "columns={'query': 'uid', 'score': 3}"),
        ("columns", "query", "columns={'query': 'uid', 'score': 3}"),
        ("columns", {1: "uid"}, "columns={'query': 'uid', 'score': 3}"),
    ],
)
def test_how_to_read_is_said_by_names(keyword: str, value: Any, way_out: str) -> None:
    refused(pc.evaluate_ranking, TRUTH, RUN, **{keyword: value}).both_name(f"{keyword}={value!r}", way_out)
