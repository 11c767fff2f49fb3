"""Ranks from factors beside recommender libraries in their own ways: work and bars."""

from __future__ import annotations

from collections.abc import Iterator

from bars import Bar, differences, faster
from benchmark import PYTHON, Benchmark, say_not_measured
from processes import WorkError, worker

USERS, CALLS = 20_000, 3
MUST = {"implicit": 3, "rectools": 10, "recbole": 10}
WAYS = {
    "implicit": "`ranking_metrics_at_k`|`ranking_metrics_at_k`",
    "rectools": "`recommend`, then `calc_metrics`|`recommend` 后 `calc_metrics`",
    "recbole": "full sorting by its trainer|训练器的全排序评测",
}
TITLE = (
    "factors, 20k users × 100k items × 64, 10 relevant and 100 excluded: ",
    "因子，2 万用户 × 10 万条目 × 64，10 个相关、100 个排除：",
)


def factors(benchmark: Benchmark) -> None:
    """Each tool in a process of its own; pingce comes first, and again at the end, so that no moment of the machine is its alone."""
    values: dict[str, float] = {}
    for tool in ("pingce", *MUST, "pingce"):
        name = f"factors/{tool}"
        python = PYTHON if tool == "pingce" else benchmark.python(tool)
        if python is None:
            continue
        try:
            figures = worker(python, "factors", tool, f"{CALLS}", f"{benchmark.scaled(USERS)}")
        except WorkError as error:
            say_not_measured(name, error)
            continue
        values = values or figures["values"]
        before = benchmark.measured.get(name)
        if before is None or figures["warm_s"] < before["warm_s"]:
            benchmark.keep(name, {**figures, **differences(figures["values"], values)}, tool)


def factor_bars() -> Iterator[Bar]:
    """Rows of the table: times, and those of all cores together."""
    for tool, limit in MUST.items():
        title = "|".join(head + way for head, way in zip(TITLE, WAYS[tool].split("|"), strict=True))
        yield from faster(title, "factors/pingce", f"factors/{tool}", limit)
        yield Bar(title, "factors/pingce", f"factors/{tool}", "cpu_s")
