"""What the workers share: timing a piece of work, and saying what came out. Standard library only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from time import perf_counter, process_time
from typing import Any

Values = Mapping[str, float]
"Means by metric, in pingce's spelling, so that what differs in definition differs in name."


def timed(work: Callable[[], Values], calls: int) -> dict[str, Any]:
    """Seconds of each call, the first one cold, the least that a call took of all cores together, and the values of the last."""
    times: list[float] = []
    busy: list[float] = []
    values: Values = {}
    for _ in range(calls):
        start, spent = perf_counter(), process_time()
        values = work()
        times.append(perf_counter() - start)
        busy.append(process_time() - spent)
    return {"times_s": times, "cpu_s": min(busy), "values": dict(values)}


def alternated(works: Mapping[str, Callable[[], object]], calls: int) -> dict[str, list[float]]:
    """Seconds of each call of works that take turns, so that a slow moment of the machine hits them all."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(calls):
        for name, work in works.items():
            start = perf_counter()
            work()
            times[name].append(perf_counter() - start)
    return times


def say(result: Mapping[str, Any], *packages: str) -> None:
    """Print the result, with the versions of the packages that made it."""
    print(json.dumps({**result, "versions": {package: version(package) for package in packages}}))
