"""JSON lines, JSON objects and Parquet."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import RUN, columns_of, parquet_bytes, refused, write

ROW = '{"qid": "q1", "docid": "d1", "rel": 1}\n'


def test_json_lines(tmp_path: Path) -> None:
    text = '\n{"docid": "a", "qid": "q", "rel": 1}\r\n\n{"rel": 2.5, "qid": "q", "docid": "b", "more": [1]}'
    assert columns_of(read_truth(write(tmp_path, "t.jsonl", text))) == (["q", "q"], ["a", "b"], [1.0, 2.5])


@pytest.mark.parametrize(
    "one", ["007", "2024-01-01", "2024-01-01T10:00:00Z", "12:30:00", "1.5", "true", "null", "文\\n档"]
)
def test_text_ids_stay_text(one: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t.jsonl", json.dumps({"qid": one, "docid": one, "rel": 1}))
    assert columns_of(read_truth(path)) == ([one], [one], [1.0])


def test_columns_nobody_asked_for_do_no_harm(tmp_path: Path) -> None:
    text = '{"qid": "q", "docid": "a", "rel": 1, "x": 1}\n{"qid": "q", "docid": "b", "rel": 2, "x": "one"}\n'
    assert columns_of(read_truth(write(tmp_path, "t.jsonl", text)))[2] == [1.0, 2.0]


def test_lines_may_be_long(tmp_path: Path) -> None:
    long = json.dumps({"qid": "q", "docid": "a", "rel": 2, "text": "x" * 3_000_000})
    assert columns_of(read_truth(write(tmp_path, "t.jsonl", f"{ROW}{long}\n")))[2] == [1.0, 2.0]


def test_integers_and_fractions_mix_over_a_long_file(tmp_path: Path) -> None:
    rows = "".join(f'{{"qid": "q", "docid": "d{i}", "score": {i}}}\n' for i in range(40_000))
    rows += '{"qid": "q", "docid": "last", "score": 0.5}\n'
    assert len(rows) > 1 << 20
    found = read_run(write(tmp_path, "r.jsonl", rows)).value
    assert found[-1] == 0.5
    assert found[:-1].tolist() == list(range(40_000))


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ('{"qid": "q1", "docid": ', ()),
        ('["q1", "d1", 1]', ()),
        ("plain text", ("plain text",)),
        ('{"qid": "q1", "rel": 1}', ("'docid'",)),
        ('{"qid": null, "docid": "d2", "rel": 1}', ("'qid'",)),
        ('{"qid": "q1", "docid": "d2", "rel": null}', ("'rel'",)),
        ('{"qid": "q1", "docid": "d2"}', ("'rel'",)),
        ('{"qid": "q1", "docid": "", "rel": 1}', ("'docid'",)),
        ('{"qid": "q1", "docid": "d1", "rel": 2}', (":1", "'d1'", "duplicates=first")),
        ('{"qid": "q1", "docid": "d2", "rel": "high"}', ("high",)),
        ('{"qid": "q1", "docid": 2, "rel": 1}', ("docid",)),
    ],
)
def test_a_bad_line(line: str, parts: tuple[str, ...], tmp_path: Path) -> None:
    path = write(tmp_path, "t.jsonl", f"{ROW}\n \n{line}\n")
    refused(pc.evaluate_ranking, path, RUN).both_name(f"{path}:4", *parts)


def test_grades_that_are_text(tmp_path: Path) -> None:
    path = write(tmp_path, "t.jsonl", ROW.replace("1}", '"high"}'))
    refused(read_truth, path).both_name(f"{path}:1", "'rel'", "'high'", "columns=", "--columns")


REFUSALS = """
import sys, pingce as pc
for path in sys.argv[1:]:
    try: pc.evaluate_ranking(path, {'q1': ['d1']})
    except pc.InputError as error: print(str(error).replace(chr(10), ' '), flush=True)
