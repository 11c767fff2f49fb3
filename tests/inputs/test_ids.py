"""Ids: text stays text, integers stay integers, and the two meet only where that is safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.inputs.ids import Ids, IntIds, StringIds, concatenate, integers_or_none

from .samples import INT_RUN, INT_TRUTH, columns_of, delimited, lines, refused, scored, triples, write

NAMES = ("qid", "docid", "score")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8))
def test_strings_come_back(strings: list[str]) -> None:
    ids = StringIds.from_strings(strings)
    assert ids.to_list() == strings
    assert len(ids) == len(strings)
    assert ids.to_bytes() == [string.encode() for string in strings]
    assert sorted(range(len(strings)), key=ids.comparable().tolist().__getitem__) == sorted(
        range(len(strings)), key=strings.__getitem__
    )


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8), st.data())
def test_rows_are_taken_and_joined(values: list[int], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(values) - 1), max_size=8))
    strings = StringIds.from_strings(map(str, values))
    columns: tuple[tuple[Ids, list[Any]], ...] = (
        (IntIds(np.array(values)), list(values)),
        (strings, [str(value) for value in values]),
    )
    for ids, plain in columns:
        taken = ids.take(np.array(rows, dtype=np.int64))
        assert taken.to_list() == [plain[row] for row in rows]
        assert concatenate([ids, taken]).to_list() == [*plain, *(plain[row] for row in rows)]
    found = integers_or_none(strings)
    assert found is not None
    assert found.to_list() == values


@pytest.mark.parametrize("odd", ["007", "+7", "-0", "7.0", "1_0", " 7", "", "x", "１", str(2**63), "9" * 5000])
def test_text_that_is_not_just_an_integer_stays_text(odd: str) -> None:
    assert integers_or_none(StringIds.from_strings(["1", odd])) is None


def frames() -> tuple[Any, Any]:
    return (
        pd.DataFrame(triples(INT_TRUTH), columns=["qid", "docid", "rel"]),
        pd.DataFrame(triples(INT_RUN), columns=["qid", "docid", "score"]),
    )


@pytest.mark.parametrize("form", ["csv", "tsv", "trec"])
def test_text_against_integers(form: str, core: str, tmp_path: Path) -> None:
    truth, run = frames()
    if form == "trec":
        text = lines("{0} 0 {1} {2}", triples(INT_TRUTH)), lines("{0} Q0 {1} 1 {2} t", triples(INT_RUN))
    else:
        cut = "," if form == "csv" else "\t"
        text = delimited(NAMES, triples(INT_TRUTH), cut), delimited(NAMES, triples(INT_RUN), cut)
    paths = write(tmp_path, f"t.{form}", text[0]), write(tmp_path, f"r.{form}", text[1])
    assert scored(paths[0], run) == scored(truth, paths[1]) == scored(INT_TRUTH, INT_RUN)


@pytest.mark.parametrize("side", ["truth", "run"])
def test_text_read_as_integers_is_noted(side: str, tmp_path: Path) -> None:
    truth, run = frames()
    given: tuple[Any, Any] = (write(tmp_path, "t.csv", delimited(NAMES, triples(INT_TRUTH), ",")), run)
    if side == "run":
        given = truth, write(tmp_path, "r.csv", delimited(NAMES, triples(INT_RUN), ","))
    notes = [note for note in pc.evaluate_ranking(*given, ["rr", "ap"]).notes if "integers" in note.en]
    assert len(notes) == 2
    assert all("整数" in note.zh for note in notes)
    assert ["query" in note.en for note in notes] == [True, False]


def test_only_the_part_that_differs_is_read_as_integers(tmp_path: Path) -> None:
    truth = write(tmp_path, "t.csv", "qid,docid,rel\n1,a,1\n2,b,1\n")
    assert pc.evaluate_ranking(truth, {1: {"a": 1.0}, 2: {"c": 1.0}}, "rr")["rr"] == 0.5


@pytest.mark.parametrize("text", ["qid,docid,rel\n7,007,1\n", "qid,docid,rel\n7,7,1\n7,x,1\n"], ids=["007", "x"])
def test_text_that_is_no_integer_does_not_meet_integers(text: str, tmp_path: Path) -> None:
    truth = write(tmp_path, "t.csv", text)
    said = refused(pc.evaluate_ranking, truth, {7: {7: 1.0}})
    said.both_name("'007'" if "007" in text else "'x'", "7")
    assert "strings in the truth and integers in the run" in said.en
    assert "字符串" in said.zh
    assert "整数" in said.zh


@pytest.mark.parametrize(
    ("truth", "run"),
    [
        ({1: {"a": 1}}, {"1": {"a": 1.0}}),
        ({"1": {"a": 1}}, {1: {"a": 1.0}}),
        ({"q": {1: 1}}, {"q": {"1": 1.0}}),
        ({"q": {"1": 1}}, pa.table({"qid": ["q"], "docid": [1], "score": [1.0]})),
    ],
    ids=["query", "query, other way", "item", "table"],
)
def test_integers_do_not_meet_strings(truth: Any, run: Any, core: str) -> None:
    said = refused(pc.evaluate_ranking, truth, run)
    said.both_name("'1'", " 1")
    assert "integers" in said.en
    assert "strings" in said.en
    assert "整数" in said.zh
    assert "字符串" in said.zh


def test_007_is_not_7(core: str, tmp_path: Path) -> None:
    truth = write(tmp_path, "t", "q 0 007 1\nq 0 7 0\n")
    run = write(tmp_path, "r", "q Q0 7 1 2 t\nq Q0 007 2 1 t\n")
    assert pc.evaluate_ranking(truth, run, "rr")["rr"] == 0.5


def test_ties_fall_by_byte_order_of_text_and_by_value_of_integers(core: str) -> None:
    assert pc.evaluate_ranking({"q": {"9": 1}}, {"q": {"9": 1.0, "10": 1.0}}, "rr")["rr"] == 1
    assert pc.evaluate_ranking({1: {9: 1}}, {1: {9: 1.0, 10: 1.0}}, "rr")["rr"] == 0.5
    assert pc.evaluate_ranking({1: {-1: 1}}, {1: {-1: 1.0, 1: 1.0}}, "rr")["rr"] == 0.5
    assert pc.evaluate_ranking({"q": {"\uffff": 1}}, {"q": {"\uffff": 1.0, "\U0001f600": 1.0}}, "rr")["rr"] == 0.5


def test_the_ends_of_64_bits(core: str) -> None:
    low, high = -(2**63), 2**63 - 1
    scores = pc.evaluate_ranking({low: {high: 1}, high: {low: 1}}, {low: {high: 1.0}, high: {0: 2.0, low: 1.0}}, "rr")
    assert scores.per_query.to_pydict() == {"query": [low, high], "rr": [1.0, 0.5]}


def in_gbk(folder: Path, truth: str, run: str) -> tuple[Path, Path]:
    return write(folder, "t", truth.encode("gbk")), write(folder, "r", run.encode("gbk"))


@pytest.fixture
def gbk(tmp_path: Path) -> tuple[Path, Path]:
    """Chinese ids as GBK bytes."""
    truth = "查询 0 文档 1\n查询 0 其他 0\n问题 0 文档 2\n"
    return in_gbk(tmp_path, truth, "查询 Q0 其他 1 2 标签\n查询 Q0 文档 2 1 标签\n问题 Q0 文档 1 1 标签\n")


def test_gbk_is_read_when_it_is_named(gbk: tuple[Path, Path], core: str) -> None:
    scores = pc.evaluate_ranking(*gbk, ["rr", "ap"], encoding="gb18030")
    assert dict(scores) == {"rr": 0.75, "ap": 0.75}
    assert scores.queries == ["查询", "问题"]


def test_a_letter_that_is_a_blank_in_another_encoding(tmp_path: Path, core: str) -> None:
    """In GBK 聽 is C2 A0, the no-break space of UTF-8."""
    truth, run = in_gbk(tmp_path, "q 0 聽 1\nq 0 文 0\n", "q Q0 聽 1 2 t\nq Q0 文 2 1 t\n")
    assert pc.evaluate_ranking(truth, run, "rr", encoding="gbk")["rr"] == 1


def test_bytes_that_are_not_utf8_are_refused_with_the_way_out(gbk: tuple[Path, Path], core: str) -> None:
    said = refused(pc.evaluate_ranking, *gbk)
    said.both_name(f"{gbk[0]}:1", "0xb2", "utf-8", "--encoding gb18030", "encoding='gb18030'")


def test_one_side_in_gbk_meets_the_other_in_utf8(gbk: tuple[Path, Path], core: str) -> None:
    run = {"查询": ["其他", "文档"], "问题": ["文档"]}
    assert pc.evaluate_ranking(gbk[0], run, "rr", encoding="gb18030")["rr"] == 0.75


def test_rows_of_a_text_and_of_a_dict_are_alike(tmp_path: Path) -> None:
    from pingce.inputs import read_truth

    path = write(tmp_path, "t", lines("{0} 0 {1} {2}", triples({"查询": {"007": 1, "é": 2}})))
    assert columns_of(read_truth(path)) == columns_of(read_truth({"查询": {"007": 1, "é": 2}}))
