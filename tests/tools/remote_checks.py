"""Run where moto is: a server that speaks S3, and files read from it by calls and by the command."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pyarrow as pa
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import parquet

import pingce as pc

SECRET = "hush-hush-hush"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    running = ThreadedMotoServer(port=0)
    running.start()
    host, port = running.get_host_and_port()
    address = f"http://{host.replace('0.0.0.0', '127.0.0.1')}:{port}"
    folder = tmp_path_factory.mktemp("files")
    (folder / "a.qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (folder / "a.run").write_text("q Q0 b 1 2.0 t\nq Q0 a 2 1.0 t\n")
    parquet.write_table(pa.table({"label": [0, 1, 1], "score": [0.1, 0.9, 0.05]}), folder / "p.parquet")
    client = boto3.client(
        "s3", endpoint_url=address, aws_access_key_id="k", aws_secret_access_key=SECRET, region_name="us-east-1"
    )
    client.create_bucket(Bucket="data")
    for path in folder.iterdir():
        client.upload_file(str(path), "data", f"logs/{path.name}")
    client.upload_file(str(folder / "p.parquet"), "data", "parts/part-1.parquet")
    client.upload_file(str(folder / "p.parquet"), "data", "parts/part-2.parquet")
    yield address
    running.stop()


@pytest.fixture(autouse=True)
def environment(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": SECRET}
    for name, value in (variables | {"AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}).items():
        monkeypatch.setenv(name, value)


def test_files_folders_and_patterns() -> None:
    assert pc.evaluate_ranking("s3://data/logs/a.qrels", "s3://data/logs/a.run", ["mrr"])["mrr"] == 0.5
    assert pc.evaluate_binary("label", "score", ["auc"], data="s3://data/logs/p.parquet")["auc"] == 0.5
    for path in (
        "s3://data/parts",
        "s3://data/parts/",
        "s3://data/parts/part-*.parquet",
        "s3://data/parts/part-?.parquet",
        "s3://data/part?/part-[12].*",
    ):
        scores = pc.evaluate_binary("label", "score", ["auc"], data=path)
        assert scores.counts["rows"] == 6
    with pytest.raises(pc.InputError, match=r"s3://data/none.csv: no such file"):
        pc.evaluate_binary("label", "score", ["auc"], data="s3://data/none.csv")
    with pytest.raises(pc.InputError, match=r"s3://nobody/none.csv") as problem:
        pc.evaluate_binary("label", "score", ["auc"], data="s3://nobody/none.csv")
    assert SECRET not in str(problem.value)


def test_the_command_and_an_endpoint_in_the_address(
    server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ["eval", "s3://data/logs/p.parquet", "--label", "label", "--score", "score", "-m", "auc", "-f", "csv"]
    done = subprocess.run(
        [sys.executable, "-m", "pingce", *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "0.5" in done.stdout
    assert SECRET not in done.stdout + done.stderr
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    place = server.removeprefix("http://")
    url = f"s3://data/logs/p.parquet?endpoint_override={place}&scheme=http&region=us-east-1"
    assert pc.evaluate_binary("label", "score", ["auc"], data=url)["auc"] == 0.5
    pattern = url.replace("logs/p.", "parts/part-?.")
    assert pc.evaluate_binary("label", "score", ["auc"], data=pattern).counts["rows"] == 6
    pattern = url.replace("logs/p.", "parts/part-[2-9].")
    assert pc.evaluate_binary("label", "score", ["auc"], data=pattern).counts["rows"] == 3
