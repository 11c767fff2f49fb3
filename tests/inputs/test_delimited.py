"""CSV and TSV: quoting, ids as text, and errors with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import RUN, columns_of, refused, write


def test_quoted_ids_may_hold_commas_quotes_and_newlines(tmp_path: Path) -> None:
    text = 'qid,docid,rel\n"a, b","c\nd",1\n"say ""hi""",plain,2\n'
    rows = read_truth(write(tmp_path, "t.csv", text))
    assert columns_of(rows) == (["a, b", 'say "hi"'], ["c\nd", "plain"], [1.0, 2.0])


def test_such_ids_score_as_in_a_dict(tmp_path: Path) -> None:
    truth = write(tmp_path, "t.csv", 'qid,docid,rel\n"q,1","a\r\nb",2\n"q,1","c ""d""",1\n')
    run = write(tmp_path, "r.csv", 'qid,docid,score\n"q,1","a\r\nb",0.5\n"q,1","c ""d""",0.75\n')
    same = {"q,1": {"a\r\nb": 2, 'c "d"': 1}}, {"q,1": {"a\r\nb": 0.5, 'c "d"': 0.75}}
    assert pc.evaluate_ranking(truth, run, "ndcg") == pc.evaluate_ranking(*same, "ndcg")
    assert 0 < pc.evaluate_ranking(truth, run, "ndcg")["ndcg"] < 1


def test_tsv_knows_no_quotes(tmp_path: Path) -> None:
    rows = read_truth(write(tmp_path, "t.tsv", 'qid\tdocid\trel\n"q\tit\'s "it"\t1\n'))
    assert columns_of(rows) == (['"q'], ['it\'s "it"'], [1.0])


@pytest.mark.parametrize(("name", "cut"), [("t.csv", ","), ("t.tsv", "\t")])
def test_ids_stay_text(name: str, cut: str, tmp_path: Path) -> None:
    ids = ["007", "7", "7.0", "1e3", "NA", "null", "nan", "true", "2024-01-01", " x "]
    text = "".join(f"{cut.join(row)}\n" for row in [("qid", "docid", "rel"), *((one, one, "1") for one in ids)])
    rows = read_truth(write(tmp_path, name, text))
    assert rows.query.to_list() == rows.item.to_list() == ids


@pytest.mark.parametrize(
    "text",
    [
        "qid,docid,rel\r\nq,d,1\r\n",
        "\ufeffqid,docid,rel\nq,d,1",
        "\n\nqid,docid,rel\n\nq,d,1\n\n",
        '"qid","docid","rel"\n"q","d","1"\n',
        "other,rel,docid,more,qid\nx,1,d,y z,q\n",
        "qid, docid, rel\nq,d,1\n",
        "qid,docid,rel\nq,d, 1 \n",
    ],
    ids=["crlf", "bom, unfinished", "blank lines", "quotes", "more columns", "blank in header", "blank at number"],
)
def test_ways_to_write_a_table(text: str, tmp_path: Path) -> None:
    assert columns_of(read_truth(write(tmp_path, "t.csv", text))) == (["q"], ["d"], [1.0])


@pytest.mark.parametrize("written", ["1.5", "+1.5", "-0.0", "1e-3", "inf", "-Infinity", "1e400", "0.1", "7"])
def test_scores_are_read_as_python_reads_them(written: str, tmp_path: Path) -> None:
    rows = read_run(write(tmp_path, "r.csv", f"qid,docid,score\nq,d,{written}\n"))
    assert rows.value.tolist() == [float(written)]


