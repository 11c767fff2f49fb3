"""Data of the net: a ranking and a table of predictions, small, with something for every keyword to change."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

QUERIES, ROWS, LABELS = 40, 400, 4


class Data(NamedTuple):
    """Files of one folder, by what they hold."""

    folder: Path

    def path(self, name: str) -> Path:
        """The file of a table."""
        return self.folder / f"{name}.parquet"

    def table(self, name: str) -> pa.Table:
        """The same, read."""
        return parquet.read_table(self.path(name))


def write_data(folder: Path) -> Data:
    """Write every table."""
    data = Data(folder)
    for name, table in {**_rankings(), "predictions": _predictions()}.items():
        parquet.write_table(table, data.path(name))
    return data


def _rankings() -> dict[str, pa.Table]:
    """Ties, unanswered, unjudged and hopeless queries, items that are named as their query."""
    random = np.random.default_rng(3)
    queries = np.repeat(np.arange(QUERIES), 8)
    items = np.concatenate([random.permutation(12)[:8] for _ in range(QUERIES)])
    grades = random.integers(0, 4, len(queries)) * (queries % 9 != 4)
    judged = (queries != 7) & (np.arange(len(queries)) % 8 < 5)
    answered = queries % 13 != 5
    truth = {"query": queries[judged], "item": items[judged], "grade": grades[judged].astype(float)}
    truth["ipw"] = (items[judged] + queries[judged]) % 5 / 2
    order = random.permutation(len(queries))
    scores = np.round(random.random(len(queries)) + 1e-9 * items, 9)
    scores[::3] = np.round(scores[::3], 1)
    run = {"query": queries[answered], "item": items[order][answered], "score": scores[answered]}
    run_table = pa.table(run).group_by(["query", "item"]).aggregate([("score", "max")]).rename_columns(list(run))
    truth_table = pa.table(truth)
    few = np.arange(0, len(run_table), 5)
    every = np.arange(QUERIES)
    return {
        "truth": truth_table,
        "run": run_table,
        "exclude": run_table.take(few).select(["query", "item"]),
        "train": truth_table.take(np.arange(0, len(truth_table), 3)).select(["query", "item"]),
        "catalog": pa.table({"item": np.arange(15)}),
        "reference": run_table.take(np.arange(0, len(run_table), 2)),
        "items": pa.table({"item": np.arange(10), "category": np.arange(10) % 4}),
        "weights": pa.table({"query": every, "weight": 1.0 + every % 3}),
        "parts": pa.table({"query": every, "half": np.where(every % 2, "odd", "even")}),
    }


def _predictions() -> pa.Table:
    """Labels, classes and numbers in one table; a class that is never predicted, groups of one label."""
    random = np.random.default_rng(4)
    score = np.round(random.random(ROWS), 1)
    proba = random.dirichlet([1, 1, 1], ROWS)
    words = np.array(["cat", "dog", "eel"])
    number = random.normal(5, 2, ROWS)
    number[::50] = 0
    arms = np.random.default_rng(5)
    chance = np.round(0.3 + 0.4 * arms.random(ROWS), 2)
    return pa.table(
        {
            "click": (random.random(ROWS) < score).astype(np.int64),
            "pctr": score,
            "user": random.integers(0, 60, ROWS),
            "weight": random.integers(1, 4, ROWS).astype(float),
            "part": np.where(np.arange(ROWS) % 3, "new", "old"),
            "species": words[random.integers(0, 3, ROWS)],
            "guess": words[random.integers(0, 2, ROWS)],
            **{word: proba[:, at] for at, word in enumerate(words)},
            "price": number,
            "forecast": number + random.normal(0, 1, ROWS),
            "treatment": (arms.random(ROWS) < chance).astype(np.int64),
            "other_treatment": arms.integers(0, 2, ROWS),
            "propensity": chance,
            "other_propensity": np.round(1 - 0.5 * chance, 3),
            "logged_estimate": np.round(score / 2, 2),
            "target_estimate": np.round(score / 3 + chance / 4, 3),
            "row": np.arange(ROWS) // LABELS,
            "tag": np.array(["art", "bus", "cat", "dot"])[np.arange(ROWS) % LABELS],
            "other_tag": np.array(["dot", "art", "bus", "cat"])[np.arange(ROWS) % LABELS],
            "other_row": np.arange(ROWS) % (ROWS // LABELS),
            "part_tag": np.array(["art", "bus", "cat", "dot"])[np.arange(ROWS) // (ROWS // LABELS)],
            "row_weight": 1.0 + (np.arange(ROWS) // LABELS) % 3,
            "row_part": np.where((np.arange(ROWS) // LABELS) % 3, "new", "old"),
        }
    )