"""


def test_json_that_is_no_object(tmp_path: Path) -> None:
    """In a process of their own: some JSON readers end theirs at a null."""
    texts = ["null", "null\n", ROW + "null\n", "1", '"x"', "[]", "true\n" + ROW]
    paths = [write(tmp_path, f"{number}.jsonl", text) for number, text in enumerate(texts)]
    done = subprocess.run(
        [sys.executable, "-c", REFUSALS, *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for text, path, refusal in zip(texts, paths, done.stdout.splitlines(), strict=True):
        line = text.splitlines().index(next(one for one in text.splitlines() if not one.startswith("{"))) + 1
        assert refusal.startswith(f"{path}:{line}")


def test_json_objects(tmp_path: Path) -> None:
    nested = write(tmp_path, "t.json", '{"q": {"a": 1, "b": 2.5}, "p": {"a": 0}}')
    assert columns_of(read_truth(nested)) == (["q", "q", "p"], ["a", "b", "a"], [1.0, 2.5, 0.0])
    lists = write(tmp_path, "r.json", '{"q": ["b", "a"], "p": ["a"]}')
    assert columns_of(read_run(lists)) == (["q", "q", "p"], ["b", "a", "a"], [-1.0, -2.0, -1.0])
    assert columns_of(read_truth(lists))[2] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "text",
    ['{"q": {"d1": 1, "d1": 2}}', '{"q": {"d1": 1}, "q": {"d2": 1}}'],
    ids=["item", "query"],
)
def test_a_key_twice_in_json_is_not_lost_in_silence(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, "t.json", text)
    refused(pc.evaluate_ranking, path, {"q": {"d1": 1.0}}).both_name("t.json", "'q'")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{}", ()),
        ('{"q": {}}', ()),
        ('{"q": {"a": "high"}}', ("'q'", "'a'", "'high'")),
        ('{"q": {"a": null}}', ("'q'", "'a'")),
        ('{"q": {"a": 1}, "p": ["a"]}', ("{",)),
        ('{"q": [1, "a"]}', ("'a'",)),
        ('{"q": [[1, 2]]}', ("[1, 2]",)),
        ('{"\\ud800": {"a": 1}}', ()),
    ],
)
def test_bad_json_objects(text: str, parts: tuple[str, ...], tmp_path: Path) -> None:
    refused(read_truth, write(tmp_path, "t.json", text)).both_name("t.json", *parts)


def test_parquet_reads_only_what_it_needs(tmp_path: Path) -> None:
    data = pa.table({"x": [[1], [2]], "rel": [1.5, 2], "qid": ["q", "q"], "docid": ["a", "b"]})
    path = write(tmp_path, "t.parquet", parquet_bytes(data))
    assert columns_of(read_truth(path)) == (["q", "q"], ["a", "b"], [1.5, 2.0])


def test_parquet_in_row_groups_and_dictionaries(tmp_path: Path) -> None:
    from pyarrow import parquet

    ids = pa.array([f"文{i % 7}" for i in range(100)]).dictionary_encode()
    data = pa.table({"qid": ids, "docid": [f"d{i}" for i in range(100)], "rel": list(range(100))})
    parquet.write_table(data, tmp_path / "t.parquet", row_group_size=9)
    found = columns_of(read_truth(tmp_path / "t.parquet"))
    assert found == (ids.to_pylist(), data["docid"].to_pylist(), [float(i) for i in range(100)])


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ({"qid": ["q", None], "docid": ["a", "b"], "rel": [1, 2]}, ("row 1", "'qid'")),
        ({"qid": ["q", "q"], "docid": ["a", "b"], "rel": [1, None]}, ("row 1", "'rel'")),
        ({"qid": ["q", "q"], "docid": ["a", "b"], "rel": ["x", "y"]}, ("'rel'", "'x'", "columns=")),
        ({"qid": [1.5, 2], "docid": ["a", "b"], "rel": [1, 2]}, ("'qid'", "double")),
        ({"qid": ["q", "q"], "docid": ["a", "a"], "rel": [1, 2]}, ("row 0", "row 1", "'q'", "'a'", "duplicates=first")),
        ({"thing": ["q"], "docid": ["a"], "rel": [1]}, ("'thing'", "query_id", "columns=")),
        ({"qid": pa.array([], pa.string()), "docid": pa.array([], pa.string())}, ()),
    ],
    ids=["null id", "null grade", "text grade", "float id", "duplicate", "no query", "no rows"],
)
def test_bad_parquet_tables(data: dict[str, object], parts: tuple[str, ...], tmp_path: Path) -> None:
    path = write(tmp_path, "t.parquet", parquet_bytes(pa.table(data)))
    said = refused(pc.evaluate_ranking, path, {"q": {"a": 1.0}})
    said.both_name("t.parquet")
    for part in parts:
        assert part in said.en
        assert part.removeprefix("row ") in said.zh


@pytest.mark.parametrize("memory", [None, "16MiB"])
@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_parquet_with_delta_encodings(encoding: str, memory: str | None, tmp_path: Path) -> None:
    """DuckDB's files of version 2 have such ids; Arrow makes no dictionary of them."""
    from pyarrow import parquet

    data = pa.table({"qid": ["q", "q", "p"], "docid": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
    texts = {"qid": encoding, "docid": encoding, "score": "PLAIN"}
    parquet.write_table(data, tmp_path / "t.parquet", use_dictionary=False, column_encoding=texts, row_group_size=2)
    whole = pc.evaluate_ranking({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}, "p": {"a": 3.0}}, ["rr"])
    assert dict(pc.evaluate_ranking({"q": {"a": 1}}, tmp_path / "t.parquet", ["rr"], memory=memory)) == dict(whole)


@pytest.mark.parametrize("memory", [None, "16MiB"])
def test_parquet_with_damage_in_a_later_group_of_rows(memory: str | None) -> None:
    """Of three groups the last has a byte of its footer changed (72 for 6): pyarrow ends the process where it is asked for its chunks."""
    path = Path(__file__).parent / "later_group.parquet"
    said = refused(pc.evaluate_ranking, {"q1": {"d1": 1}}, path, ["mrr"], memory=memory)
    said.both_name("later_group.parquet")
    assert "Parquet" in said.en
