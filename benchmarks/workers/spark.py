"""pingce and Spark's own MLlib on the same data frames in one session, local[2], in turns.

python -m workers.spark CALLS ROWS

MLlib has no reciprocal rank and no hit rate, so it computes four numbers and pingce six. It gets its lists kept in memory
between the metrics, once as they are, and once cut at the depth of the metrics by a window, as its careful users do it;
then every other metric, or another depth, would need another pass.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from data import GROWTH, integer_columns
from pyarrow import parquet

from pingce.spark import evaluate_ranking
from workers.clock import alternated, say

SIX = ("ndcg@10", "map@10", "mrr@10", "recall@10", "precision@10", "hit_rate@10")
DEPTH = 10


def session() -> Any:
    """Two cores, four gigabytes, all else as Spark has it."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g")
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    made = (
        builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    return made


def with_pingce(truth: Any, run: Any) -> dict[str, float]:
    """Six numbers."""
    return dict(evaluate_ranking(truth, run, SIX))


def lists(truth: Any, run: Any, *, cut: bool) -> Any:
    """A row a user: the items in order, all or the best, and the relevant ones."""
    from pyspark.sql import Window, functions

    if cut:
        best = Window.partitionBy("user_id").orderBy(functions.desc("score"), functions.desc("item_id"))
        run = run.withColumn("rank", functions.row_number().over(best)).where(functions.col("rank") <= DEPTH)
    pairs = functions.sort_array(functions.collect_list(functions.struct("score", "item_id")), asc=False)
    returned = run.groupBy("user_id").agg(pairs.getField("item_id").cast("array<double>").alias("prediction"))
    relevant = truth.groupBy("user_id").agg(functions.collect_list("item_id").cast("array<double>").alias("label"))
    return returned.join(relevant, "user_id").select("prediction", "label")


def with_mllib(truth: Any, run: Any, *, cut: bool = False) -> dict[str, float]:
    """Four numbers from RankingMetrics."""
    from pyspark.mllib.evaluation import RankingMetrics

    pairs = lists(truth, run, cut=cut).rdd.map(tuple).cache()
    metrics = RankingMetrics(pairs)
    values = {
        "ndcg@10": metrics.ndcgAt(DEPTH),
        "map@10": metrics.meanAveragePrecisionAt(DEPTH),
        "precision@10": metrics.precisionAt(DEPTH),
        "recall@10": metrics.recallAt(DEPTH),
    }
    pairs.unpersist()
    return values


def with_cut_lists(truth: Any, run: Any) -> dict[str, float]:
    """The same four from lists that were cut before."""
    return with_mllib(truth, run, cut=True)


def main() -> None:
    """Print the seconds of each, and the values, which must agree."""
    warnings.simplefilter("ignore")
    calls, rows = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for name, columns in zip(
            ("truth", "run"), integer_columns(replace(GROWTH, queries=rows // GROWTH.depth)), strict=True
        ):
            parquet.write_table(pa.table(columns), Path(folder, f"{name}.parquet"), row_group_size=1 << 20)
        spark = session()
        truth, run = (spark.read.parquet(str(Path(folder, f"{name}.parquet"))) for name in ("truth", "run"))
        works = {
            "pingce": with_pingce,
            "MLlib": with_mllib,
            "MLlib, lists cut": with_cut_lists,
        }
        values: dict[str, dict[str, float]] = {}

        def kept(name: str) -> None:
            values[name] = works[name](truth, run)

        times = alternated({name: lambda name=name: kept(name) for name in works}, calls)  # type: ignore[misc]
        say({"each_s": times, "values": values}, "pingce", "pyspark", "pyarrow")
        spark.stop()


if __name__ == "__main__":
    main()
