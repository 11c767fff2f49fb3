"""What lists show: works and bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bars import Bar, cost, differences, faster, within
from benchmark import CALLS, PYTHON, Benchmark, say_not_measured
from item_data import MILLION, SHOWN, SIXTEEN
from processes import WorkError, worker

WORDS = {
    "sixteen": "ten metrics of items and six of accuracy, 10M rows: against twice `ndcg@10` alone and 0.1 s|"
    "十个看条目的指标加六个准确性指标，1,000 万行：对 `ndcg@10` 单独耗时的两倍加 0.1 秒",
    "personalization": "personalization of 1M users|100 万用户的个性化",
    "shown": "MIUF, ARP, coverage and ILD of 1M rows, pandas|MIUF、ARP、覆盖率与 ILD，100 万行，pandas",
}
FACTOR, MORE = 2, 0.1
"Sixteen metrics may take so many times what one takes, and so many seconds more."


def items(benchmark: Benchmark) -> None:
    """What lists show, of shops that the workers draw; RecTools beside it where it has the same."""
    figures = _asked(benchmark, "items/sixteen", "pingce", "sixteen", SIXTEEN.users)
    if figures is not None:
        benchmark.keep_each("items", figures)
        most = FACTOR * benchmark.measured["items/ndcg@10"]["warm_s"] + MORE
        benchmark.keep("items/most", {"warm_s": most})
    if (figures := _asked(benchmark, "items/personalization", "pingce", "personalization", MILLION.users)) is not None:
        benchmark.keep("items/personalization", figures)
    values: dict[str, float] = {}
    for tool in ("pingce", "rectools"):
        if (figures := _asked(benchmark, f"shown/{tool}", tool, "shown", SHOWN.users)) is not None:
            values = values or figures["values"]
            benchmark.keep(f"shown/{tool}", {**figures, **differences(figures["values"], values)}, tool)


def _asked(benchmark: Benchmark, name: str, tool: str, work: str, users: int) -> dict[str, Any] | None:
    """What a worker measured; None, and a line, where it failed."""
    python = benchmark.python(tool)
    if python is None:
        return None
    try:
        return worker(
            python if tool != "pingce" else PYTHON,
            f"{tool}_items",
            work,
            f"{CALLS[tool]}",
            f"{benchmark.scaled(users)}",
        )
    except WorkError as error:
        say_not_measured(name, error)
        return None


def item_bars() -> Iterator[Bar]:
    """Rows of the table."""
    yield cost(WORDS["sixteen"], "items/sixteen", "items/most", 1)
    yield within(WORDS["personalization"], "items/personalization", 2)
    yield from faster(WORDS["shown"], "shown/pingce", "shown/rectools", 30)
