"""Work that one call, one memory or one machine would be too small for: batches, streams of files, Spark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bars import differences
from environments import BUILD
from processes import WorkError, evict, figures, finish, printed_values, worker

if TYPE_CHECKING:
    from benchmark import Benchmark

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
        each = worker(sys.executable, "pingce_batches", *asked)["each_s"]
        for variant, times in each.items():
            benchmark.keep(f"batches/{work}, {variant}", figures(times))


def scale(benchmark: Benchmark) -> None:
    """A hundred million rows in Parquet folders, under a limit of memory; a tenth of them without."""
    python = Path(sys.executable)
    data = BUILD / "data" / f"{benchmark.scale:g}-scale"
    if not data.exists():
        finish([python, "scale_data.py", data, "--queries", f"{benchmark.scaled(QUERIES)}"])
    tenth = data / "tenth"
    commands: dict[str, tuple[Path, ...]] = {
        "tenth": (tenth / "qrels.parquet", tenth / "run"),
        "grouped": (data / "qrels.parquet", data / "grouped"),
        "shuffled": (data / "qrels.parquet", data / "shuffled"),
    }
    for name, files in commands.items():
        limit = () if name == "tenth" else ("--memory", LIMIT)
        words = [python, "-m", "pingce", "eval", *files, "-m", SIX, *limit, "-f", "json"]
        taken = whole_command(words, files, 3 if name == "tenth" else 2)
        benchmark.keep(f"scale/{name}", taken | {"tenth_s": taken["warm_s"] / PARTS[name]})
    columns = ["--label", "click", "--score", "pctr", "--group", "user_id"]
    words = [python, "-m", "pingce", "eval", data / "clicks", *columns, "-m", "auc,gauc", "--memory", LIMIT]
    benchmark.keep("scale/clicks", whole_command([*words, "-f", "json"], (data / "clicks",), 1))


def whole_command(words: list[str | Path], folders: tuple[Path, ...], runs: int) -> dict[str, Any]:
    """Time and peak memory of whole processes that print pingce's JSON."""
    evict(file for folder in folders for file in (folder.rglob("*.parquet") if folder.is_dir() else (folder,)))
    done = [finish(words) for _ in range(runs)]
    return {
        **figures([run.seconds for run in done]),
        "warm_s": min(run.seconds for run in done),
        "peak_bytes": max(run.peak_bytes for run in done),
        "values": printed_values(done[-1].output),
    }


def spark(benchmark: Benchmark) -> None:
    """Ten million rows of rankings on Spark, local[2]: pingce and MLlib in one session."""
    asked = ("6", f"{benchmark.scaled(ROWS, 10_000)}")
    try:
        taken = worker(sys.executable, "spark", *asked)
    except WorkError as error:
        print(f"bench: spark not measured: {error}", flush=True)
        return
    values = taken["values"]
    for variant, times in taken["each_s"].items():
        apart = differences(values[variant], values["pingce"])
        benchmark.keep(f"spark/{variant}", {**figures(times), **apart, "values": values[variant]})
