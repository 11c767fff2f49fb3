"""Labels and predictions, drawn with fixed seeds in the process that measures: the same for every tool, in no file.

Rows are drawn block by block into columns that are there before: no second copy of a large column is ever held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import DTypeLike, NDArray

Columns = dict[str, NDArray[np.generic]]
"By the name of the argument that takes it."
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BLOCK = 1_000_000
CLASSES = 100
PROBABLE = 20
"Classes of which each has a probability."
SEPARATION = 1.5
"Standard deviations between the positives and the negatives: an AUC of 0.86."
USERS_BY_ROWS = 0.1
IDS_A_USER = 10
"Ids are drawn from ten times as many as there are users: they leave gaps."
SLICE = 2_000
"Users, of about 10 rows each, for a tool that would take hours on all of them."
RUNS, METRICS = 5, 6
"Of which every pair is compared."
PERMUTATIONS, BOOTSTRAPS = 100_000, 10_000
"Draws."


def blocks(rows: int, seed: int) -> Iterator[tuple[slice, np.random.Generator]]:
    """Where each block stands, and its generator."""
    for first in range(0, rows, BLOCK):
        yield slice(first, min(first + BLOCK, rows)), np.random.default_rng((seed, first))


def labelled(rng: np.random.Generator, rows: int, share: float) -> tuple[NDArray[np.bool_], Floats]:
    """Labels, of which a share is positive, and for each the probability that whoever sees only the score would give."""
    positive = rng.random(rows) < share
    seen = rng.standard_normal(rows) + SEPARATION * positive
    odds = log(share / (1 - share)) - SEPARATION**2 / 2 + SEPARATION * seen
    return positive, 1 / (1 + np.exp(-odds))


def binary(rows: int, share: float, dtype: DTypeLike, seed: int = 11) -> Columns:
    """Labels 0 and 1, and probabilities that are calibrated."""
    y_true, y_score = np.empty(rows, np.int64), np.empty(rows, dtype)
    for block, rng in blocks(rows, seed):
        y_true[block], y_score[block] = labelled(rng, block.stop - block.start, share)
    return {"y_true": y_true, "y_score": y_score}


def grouped(rows: int, share: float, dtype: DTypeLike, seed: int = 12) -> Columns:
    """The same with a user for each row, in random order; half of the rows belong to a quarter of the users."""
    users = max(1, round(rows * USERS_BY_ROWS))
    ids = np.random.default_rng(seed).permutation(IDS_A_USER * users)[:users]
    columns = binary(rows, share, dtype, seed)
    group = np.empty(rows, np.int64)
    for block, rng in blocks(rows, seed + 1):
        group[block] = ids[(users * rng.random(block.stop - block.start) ** 2).astype(np.int64)]
    return {**columns, "group": group}


def weighted(rows: int, share: float, dtype: DTypeLike, seed: int = 11) -> Columns:
    """The same as `binary` with a weight for each row that is no integer."""
    weight = np.empty(rows)
    for block, rng in blocks(rows, seed + 100):
        weight[block] = 0.1 + 1.9 * rng.random(block.stop - block.start)
    return {**binary(rows, share, dtype, seed), "sample_weight": weight}


def of_some_users(columns: Columns) -> Columns:
    """The rows of about as many users as SLICE says: those with the lowest ids, which were drawn at random."""
    kept = np.flatnonzero(columns["group"] < np.int64(IDS_A_USER * SLICE))
    return {name: column[kept] for name, column in columns.items()}


def multiclass(rows: int, seed: int = 14) -> Columns:
    """Classes, some frequent and some rare, and predictions of which somewhat more than seven in ten are right."""
    y_true, y_pred = np.empty(rows, np.int64), np.empty(rows, np.int64)
    for block, rng in blocks(rows, seed):
        true, other = (CLASSES * rng.random((2, block.stop - block.start)) ** 2).astype(np.int64)
        y_true[block] = true
        y_pred[block] = np.where(rng.random(len(true)) < 0.7, true, other)
    return {"y_true": y_true, "y_pred": y_pred}


def regression(rows: int, seed: int = 15) -> Columns:
    """Numbers, and predictions that leave a fifth of the variance."""
    y_true, y_pred = np.empty(rows), np.empty(rows)
    for block, rng in blocks(rows, seed):
        y_true[block], noise = rng.standard_normal((2, block.stop - block.start)) * np.array([[10.0], [4.5]])
        y_pred[block] = y_true[block] + noise
    return {"y_true": y_true, "y_pred": y_pred}


def probabilities(rows: int, seed: int = 18) -> Columns:
    """Classes, and a probability of each, which are highest for the true one more often than not."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, PROBABLE, rows)
    odds = rng.standard_normal((rows, PROBABLE))
    odds[np.arange(rows), y_true] += SEPARATION
    proba = np.exp(odds)
    return {"y_true": y_true, "proba": proba / proba.sum(axis=1, keepdims=True)}


