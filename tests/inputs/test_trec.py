"""TREC text: what a line means, and what is said of a line that means nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth
from pingce.inputs.tables.trec import parse_reference

from .samples import RUN, TRUTH, columns_of, refused, write

pytestmark = pytest.mark.usefixtures("core")


def test_qrels_have_four_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "q1 0 d1 3\nq1\t0\td2\t-1\nq2 x d1 0.5\n")
    assert columns_of(read_truth(path)) == (["q1", "q1", "q2"], ["d1", "d2", "d1"], [3.0, -1.0, 0.5])


def test_runs_have_six_columns_and_the_score_decides(tmp_path: Path) -> None:
    rows = read_run(write(tmp_path, "r", "q1 Q0 d1 2 0.5 tag\nq1 Q0 d2 1 0.25 tag with spaces\n"))
    assert columns_of(rows) == (["q1", "q1"], ["d1", "d2"], [0.5, 0.25])
    assert not rows.ordered


def test_three_columns_are_a_ranked_run(tmp_path: Path) -> None:
    rows = read_run(write(tmp_path, "r", "q1 d1 2\nq1 d2 1\n"))
    assert columns_of(rows) == (["q1", "q1"], ["d1", "d2"], [-2.0, -1.0])
    assert rows.ordered


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 a 1\nq2 0 b 2\n",
        "q1\t0\ta\t1\nq2\t0\tb\t2\n",
        "  q1 \t 0   a\t\t1  \n\tq2 0 b 2\t",
        "q1 0 a 1\r\nq2 0 b 2\r\n",
        "\n\r\n \t\nq1 0 a 1\n\n\n  \nq2 0 b 2\n\n",
        "q1\v0\fa\v1\nq2 0 b 2",
        "\ufeffq1 0 a 1\nq2 0 b 2\n",
    ],
    ids=["spaces", "tabs", "mixed", "crlf", "blank lines", "other blanks", "bom"],
)
def test_any_white_space(text: str, tmp_path: Path) -> None:
    assert columns_of(read_truth(write(tmp_path, "t", text))) == (["q1", "q2"], ["a", "b"], [1.0, 2.0])


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\x85", "\x1c"], ids=["nbsp", "ideographic", "nel", "fs"])
@pytest.mark.parametrize("first", [True, False], ids=["first line", "later line"])
def test_only_ascii_blanks_separate_fields(blank: str, first: bool, tmp_path: Path) -> None:
    odd, plain = f"q1 0 x{blank}y 1\n", "q1 0 a 2\n"
    rows = read_truth(write(tmp_path, "t", odd + plain if first else plain + odd))
    assert sorted(rows.item.to_list()) == ["a", f"x{blank}y"]


def test_ids_stay_as_written(tmp_path: Path) -> None:
    rows = read_truth(write(tmp_path, "t", "007 0 0010 1\n7 0 10 1\n1e3 0 +1 1\n查询 0 文档 1\n"))
    assert rows.query.to_list() == ["007", "7", "1e3", "查询"]
    assert rows.item.to_list() == ["0010", "10", "+1", "文档"]


@pytest.mark.parametrize("written", ["1", "+1", "-0", "1.", ".5", "1e3", "1E-3", "inf", "-Infinity", "nan", "1e400"])
def test_scores_are_read_as_python_reads_them(written: str, tmp_path: Path) -> None:
    rows = read_run(write(tmp_path, "r", f"q Q0 d 1 {written} t\n"))
    np.testing.assert_array_equal(rows.value, [float(written)])
    assert np.signbit(rows.value[0]) == np.signbit(float(written))


@pytest.mark.parametrize("written", ["x", "1_000", "0x10", "1e", "--1", "+-1", "1,5", "nan(1)", "１２", "NA", "1..2"])
def test_a_score_that_is_no_number(written: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r", f"\nq Q0 d 1 1.5 t\n\nq Q0 e 2 {written} tag\nq Q0 f 3 y t\n")
    refused(read_run, path).both_name(f"{path}:4", f"'{written}'", f"q Q0 e 2 {written} tag")


def test_a_grade_that_is_text(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "q 0 d 1\r\nq 0 e relevant\r\n")
    refused(pc.evaluate_ranking, path, RUN).both_name(f"{path}:2", "'relevant'", "q 0 e relevant")


@pytest.mark.parametrize(
    ("role", "text", "fields", "needed"),
    [
        ("truth", "q 0 d 1\n\nq 0 e\n", 3, 4),
        ("truth", "q 0 d 1\n\nq 0 e 1 2\n", 5, 4),
        ("run", "q Q0 d 1 1 t\n \t \nq Q0 e 2 1\n", 5, 6),
        ("run", "q Q0 d 1 1 t\n\r\nq\n", 1, 6),
        ("run", "q d 1\n\nq e\n", 2, 3),
        ("run", "q d 1\n\nq e 2 9\n", 4, 3),
    ],
)
def test_too_few_or_too_many_fields(role: str, text: str, fields: int, needed: int, tmp_path: Path) -> None:
    path = write(tmp_path, "f", text)
    read = read_truth if role == "truth" else read_run
    bad = text.rstrip().splitlines()[-1]
    refused(read, path).both_name(f"{path}:3", f"{fields} ", f"{needed} ", bad)


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_a_first_line_of_no_known_shape(count: int, tmp_path: Path) -> None:
    line = " ".join("abcdefg"[:count])
    path = write(tmp_path, "t", "\n\n" + line + "\n")
    refused(read_truth, path).both_name(f"{path}:3", count, "query 0 item grade", line)


@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_a_first_line_that_is_no_run(count: int, tmp_path: Path) -> None:
    path = write(tmp_path, "r", " ".join("abcde"[:count]))
    refused(read_run, path).both_name(f"{path}:1", count, "query Q0 item rank score tag", "query item rank")


@pytest.mark.parametrize(
    ("truth", "run"),
    [("q Q0 d 1 .5 t\n", "q 0 d 1\n"), ("q d 1\n", "q 0 d 1\n")],
    ids=["trec", "msmarco"],
)
def test_swapped_arguments(truth: str, run: str, tmp_path: Path) -> None:
    first, second = write(tmp_path, "a", truth), write(tmp_path, "b", run)
    for said in (refused(pc.evaluate_ranking, first, second), refused(read_run, second)):
        assert "swapped" in said.en
        assert "颠倒" in said.zh


@pytest.mark.parametrize("length", [100, 399, 1000])
def test_long_lines_are_cut_in_messages_only(length: int, tmp_path: Path) -> None:
    item = "d" * length
    path = write(tmp_path, "r", f"q Q0 a 1 1 t\nq Q0 {item} 2 oops t\n")
    said = refused(read_run, path)
    said.both_name(f"{path}:2", "'oops'")
    assert len(said.en) < len(str(path)) + 300


def test_fields_of_long_lines_are_counted_right(tmp_path: Path) -> None:
    path = write(tmp_path, "t", f"q 0 a 1\nq 0 {'d' * 500} 1 more\n")
    refused(read_truth, path).both_name(f"{path}:2", "5 ", "4 ")


def test_the_bad_value_is_the_one_the_parser_saw(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "q 0 a 1\nq 0 x\u00a0y bad\n")
    refused(read_truth, path).both_name(f"{path}:2", "'bad'")


@pytest.mark.parametrize("text", [" \n\t\r\n", "\n", "\ufeff", "\ufeff\n"], ids=["blanks", "newline", "bom", "bom, nl"])
def test_nothing_but_blanks_is_empty(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t", text)
    said = refused(pc.evaluate_ranking, path, RUN)
    said.both_name(path)
    assert "empty" in said.en


@pytest.mark.parametrize(
    ("qrels", "run", "place", "again"),
    [
        ("q 0 a 1\n\nq 0 b 1\n\n\nq 0 a 0\n", "q Q0 a 1 1 t\n", "t:1", "t:6"),
        ("q 0 a 1\n", "\nq Q0 b 1 3 t\nq Q0 a 2 2 t\n\nq Q0 a 3 1 t\nq Q0 a 4 0 t\n", "r:3", "r:5"),
    ],
    ids=["truth", "run"],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_both_lines_of_a_duplicate(qrels: str, run: str, place: str, again: str, threads: int, tmp_path: Path) -> None:
    given = write(tmp_path, "t", qrels), write(tmp_path, "r", run)
    said = refused(pc.evaluate_ranking, *given, threads=threads)
    said.both_name(f"{tmp_path}/{place}", f"{tmp_path}/{again}", "'q'", "'a'", "duplicates=first", "last", "best")


@pytest.mark.parametrize("grade", ["nan", "inf", "-inf"])
def test_grades_are_finite(grade: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t", f"\nq 0 a 1\nq 0 b {grade}\n")
    refused(pc.evaluate_ranking, path, {"q": {"a": 1.0}}, nan="drop").both_name(f"{path}:3", grade, "'q'", "'b'")


def test_a_score_of_nan_names_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "r", "q1 Q0 d1 1 2 t\n\nq1 Q0 d4 2 nan t\nq2 Q0 d4 2 NaN t\n")
    said = refused(pc.evaluate_ranking, TRUTH, path)
    said.both_name(f"{path}:3", "'q1'", "'d4'", "2 ", "nan=last", "first", "drop")


def test_the_reference_reports_the_first_fault() -> None:
    from pingce.inputs.tables.shapes import QRELS
    from pingce.inputs.tables.trec import MANY_FIELDS

    text = np.frombuffer(b"q 0 d 1\nq 0 d 1 1\nq 0\n", np.uint8)
    assert parse_reference(text, QRELS) == {"fault": MANY_FIELDS, "fault_at": 8}


def test_line_ends_of_another_system_are_refused(core: str, tmp_path: Path) -> None:
    path = write(tmp_path, "mac.run", "q Q0 a 1 2 t\rq Q0 b 2 1 t\r")
    refused(read_run, path).both_name(f"{path}:1", "tr")
