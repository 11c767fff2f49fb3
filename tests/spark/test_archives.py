"""An environment that is packed and shipped with --archives: executors have pingce from there, and from nowhere else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from .cluster import HOST, JAVA_OPTIONS, Cluster, environment

JOB = """
import json
from pyspark.sql import SparkSession
import pyarrow as pa
import pingce as pc
from pingce.spark import evaluate_ranking

def places(batches):
    import pingce
    for batch in batches:
        yield pa.record_batch({"place": pa.array([pingce.__file__] * batch.num_rows)})

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
truth = pa.table({"query": [1, 1, 2, 3], "item": [1, 2, 2, 9], "grade": [1, 3, 2, 1]})
run = pa.table({"query": [1, 1, 2, 2], "item": [2, 3, 1, 2], "score": [0.5, 0.4, 0.3, 0.2]})
frames = (spark.createDataFrame(table).repartition(2) for table in (truth, run))
places_there = spark.range(4).mapInArrow(places, "place string").distinct().toArrow()["place"].to_pylist()
there, here = evaluate_ranking(*frames, ["ndcg@10"]), pc.evaluate_ranking(truth, run, ["ndcg@10"])
print("ANSWER " + json.dumps([places_there, there.to_json() == here.to_json()]))
"""


def packed_environment(folder: Path) -> Path:
    """A virtual environment with pingce in it; what pingce needs lies on every node at the same place."""
    home = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = home / "lib" / version / "site-packages"
    sources = [Path(str(find_spec(name).origin)).parent for name in ("pingce", "numpy")]  # type: ignore[union-attr]
    shutil.copytree(sources[0], packages / "pingce", ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "nodes.pth").write_text(f"{sources[1].parent}\n")
    return Path(shutil.make_archive(str(folder / "environment"), "gztar", home))


def test_an_environment_that_is_shipped(cluster: Cluster, tmp_path: Path) -> None:
    from pyspark.find_spark_home import _find_spark_home

    archive, job = packed_environment(tmp_path), tmp_path / "job.py"
    job.write_text(JOB)
    settings: dict[str, Any] = {
        "spark.executorEnv.PYTHONPATH": "",
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        "spark.sql.shuffle.partitions": "2",
    }
    submit = [str(Path(_find_spark_home()) / "bin" / "spark-submit"), "--master", cluster.url]
    submit += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    submit += ["--archives", f"{archive}#environment", str(job)]
    python = {"PYSPARK_PYTHON": "./environment/bin/python", "PYSPARK_DRIVER_PYTHON": sys.executable}
    variables = environment(tmp_path) | python
    done = subprocess.run(submit, env=variables, capture_output=True, text=True, timeout=600, check=False)
    answers = [line for line in done.stdout.splitlines() if line.startswith("ANSWER ")]
    if not answers:
        pytest.fail(done.stdout[-2000:] + done.stderr[-4000:])
    places, alike = json.loads(answers[0].removeprefix("ANSWER "))
    assert alike
    assert places
    assert all("/environment/lib/" in place for place in places)
