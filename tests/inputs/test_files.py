"""Files: their format is recognised, and what is wrong with one is said with its name."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import pingce as pc
from pingce.inputs import read_run, read_truth
from pingce.inputs.files import File
from pingce.inputs.tables import BY_NAME
from pingce.inputs.tables.detect import detect

from .samples import RUN, RUN_FILES, TRUTH, TRUTH_FILES, columns_of, parquet_bytes, refused, truth_table, write


@pytest.mark.parametrize(
    ("name", "content", "format_"),
    [
        ("a.qrels", "q 0 d 1\n", "trec"),
        ("a.tsv", "q\t0\td\t1\n", "trec"),
        ("a.tsv", "q\td\t1\n", "trec"),
        ("a.tsv", "query-id\tcorpus-id\tscore\n", "tsv"),
        ("a.txt", "qid,docid\nq,d\n", "csv"),
        ("a.txt", "\n\nqid\tdocid\nq\td\n", "tsv"),
        ("a.inter", "user_id:token\titem_id:token\n", "tsv"),
        ("A.CSV", "x,y\n", "csv"),
        ("a.jsonl", "{}", "jsonl"),
        ("a.ndjson", "{}", "jsonl"),
        ("a.json", "{}", "json"),
        ("a", '{"qid": 1}', "jsonl"),
        ("a.parquet", "x", "parquet"),
        ("a.pq", "x", "parquet"),
        ("a.csv", b"PAR1", "parquet"),
        ("a.csv.gz", "x,y\n", "csv"),
        ("a.gz", "q 0 d 1\n", "trec"),
        ("run.2024.json.gz", "{}", "json"),
    ],
)
def test_formats_are_recognised(name: str, content: str | bytes, format_: str, tmp_path: Path) -> None:
    data = content.encode() if isinstance(content, str) else content
    path = write(tmp_path, name, gzip.compress(data) if name.endswith(".gz") else data)
    assert detect(File(path, "truth")).name == format_


@pytest.mark.parametrize("format_", ["csv", "jsonl", "json", "parquet", "tsv", "trec"])
def test_a_format_may_be_named(format_: str, tmp_path: Path) -> None:
    names = {"trec": "spaces.qrels", "csv": "truth.csv", "tsv": "truth.tsv"}
    path = write(tmp_path, "plain", TRUTH_FILES[names.get(format_, f"truth.{format_}")]())
    assert columns_of(read_truth(path, input_format=format_)) == columns_of(read_truth(TRUTH))


def test_compression_is_seen_by_content_not_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, "run.txt", gzip.compress(RUN_FILES["spaces.run"]()))
    assert columns_of(read_run(path)) == columns_of(read_run(RUN))


def test_gzip_in_several_members(tmp_path: Path) -> None:
    first, second = RUN_FILES["spaces.run"]().split(b"\n", 1)
    path = write(tmp_path, "run.gz", gzip.compress(first + b"\n") + gzip.compress(second))
    assert columns_of(read_run(path)) == columns_of(read_run(RUN))


@pytest.mark.parametrize("wanted", ["xml", "cvs", "CSV", "orc"])
def test_an_unknown_format(wanted: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t", TRUTH_FILES["truth.csv"]())
    said = refused(read_truth, path, input_format=wanted)
    said.both_name(f"'{wanted}'", *BY_NAME)
    assert ("did you mean 'csv'" in said.en) == (wanted in ("cvs", "CSV"))


def test_a_missing_file_and_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "msmarco.qrels.txt", "q 0 d 1\n")
    said = refused(pc.evaluate_ranking, tmp_path / "msmarco.qrel.txt", RUN)
    said.both_name(tmp_path / "msmarco.qrel.txt", "'msmarco.qrels.txt'")
    assert "no such file" in said.en


def test_a_missing_file_with_no_neighbour(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path / "no folder" / "nothing"):
        said = refused(pc.evaluate_ranking, TRUTH, path)
        said.both_name(path)
        assert "did you mean" not in said.en


def test_a_folder(tmp_path: Path) -> None:
    refused(pc.evaluate_ranking, tmp_path, RUN).both_name(tmp_path)


def test_a_path_no_system_can_open() -> None:
    refused(pc.evaluate_ranking, "a\0b", RUN)


@pytest.mark.parametrize("name", ["t", "t.qrels", "t.csv", "t.tsv", "t.jsonl", "t.json", "t.gz"])
@pytest.mark.parametrize("content", ["", "\n", " \n\t\n"], ids=["nothing", "newline", "blanks"])
def test_empty_files(name: str, content: str, tmp_path: Path) -> None:
    data = gzip.compress(content.encode()) if name.endswith(".gz") else content.encode()
    path = write(tmp_path, name, data)
    for said in (refused(pc.evaluate_ranking, path, RUN), refused(pc.evaluate_ranking, TRUTH, path)):
        said.both_name(path.name)
        assert "empty" in said.en


@pytest.mark.parametrize("damage", ["cut", "changed", "junk after the header", "not compressed twice"])
def test_damaged_gzip(damage: str, tmp_path: Path) -> None:
    whole = gzip.compress(TRUTH_FILES["spaces.qrels"]() * 50, mtime=0)
    content = {
        "cut": whole[:-9],
        "changed": whole[:20] + bytes([whole[20] ^ 0xFF]) + whole[21:],
        "junk after the header": b"\x1f\x8b\x08" + b"no gzip at all" * 3,
        "not compressed twice": whole + b"trailing text",
    }[damage]
    path = write(tmp_path, "t.qrels.gz", content)
    said = refused(pc.evaluate_ranking, path, RUN)
    said.both_name(path, "gzip")


@pytest.mark.parametrize(
    "content", [b"PAR1", b"PAR1 this is no Parquet PAR1", b"q 0 d 1\n"], ids=["magic", "fake", "text"]
)
def test_damaged_parquet(content: bytes, tmp_path: Path) -> None:
    path = write(tmp_path, "t.parquet", content)
    refused(pc.evaluate_ranking, path, RUN).both_name(path, "Parquet")


def test_cut_parquet(tmp_path: Path) -> None:
    whole = parquet_bytes(truth_table())
    for size in (len(whole) - 1, len(whole) // 2, 12):
        path = write(tmp_path, "t.parquet", whole[:size])
        refused(pc.evaluate_ranking, path, RUN).both_name(path, "Parquet")


hostile = settings(derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])

PIECES: tuple[bytes, ...] = (
    *(b"q", b"1", b" ", b"\t", b"\n", b"\n", b"\r\n", b",", b'"', b"{", b"}", b":", b"[", b"]", b"\\ud800"),
    *(b"\xff", b"\0", b"NaN", b"1.5", b"\xc2\xa0", b"\x1f\x8b", b"\xef\xbb\xbf", b"q 0 d 1\n", b"q\td\t1\n"),
    *(b"qid,docid,rel,score\n", b"qid\tdocid\trel\tscore\n", b'{"qid":"q","docid":"d","rel":1}\n', b'"qid":"a",'),
)


@pytest.mark.parametrize("format_", [None, "trec", "csv", "tsv", "jsonl", "json"])
@hostile
@given(data=st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join) | st.binary(max_size=60))
@example(data=b"\n")
@example(data=b'"\n')
@example(data=b"qid,docid\xff,rel:\xff\n1,2,3\n")
@example(data=b'{"qid":"q","docid":"d","rel":{}}')
@example(data=json.dumps({"\ud800": {"d": 1}}).encode())
@example(data=json.dumps({"q": {"d": 10**400}}).encode())
def test_any_bytes_are_read_or_refused_in_one_line(format_: str | None, data: bytes, tmp_path: Path) -> None:
    path = write(tmp_path, "any", data)
    for read in (read_truth, read_run):
        try:
            rows: Any = read(path, input_format=format_)
        except pc.InputError as error:
            assert str(error).splitlines() == [str(error)]
        else:
            assert len(rows) == len(rows.query) == len(rows.item) > 0


@hostile
@given(changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=4))
@example(changes=[(342, 35)])  # levels that do not fit the schema: pyarrow ends the process when asked for the chunk
@example(changes=[(341, 0)])
def test_parquet_with_changed_bytes_is_read_or_refused_in_one_line(
    changes: list[tuple[int, int]], tmp_path: Path
) -> None:
    content = bytearray(parquet_bytes(truth_table()))
    for at, byte in changes:
        content[at % len(content)] = byte
    path = write(tmp_path, "t.parquet", bytes(content))
    try:
        rows = read_truth(path)
    except pc.InputError as error:
        assert str(error).splitlines() == [str(error)]
    else:
        assert len(rows) > 0
