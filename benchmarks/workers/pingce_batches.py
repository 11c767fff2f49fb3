"""pingce in one call and in batches, from the same tables or columns in memory, in turns.

python -m workers.pingce_batches WORK CALLS ROWS
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
from data import GROWTH, integer_columns
from samples import SAMPLES

import pingce
from workers.clock import alternated, say

BATCH = 100_000
SIX = ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")
Works = Mapping[str, Callable[[], object]]


def ranking(rows: int) -> Works:
    """Rankings of 100 items: a batch holds whole queries."""
    truth, run = (pa.table(columns) for columns in integer_columns(replace(GROWTH, queries=rows // GROWTH.depth)))

    def batches() -> object:
        evaluator = pingce.RankingEvaluator(truth, SIX, split="never")
        for first in range(0, len(run), BATCH):
            evaluator.update(run.slice(first, BATCH))
        return evaluator.compute()

    return {"one call": lambda: pingce.evaluate_ranking(truth, run, SIX), "batches": batches}


def binary(rows: int) -> Works:
    """Labels and scores as NumPy has them."""
    columns = SAMPLES["float32, 3 % positive"](rows)
    y_true, y_score = columns["y_true"], columns["y_score"]

    def batches() -> object:
        evaluator = pingce.BinaryEvaluator(("auc", "logloss"))
        for first in range(0, rows, BATCH):
            evaluator.update(y_true[first : first + BATCH], y_score[first : first + BATCH])
        return evaluator.compute()

    return {"one call": lambda: pingce.evaluate_binary(y_true, y_score, ("auc", "logloss")), "batches": batches}


def grouped(rows: int) -> Works:
    """The same within users, whose rows stand together; a batch may cut one, so that ends move to where users change."""
    columns = SAMPLES["users"](rows)
    order = np.argsort(columns["group"], kind="stable")
    y_true, y_score, group = (columns[name][order] for name in ("y_true", "y_score", "group"))
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    ends = [*np.append(starts, rows)[np.searchsorted(starts, np.arange(BATCH, rows, BATCH))].tolist(), rows]

    def batches() -> object:
        evaluator = pingce.BinaryEvaluator("gauc", split="never")
        for first, end in pairwise(sorted({0, *ends})):
            evaluator.update(y_true[first:end], y_score[first:end], group=group[first:end])
        return evaluator.compute()

    return {"one call": lambda: pingce.evaluate_binary(y_true, y_score, "gauc", group=group), "batches": batches}


WORKS = {"ranking": ranking, "binary": binary, "grouped": grouped}


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, calls, rows = sys.argv[1:]
    say({"each_s": alternated(WORKS[work](int(rows)), int(calls))}, "pingce", "numpy", "pyarrow")


if __name__ == "__main__":
    main()
