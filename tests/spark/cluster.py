"""A real Spark cluster on the loopback interface: a master and two workers, each a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from urllib.error import URLError
from urllib.request import urlopen

HOST = "127.0.0.1"
JAVA_OPTIONS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
"Little is computed here: starting quickly is worth more than running fast."
_PATIENCE = 240


def missing() -> str | None:
    """Why there can be no cluster here, if so."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java"
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed"
    return None


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        port: int = taken.getsockname()[1]
        return port


def environment(folder: Path) -> dict[str, str]:
    """What every process of the cluster is told; executors have the pingce of these tests."""
    import pingce

    package = str(Path(pingce.__file__).resolve().parents[1])
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH")))),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_LOCAL_HOSTNAME": HOST,
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": "192m",
        "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
        "SPARK_LAUNCHER_OPTS": JAVA_OPTIONS,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


@dataclass
class Cluster:
    """The processes, to be used as a context."""

    folder: Path
    port: int = field(default_factory=free_port)
    page: int = field(default_factory=free_port)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where drivers find the master."""
        return f"spark://{HOST}:{self.port}"

    def __enter__(self) -> Cluster:
        self._start("master", "master.Master", "--host", HOST, "--port", str(self.port), "--webui-port", str(self.page))
        self.add_worker()
        self.add_worker()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def add_worker(self) -> subprocess.Popen[bytes]:
        """One more worker with one core."""
        name = f"worker{len(self.processes)}"
        return self._start(
            name, "worker.Worker", self.url, "--host", HOST, "--cores", "1", "--memory", "600m",
            "--webui-port", "0", "--work-dir", str(self.folder / name),
        )  # fmt: skip

    def wait_for_workers(self, count: int) -> None:
        """Until so many are alive."""
        import json

        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                with urlopen(f"http://{HOST}:{self.page}/json/", timeout=5) as page:
                    if json.load(page)["aliveworkers"] >= count:
                        return
            except (URLError, OSError, ValueError):
                pass
            time.sleep(0.1)
        logs = "\n".join(path.read_text()[-2000:] for path in sorted(self.folder.glob("*.log")))
        raise AssertionError(f"no {count} workers after {_PATIENCE} s:\n{logs}")

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """The power goes off: worker, executor and its Python processes are gone at once."""
        for process in [worker.pid, *_descendants(worker.pid)]:
            os.kill(process, signal.SIGKILL)
        worker.wait()

    def _start(self, name: str, main: str, *arguments: str) -> subprocess.Popen[bytes]:
        from pyspark.find_spark_home import _find_spark_home

        home = Path(_find_spark_home())
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{main}", *arguments],
                env=environment(self.folder), stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self.processes.append(process)
        return process


def _descendants(process: int) -> list[int]:
    children: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            children.append(int(stat.parent.name))
    return [found for child in children for found in (child, *_descendants(child))]
