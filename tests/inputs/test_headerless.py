"""Text without a header: whether a third column is a rank or a score, columns by number, and comments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.inputs import read_excluded, read_run, read_truth, read_weights
from pingce.inputs.columns import Reading
from pingce.inputs.streams import open_rows
from pingce.request import Request
from pingce.run.memory import ListBudget
from pingce.run.stream_ranking import RankingStreams, StreamedRanking

from .samples import columns_of, refused, write
from .test_streamed import same_rows

pytestmark = pytest.mark.usefixtures("core")
TRUTH = {"u": {"a": 1}, "v": {"b": 1}}
LIMITS = (1, 40, 1 << 20)
SMALL = ListBudget(chunk=60, part=400, query=1 << 20, whole=1 << 20, files=2)

SCORES = {
    "fractions": "u a 0.9\nu b 0.1\nv b 0.8\nv a 0.3\n",
    "whole": "u a 5\nu b 3\nv b 4\nv a 1\n",
    "ranks of one query only": "u a 2\nu b 1\nv b 7\nv a 1\n",
    "equal": "u a 2\nu b 2\nv b 1\nv a 1\n",
    "one row": "u a 3\n",
    "negative": "u a -1\nu b -2\nv b 1\nv a -3\n",
    "gaps": "u a 3\nu b 1\nv b 2\nv a 1\n",
    "1…n too often": "u a 2\nu b 1\nu c 1\nu d 2\n",
    "infinite": "u a inf\nu b 1\n",
}
RANKS = {
    "in order": "u a 1\nu b 2\nv b 1\nv a 2\n",
    "in any order": "u b 2\nv b 1\nv a 2\nu a 1\n",
    "with a point": "u a 1.0\nu b 2.0\n",
    "one row": "u a 1\nv b 1\n",
    "tabs": "u\ta\t1\r\nu\tb\t2\r\nu\tc\t3\r\n",
}


def streamed(run: Path, **reading: Any) -> dict[str, float]:
    """The reciprocal rank of a run that is read in small chunks."""
    found = open_rows(run, "run", Reading(**reading))
    assert found is not None
    return dict(StreamedRanking(Request.of("ranking", "mrr"), RankingStreams(found, read_truth(TRUTH)), SMALL).score())


@pytest.mark.parametrize("text", SCORES.values(), ids=SCORES)
def test_a_third_column_is_a_score(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", text)
    rows = read_run(path)
    assert rows.meaning == "given"
    assert columns_of(rows)[2] == [float(line.split()[2]) for line in text.splitlines()]
    (note,) = rows.source.notes
    assert "score" in note.en and "run.rank=3" in note.en
    assert "分数" in note.zh and "run.rank=3" in note.zh
    for memory in LIMITS:
        same_rows(path, "run", memory)


@pytest.mark.parametrize("text", RANKS.values(), ids=RANKS)
def test_a_third_column_is_a_rank(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", text)
    rows = read_run(path)
    assert rows.meaning == "rank"
    assert columns_of(rows)[2] == [-float(line.split()[2]) for line in text.splitlines()]
    (note,) = rows.source.notes
    assert "rank" in note.en and "run.score=3" in note.en
    assert "名次" in note.zh
    for memory in LIMITS:
        same_rows(path, "run", memory)


@pytest.mark.parametrize("name", ["fractions", "whole", "ranks of one query only", "gaps"])
def test_scores_are_not_ranked_upside_down(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", SCORES[name])
    scores = pc.evaluate_ranking(TRUTH, path, "mrr")
    assert scores["mrr"] == 1.0
    assert len([note for note in scores.notes if "third column" in note.en]) == 1
    assert streamed(path) == dict(scores)


@pytest.mark.parametrize("text", ["u a 0\nu b 1\nv b 0\n", "u a 2\nu b 0\nu c 1\n"])
def test_numbers_from_0_are_asked_about(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", text)
    refused(read_run, path).both_name("r.txt", "0…n−1", "run.rank=3", "run.score=3")
    refused(streamed, path).both_name("0…n−1")
    for kind, sign in (("rank", -1), ("score", 1)):
        rows = read_run(path, columns={f"run.{kind}": "3"})
        assert columns_of(rows)[2] == [sign * float(line.split()[2]) for line in text.splitlines()]


def test_the_files_of_a_folder_decide_together(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder, "a", "u a 1\nu c 3\nv b 2\n")
    write(folder, "b", "u b 2\nv a 1\n")
    assert read_run(folder).meaning == "rank"
    same_rows(folder, "run", 40)
    write(folder, "c", "w a 7\n")
    assert read_run(folder).meaning == "given"
    same_rows(folder, "run", 40)


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_the_rows(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    lengths = draw.integers(1, 40, 30)
    lines = [f"q{q} d{i} {i + 1}\n" for q, length in enumerate(lengths) for i in range(length)]
    shuffled = [lines[row] for row in draw.permutation(len(lines))]
    path = write(tmp_path, "r.txt", "".join(shuffled))
    assert read_run(path).meaning == "rank"
    same_rows(path, "run", 500)
    write(tmp_path, "r.txt", "".join([*shuffled[:-1], "q1 other 41\n"]))
    assert read_run(path).meaning == "given"
    same_rows(path, "run", 500)


COUNTED: dict[str, tuple[str, dict[str, Any], tuple[list[str], list[str], list[float]], str]] = {
    "score of three": ("u a 1\nu b 2\n", {"run.score": "3"}, (["u", "u"], ["a", "b"], [1, 2]), "given"),
    "score as a number": ("u a 1\nu b 2\n", {"score": 3}, (["u", "u"], ["a", "b"], [1, 2]), "given"),
    "rank of three": ("u a 5\nu b 7\n", {"run.rank": "3"}, (["u", "u"], ["a", "b"], [-5, -7]), "rank"),
    "rank of six": ("u Q0 a 2 9 t\nu Q0 b 1 8 t\n", {"rank": 4}, (["u", "u"], ["a", "b"], [-2, -1]), "rank"),
    "others": ("a 7 u x 2 z\n", {"run.query": 3, "run.item": 1, "run.score": 5}, (["u"], ["a"], [2]), "given"),
    "four": ("u a .5 2020\n", {"run.score": "3"}, (["u"], ["a"], [0.5]), "given"),
    "a number that is an id": ("3\t3\t3\n3\t4\t5\n", {"run.score": "3"}, (["3", "3"], ["3", "4"], [3, 5]), "given"),
    "order": ("u a 9\nu b 9\n", {"rank": "order"}, (["u", "u"], ["a", "b"], [0, -1]), "order"),
    "order of two": ("u a\nu b\n", {"run.rank": "order"}, (["u", "u"], ["a", "b"], [0, -1]), "order"),
    "the tenth": ("u a " + "x " * 6 + "7 8\n", {"run.item": 2, "run.score": 10}, (["u"], ["a"], [8]), "given"),
    "names of the other table": ("u a 1.5\n", {"query": "uid", "item": "iid"}, (["u"], ["a"], [1.5]), "given"),
}


@pytest.mark.parametrize(("text", "columns", "found", "meaning"), COUNTED.values(), ids=COUNTED)
def test_columns_by_number(text: str, columns: dict[str, Any], found: Any, meaning: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", text)
    rows = read_run(path, columns=columns)
    assert (columns_of(rows), rows.meaning) == (found, meaning)
    unused = [f"{part}={name}" for part, name in columns.items() if name in ("uid", "iid")]
    assert len(rows.source.notes) == 1 + bool(unused)
    assert all(name in rows.source.notes[0].en and name in rows.source.notes[0].zh for name in unused)
    for memory in LIMITS:
        same_rows(path, "run", memory, columns=columns)


def test_columns_of_a_truth_by_number(tmp_path: Path) -> None:
    path = write(tmp_path, "t.txt", "u a 3\nv b 1\n")
    refused(read_truth, path).both_name("t.txt:1", "3 ", "truth.query=1,truth.item=2,truth.grade=3")
    rows = read_truth(path, columns={"truth.query": 1, "truth.item": 2, "truth.grade": 3})
    assert columns_of(rows) == (["u", "v"], ["a", "b"], [3.0, 1.0])
    assert read_truth(path, columns={"grade": "3"}).value.tolist() == [3.0, 1.0]


def test_other_tables_by_number(tmp_path: Path) -> None:
    path = write(tmp_path, "x.txt", "a u 2\nb v 3\n")
    pairs = read_excluded(path, columns={"exclude.query": 2, "exclude.item": 1})
    assert columns_of(pairs)[:2] == (["u", "v"], ["a", "b"])
    weights = read_weights(path, columns={"weights.query": 2, "weights.weight": 3})
    assert (weights.query.to_list(), weights.value.tolist()) == (["u", "v"], [2.0, 3.0])


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({"run.score": "4"}, "'4'"),
        ({"run.score": 0}, "'0'"),
        ({"run.score": "pctr"}, "'pctr'"),
        ({"run.item": 3, "run.score": 3}, "3"),
    ],
)
def test_numbers_of_no_column(columns: dict[str, Any], named: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r.txt", "u a 0.5\n")
    refused(read_run, path, columns=columns).both_name(path, named, "run.")


COMMENTS = "# TREC DL 2024\n\n  #judged by hand, of course\nu 0 a 1\n# more\nu 0 b 0\n#\nv 0 b 1\n# end"


def test_comments_are_skipped_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "t.qrels", COMMENTS)
    rows = read_truth(path)
    assert columns_of(rows) == (["u", "u", "v"], ["a", "b", "b"], [1.0, 0.0, 1.0])
    assert rows.source.comments == 5
    (note,) = rows.source.notes
    assert note == ("truth t.qrels: 5 comment lines (#) skipped", "真值 t.qrels：跳过 5 行注释（#）")
    for memory in LIMITS:
        same_rows(path, "truth", memory)
    assert pc.evaluate_ranking(path, {"u": ["a"], "v": ["b"]}, "map")["map"] == 1.0


@pytest.mark.parametrize("row", ["u Q0 a 1 2 t", "u a 0.5"], ids=["run", "short run"])
def test_comments_in_runs(row: str, tmp_path: Path) -> None:
    path = write(tmp_path, "r", f"# a run of three\n# run r 1\n{row}\n# the end\n")
    assert columns_of(read_run(path))[:2] == (["u"], ["a"])
    assert "3 comment lines" in read_run(path).source.notes[0].en
    same_rows(path, "run", 1)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_truth, "u 0 a 1\n#nlp 0 b 1\n"),
        (read_run, "u Q0 a 1 2 t\n#nlp Q0 b 1 2 t\n"),
        (read_run, "u a 1\n # b 2\n"),
        (read_excluded, "u a\n# b\n"),
    ],
)
def test_a_comment_that_may_be_a_row(read: Any, text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "f", text)
    refused(read, path).both_name(f"{path}:2", "#", text.splitlines()[1].strip())


def test_a_comment_that_may_be_a_row_in_a_later_chunk(tmp_path: Path) -> None:
    path = write(tmp_path, "r", "u Q0 a 1 2 t\n" * 50 + "#nlp Q0 b 1 2 t\n")
    refused(streamed, path).both_name(f"{path}:51", "#nlp")


def test_nothing_but_comments(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "#a 0 d 1\n#b 0 d 1\n")
    refused(read_truth, path).both_name(path, "#")


def test_a_comment_hides_no_line_of_another_system(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "u 0 a 1\n# more\ru 0 b 1\n")
    refused(read_truth, path).both_name(f"{path}:2", "tr")


RATINGS = {
    "u.data": "196\t242\t3\t881250949\n186\t302\t3\t891717742\n22\t377\t1\t878887116\n",
    "halves": "1 31 2.5 12\n1 1029 3.0 12\n2 10 4.0 11\n2 17 4.0 11\n",
    "one row": "196 242 3 881250949\n",
    "with a comment": "# ratings\n196 242 3 881250949\n186 302 3 891717742\n",
}
QRELS = {
    "usual": "1 0 3 1\n1 0 4 0\n2 0 5 1\n",
    "Q0": "1 Q0 3 1\n2 Q0 5 881250949\n",
    "subtopics": "1 1 doc-1 1\n1 2 doc-2 0\n2 3 doc-9 1\n",
    "subtopics and numbers": "1 1 1005 1\n1 2 1007 0\n2 3 19 1\n",
    "fewer iterations than items": "1 1 3 1\n1 2 4 0\n2 1 5 1\n",
}


@pytest.mark.parametrize("text", RATINGS.values(), ids=RATINGS)
def test_ratings_are_not_read_as_qrels(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "u.data", text)
    refused(read_truth, path).both_name(
        "u.data", "columns={'truth.item': 2, 'truth.grade': 3}", "truth.item=3,truth.grade=4"
    )
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    for item in (2, 3):
        found = read_truth(path, columns={"truth.item": item, "truth.grade": item + 1})
        ids = ([row[at] for row in rows] for at in (0, item - 1))
        assert columns_of(found) == (*ids, [float(row[item]) for row in rows])


@pytest.mark.parametrize("text", QRELS.values(), ids=QRELS)
def test_qrels_are_not_taken_for_ratings(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "q.txt", text)
    assert columns_of(read_truth(path))[1] == [line.split()[2] for line in text.splitlines()]


def test_pairs_without_a_number_are_a_truth_if_it_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, "t.txt", "u a\nu b\n")
    said = refused(read_truth, path)
    said.both_name("--columns truth.query=1,truth.item=2,truth.grade=none")
    refused(read_truth, path, columns={"truth.query": 1, "truth.item": 2}).both_name("truth.grade=none")
    rows = read_truth(path, columns={"truth.grade": "none"})
    assert columns_of(rows) == (["u", "u"], ["a", "b"], [1.0, 1.0])


def test_double_colons_are_named(tmp_path: Path) -> None:
    said = refused(read_truth, write(tmp_path, "ratings.dat", "1::1193::5::978300760\n"))
    said.both_name("'::'", "sed 's/::/\\t/g'")
