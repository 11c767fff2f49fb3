"""One cluster and one session for these tests; one process of the suite has them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from .cluster import HOST, JAVA_OPTIONS, Cluster, environment, free_port, missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Spark and its processes warn of is theirs; they take as long as a fifth of all other tests."""
    for item in items:
        if item.nodeid.startswith("tests/spark/"):
            item.add_marker(pytest.mark.deep("starts Java, and Python beside it for every task"))
            item.add_marker(
                pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
            )
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Spark may write."""
    reason = missing()
    if reason is not None:
        pytest.skip(f"NO SPARK TESTS: {reason} (needed are Java 17 and pip install 'pyspark>=4.0,<5')")
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="package")
def cluster(folder: Path) -> Iterator[Cluster]:
    """A master and two workers."""
    with Cluster(folder) as running:
        running.wait_for_workers(2)
        yield running


@pytest.fixture(scope="package")
def connect_port() -> int:
    """Where the session's process serves Spark Connect."""
    return free_port()


@pytest.fixture(scope="package")
def master(request: pytest.FixtureRequest) -> str:
    """Two threads of the session's own Java, or the cluster's six processes where PINGCE_TEST_CLUSTER is set."""
    return str(request.getfixturevalue("cluster").url) if os.environ.get("PINGCE_TEST_CLUSTER") else "local[2]"


@pytest.fixture(scope="package")
def spark(folder: Path, master: str, connect_port: int) -> Iterator[Any]:
    """The session: its process is a server of Spark Connect too."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.driver.memory": "768m",
        "spark.executor.memory": "512m",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        "spark.sql.shuffle.partitions": "3",
        "spark.default.parallelism": "3",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": str(connect_port),
    }
    builder = SparkSession.builder.master(master).appName("pingce tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in environment(folder).items():
            patch.setenv(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        with suppress(Exception):  # a test may have killed its process
            session.stop()
