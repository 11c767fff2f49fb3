"""A lost machine changes no bit; a lost driver is one sentence. These tests come last: they leave ruins."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.spark import evaluate_ranking

from .cluster import Cluster
from .made import frame, rankings


@pytest.mark.deep("kills a worker of a cluster of its own, whose processes are started for it")
@pytest.mark.skipif(
    not os.environ.get("PINGCE_TEST_CLUSTER"), reason="PINGCE_TEST_CLUSTER IS NOT SET: there is no worker to lose"
)
def test_a_worker_is_lost(spark: Any, cluster: Cluster, tmp_path: Path) -> None:
    truth, run = rankings(400)
    folder = str(tmp_path)

    def slowly(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            (Path(folder) / f"seen-{time.time_ns()}").touch()
            time.sleep(0.4)
            yield batch

    slow = frame(spark, run, 8).mapInArrow(slowly, "user_id long, item_id long, score double")
    found: list[Any] = []
    job = Thread(target=lambda: found.append(evaluate_ranking(frame(spark, truth, 2), slow).to_json(per_query=True)))
    job.start()
    end = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    seen = len(list(tmp_path.iterdir()))
    cluster.kill(cluster.processes[1])
    job.join(120)
    assert 3 <= seen < 8
    assert found == [pc.evaluate_ranking(truth, run).to_json(per_query=True)]
    cluster.add_worker()


def test_the_driver_is_lost(spark: Any) -> None:
    truth, run = (frame(spark, table, 1) for table in rankings(5))
    spark.sparkContext._gateway.proc.kill()
    spark.sparkContext._gateway.proc.wait()
    with pytest.raises(InputError, match="the connection to Spark was lost") as caught:
        evaluate_ranking(truth, run)
    assert "\n" not in str(caught.value)
