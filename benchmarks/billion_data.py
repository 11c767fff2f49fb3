"""Write the parts of a thousand million rows, one at a time.

    python billion_data.py FOLDER rankings|clicks [--scale SCALE]

Each size is a folder with `qrels/` and `run/`, or `clicks/`; the parts of the smaller ones are links to those of the largest.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from billion import SIZES
from data import GROWTH, draw_block
from samples import labelled
from scale_data import ROW_GROUP, SHARE, made, run_table, truth_table

PARTS = max(SIZES.values())
ROWS = 10_000_000
"Of a part."
DEPTH = 1_000
BLOCK = 1_000
"Queries that are drawn at once."
ROWS_A_USER = 100


def rankings(part: int, rows: int) -> Iterator[tuple[str, pa.Table]]:
    """Lists of a thousand items, user by user, and their truth."""
    queries = max(1, rows // DEPTH)
    shape = replace(GROWTH, queries=queries, depth=DEPTH)
    catalogue = np.random.default_rng(shape.seed).permutation(shape.catalogue)
    for first in range(part * queries, (part + 1) * queries, BLOCK):
        lists = draw_block(shape, first, min(BLOCK, (part + 1) * queries - first), catalogue)
        yield "qrels", truth_table(lists)
        yield "run", run_table(lists)


def clicks(part: int, rows: int) -> Iterator[tuple[str, pa.Table]]:
    """Labels and scores, user by user."""
    users = max(1, rows // ROWS_A_USER)
    rng = np.random.default_rng((5, part))
    user = np.repeat(np.arange(part * users, (part + 1) * users), ROWS_A_USER)
    positive, score = labelled(rng, len(user), SHARE)
    columns = {"user_id": user, "click": positive.astype(np.int8), "pctr": score.astype(np.float32)}
    yield "clicks", pa.table(columns)


KINDS = {"rankings": rankings, "clicks": clicks}


def write_part(folder: Path, part: int, tables: Iterator[tuple[str, pa.Table]]) -> None:
    """One part of the largest size, and its links from those it belongs to."""
    by_name: dict[str, list[pa.Table]] = {}
    for name, table in tables:
        by_name.setdefault(name, []).append(table)
    largest = max(SIZES, key=SIZES.__getitem__)
    for name, several in by_name.items():
        path = made(folder / largest / name) / f"part-{part:03}.parquet"
        pq.write_table(pa.concat_tables(several), path, row_group_size=ROW_GROUP)
        for size, parts in SIZES.items():
            if size != largest and part < parts:
                (made(folder / size / name) / path.name).hardlink_to(path)


def main() -> None:
    """Write what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    for part in range(PARTS):
        write_part(arguments.folder, part, KINDS[arguments.kind](part, round(ROWS * arguments.scale)))


if __name__ == "__main__":
    main()
