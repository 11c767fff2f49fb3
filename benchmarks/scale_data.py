"""Make inputs that are larger than some memories: Parquet folders, drawn with fixed seeds.

    python scale_data.py FOLDER [--queries QUERIES]

`qrels.parquet` and `grouped/` are rankings of 100 items each, query by query; `shuffled/` are the same rows in random
order; `tenth/` is the first tenth of the grouped ones with its own truth. `clicks/` has as many rows of labels and
scores, user by user.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from data import GROWTH, MICRO, Lists, Shape, draw_blocks
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
    """The rankings of all users, user by user, in parts."""
    blocks = [(truth_table(lists), run_table(lists)) for lists in draw_blocks(shape)]
    each = -(-len(blocks) // PARTS)
    for part, first in enumerate(range(0, len(blocks), each)):
        run = pa.concat_tables([run for _, run in blocks[first : first + each]])
        pq.write_table(run, made(folder / "grouped") / f"part-{part}.parquet", row_group_size=ROW_GROUP)
        if part == 0:
            truth = pa.concat_tables([truth for truth, _ in blocks[:each]])
            pq.write_table(truth, made(folder / "tenth") / "qrels.parquet")
            pq.write_table(run, made(folder / "tenth" / "run") / "part-0.parquet", row_group_size=ROW_GROUP)
    pq.write_table(pa.concat_tables([truth for truth, _ in blocks]), folder / "qrels.parquet")
    write_shuffled(made(folder / "shuffled"), pa.concat_tables([run for _, run in blocks]), shape.seed)


def write_shuffled(folder: Path, run: pa.Table, seed: int) -> None:
    """The same rows in random order."""
    columns = {name: run[name].to_numpy() for name in run.column_names}
    order = np.random.default_rng(seed).permutation(np.arange(len(run), dtype=np.uint32))
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


def make(folder: Path, queries: int) -> None:
    """The whole folder, under another name until it is complete."""
    part = made(folder.with_name(f"{folder.name}.part"))
    shape = replace(GROWTH, queries=queries)
    write_grouped(part, shape)
    write_clicks(made(part / "clicks"), queries, shape.depth)
    part.rename(folder)


def main() -> None:
    """Make the folder that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=GROWTH.queries)
    arguments = parser.parse_args()
    make(arguments.folder, arguments.queries)


if __name__ == "__main__":
    main()
