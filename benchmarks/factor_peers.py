"""Ranks from factors beside recommender libraries in their own ways: work and bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bars import Bar, differences
from benchmark import PYTHON, Benchmark, say_not_measured
from processes import WorkError, worker

USERS, CALLS = 20_000, 2
FEWER = {"recbole": 2_000}
"Users of tools that take minutes to prepare; their times are scaled by users."
MUST = {"implicit": 3, "rectools": 10, "recbole": 10}
WAYS = {
    "implicit": "`ranking_metrics_at_k`, one K|`ranking_metrics_at_k`，一个 K",
    "rectools": "`recommend`, then `calc_metrics`|`recommend` 后 `calc_metrics`",
    "recbole": "full sorting by its trainer, of 2k users, scaled|训练器的全排序评测，2,000 个用户，按用户数折算",
}
TITLE = (
    "factors, 20k users × 100k items × 64, 10 relevant and 100 excluded: ",
    "因子，2 万用户 × 10 万条目 × 64，10 个相关、100 个排除：",
)


def factors(benchmark: Benchmark) -> None:
    """Each tool in a process of its own; pingce comes first, and again at the end, so that no moment of the machine is its alone."""
    for tool in ("pingce", *MUST, "pingce"):
        name, users = f"factors/{tool}", benchmark.scaled(FEWER.get(tool, USERS))
        python = PYTHON if tool == "pingce" else benchmark.python(tool)
        if python is None:
            continue
        try:
            figures = worker(python, "factors", tool, f"{CALLS}", f"{users}")
            values = worker(PYTHON, "factors", "pingce", "1", f"{users}")["values"]
        except WorkError as error:
            say_not_measured(name, error)
            continue
        before = benchmark.measured.get(name)
        if before is None or figures["cpu_s"] < before["cpu_s"]:
            figures |= scaled(figures, benchmark.scaled(USERS) / users)
            benchmark.keep(name, {**figures, **differences(figures["values"], values)}, tool)


def scaled(figures: dict[str, Any], times: float) -> dict[str, Any]:
    """Seconds of so many times the users."""
    return {name: seconds * times for name, seconds in figures.items() if name in ("cold_s", "warm_s", "cpu_s")}


def factor_bars() -> Iterator[Bar]:
    """Rows of the table: the bar stands on the seconds of all cores together, which tell the work apart from what else the machine does."""
    for tool, limit in MUST.items():
        title = "|".join(head + way for head, way in zip(TITLE, WAYS[tool].split("|"), strict=True))
        yield Bar(title, "factors/pingce", f"factors/{tool}", "cpu_s", limit=limit)
        yield Bar(title, "factors/pingce", f"factors/{tool}")
