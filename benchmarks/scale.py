"""Work that one call, one memory or one machine would be too small for: batches, streams of files, Spark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from processes import WorkError, evict, finish, worker

if TYPE_CHECKING:
    from run import Benchmark

QUERIES = 1_000_000
"Rankings of 100 rows each, and as many users with clicks."
ROWS = 10_000_000
SIX = "ndcg@10,map@10,mrr@10,recall@10,precision@10,hit_rate@10"
LIMIT = "2GB"
"Of the memory that a stream may take."
PARTS = {"grouped": 10, "shuffled": 10, "tenth": 1}
"In tenths of all rows."


def batches(benchmark: Benchmark) -> None:
    """Batches of 100,000 rows against one call."""
    for work in ("ranking", "binary", "grouped"):
        asked = (work, "6", f"{benchmark.scaled(ROWS, 1_000)}")
        figures = worker(benchmark.pythons["pingce"], "pingce_batches", *asked)
        for variant, times in figures["each_s"].items():
            benchmark.keep(f"batches/{work}, {variant}", {"warm_s": min(times[1:]), "times_s": times})


def scale(benchmark: Benchmark) -> None:
    """A hundred million rows in Parquet folders, under a limit of memory; a tenth of them without."""
    python = benchmark.pythons["pingce"]
    data = benchmark.data.with_name(f"{benchmark.data.name}-scale")
    if not data.exists():
        finish([python, "scale_data.py", data, "--queries", f"{benchmark.scaled(QUERIES)}"])
    benchmark.keep("scale/a gigabyte", {"size_bytes": 10**9})
    tenth = data / "tenth"
    commands: dict[str, tuple[Path, ...]] = {
        "tenth": (tenth / "qrels.parquet", tenth / "run"),
        "grouped": (data / "qrels.parquet", data / "grouped"),
        "shuffled": (data / "qrels.parquet", data / "shuffled"),
    }
    for name, files in commands.items():
        limit = () if name == "tenth" else ("--memory", LIMIT)
        words = [python, "-m", "pingce", "eval", *files, "-m", SIX, *limit, "-f", "json"]
        figures = whole_command(words, files, 3 if name == "tenth" else 2)
        benchmark.keep(f"scale/{name}", figures | {"tenth_s": figures["warm_s"] / PARTS[name]})
    columns = ["--label", "click", "--score", "pctr", "--group", "user_id"]
    words = [python, "-m", "pingce", "eval", data / "clicks", *columns, "-m", "auc,gauc", "--memory", LIMIT]
    benchmark.keep("scale/clicks", whole_command([*words, "-f", "json"], (data / "clicks",), 1))


def whole_command(words: list[str | Path], folders: tuple[Path, ...], runs: int) -> dict[str, Any]:
    """Time and peak memory of whole processes that print pingce's JSON."""
    evict(file for folder in folders for file in (folder.rglob("*.parquet") if folder.is_dir() else (folder,)))
    done = [finish(words) for _ in range(runs)]
    values = {metric["name"]: metric["value"] for metric in json.loads(done[-1].output)["metrics"]}
    return {
        "cold_s": done[0].seconds,
        "warm_s": min(one.seconds for one in done),
        "times_s": [one.seconds for one in done],
        "peak_bytes": max(one.peak_bytes for one in done),
        "values": values,
    }


def spark(benchmark: Benchmark) -> None:
    """Ten million rows of rankings on Spark, local[2]: pingce and MLlib in one session."""
    asked = ("6", f"{benchmark.scaled(ROWS, 10_000)}")
    try:
        figures = worker(benchmark.pythons["pingce"], "spark", *asked)
    except WorkError as error:
        print(f"bench: spark not measured: {error}", flush=True)
        return
    for variant, times in figures["each_s"].items():
        benchmark.keep(f"spark/{variant}", {"cold_s": times[0], "warm_s": min(times[1:]), "times_s": times})