def amounts(rows: int, seed: int = 19) -> Columns:
    """Numbers above 0 whose logarithms are normal, and predictions that are off by a factor."""
    y_true, y_pred = np.empty(rows), np.empty(rows)
    for block, rng in blocks(rows, seed):
        true, noise = rng.standard_normal((2, block.stop - block.start))
        y_true[block], y_pred[block] = np.exp(2 + true), np.exp(2 + true + 0.5 * noise)
    return {"y_true": y_true, "y_pred": y_pred}


def watched(rows: int, seed: int = 20) -> Columns:
    """Watch times of users, in random order, and predictions that are off by a factor."""
    return {**amounts(rows, seed), "group": grouped(rows, 0.5, np.float32, seed)["group"]}


def trial(rows: int, seed: int = 21) -> Columns:
    """Outcomes of treated and control rows in equal parts: a treatment helps more where the score is high."""
    y_true, treatment = np.empty(rows, np.int64), np.empty(rows, np.int64)
    y_score = np.empty(rows, np.float32)
    for block, rng in blocks(rows, seed):
        help_, chance, noise = rng.random((3, block.stop - block.start))
        treatment[block] = chance < 0.5
        y_true[block] = rng.random(len(help_)) < 0.1 + 0.1 * treatment[block] * help_
        y_score[block] = help_ + 0.5 * noise
    return {"y_true": y_true, "y_score": y_score, "treatment": treatment}


def per_query(rows: int, seed: int = 16) -> Columns:
    """The values of some metrics on each query, for runs of which each is a little better than the one before."""
    rng = np.random.default_rng(seed)
    columns: Columns = {}
    for metric in range(METRICS):
        hard = rng.beta(2, 2, rows)
        for run in range(RUNS):
            seen = hard + 0.2 * rng.standard_normal(rows) + 0.002 * run
            columns[f"run {run}/metric {metric}"] = np.clip(seen, 0.0, 1.0)
    return columns


def differences_of_runs(columns: Columns) -> tuple[list[str], Floats]:
    """Of each metric and each pair of runs: its name, and a column of differences."""
    pairs = [(metric, a, b) for metric in range(METRICS) for a, b in combinations(range(RUNS), 2)]
    values = [columns[f"run {b}/metric {m}"] - columns[f"run {a}/metric {m}"] for m, a, b in pairs]  # type: ignore[operator]
    return [f"metric {m}: run {b} - run {a}" for m, a, b in pairs], np.stack(values, axis=1)


SAMPLES: dict[str, Callable[[int], Columns]] = {
    "float32, 3 % positive": partial(binary, share=0.03, dtype=np.float32),
    "float32, 50 % positive": partial(binary, share=0.5, dtype=np.float32),
    "float64, 3 % positive": partial(binary, share=0.03, dtype=np.float64),
    "float64, 50 % positive": partial(binary, share=0.5, dtype=np.float64),
    "float32, 3 % positive, weights": partial(weighted, share=0.03, dtype=np.float32),
    "users": partial(grouped, share=0.1, dtype=np.float32),
    "users, strings": partial(grouped, share=0.1, dtype=np.float32),
    "classes": multiclass,
    "probabilities": probabilities,
    "numbers": regression,
    "amounts": amounts,
    "watch": watched,
    "trial": trial,
    "queries": per_query,
}
"What draws the columns of so many rows. Users become strings in the columns of each tool."
