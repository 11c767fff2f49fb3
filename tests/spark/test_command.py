"""`pingce eval --engine spark`: on the session's cluster, and through Spark Connect from a process without Java."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import pingce as pc
from pingce.cli import main

from .cluster import HOST
from .made import classes, clicks, rankings


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, str, str]:
    """`pingce eval …` in this process, which has the session: exit status, output, messages."""
    capsys.readouterr()
    status: Any = 0
    interrupted = signal.getsignal(signal.SIGINT)
    try:
        main(["eval", *words])
    except SystemExit as end:
        status = end.code
    finally:
        signal.signal(signal.SIGINT, interrupted)  # which `main` ignores in the end, for a process of its own
    out, err = capsys.readouterr()
    return status, out, err


def test_files(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, run = rankings(30)
    csv.write_csv(truth, tmp_path / "qrels.csv")
    parquet.write_table(run, tmp_path / "run.parquet")
    table = clicks(500)
    days = [f"2026-11-{1 + row % 9:02}T{row % 24:02}:00:00" for row in range(len(table))]
    csv.write_csv(table.append_column("time", pa.array(days)), tmp_path / "clicks.csv")
    users = pa.array(sorted(set(truth["user_id"].to_pylist())))
    weights = pa.array([1.0 + user.as_py() % 3 for user in users])
    since = pa.array([f"2026-{1 + user.as_py() % 3:02}-01" for user in users])
    csv.write_csv(pa.table({"user_id": users, "weight": weights, "since": since}), tmp_path / "users.csv")
    csv.write_csv(run.slice(0, 100).select(["user_id", "item_id"]), tmp_path / "seen.csv")
    parquet.write_table(classes(200), tmp_path / "classes.parquet")
    cases = [
        [str(tmp_path / "qrels.csv"), str(tmp_path / "run.parquet"), "-m", "ndcg@10,map"],
        [str(tmp_path / "clicks.csv"), "--label", "word", "--positive", "yes", "--score", "pctr", "--score", "single",
         "--group", "user", "-m", "auc,gauc"],
        [str(tmp_path / "classes.parquet"), "--true", "y", "--pred", "y_pred"],
        [str(tmp_path / "clicks.csv"), "--label", "click", "--score", "pctr", "--by", "time:1d", "--by", "user", "--ci", "0.9",
         "--samples", "20", "-m", "auc,pcoc,ks"],
        [str(tmp_path / "qrels.csv"), str(tmp_path / "run.parquet"), "-m", "ndcg@10,map", "--by", f"{tmp_path / 'users.csv'}:since:1w",
         "--query-weight", str(tmp_path / "users.csv"), "--exclude", str(tmp_path / "seen.csv"), "--ci", "0.9", "--samples", "200"],
        [str(tmp_path / "qrels.csv"), str(tmp_path / "run.parquet"), "-m", "coverage@10", "--train", str(tmp_path / "seen.csv"),
         "--catalog", "70"],
    ]  # fmt: skip
    for words in cases:
        more = ["-f", "json", *(["-q"] if "--group" in words else [])]
        here = command(capsys, *words, *more)
        status, out, err = command(capsys, *words, *more, "--engine", "spark")
        assert (status or 0) == 0, err
        assert out == here[1]
        assert "Spark" in err


def test_tables_beside_the_runs(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, run = rankings(30, seed=3)
    other, past = rankings(30, seed=4)
    parquet.write_table(truth, tmp_path / "qrels.parquet")
    csv.write_csv(run, tmp_path / "run.csv")
    csv.write_csv(past, tmp_path / "reference.csv")
    parquet.write_table(other.drop_columns("rel"), tmp_path / "train.parquet")
    every = pa.array(range(60))
    csv.write_csv(pa.table({"item_id": every, "category": [f"c{n % 4}" for n in range(60)]}), tmp_path / "items.csv")
    csv.write_csv(pa.table({"item_id": every}), tmp_path / "catalog.csv")
    csv.write_csv(pa.table({"user_id": pa.array(range(40)), "kind": ["a", "b"] * 20}), tmp_path / "kinds.csv")
    files = {name: str(tmp_path / name) for name in ("qrels.parquet", "run.csv", "train.parquet", "kinds.csv")}
    tables = [
        word
        for name in ("items.csv", "catalog.csv", "reference.csv")
        for word in (f"--{name[:-4]}", str(tmp_path / name))
    ]
    tables += ["--train", files["train.parquet"]]
    shown = "coverage@5,gini@5,novelty@5,ild@5,overlap@5,catalog_auc@5,ndcg@5"
    of_groups = ["-m", "ndcg@5,gap(of=ndcg@5,by=kind)", "--by", f"{files['kinds.csv']}:kind"]
    cases = [
        [files["qrels.parquet"], files["run.csv"], "-m", shown, *tables],
        ["none", files["run.csv"], "-m", "coverage@5,unseen@5", "--catalog", "60", "--train", files["train.parquet"]],
        [files["qrels.parquet"], files["run.csv"], *of_groups],
    ]
    for words in cases:
        here = command(capsys, *words, "-f", "json")
        status, out, err = command(capsys, *words, "-f", "json", "--engine", "spark")
        assert (here[0] or 0, status or 0) == (0, 0), here[2] + err
        assert out == here[1]


def test_what_spark_does_not_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["--master", "local[1]"], "--master goes with --engine spark"),
        (["--engine", "spark", "--memory", "1GB", "--label", "a"], "--memory is not there with --engine spark"),
    ):
        status, _, err = command(capsys, str(tmp_path / "x.parquet"), *words)
        assert status == 2
        assert said in err


def test_spark_connect(spark: Any, connect_port: int, tmp_path: Path) -> None:
    if find_spec("grpc") is None:
        pytest.skip("NO TEST OF SPARK CONNECT: its client is not installed (pip install 'pyspark[connect]')")
    truth, run = rankings(50, strings=True)
    for name, table in (("qrels", truth), ("run", run)):
        parquet.write_table(table, tmp_path / f"{name}.parquet")
    words = [str(tmp_path / "qrels.parquet"), str(tmp_path / "run.parquet"), "-f", "json", "-q"]
    master = f"sc://{HOST}:{connect_port}"
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "pingce", "eval", *words, "--engine", "spark", "--master", master],
        env={name: value for name, value in os.environ.items() if name not in ("PATH", "JAVA_HOME")}
        | {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    expected = json.loads(pc.evaluate_ranking(truth, run).to_json(per_query=True))
    assert json.loads(found.stdout) == expected | {"run": "run"}
