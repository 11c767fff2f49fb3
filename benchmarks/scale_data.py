"""Make inputs that are larger than some memories: Parquet folders, drawn with fixed seeds.

    python scale_data.py FOLDER [--queries QUERIES] [--depth DEPTH] [--grouped-only]

`qrels.parquet` and `grouped/` are rankings of DEPTH items each, query by query; `shuffled/` are the same rows in random
order; `tenth/` is the first tenth of the grouped ones with its own truth. `clicks/` has as many rows of labels and
scores, user by user.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from data import BLOCK, GROWTH, MICRO, Lists, Shape, draw_blocks
from samples import labelled

PARTS = 10
SHARE = 0.1
"Of positive clicks."
ROW_GROUP = 1_000_000


def run_table(lists: Lists) -> pa.Table:
    """User, item and score."""
    return pa.table({"user_id": lists.query, "item_id": lists.item, "score": (lists.micro / MICRO).astype(np.float32)})


def truth_table(lists: Lists) -> pa.Table:
    """User and relevant item."""
    return pa.table({"user_id": lists.truth_query, "item_id": lists.truth_item})


def write_grouped(folder: Path, shape: Shape) -> None:
    """The rankings of all users, user by user, in parts, and their truth; the first part once more, with its own."""
    truths: list[pa.Table] = []
    for part, some in enumerate(in_parts(shape)):
        truth, run = (pa.concat_tables(tables) for tables in zip(*some, strict=True))
        truths.append(truth)
        pq.write_table(run, made(folder / "grouped") / f"part-{part}.parquet", row_group_size=ROW_GROUP)
        if part == 0:
            pq.write_table(truth, made(folder / "tenth") / "qrels.parquet")
            pq.write_table(run, made(folder / "tenth" / "run") / "part-0.parquet", row_group_size=ROW_GROUP)
    pq.write_table(pa.concat_tables(truths), folder / "qrels.parquet")


def in_parts(shape: Shape) -> Iterator[list[tuple[pa.Table, pa.Table]]]:
    """Truth and run of some users at a time, as many as a part holds."""
    each = max(1, -(-shape.queries // (PARTS * BLOCK)))
    blocks = ((truth_table(lists), run_table(lists)) for lists in draw_blocks(shape))
    while some := list(islice(blocks, each)):
        yield some


def write_shuffled(folder: Path, shape: Shape) -> None:
    """The same rows in random order."""
    run = pa.concat_tables([run for some in in_parts(shape) for _, run in some])
    columns = {name: run[name].to_numpy() for name in run.column_names}
    order = np.random.default_rng(shape.seed).permutation(np.arange(len(run), dtype=np.uint32))
    for part, rows in enumerate(np.array_split(order, PARTS)):
        table = pa.table({name: column[rows] for name, column in columns.items()})
        pq.write_table(table, folder / f"part-{part}.parquet", row_group_size=ROW_GROUP)


def write_clicks(folder: Path, users: int, depth: int) -> None:
    """Labels and scores, about as many rows a user as a ranking has items."""
    for part, some in enumerate(np.array_split(np.arange(users), PARTS)):
        rng = np.random.default_rng((5, part))
        user = np.repeat(some, rng.integers(1, 2 * depth, len(some)))
        positive, score = labelled(rng, len(user), SHARE)
        columns: dict[str, Any] = {"user_id": user, "click": positive.astype(np.int8), "pctr": score.astype(np.float32)}
        pq.write_table(pa.table(columns), folder / f"part-{part}.parquet", row_group_size=ROW_GROUP)


def made(folder: Path) -> Path:
    """The folder, which is there now."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def make(folder: Path, queries: int, depth: int, *, grouped_only: bool = False) -> None:
    """The whole folder, under another name until it is complete."""
    part = made(folder.with_name(f"{folder.name}.part"))
    shape = replace(GROWTH, queries=queries, depth=depth)
    write_grouped(part, shape)
    if not grouped_only:
        write_shuffled(made(part / "shuffled"), shape)
        write_clicks(made(part / "clicks"), queries, shape.depth)
    part.rename(folder)


def main() -> None:
    """Make the folder that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=GROWTH.queries)
    parser.add_argument("--depth", type=int, default=GROWTH.depth)
    parser.add_argument("--grouped-only", action="store_true")
    arguments = parser.parse_args()
    make(arguments.folder, arguments.queries, arguments.depth, grouped_only=arguments.grouped_only)


if __name__ == "__main__":
    main()
