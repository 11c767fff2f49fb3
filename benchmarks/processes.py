"""Fresh processes, timed as a whole, with their peak memory; and files that must come from the disk.

The process that imports this stays small on purpose: Linux counts the memory of the parent at the moment of the start
into the peak of a child.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parent
WORLD = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"As in a shell: modules are compiled once, not by every process."


class WorkError(Exception):
    """A process that did not do its work, with the last words it said."""


@dataclass(frozen=True)
class Finished:
    """What a process printed and what it took."""

    output: str
    seconds: float
    peak_bytes: int


def finish(command: Sequence[str | Path]) -> Finished:
    """Run a command to its end, in the folder of the benchmarks."""
    with TemporaryFile("w+") as printed, TemporaryFile("w+") as said:
        start = perf_counter()
        process = subprocess.Popen(command, stdout=printed, stderr=said, cwd=HERE, env=WORLD)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        said.seek(0)
        output, errors = printed.read(), said.read()
    if process.returncode != 0:
        raise WorkError((errors.strip().splitlines() or [f"exit status {process.returncode}"])[-1])
    return Finished(output, seconds, usage.ru_maxrss * 1024)


def evict(files: Iterable[Path]) -> None:
    """Write files back to the disk and drop them from the page cache."""
    for path in files:
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def figures(times: Sequence[float]) -> dict[str, Any]:
    """Cold is the first time, warm the best of the later ones."""
    return {"cold_s": times[0], "warm_s": min(times[1:], default=times[0]), "times_s": list(times)}


def shell(command: Sequence[str | Path], files: Sequence[Path], calls: int) -> dict[str, Any]:
    """Figures of a command of the shell, and the values it prints as JSON: every time is that of a whole process."""
    evict(files)
    runs = [finish(command) for _ in range(calls)]
    return {
        **figures([run.seconds for run in runs]),
        "peak_bytes": max(run.peak_bytes for run in runs),
        "values": printed_values(runs[-1].output),
    }


def printed_values(output: str) -> dict[str, float]:
    """Metrics of a document of `pingce eval`; none of what is another."""
    metrics = json.loads(output).get("metrics", []) if output.startswith("{") else []
    return {metric["name"]: metric["value"] for metric in metrics if "value" in metric}


def whole_processes(
    python: Path, tool: str, *arguments: str | Path, files: Sequence[Path], calls: int
) -> dict[str, Any]:
    """Figures of a worker that is started anew for each call, as a command of the shell is."""
    evict(files)
    command = [python, "-W", "ignore", "-m", f"workers.{tool}", *arguments, "1"]
    runs = [finish(command) for _ in range(calls)]
    result: dict[str, Any] = json.loads(runs[-1].output.splitlines()[-1])
    del result["times_s"]
    return {**result, **figures([run.seconds for run in runs]), "peak_bytes": max(run.peak_bytes for run in runs)}


def worker(python: str | Path, tool: str, *arguments: str | Path) -> dict[str, Any]:
    """Figures that a worker took inside its own process."""
    finished = finish([python, "-W", "ignore", "-m", f"workers.{tool}", *arguments])
    result: dict[str, Any] = json.loads(finished.output.splitlines()[-1])
    times = figures(result.pop("times_s")) if "times_s" in result else {}
    return {**result, **times, "peak_bytes": finished.peak_bytes}


def in_turns(commands: Mapping[str, Sequence[str | Path]], rounds: int) -> dict[str, dict[str, Any]]:
    """The median time of commands that take turns, so that a slow moment of the machine hits them all."""
    finished: dict[str, list[Finished]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            finished[name].append(finish(command))
    return {
        name: {
            "median_s": median(run.seconds for run in runs),
            "times_s": [run.seconds for run in runs],
            "peak_bytes": max(run.peak_bytes for run in runs),
        }
        for name, runs in finished.items()
    }
