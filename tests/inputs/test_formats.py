"""FORMATS is the only list of formats: what is said and told of files follows from it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.inputs import files, tables
from pingce.inputs.columns import Reading
from pingce.inputs.files import File
from pingce.inputs.predictions import column_names
from pingce.inputs.tables import BY_NAME, BY_SUFFIX, FORMATS, input_format_help, streamed_formats
from pingce.inputs.tables.detect import detect
from pingce.inputs.titles import short_names


def test_names_suffixes_and_first_bytes_are_of_one_format() -> None:
    assert len(BY_NAME) == len(FORMATS)
    assert len(BY_SUFFIX) == sum(len(each.suffixes) for each in FORMATS)
    assert all(each.name in input_format_help().en for each in FORMATS)
    streamed = streamed_formats().en.replace(" and ", ", ").split(", ")
    assert sorted(streamed) == sorted(each.title.en for each in FORMATS if each.streams)
    assert (streamed[0], streamed[-1]) == ("Parquet", "TREC text")


def test_the_list_needs_no_numpy() -> None:
    code = "import sys, pingce.inputs.tables; assert not {'numpy', 'pyarrow'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], env=os.environ, check=True)


def test_a_format_more_is_known_by_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = replace(BY_NAME["tsv"], name="toy", suffixes=(".toy",), delimiter="~")
    monkeypatch.setitem(BY_SUFFIX, ".toy", toy)
    monkeypatch.setitem(BY_NAME, "toy", toy)
    monkeypatch.setattr(tables, "FORMATS", (*FORMATS, toy))
    path = tmp_path / "a.toy"
    path.write_text("query~item~score\nq~a~1\n")
    assert detect(File(path, "run")) is toy
    rows = pc.evaluate_ranking({"q": {"a": 1}}, path, ["hit@1"])
    assert rows["hit@1"] == 1.0
    other = tmp_path / "b.txt"
    other.write_text("query~item~score\nq~a~1\n")
    assert pc.evaluate_ranking({"q": {"a": 1}}, other, ["hit@1"], input_format="toy")["hit@1"] == 1.0
    assert "toy" in input_format_help().en


def test_suffixes_of_formats_are_left_out_of_titles() -> None:
    assert short_names([f"bm25{suffix}.gz" for suffix in (".parquet", ".ndjson")]) == ["bm25", "bm25.ndjson.gz"]


def test_a_parquet_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"label": [0, 1], "score": [0.1, 0.9]}), path)
    opened: list[str] = []
    real = pa.OSFile

    def open_file(name: str) -> pa.OSFile:
        opened.append(name)
        return real(name)

    monkeypatch.setattr(pa, "OSFile", open_file)
    reading = Reading()
    assert column_names(path, reading) == ["label", "score"]
    assert pc.evaluate_binary("label", "score", ["auc"], data=path)["auc"] == 1.0
    assert opened == [str(path)]
    assert not files._kept
