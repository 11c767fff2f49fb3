"""Write the files that whole commands of the shell read.

    python shell_data.py FOLDER [--scale SCALE]

`clicks-1M.parquet` and `clicks-10M.parquet` have users in random order, clicks and the scores of two models; `qrels.txt` and
four runs have 7,000 queries of 100 documents, of which each run moves some.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from data import TEXT, string_tables
from pyarrow import csv
from samples import SAMPLES

SIZES = {"1M": 1_000_000, "10M": 10_000_000}
QUERIES, DEPTH, RUNS = 7_000, 100, 4
BLUR = 0.5
"Standard deviation of what the second model adds to the log-odds of the first."
PLAIN = csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")


def write_clicks(path: Path, rows: int) -> None:
    """Users, clicks, and the probabilities of a model and of a blurred one."""
    columns = SAMPLES["users"](rows)
    first = columns["y_score"].astype(np.float64)
    odds = np.log(first / (1 - first)) + BLUR * np.random.default_rng(17).standard_normal(rows)
    second = (1 / (1 + np.exp(-odds))).astype(np.float32)
    table = {
        "user_id": columns["group"],
        "click": columns["y_true"].astype(np.int8),
        "a": columns["y_score"],
        "b": second,
    }
    pq.write_table(pa.table(table), path, row_group_size=1_000_000)


def write_runs(folder: Path, queries: int) -> None:
    """The truth, and runs whose scores differ by noise."""
    truth, run = string_tables(replace(TEXT, queries=queries, depth=DEPTH))
    csv.write_csv(truth.add_column(1, "0", pa.repeat("0", len(truth))), folder / "qrels.txt", PLAIN)
    scores = run["score"].cast(pa.float64()).to_numpy()
    for number in range(RUNS):
        noise = 0.05 * number * np.random.default_rng(number).standard_normal(len(scores))
        columns = {
            "query": run["query"],
            "Q0": pa.repeat("Q0", len(run)),
            "item": run["item"],
            "rank": pa.repeat("0", len(run)),
            "score": pa.array(np.round(scores + noise, 6)),
            "tag": pa.repeat(f"run-{number}", len(run)),
        }
        csv.write_csv(pa.table(columns), folder / f"run-{number}.txt", PLAIN)


def main() -> None:
    """Write the folder that the arguments name, under another name until it is complete."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    part = arguments.folder.with_name(f"{arguments.folder.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    for name, rows in SIZES.items():
        write_clicks(part / f"clicks-{name}.parquet", max(1_000, round(rows * arguments.scale)))
    write_runs(part, max(100, round(QUERIES * arguments.scale)))
    part.rename(arguments.folder)


if __name__ == "__main__":
    main()
