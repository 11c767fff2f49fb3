"""`pingce eval --memory` of rankings: the same output, a word about it, and nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import pingce as pc
from cli.shell import LIMIT, command, environment, process, shell
from pingce.base.errors import PingceWarning

QUERIES, DEPTH = 20_000, 20
LITTLE = ("--memory", "16MiB")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in order and in disorder, both in two files, and their truth."""
    folder = tmp_path_factory.mktemp("rankings")
    rng = np.random.default_rng(7)
    query = np.repeat(np.arange(QUERIES), DEPTH)
    item = (rng.integers(0, 1000, len(query)) * DEPTH) + np.tile(np.arange(DEPTH), QUERIES)
    run = pa.table({"user_id": query, "item_id": item, "score": rng.integers(0, 99, len(query)).astype(np.float32)})
    for name, order in (("grouped", np.arange(len(query))), ("shuffled", rng.permutation(len(query)))):
        (folder / name).mkdir()
        for number, rows in enumerate(np.array_split(order, 2)):
            pq.write_table(run.take(rows), folder / name / f"part-{number}.parquet")
    judged = np.arange(0, len(query), 7)
    pq.write_table(pa.table({"user_id": query[judged], "item_id": item[judged]}), folder / "qrels.parquet")
    return folder


def test_the_same_output_of_two_runs(data: Path, tmp_path: Path) -> None:
    runs = (data / "grouped", data / "shuffled")
    words = ("eval", data / "qrels.parquet", *runs, "-m", "ndcg@10,mrr", "-p", "-1", "--worst", "3")
    whole, streamed = shell(*words), shell(*words, *LITTLE, "--tmpdir", tmp_path)
    assert whole.code == streamed.code == 0, whole.err + streamed.err
    assert streamed.out == whole.out
    assert "would exceed --memory 16MiB" in streamed.err
    assert streamed.err.count("comes again after others") == 1
    assert "streamed: " not in whole.err
    assert not list(tmp_path.iterdir())


def test_the_same_scores_in_python(data: Path, tmp_path: Path) -> None:
    judged = pq.read_table(data / "qrels.parquet")
    pq.write_table(judged.set_column(1, "item_id", pa.array(np.full(len(judged), -1))), tmp_path / "other.parquet")
    files = (tmp_path / "other.parquet", data / "shuffled", ["mrr"])
    with pytest.warns(PingceWarning, match="no judged item was returned") as caught:
        streamed = pc.evaluate_ranking(*files, duplicates="first", memory="16MiB", by="activity")
    assert caught[0].filename == __file__
    with pytest.warns(PingceWarning, match="no judged item was returned"):
        whole = pc.evaluate_ranking(*files, duplicates="first", by="activity")
    assert streamed.to_json(per_query=True) == whole.to_json(per_query=True)
    assert str(streamed.slices) == str(whole.slices)


@pytest.mark.deep("waits for processes that it stops")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_nothing_is_left_behind_when_it_is_stopped(data: Path, tmp_path: Path, sent: signal.Signals, code: int) -> None:
    line = command("eval", data / "qrels.parquet", data / "shuffled", *LITTLE, "--tmpdir", tmp_path)
    with process(line) as running:
        end = time.monotonic() + LIMIT
        while not list(tmp_path.glob("*/run-*")):
            assert running.poll() is None, "it ended before it wrote anything"
            assert time.monotonic() < end
            time.sleep(0.001)
        running.send_signal(sent)
        assert running.wait(LIMIT) == code
        assert running.stderr is not None
        assert "Traceback" not in running.stderr.read().decode()
    assert not list(tmp_path.iterdir())


def test_a_run_that_cannot_be_streamed(data: Path, tmp_path: Path) -> None:
    table = pq.read_table(data / "grouped")
    pa.feather.write_feather(table, tmp_path / "run.feather", compression="uncompressed")
    words = ("eval", data / "qrels.parquet", tmp_path / "run.feather", "-m", "mrr")
    refused = shell(*words, *LITTLE)
    assert refused.code == 2
    assert "run.feather cannot be streamed" in refused.err
    assert "give more --memory" in refused.err


def test_a_run_that_is_not_there_beside_a_large_one(data: Path) -> None:
    refused = shell("eval", data / "qrels.parquet", data / "grouped", data / "absent.parquet", *LITTLE)
    assert refused.code == 2
    assert "absent.parquet: no such file" in refused.err
    assert "streamed" not in refused.err


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX shells")
def test_few_files_may_be_open(data: Path, tmp_path: Path) -> None:
    line = command("eval", data / "qrels.parquet", data / "shuffled", "-m", "mrr", *LITTLE, "--tmpdir", tmp_path)
    limited = ["sh", "-c", 'ulimit -n 16 && exec "$@"', "sh", *line]
    done = subprocess.run(limited, env=environment(), capture_output=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr.decode()
