"""Files that are elsewhere: copied whole, read as local ones, and told without anything secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import fs, parquet

import pingce as pc
from pingce.inputs import remote
from pingce.inputs.remote import local_copy, shown_url

from .samples import refused


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for what is elsewhere."""
    system = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())

    def opened(url: str) -> tuple[Any, str]:
        return system, url.partition("://")[2].partition("?")[0]

    monkeypatch.setattr(remote, "_opened", opened)
    monkeypatch.setattr(remote, "_copies", {})
    (tmp_path / "b").mkdir()
    return tmp_path / "b"


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
    assert shown_url(url) == "s3://bucket/a.csv"
    monkeypatch.setattr(remote, "_copies", {})

    def refuse(address: str) -> Any:
        raise OSError(f"cannot open {address} with AKIAKEY and hush%2Fhush")

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
