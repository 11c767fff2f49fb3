"""pingce on inputs that are in memory.

python -m workers.pingce WORK DATA CALLS [--queries QUERIES]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from data import GROWTH, TEXT, integer_columns

import pingce
from workers.clock import Values, alternated, say, timed

LINEAR = "ndcg(gain=linear)@10"
"What pytrec_eval and ranx call ndcg."
FULL = "ndcg(ideal=full)@10"
"What RecTools calls ndcg."
SIX = ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")
NAMES = ("ndcg", "dcg", "ap", "rr", "recall", "precision", "hit_rate", "f", "rbp", "err")
CUTS = (1, 5, 10, 20, 100, 1000)
SIXTY = tuple(f"{name}@{cut}" for name in NAMES for cut in CUTS)


def arrow(data: Path) -> tuple[Any, Any]:
    """Truth and run as Arrow tables."""
    import pyarrow.parquet as pq

    return pq.read_table(data / "qrels.parquet"), pq.read_table(data / "run.parquet")


def polars(data: Path) -> tuple[Any, Any]:
    """Truth and run as polars frames."""
    import polars as pl

    return pl.read_parquet(data / "qrels.parquet"), pl.read_parquet(data / "run.parquet")


def pandas(data: Path) -> tuple[Any, Any]:
    """Truth and run as pandas frames."""
    import pandas as pd

    return pd.read_parquet(data / "qrels.parquet"), pd.read_parquet(data / "run.parquet")


def dicts(data: Path) -> tuple[Any, Any]:
    """Truth and run as dicts of dicts."""
    truth, run = arrow(data)

    def nested(table: Any) -> dict[str, dict[str, float]]:
        tables: dict[str, dict[str, float]] = {}
        for query, item, value in zip(*(column.to_pylist() for column in table.columns), strict=True):
            tables.setdefault(query, {})[item] = value
        return tables

    return nested(truth), nested(run)


def recommendation(data: Path) -> tuple[Any, Any]:
    """Truth and run as pandas frames with integer ids."""
    import pandas as pd

    truth, run = (np.load(data / f"{name}.npz") for name in ("truth", "run"))
    return pd.DataFrame(dict(truth)), pd.DataFrame(dict(run))


def grown(queries: int) -> tuple[Any, Any]:
    """Truth and run as Arrow tables with integer ids, 100 rows a query."""
    import pyarrow as pa

    truth, run = integer_columns(replace(GROWTH, queries=queries))
    return pa.table(truth), pa.table(run)


INPUTS: dict[str, Callable[[Path], tuple[Any, Any]]] = {
    "arrow": arrow,
    "polars": polars,
    "pandas": pandas,
    "dicts": dicts,
    "recommendation": recommendation,
}


def scores(truth: Any, run: Any, metrics: tuple[str, ...] = SIX) -> Values:
    """What a user does."""
    return dict(pingce.evaluate_ranking(truth, run, metrics))


def time_sixty(truth: Any, run: Any, calls: int) -> dict[str, Any]:
    """Six metrics and sixty, in turns."""
    works = {"six": lambda: scores(truth, run), "sixty": lambda: scores(truth, run, SIXTY)}
    return {"each_s": alternated(works, calls)}


def time_order(truth: Any, run: Any, calls: int) -> dict[str, Any]:
    """Rows query by query and shuffled, in turns."""
    shuffled = run.take(np.random.default_rng(5).permutation(len(run)))
    works = {"grouped": lambda: scores(truth, run), "shuffled": lambda: scores(truth, shuffled)}
    return {"each_s": alternated(works, calls)}


def disturbed(run: Any) -> Any:
    """Another run of the same queries: half of its items are those of the run, about where they stood there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chance = np.random.default_rng(6)
    rows = np.arange(len(run)).reshape(-1, TEXT.depth)
    order = np.argsort(rows + chance.normal(0, TEXT.depth / 10, rows.shape), axis=1)
    item = run["item"].combine_chunks().take(np.take_along_axis(rows, order, axis=1).ravel())
    others = pc.binary_join_element_wise(item, "b", "")
    item = pc.if_else(chance.random(len(run)) < 0.5, item, others)
    return pa.table({"query": run["query"], "item": item, "score": run["score"]})


def time_fusion(truth: Any, run: Any, calls: int) -> dict[str, Any]:
    """Two runs fused and one of them evaluated, in turns."""
    other = disturbed(run)
    works = {"evaluate one": lambda: scores(truth, run, ("ndcg@10",)), "fuse two": lambda: pingce.fuse([run, other])}
    return {"each_s": alternated(works, calls)}


def time_threads(truth: Any, run: Any, calls: int) -> dict[str, Any]:
    """The evidence on one thread and on two, in turns, from rows that were read before."""
    truth_rows, run_rows = pingce.read_truth(truth), pingce.read_run(run)

    def on(threads: int) -> Callable[[], object]:
        return lambda: pingce.ranking_evidence(truth_rows, run_rows, threads=threads)

    return {"each_s": alternated({"one thread": on(1), "two threads": on(2)}, calls)}


def measured(work: str, data: Path, calls: int, queries: int) -> dict[str, Any]:
    """The figures of one piece of work."""
    if work == "values":
        load = recommendation if data.name == "recommendation" else arrow
        return {"values": scores(*load(data), (*SIX, LINEAR, FULL))}
    if work == "sixty":
        return time_sixty(*arrow(data), calls)
    if work == "order":
        return time_order(*arrow(data), calls)
    if work == "fusion":
        return time_fusion(*arrow(data), calls)
    if work == "threads":
        return time_threads(*grown(queries), calls)
    truth, run = grown(queries) if work == "growth" else INPUTS[work](data)
    return timed(lambda: scores(truth, run), calls)


def main() -> None:
    """Print the figures of the work that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=(*INPUTS, "values", "sixty", "order", "fusion", "threads", "growth"))
    parser.add_argument("data", type=Path)
    parser.add_argument("calls", type=int)
    parser.add_argument("--queries", type=int, default=GROWTH.queries)
    arguments = parser.parse_args()
    result = measured(arguments.work, arguments.data, arguments.calls, arguments.queries)
    say(result, "pingce", "numpy", "pyarrow", "pandas", "polars")


if __name__ == "__main__":
    main()
