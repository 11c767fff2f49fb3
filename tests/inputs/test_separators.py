"""Wrong separators and missing headers are named as such; the separator can be said, and columns counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.paths import read_columns as read_predictions
from pingce.inputs.streams import open_table

from .samples import columns_of, refused, write
from .test_streamed import same_rows

ROWS = (["u", "u"], ["a", "b"], [0.5, 0.25])


@pytest.mark.parametrize(("name", "said"), [(";", "--sep ';'"), ("|", "--sep '|'"), ("\t", "--sep tab")])
def test_a_separator_is_guessed_in_words_and_can_be_said(name: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    write(tmp_path, "r.csv", "\n".join(name.join(row) for row in (("who", "what", "x"), ("u", "a", ".5"))))
    refused(read_run, path).both_name(f"{path}:1", said, "input_format='csv:")
    text = "\n".join(name.join(row) for row in (("user", "item", "score"), ("u", "a", ".5"), ("u", "b", ".25")))
    write(tmp_path, "r.csv", text)
    assert columns_of(read_run(path, input_format=f"csv:{name}")) == ROWS
    same_rows(path, "run", 30, input_format=f"csv:{name}")


def test_the_separator_is_that_of_tables_only(tmp_path: Path) -> None:
    truth = write(tmp_path, "t", "u 0 a 1\n")
    run = write(tmp_path, "r.txt", 'user;item;score\nu;"a;b";0.5\nu;a;0.25\n')
    scores = pc.evaluate_ranking(truth, run, "mrr", input_format="csv:;")
    assert scores["mrr"] == 0.5


@pytest.mark.parametrize("separator", ["::", "", "，", '"', "ab"])
def test_separators_that_are_none(separator: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", "user,item,score\nu,a,1\n")
    refused(read_run, path, input_format=f"csv:{separator}").both_name(f"'{separator}'", "--sep")


def test_text_of_one_column_asks_for_the_separator(tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", "u|a|0.5\nu|b|0.25\n")
    refused(read_run, path).both_name(f"{path}:1", "--sep '|'")
    assert columns_of(read_run(path, input_format="csv:|", columns={"run.score": 3})) == ROWS


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.txt"])
def test_tables_without_a_header(name: str, tmp_path: Path) -> None:
    letter = "\t" if name.endswith("tsv") else ","
    path = write(tmp_path, name, "u,a,x,0.5,z\nu,b,y,0.25,z\n".replace(",", letter))
    if not name.endswith("txt"):
        said = refused(read_run, path)
        said.both_name(f"{path}:1", "'0.5'", "run.query=1,run.item=2,run.score=3")
        assert "not a header" in said.en
    write(tmp_path, name, "u,a,x y,0.5,z\nu,b,z,0.25,z\n".replace(",", letter))
    columns: dict[str, Any] = {"run.query": 1, "run.item": "2", "run.score": "4"}
    assert columns_of(read_run(path, columns=columns)) == ROWS
    assert read_run(path, columns=columns).source.place(1).en == f"{path}:2"
    for memory in (1, 40, 1 << 20):
        same_rows(path, "run", memory, columns=columns)


def test_later_rows_that_look_like_a_header(tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", "u,a,0.5\nu,item,0.4\nquery,item,0.3\n1,2,3\n")
    for memory in (1, 20, 1 << 20):
        same_rows(path, "run", memory, columns={"run.score": "3"})
    assert len(read_run(path, columns={"run.score": "3"})) == 4


def test_a_row_of_numbers_in_order_is_not_guessed(tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", "1,2,3\n1,3,2\n")
    refused(read_run, path, columns={"run.score": 3}).both_name(f"{path}:1", "'1', '2', '3'")


def test_names_that_are_numbers_stay_names(tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", "0,1,2\nu,a,0.5\nu,b,0.25\n")
    assert columns_of(read_run(path, columns={"query": "0", "item": "1", "score": "2"})) == ROWS


def test_a_truth_without_a_header(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "u,a,3\nu,b,0\n")
    refused(read_truth, path).both_name("truth.query=1,truth.item=2,truth.grade=3")
    assert read_truth(path, columns={"grade": 3}).value.tolist() == [3.0, 0.0]


def test_a_bad_number_below_no_header_has_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", "u,a,0.5\nu,b,many\n")
    refused(read_run, path, columns={"run.score": 3}).both_name(f"{path}:2", "'many'")
    write(tmp_path, "r.csv", "u,a,0.5\nu,b\n")
    refused(read_run, path, columns={"run.score": 3}).both_name(f"{path}:2", "2 ", "3")


PREDICTIONS = "1,0.9,u\n0,0.2,u\n1,0.4,v\n0,0.5,v\n"


def test_predictions_without_a_header(tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", PREDICTIONS)
    refused(pc.evaluate_binary, "y", "p", "auc", data=path).both_name(f"{path}:1", "--label 1 --score 2")
    scores = pc.evaluate_binary("1", "2", ["auc", "gauc"], data=path, group="3")
    assert (scores["auc"], scores["gauc"]) == (0.75, 0.5)


def test_predictions_with_another_separator(tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", "y;p;u\n" + PREDICTIONS.replace(",", ";"))
    refused(pc.evaluate_binary, "y", "p", "auc", data=path).both_name(f"{path}:1", "--sep ';'")
    assert pc.evaluate_binary("y", "p", "auc", data=path, input_format="csv:;")["auc"] == 0.75


@pytest.mark.parametrize("reading", [{}, {"input_format": "csv:;"}])
def test_predictions_in_chunks(reading: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", PREDICTIONS.replace(",", ";" if reading else ","))
    wanted = Wanted(("1", "2"), numbers=("2",))
    whole, _ = read_predictions(path, wanted, Reading(**reading))
    stream = open_table(path, wanted, Reading(**reading))
    assert stream is not None
    chunks = list(stream.chunks(1))
    assert [row for table, _ in chunks for row in table.to_pylist()] == whole.to_pylist()
    assert len(chunks) == 4
    assert chunks[3][1].place(0).en == f"{path}:4"
