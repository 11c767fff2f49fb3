"""One table in several files: a folder, or a pattern. Nothing may differ from the same rows in one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.inputs import read_run, read_truth
from pingce.inputs.folders import files_of

from .samples import (
    INT_TRUTH,
    RUN,
    TRUTH,
    Triples,
    columns_of,
    delimited,
    json_lines,
    lines,
    parquet_bytes,
    ranked,
    refused,
    table,
    triples,
    write,
)

METRICS = ["ap", "rr", "ndcg@3"]
NAMES = ("query_id", "doc_id", "score")
WRITERS: dict[str, Callable[[Triples], bytes]] = {
    "parquet": lambda rows: parquet_bytes(table(rows, NAMES)),
    "csv": lambda rows: delimited(NAMES, rows, ","),
    "tsv": lambda rows: delimited(NAMES, rows, "\t"),
    "jsonl": lambda rows: json_lines(NAMES, rows),
    "run": lambda rows: lines("{0} Q0 {1} 1 {2} tag", rows),
}


def document(truth: Any, run: Any, **options: Any) -> str:
    return pc.evaluate_ranking(truth, run, METRICS, **options).to_json(per_query=True)


def write_parts(folder: Path, suffix: str, rows: Triples, bounds: tuple[int, ...] = (3, 5)) -> Path:
    """The rows in three files, the last one folder deeper; the second file begins in the middle of a query."""
    pieces = [rows[: bounds[0]], rows[bounds[0] : bounds[1]], rows[bounds[1] :]]
    for name, piece in zip(("part-0", "part-1", "part-2/more"), pieces, strict=True):
        path = folder / f"{name}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(WRITERS[suffix](piece))
    return folder


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_folder_is_its_rows_in_one_file(suffix: str, core: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", suffix, triples(RUN))
    one = write(tmp_path, f"one.{suffix}", WRITERS[suffix](triples(RUN)))
    assert columns_of(read_run(folder)) == columns_of(read_run(one))
    assert document(TRUTH, folder) == document(TRUTH, str(folder)) == document(TRUTH, one) == document(TRUTH, RUN)


def test_the_truth_may_be_a_folder_too(core: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "truth", "parquet", triples(TRUTH))
    assert document(folder, RUN) == document(TRUTH, RUN)


@pytest.mark.parametrize("pattern", ["part-*", "*.parquet", "**/*.parquet", "part-[012].parquet"])
def test_a_pattern(pattern: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "parquet", triples(RUN))
    (folder / "part-2" / "more.parquet").replace(folder / "part-2.parquet")
    write(folder, "readme.txt", "not data")
    rows = read_run(str(folder / pattern))
    assert columns_of(rows) == columns_of(read_run(RUN))
    assert f"run {Path(pattern).name}: 3 files" in [note.en for note in rows.source.notes]


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    path = write(tmp_path, "part[0].csv", WRITERS["csv"](triples(RUN)))
    write(tmp_path, "part0.csv", "another,file\n")
    assert columns_of(read_run(path)) == columns_of(read_run(RUN))


def test_what_spark_leaves_beside_the_data(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "parquet", triples(RUN))
    for name in ("_SUCCESS", "._SUCCESS.crc", ".part-0.parquet.crc", "part-2/.more.parquet.crc"):
        write(folder, name, b"crc\0")
    (folder / "_temporary").mkdir()
    write(folder, "_temporary/part-9.parquet", parquet_bytes(table([("q9", "d9", 9.0)], NAMES)))
    assert document(TRUTH, folder) == document(TRUTH, RUN)
    assert "run run: 3 files" in [note.en for note in read_run(folder).source.notes]


def test_a_pattern_leaves_the_same_files_out(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "parquet", triples(RUN), (8, 9))
    write(folder, "_SUCCESS", b"")
    assert len(read_run(str(folder / "*"))) == 9


def test_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, item in (("b", "second"), ("a", "first"), ("c", "third")):
        write(tmp_path, f"{name}.csv", f"qid,docid,score\nq,{item},1\n")
    assert read_run(tmp_path).item.to_list() == ["first", "second", "third"]


@pytest.mark.parametrize("suffix", ["run", "csv", "parquet"])
def test_ranks_in_several_files(suffix: str, tmp_path: Path) -> None:
    names = ("query_id", "doc_id", "rank")
    written: dict[str, Callable[[Triples], bytes]] = {
        "run": lambda rows: lines("{0} {1} {2}", rows),
        "csv": lambda rows: delimited(names, rows, ","),
        "parquet": lambda rows: parquet_bytes(table(rows, names)),
    }
    for number, piece in enumerate((ranked(RUN)[:2], ranked(RUN)[2:])):
        write(tmp_path, f"{number}.{suffix}", written[suffix](piece))
    assert document(TRUTH, tmp_path) == document(TRUTH, RUN)


def test_an_order_goes_on_in_the_next_file(core: str, tmp_path: Path) -> None:
    """Without scores and ranks the rows of a later file stand below those of an earlier one."""
    for number, piece in enumerate((triples(RUN)[:2], triples(RUN)[2:])):
        write(tmp_path, f"{number}.csv", delimited(("qid", "docid"), [row[:2] for row in piece], ","))  # type: ignore[misc]
    assert document(TRUTH, tmp_path) == document(TRUTH, RUN)


@pytest.mark.parametrize(
    ("suffix", "first", "again"),
    [
        ("run", "0.run:2", "1.run:3"),
        ("csv", "0.csv:3", "1.csv:4"),
        ("jsonl", "0.jsonl:2", "1.jsonl:3"),
        ("parquet", "0.parquet: row 1", "1.parquet: row 2"),
    ],
)
def test_a_duplicate_names_both_files(suffix: str, first: str, again: str, core: str, tmp_path: Path) -> None:
    write(tmp_path, f"0.{suffix}", WRITERS[suffix]([("q1", "x", 9.0), ("q1", "d1", 8.0)]))
    write(tmp_path, f"1.{suffix}", WRITERS[suffix]([("q1", "y", 7.0), ("q2", "d1", 6.0), ("q1", "d1", 5.0)]))
    said = refused(pc.evaluate_ranking, TRUTH, tmp_path)
    said.both_name("'q1'", "'d1'")
    assert str(tmp_path / first) in said.en
    assert str(tmp_path / again) in said.en


@pytest.mark.parametrize(("suffix", "place"), [("run", "1.run:2"), ("csv", "1.csv:3"), ("parquet", "1.parquet: row 1")])
def test_a_score_that_is_no_number_names_its_file(suffix: str, place: str, core: str, tmp_path: Path) -> None:
    write(tmp_path, f"0.{suffix}", WRITERS[suffix]([("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "c", 1.0)]))
    write(tmp_path, f"1.{suffix}", WRITERS[suffix]([("q1", "d", 1.0), ("q1", "e", float("nan"))]))
    said = refused(pc.evaluate_ranking, TRUTH, tmp_path)
    said.both_name("'q1'", "'e'", "nan=last")
    assert str(tmp_path / place) in said.en


def test_a_bad_line_names_its_file(tmp_path: Path) -> None:
    write(tmp_path, "0.run", "q1 Q0 a 1 1 t\n")
    write(tmp_path, "1.run", "q1 Q0 b 1 1 t\nq1 Q0 c\n")
    refused(read_run, tmp_path).both_name(f"{tmp_path / '1.run'}:2", "q1 Q0 c")


def test_truncated_parquet_names_its_file(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "parquet", triples(RUN))
    middle = folder / "part-1.parquet"
    middle.write_bytes(middle.read_bytes()[:-20])
    refused(pc.evaluate_ranking, TRUTH, folder).both_name(middle, "Parquet")


def test_parts_without_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    (folder / "part-9.run").write_bytes(b"")
    parquet.write_table(
        pa.table({"query": ["q"], "item": ["a"], "score": [1.0]}).slice(0, 0), folder / "part-8.parquet"
    )
    scores = pc.evaluate_ranking(TRUTH, folder)
    assert dict(scores) == dict(pc.evaluate_ranking(TRUTH, RUN))
    assert "run run: 3 files, and 2 without rows" in [note.en for note in scores.notes]


def test_nothing_but_parts_without_rows(tmp_path: Path) -> None:
    write(tmp_path, "part-1.run", b"")
    write(tmp_path, "part-2.run", b"")
    refused(read_run, tmp_path).both_name(tmp_path / "part-2.run")


def test_columns_of_every_file_are_told(tmp_path: Path) -> None:
    for name, column in (("a.csv", "score"), ("b.csv", "prediction"), ("c.csv", "score")):
        write(tmp_path, name, f"qid,docid,{column}\nq{name[0]},d,1\n".encode())
    assert [note.en for note in read_run(tmp_path).source.notes] == [
        "run a.csv: query=qid, item=docid, score=score (and 1 more)",
        "run b.csv: query=qid, item=docid, score=prediction",
        f"run {tmp_path.name}: 3 files",
    ]


@pytest.mark.parametrize("name", ["hollow", "hollow/*.parquet", "hollow/part-?"])
def test_no_files_at_all(name: str, tmp_path: Path) -> None:
    (tmp_path / "hollow").mkdir()
    write(tmp_path, "hollow/_SUCCESS", b"")
    said = refused(read_run, tmp_path / name)
    said.both_name(tmp_path / name, "_")
    assert "no files there" in said.en


INTEGERS = parquet_bytes(table(triples(INT_TRUTH), NAMES))
STRINGS = parquet_bytes(table([("q", "d", 1.0)], NAMES))


@pytest.mark.parametrize("contents", [(INTEGERS, STRINGS), (STRINGS, INTEGERS)], ids=["int, str", "str, int"])
def test_ids_of_two_kinds(contents: tuple[bytes, bytes], tmp_path: Path) -> None:
    for name, content in zip("ab", contents, strict=True):
        write(tmp_path, f"{name}.parquet", content)
    said = refused(read_run, tmp_path)
    said.both_name("a.parquet", "b.parquet", "query")
    assert "strings" in said.en
    assert "integers" in said.en


def test_items_of_two_kinds(tmp_path: Path) -> None:
    write(tmp_path, "a.parquet", parquet_bytes(table([("q", 1, 1.0)], NAMES)))
    write(tmp_path, "b.parquet", parquet_bytes(table([("q", "1", 1.0)], NAMES)))
    refused(read_run, tmp_path).both_name("a.parquet", "b.parquet", "item")


SCORED, RANKED, ORDERED = "qid,docid,score\nq,a,1\n", "qid,docid,rank\nq,b,1\n", "qid,docid\nq,c\n"


@pytest.mark.parametrize(
    "contents",
    [(SCORED, RANKED), (RANKED, SCORED), (SCORED, ORDERED), (ORDERED, SCORED), (RANKED, ORDERED), (ORDERED, RANKED)],
    ids=["score, rank", "rank, score", "score, order", "order, score", "rank, order", "order, rank"],
)
def test_scores_ranks_and_orders_do_not_go_together(contents: tuple[str, str], tmp_path: Path) -> None:
    for name, content in zip("ab", contents, strict=True):
        write(tmp_path, f"{name}.csv", content)
    refused(read_run, tmp_path).both_name("a.csv", "b.csv")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["with, without", "without, with"])
def test_grades_in_one_file_only(order: tuple[int, int], tmp_path: Path) -> None:
    contents = "qid,docid,rel\nq,a,0\n", "qid,docid\nq,b\n"
    for name, at in zip("ab", order, strict=True):
        write(tmp_path, f"{name}.csv", contents[at])
    refused(read_truth, tmp_path).both_name("a.csv", "b.csv")


def _scored(path: Path, name: str, scores: list[Any], kind: pa.DataType) -> None:
    items = [f"{name}{place}" for place in range(len(scores))]
    parquet.write_table(
        pa.table({"qid": ["q"] * len(items), "docid": items, "score": pa.array(scores, kind)}),
        path / f"{name}.parquet",
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (([2**60, 2**60 + 1], pa.int64()), ([5, -(2**60)], pa.int64())),
        (([5, 6], pa.int8()), ([2**60, 2**60 + 1], pa.int64())),
        (([2**60, 2**60 + 1], pa.int64()), ([1.0, 2.0], pa.float64())),
        (([2**63 + 1, 2**63 + 2], pa.uint64()), ([2**63 + 3], pa.uint64())),
        (([2**63 + 1, 2**63 + 2], pa.uint64()), ([5, 6], pa.int64())),
        (([2**63 + 1, 2**63 + 2], pa.uint64()), ([2**60, -1], pa.int64())),
        (([-(2**60) - 1, -(2**60)], pa.int64()), ([2**63], pa.uint64())),
    ],
    ids=["both", "second", "whole floats", "unsigned", "unsigned, small", "unsigned, signed", "signed, unsigned"],
)
def test_integer_scores_beyond_doubles(first: Any, second: Any, core: str, tmp_path: Path) -> None:
    for name, (scores, kind) in zip("ab", (first, second), strict=True):
        _scored(tmp_path, name, scores, kind)
    by_item = {f"{name}{at}": int(score) for name, (s, _) in zip("ab", (first, second), strict=True) for at, score in enumerate(s)}  # fmt: skip
    best_first = sorted(by_item, key=lambda item: -by_item[item])
    truth = {"q": {item: grade for grade, item in enumerate(by_item)}}
    assert document(truth, tmp_path) == document(truth, {"q": best_first})


def test_large_integers_do_not_go_with_fractions(tmp_path: Path) -> None:
    _scored(tmp_path, "a", [2**60, 2**60 + 1], pa.int64())
    _scored(tmp_path, "b", [0.5], pa.float64())
    refused(read_run, tmp_path).both_name("b.parquet", "2^53")


def test_a_null_beside_large_integers(core: str, tmp_path: Path) -> None:
    _scored(tmp_path, "a", [2**60, 2**60 + 1], pa.int64())
    _scored(tmp_path, "b", [None, 3], pa.int64())
    scores = pc.evaluate_ranking({"q": {"b0": 1}}, tmp_path, "rr", nan="last")
    assert (scores["rr"], scores.counts["nan"]) == (0.25, 1)


def lock(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make a folder one that cannot be listed, also for root."""
    listed, allowed = Path.iterdir, os.access

    def iterdir(self: Path) -> Iterator[Path]:
        if self == folder:
            raise PermissionError(13, "Permission denied")
        return iter(list(listed(self)))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != folder and allowed(path, mode))


