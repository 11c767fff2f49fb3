"""Files that are elsewhere: copied whole, read as local ones, and told without anything secret."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import fs, parquet

import pingce as pc
from pingce.base.addresses import file_name, public_path, public_text
from pingce.inputs import remote
from pingce.inputs.columns import Reading
from pingce.inputs.paths import files_at
from pingce.inputs.remote import local_copy

from .samples import refused, stand_in_for_elsewhere


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for what is elsewhere."""
    return stand_in_for_elsewhere(tmp_path, monkeypatch)


def test_a_truth_a_run_and_predictions_are_read_from_elsewhere(bucket: Path) -> None:
    (bucket / "a.qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (bucket / "a.run").write_text("q Q0 b 1 2.0 t\nq Q0 a 2 1.0 t\n")
    assert pc.evaluate_ranking("s3://b/a.qrels", "gs://b/a.run", ["mrr"])["mrr"] == 0.5
    assert pc.evaluate_ranking(Path("s3://b/a.qrels"), "oss://b/a.run", ["mrr"], memory="1GB")["mrr"] == 0.5
    parquet.write_table(pa.table({"label": [0, 1], "score": [0.1, 0.9]}), bucket / "p.parquet")
    assert pc.evaluate_binary("label", "score", ["auc"], data="hdfs://b/p.parquet")["auc"] == 1.0


def test_folders_and_patterns_are_one_table(bucket: Path) -> None:
    for day, row in (("1", "q,a,1\n"), ("2", "q,b,2\n")):
        (bucket / "log" / f"day={day}").mkdir(parents=True)
        (bucket / "log" / f"day={day}" / "part-0.csv").write_text("query,item,score\n" + row)
    assert len(pc.read_run("s3://b/log/")) == len(pc.read_run("s3://b/log/day=*/part-*.csv")) == 2
    assert len(pc.read_run("s3://b/log/day=2/*.csv")) == 1


def test_a_copy_is_made_once_and_under_its_name_only_when_it_is_whole(
    bucket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bucket / "a.csv").write_text("query,item,score\nq,a,1\n")
    os.utime(bucket / "a.csv", (1e9, 1e9))
    first = Path(local_copy("s3://b/a.csv"))
    assert first.name == "a.csv"
    assert local_copy("s3://b/a.csv") == first
    assert [path.name for path in first.parent.iterdir()] == ["a.csv"]

    def broken(*_: Any) -> None:
        raise OSError("the connection was lost")

    monkeypatch.setattr("shutil.copyfileobj", broken)
    monkeypatch.setattr(remote, "_copies", {})
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(bucket / "copies"))
    said = refused(lambda: local_copy("s3://b/a.csv"))
    assert "s3://b/a.csv: cannot be read (the connection was lost); look at the address" in said.en
    assert not (bucket / "copies" / "a.csv").exists()


def test_what_is_absent_is_said(bucket: Path) -> None:
    assert refused(lambda: pc.read_run("s3://b/none.run")).en == "s3://b/none.run: no such file"
    assert refused(lambda: pc.read_run("s3://b/*.run")).en == "s3://b/*.run: no such file"


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "s3://AKIAKEY:hush%2Fhush@bucket/a.csv?session_token=quiet"
    assert public_path(url) == "s3://bucket/a.csv"
    monkeypatch.setattr(remote, "_copies", {})

    def refuse(address: str) -> Any:
        raise OSError(f"cannot open {address} with AKIAKEY and hush%2Fhush, that is hush/hush, and quiet")

    monkeypatch.setattr(remote, "_opened", refuse)
    said = refused(lambda: local_copy(url))
    assert not any(secret in text for text in said for secret in ("AKIAKEY", "hush", "quiet"))


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_copies", {})

    def refuse(address: str) -> Any:
        raise ImportError("Install ossfs to access OSS")

    monkeypatch.setattr(remote, "_opened", refuse)
    assert (
        "oss://b/a: reading oss:// needs a package that is not here (Install ossfs"
        in refused(lambda: local_copy("oss://b/a")).en
    )


