"""Make the inputs: drawn with fixed seeds, the same on every machine, written once to a folder.

    python data.py FOLDER [--scale SCALE]

Every list walks over a shuffled catalogue with a start and a step of its own: the item at place j is
catalogue[(start + j · step) mod size], and the size is prime, so that no item comes twice. Places up to the depth are
returned; judged items are drawn from places above and below it. Rows stand query by query, best item first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BLOCK = 10_000
FIRST_QUERY = 1_000_000
FIRST_DOCUMENT = 1_000_000
MICRO = 1_000_000
"Scores lie between 0 and 1 with six decimals; no two in a list are equal, so that no tool breaks ties."


@dataclass(frozen=True)
class Shape:
    """How many lists of which length, and how many judged items each, of which which share is returned."""

    queries: int
    depth: int
    judged: int
    returned: float
    catalogue: int
    seed: int

    def scaled(self, scale: float) -> Shape:
        """The same lists, more or fewer of them."""
        return replace(self, queries=max(20, round(self.queries * scale)))


TEXT = Shape(queries=6_980, depth=1_000, judged=7, returned=0.8, catalogue=3_213_839, seed=1)
SMALL = Shape(queries=50, depth=1_000, judged=7, returned=0.8, catalogue=3_213_839, seed=2)
RECOMMENDATION = Shape(queries=100_000, depth=100, judged=10, returned=0.3, catalogue=999_983, seed=3)
GROWTH = Shape(queries=1_000_000, depth=100, judged=10, returned=0.3, catalogue=999_983, seed=4)


@dataclass(frozen=True)
class Lists:
    """A run and its truth as columns; scores are in millionths."""

    query: Ints
    item: Ints
    micro: Ints
    truth_query: Ints
    truth_item: Ints
    grade: Ints


def draw_block(shape: Shape, first: int, count: int, catalogue: Ints) -> Lists:
    """The lists of some queries; every query has at least one relevant item."""
    rng = np.random.default_rng((shape.seed, first))
    start = rng.integers(0, len(catalogue), (count, 1))
    step = rng.integers(1, len(catalogue), (count, 1))
    query = np.arange(FIRST_QUERY + first, FIRST_QUERY + first + count)
    micro = MICRO - rng.integers(1, (MICRO - 1) // shape.depth, (count, shape.depth), endpoint=True).cumsum(axis=1)
    above = (shape.depth * rng.random((count, shape.judged)) ** 3).astype(np.int64)
    below = rng.integers(shape.depth, 10 * shape.depth, (count, shape.judged))
    place = np.sort(np.where(rng.random((count, shape.judged)) < shape.returned, above, below), axis=1)
    grade = rng.integers(0, 4, (count, shape.judged))
    grade[:, 0] = np.maximum(grade[:, 0], 1)
    once = np.diff(place, axis=1, prepend=-1) > 0
    return Lists(
        query=np.repeat(query, shape.depth),
        item=catalogue[(start + step * np.arange(shape.depth)) % len(catalogue)].ravel(),
        micro=micro.ravel(),
        truth_query=np.repeat(query, shape.judged)[once.ravel()],
        truth_item=catalogue[(start + step * place) % len(catalogue)][once],
        grade=grade[once],
    )


def draw_blocks(shape: Shape) -> Iterator[Lists]:
    """All lists, some queries at a time."""
    catalogue = np.random.default_rng(shape.seed).permutation(shape.catalogue)
    for first in range(0, shape.queries, BLOCK):
        yield draw_block(shape, first, min(BLOCK, shape.queries - first), catalogue)


def string_tables(shape: Shape) -> tuple[Any, Any]:
    """Truth and run as Arrow tables with string ids and the score as text of six decimals."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def named(prefix: str, numbers: Ints) -> Any:
        return pc.binary_join_element_wise(prefix, pa.array(numbers).cast(pa.string()), "")

    truths, runs = [], []
    for lists in draw_blocks(shape):
        queries, grades = named("", lists.truth_query), pa.array(lists.grade)
        items = named("D", lists.truth_item + FIRST_DOCUMENT)
        truths.append(pa.table({"query": queries, "item": items, "grade": grades}))
        digits = pc.utf8_lpad(pa.array(lists.micro).cast(pa.string()), 6, "0")
        scores = pc.binary_join_element_wise("0.", digits, "")
        items = named("D", lists.item + FIRST_DOCUMENT)
        runs.append(pa.table({"query": named("", lists.query), "item": items, "score": scores}))
    return pa.concat_tables(truths), pa.concat_tables(runs)


def write_trec(folder: Path, shape: Shape) -> None:
    """qrels.txt and run.txt, and the same as qrels.parquet and run.parquet."""
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    truth, run = string_tables(shape)
    pq.write_table(truth, folder / "qrels.parquet")
    pq.write_table(run.set_column(2, "score", run["score"].cast(pa.float64())), folder / "run.parquet")
    ranks = pa.array(np.tile(np.arange(1, shape.depth + 1), shape.queries))
    truth = truth.add_column(1, "0", pa.repeat("0", len(truth)))
    run = run.add_column(1, "Q0", pa.repeat("Q0", len(run))).add_column(3, "rank", ranks)
    run = run.append_column("tag", pa.repeat("bench", len(run)))
    plain = pc.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    pc.write_csv(truth, folder / "qrels.txt", plain)
    pc.write_csv(run, folder / "run.txt", plain)


def integer_columns(shape: Shape) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """Truth and run as columns of integers, filled block by block: no second copy of a large run."""
    rows = shape.queries * shape.depth
    user, item, score = np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows)
    truth_users, truth_items = [], []
    filled = 0
    for lists in draw_blocks(shape):
        block = slice(filled, filled + len(lists.query))
        user[block], item[block], score[block] = lists.query, lists.item, lists.micro / MICRO
        truth_users.append(lists.truth_query)
        truth_items.append(lists.truth_item)
        filled = block.stop
    truth = {"user_id": np.concatenate(truth_users), "item_id": np.concatenate(truth_items)}
    return truth, {"user_id": user, "item_id": item, "score": score}


def write_recommendation(folder: Path, shape: Shape) -> None:
    """truth.npz and run.npz, which every tool's environment can load."""
    folder.mkdir(parents=True, exist_ok=True)
    truth, run = integer_columns(shape)
    np.savez(folder / "truth.npz", user_id=truth["user_id"], item_id=truth["item_id"])
    np.savez(folder / "run.npz", user_id=run["user_id"], item_id=run["item_id"], score=run["score"])


def make(folder: Path, scale: float) -> None:
    """The whole folder, under another name until it is complete."""
    part = folder.with_name(f"{folder.name}.part")
    write_trec(part / "text", TEXT.scaled(scale))
    write_trec(part / "small", SMALL)
    write_recommendation(part / "recommendation", RECOMMENDATION.scaled(scale))
    write_recommendation(part / "small", replace(RECOMMENDATION, queries=SMALL.queries))
    part.rename(folder)


def main() -> None:
    """Make the folder that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    make(arguments.folder, arguments.scale)


if __name__ == "__main__":
    main()