@pytest.mark.parametrize("memory", [None, "16MiB"])
@pytest.mark.parametrize("name", ["run", "run/**/*.run", "run/*/*.run"])
def test_a_folder_that_cannot_be_listed(
    name: str, memory: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    lock(monkeypatch, folder / "part-2")
    said = refused(pc.evaluate_ranking, TRUTH, tmp_path / name, memory=memory)
    said.both_name(folder / "part-2", "Permission denied")


@pytest.mark.parametrize("name", ["run", "run/*.run", "run/**/*.run"])
def test_a_link_to_nothing(name: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    (folder / "part-9.run").symlink_to("gone.run")
    refused(read_run, tmp_path / name).both_name(folder / "part-9.run", "gone.run")
    refused(pc.evaluate_binary, "y", "p", data=tmp_path / name).both_name(folder / "part-9.run")


def test_hidden_links_and_folders_are_nobodys_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    (folder / ".gone").symlink_to("gone.run")
    (folder / "_temporary").mkdir()
    lock(monkeypatch, folder / "_temporary")
    assert document(TRUTH, folder) == document(TRUTH, RUN)


def test_linked_folders_are_read_once(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    (folder / "part-2").rename(tmp_path / "elsewhere")
    for name, target in (("part-2", "../elsewhere"), ("again", "../elsewhere"), ("loop", "."), ("up", "../run")):
        (folder / name).symlink_to(target)
    assert document(TRUTH, folder) == document(TRUTH, RUN)


def test_what_is_no_file(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "run", "run", triples(RUN))
    os.mkfifo(folder / "pipe")
    refused(read_run, folder).both_name(folder / "pipe")


@pytest.mark.parametrize("pattern", ["**/*.run", "a/**/*.run", "**/b/**/*.run", "**"])
def test_a_pattern_ends_where_links_lead_back(tmp_path: Path, pattern: str) -> None:
    """Two links to the top, seen from two folders each, are more paths than anyone can wait for."""
    deep = tmp_path / "a" / "b [1]" / "b"
    deep.mkdir(parents=True)
    (deep / "x.run").write_text("q Q0 d 1 1.0 t\n")
    for folder in (tmp_path / "a", deep):
        for name in ("one", "two", "three"):
            (folder / name).symlink_to(tmp_path, target_is_directory=True)
    assert files_of(tmp_path / pattern) == [deep / "x.run"]


def test_a_linked_folder_below_a_pattern_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x.run").write_text("q Q0 d 1 1.0 t\n")
    for name in ("one", "two"):
        (tmp_path / "here" / name).symlink_to(tmp_path / "there", target_is_directory=True)
    assert len(files_of(tmp_path / "here" / "**" / "*.run") or ()) == 1