def test_other_paths_stay_as_they_are() -> None:
    for path in ("a.csv", "-", "C:/a.csv", "s3", "s3:", "/tmp/s3://x", "file.s3://x"):
        assert local_copy(path) is path


def test_a_file_that_changes_is_copied_again(bucket: Path) -> None:
    truth, run = {"q": {"a": 1}}, bucket / "a.run"
    run.write_text("q Q0 b 1 2.0 t\nq Q0 a 2 1.0 t\n")
    assert pc.evaluate_ranking(truth, "s3://b/a.run", ["mrr"])["mrr"] == 0.5
    run.write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")  # of the same size, in the same second
    assert pc.evaluate_ranking(truth, "s3://b/a.run", ["mrr"])["mrr"] == 1.0


def test_patterns_mean_the_same_files_as_here(bucket: Path) -> None:
    for name in ("x.txt", "h/y.txt", "h/i/z.txt", "h/w.csv", ".no.txt", "d.txt/u.csv"):
        (bucket / "g" / name).parent.mkdir(parents=True, exist_ok=True)
        (bucket / "g" / name).write_text(f"{name} Q0 a 1 2 x\n")
    (bucket / "part[0].txt").write_text("q Q0 a 1 2 x\n")
    patterns = ("g/**/*.txt", "g/**", "**/*.txt", "g/*/**/*.txt", "g/h/*", "g/*.txt", "g/[hd]*/**", "part[0].txt")
    for pattern in (*patterns, "g/?.txt", "g/?/?.???", "g/?/[!w].txt", "g/[hi]/?.*", "part?[0-9]?.txt"):
        here, there = (files_at(path, "run", Reading())[0] for path in (bucket / pattern, f"s3://b/{pattern}"))
        assert here, pattern
        assert [file.path.name for file in there] == [file.path.name for file in here], pattern
    assert len(pc.read_run("S3://b/part[0].txt")) == 1


def test_a_copy_stays_in_its_folder_and_is_whole(bucket: Path, tmp_path: Path) -> None:
    system = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    (bucket / "a.csv").write_text("query,item,score\n")
    up = fs.FileInfo("b/../b/a.csv", fs.FileType.File, size=17)
    said = refused(lambda: remote._copy(system, up, tmp_path / "copy" / ".." / "a.csv"))
    assert "b/../b/a.csv: a name with .. in it" in said.en
    assert not (tmp_path / "a.csv").exists()
    short = fs.FileInfo("b/a.csv", fs.FileType.File, size=20)
    with pytest.raises(OSError, match=r"17 of 20 bytes came of a.csv"):
        remote._copy(system, short, tmp_path / "copy" / "a.csv")
    assert not (tmp_path / "copy" / "a.csv").exists()


SECRET = "s3://key:SECRET@b/"
TOKEN = "?session_token=TO/KEN=1"