@pytest.mark.parametrize("written", ["", "nan", "NaN", "NA", "null"])
def test_an_empty_score_is_not_a_number(written: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", f"qid,docid,score\n\nq1,d1,1\nq1,d4,{written}\n")
    said = refused(pc.evaluate_ranking, {"q1": {"d1": 1}}, path)
    said.both_name(f"{path}:4", "'q1'", "'d4'", "nan=last", "drop")
    assert pc.evaluate_ranking({"q1": {"d1": 1}}, path, "rr", nan="last")["rr"] == 1


@pytest.mark.parametrize("written", ["", "nan", "NA"])
def test_an_empty_grade_is_refused(written: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", f"qid,docid,rel\nq1,d1,1\n\nq1,d4,{written}\n")
    refused(pc.evaluate_ranking, path, RUN, nan="drop").both_name(f"{path}:4", "'rel'")


@pytest.mark.parametrize("cut", [",", "\t"], ids=["csv", "tsv"])
@pytest.mark.parametrize("written", ["high", "1_0", "1.2.3", "１２", "0x1", "1 2"])
def test_a_value_that_is_no_number(written: str, cut: str, tmp_path: Path) -> None:
    text = f"qid{cut}docid{cut}score\nq{cut}a{cut}1\n\nq{cut}b{cut}{written}\n"
    path = write(tmp_path, "r.csv" if cut == "," else "r.tsv", text)
    refused(read_run, path).both_name(f"{path}:4", f"'{written}'", "'score'")


@pytest.mark.parametrize(("line", "fields"), [("q,b", 2), ("q,b,1,2", 4)])
def test_another_number_of_fields(line: str, fields: int, tmp_path: Path) -> None:
    path = write(tmp_path, "r.csv", f"qid,docid,score\n\nq,a,1\n{line}\n")
    refused(read_run, path).both_name(f"{path}:4", fields, 3, line)


@pytest.mark.parametrize(("line", "column"), [(",d,1", "qid"), ("q,,1", "docid"), ('q,"",1', "docid")])
def test_an_empty_id(line: str, column: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", f"qid,docid,rel\nq,a,1\n\n{line}\n")
    refused(read_truth, path).both_name(f"{path}:4", f"'{column}'")


def test_both_lines_of_a_duplicate(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "qid,docid,rel\nq1,d1,1\n\nq1,d2,1\nq1,d1,2\n")
    refused(pc.evaluate_ranking, path, RUN).both_name(f"{path}:2", f"{path}:5", "'q1'", "'d1'", "duplicates=first")


def test_messages_have_one_line_even_where_ids_have_two(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", 'qid,docid,rel\nq1,"d\n1",1\nq1,"d\n1",2\n')
    refused(pc.evaluate_ranking, path, RUN).both_name("duplicates=first")


def test_a_quote_that_never_ends(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", 'qid,docid,rel\nq1,d1,1\nq1,"d2,1\nq1,d3,1\n')
    refused(pc.evaluate_ranking, path, RUN).both_name(path)


@pytest.mark.parametrize("text", ["qid,docid,rel", "qid,docid,rel\n", "qid,docid,rel\n\n\n"])
def test_a_header_without_rows(text: str, tmp_path: Path) -> None:
    refused(read_truth, write(tmp_path, "t.csv", text)).both_name("t.csv")


@pytest.mark.parametrize(("name", "cut"), [("t.csv", ","), ("t.tsv", "\t")])
def test_columns_of_other_names(name: str, cut: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, f"who{cut}what{cut}how\nq{cut}d{cut}2\n")
    rows = read_truth(path, columns={"query": "who", "item": "what", "grade": "how"})
    assert columns_of(rows) == (["q"], ["d"], [2.0])


def test_gbk_is_read_when_it_is_named(tmp_path: Path) -> None:
    truth = write(tmp_path, "t.csv", "qid,docid,rel\nq,文档,1\nq,其他,0\n".encode("gbk"))
    run = write(tmp_path, "r.csv", "qid,docid,score\nq,其他,2\nq,文档,1\n".encode("gbk"))
    assert pc.evaluate_ranking(truth, run, "rr", encoding="gbk")["rr"] == 0.5
    refused(pc.evaluate_ranking, truth, run).both_name(f"{truth}:2", "--encoding gb18030")