def test_names_and_sentences_have_the_address_without_its_secrets(bucket: Path) -> None:
    (bucket / "d").mkdir()
    (bucket / "d" / "_SUCCESS").write_text("")
    (bucket / "p.csv").write_text("label,score\n1,0.5\n0,x\n")
    (bucket / "r.txt").write_text("q Q0 a 1 2 t\nq Q0 a 2 1 t\n")
    truth = {"q": {"a": 1}}
    said = refused(lambda: pc.evaluate_ranking(truth, f"{SECRET}d{TOKEN}", ["mrr"]))
    assert said.en == "s3://b/d: no files there; hidden files and names that begin with _ are not read"
    said = refused(lambda: pc.evaluate_binary("label", "score", ["auc"], data=f"{SECRET}d{TOKEN}"))
    assert said.en == "s3://b/d: no files with rows there"
    said = refused(lambda: pc.evaluate_binary("label", "score", ["auc"], data=f"{SECRET}p.csv{TOKEN}"))
    assert "s3://b/p.csv:3" in said.en
    said = refused(lambda: pc.evaluate_ranking(truth, f"{SECRET}r.txt{TOKEN}", ["mrr"]))
    assert "s3://b/r.txt:2" in said.en
    assert file_name(f"{SECRET}r.txt{TOKEN}") == "r.txt"
    scores = pc.evaluate_ranking(truth, f"{SECRET}r.txt{TOKEN}", ["mrr"], duplicates="first")
    assert not any("SECRET" in str(note) or "TO" in str(note) or "/tmp" in str(note) for note in scores.notes)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("s3://AKIAKEY:se/cret@nob/none.txt", "s3://nob/none.txt"),
        ("s3://AKIAKEY:se/cr@et@nob/none.txt?token=a@b", "s3://nob/none.txt"),
        ("s3://AKIAKEY:se?cret@nob/none.txt", "s3://nob/none.txt"),
        ("s3://AKIAKEY:se?a=cret@nob/none.txt", "s3://…"),
        ("s3://b/part-?.parquet", "s3://b/part-?.parquet"),
        ("s3://b/day=?/part-??.csv?session_token=SECRET", "s3://b/day=?/part-??.csv"),
        ("s3://key:SECRET@b/h=?/x=1/a.csv?X-Amz-Signature=SECRET&a=?", "s3://b/h=?/x=1/a.csv"),
        ("s3://AKIAKEY@b/a", "s3://b/a"),
        ("s3://b/user@x/a.csv?token=a@b", "s3://b/user@x/a.csv"),
        ("S3:/key:SECRET@b/a.csv", "s3://b/a.csv"),
        ("a.csv?x", "a.csv?x"),
    ],
)
def test_where_a_secret_ends(address: str, place: str) -> None:
    assert public_path(address) == place
    assert public_text(f"{address}: no files; see '{address}'") == f"{place}: no files; see '{place}'"
    assert public_text(f"在 {address}：没有文件") == f"在 {place}：没有文件"


def test_a_secret_that_is_not_escaped_is_refused() -> None:
    said = refused(lambda: local_copy("s3://AKIAKEY:se/cret@nob/none.txt"))
    assert said.en.startswith("s3://nob/none.txt: the secret in the address has / or ?; write %2F")


ADDRESSES = [
    ("s3://b/part-?.csv", "s3://b/", "b/part-?.csv"),
    ("s3a://b/d=?/part[0-9].csv?region=x", "s3://b/?region=x", "b/d=?/part[0-9].csv"),
    ("hdfs://host:8020/a/part-?.csv", "hdfs://host:8020/", "/a/part-?.csv"),
    ("gs://b/a.csv?region=x", "gs://b/a.csv?region=x", "b/a.csv"),
]


@pytest.mark.parametrize(("address", "asked", "path"), ADDRESSES)
def test_a_question_mark_is_no_query_for_arrow(
    address: str, asked: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def from_uri(uri: str) -> tuple[str, str]:
        scheme, _, place = uri.partition("?")[0].partition("://")
        return uri, f"/{place.partition('/')[2]}" if scheme == "hdfs" else place.rstrip("/")

    for name in remote._ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(fs, "FileSystem", SimpleNamespace(from_uri=from_uri))
    assert remote._opened(address) == (asked, path)


def test_saved_scores_are_read_from_elsewhere(bucket: Path) -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr"])
    (bucket / "s.json").write_text(scores.to_json())
    assert pc.read_scores(f"{SECRET}s.json{TOKEN}")["mrr"] == 0.5
    assert pc.check(f"{SECRET}s.json{TOKEN}", min={"mrr": 0.5}).passed
    assert refused(lambda: pc.read_scores(f"{SECRET}none.json{TOKEN}")).en == "s3://b/none.json: no such file"


def test_the_packages_of_azure_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: str) -> Any:
        raise ImportError("Install adlfs")

    monkeypatch.setattr(remote, "_opened", refuse)
    assert refused(lambda: local_copy("abfs://x/a")).en.endswith("pip install fsspec adlfs")
