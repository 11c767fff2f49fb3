"""A call of every threaded function of the core."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from pingce.base.core import native_core

core: Any = native_core()

ROWS = 200_000
"Several parts of every kind of work."
FEW = 1_000
RNG = np.random.default_rng(15)
SCORE = np.round(RNG.random(ROWS), 4)
POSITIVE = (RNG.random(ROWS) < SCORE).astype(np.uint8)
WEIGHT = RNG.random(ROWS)
NOTHING = np.zeros(0)
WORDS = RNG.integers(0, 1 << 64, 51 * 12_000, np.uint64, endpoint=False)
SHUFFLED = RNG.integers(0, 5_000, ROWS)
TEXT = b"".join(
    b"q%d Q0 d%d %d %.4f tag\n" % (row // 40, row * 7919 % 1009, row % 40, SCORE[row]) for row in range(ROWS)
)
ENDS = np.cumsum([len(str(each)) for each in SHUFFLED])
LETTERS = np.frombuffer("".join(map(str, SHUFFLED)).encode(), np.uint8)


def integers(values: Any) -> list[Any]:
    return [("int", np.ascontiguousarray(values))]


STARTS = np.concatenate([[0], ENDS[:-1]])
STRINGS = [("slices", LETTERS, STARTS, ENDS)]
HALVES = [(POSITIVE[half::2].copy(), SCORE[half::2].copy()) for half in (0, 1)]
TABLES = [core.tabulate(*half, 1)[:3] for half in HALVES] if core is not None else []


def early_text(threads: int) -> Any:
    with TemporaryFile() as file:
        file.write(TEXT)
        file.flush()
        return core.EarlyText(file.fileno(), len(TEXT), 0, 2, 4, 6, True, threads)


def ranking(ids: list[Any], excluded: list[Any], threads: int) -> Any:
    items = integers(np.arange(ROWS) % 4_001)
    policies = core.Duplicates.first, core.NotANumber.error
    return core.ranking_evidence(
        ids, items, WEIGHT, ids, items, SCORE, excluded, integers(np.arange(FEW)), *policies, 10, threads
    )


def places(ids: list[Any], excluded: list[Any], threads: int) -> Any:
    items, policies = integers(np.arange(ROWS) % 4_001), (core.Duplicates.first, core.NotANumber.error)
    return core.list_places(ids, items, SCORE, excluded, integers(np.arange(FEW)), *policies, 10, threads)


VECTORS = [RNG.integers(-2, 3, (rows, 9)).astype(np.float32) for rows in (900, 3_000)]
PAIRS = (
    np.arange(900),
    np.arange(901) * 3,
    np.sort(RNG.permuted(np.tile(np.arange(3_000), (900, 1)), axis=1)[:, :3]).reshape(-1),
)


def factors() -> Any:
    return core.Factors(*VECTORS, [None] * 6, False, False, False)


CALLS: dict[str, Callable[[int], Any]] = {
    "parse_text": lambda threads: core.parse_text(np.frombuffer(TEXT, np.uint8), 0, 2, 4, 6, True, threads),
    "EarlyText": lambda threads: early_text(threads).columns(),
    "ranking_evidence": lambda threads: ranking(integers(SHUFFLED), integers(SHUFFLED[:FEW]), threads),
    "ranking_evidence of strings": lambda threads: ranking(
        STRINGS, [("slices", LETTERS, STARTS[:FEW], ENDS[:FEW])], threads
    ),
    "list_places": lambda threads: places(integers(SHUFFLED), integers(SHUFFLED[:FEW]), threads),
    "list_places of strings": lambda threads: places(STRINGS, [("slices", LETTERS, STARTS[:FEW], ENDS[:FEW])], threads),
    "first_empty": lambda threads: core.first_empty(STRINGS, threads),
    "twice_concordant": lambda threads: core.twice_concordant(POSITIVE, SCORE, threads),
    "tabulate": lambda threads: core.tabulate(POSITIVE, SCORE, threads),
    "tabulate_flags": lambda threads: core.tabulate_flags(POSITIVE, POSITIVE, SCORE, threads),
    "tabulate_weights": lambda threads: core.tabulate_weights(POSITIVE, SCORE, WEIGHT, threads),
    "merge_tables": lambda threads: core.merge_tables(*TABLES[0], *TABLES[1], threads),
    "newton_sums": lambda threads: core.newton_sums(SCORE, WEIGHT, WEIGHT, 0.1, 0.9, threads),
    "line_loss": lambda threads: core.line_loss(SCORE, WEIGHT, WEIGHT, 0.1, 0.9, threads),
    "join_tables": lambda threads: core.join_tables(TABLES, threads),
    "probability_sums": lambda threads: core.probability_sums(POSITIVE, SCORE, WEIGHT, 1e-15, 10, threads),
    "group_pairs": lambda threads: core.group_pairs(
        integers(SHUFFLED), POSITIVE, SCORE, WEIGHT, 1e-15, WEIGHT, threads
    ),
    "group_pairs of near integers": lambda threads: core.group_pairs(
        integers(SHUFFLED), POSITIVE, SCORE, NOTHING, 1e-15, NOTHING, threads
    ),
    "group_pairs of strings": lambda threads: core.group_pairs(STRINGS, POSITIVE, SCORE, WEIGHT, 0.0, NOTHING, threads),
    "group_pairs in order": lambda threads: core.group_pairs(
        integers(np.sort(SHUFFLED)), POSITIVE, SCORE, WEIGHT, 0.0, WEIGHT, threads
    ),
    "weight_cells": lambda threads: core.weight_cells(POSITIVE, SCORE, WEIGHT, 0.5, True, threads),
    "weight_sums": lambda threads: core.weight_sums(POSITIVE, WEIGHT, threads),
    "ends": lambda threads: core.ends(SCORE, threads),
    "two_labels": lambda threads: core.two_labels(POSITIVE, threads),
    "squared_log_errors": lambda threads: core.squared_log_errors(SCORE, WEIGHT, threads),
    "log_errors": lambda threads: core.log_errors(SCORE, WEIGHT, threads),
    "log_cosh": lambda threads: core.log_cosh(SCORE, threads),
    "deviances": lambda threads: core.deviances(SCORE, WEIGHT, 1.5, threads),
    "middle_errors": lambda threads: core.middle_errors(SCORE, WEIGHT, threads),
    "largest_error": lambda threads: core.largest_error(SCORE, WEIGHT, threads),
    "number_pairs": lambda threads: core.number_pairs(SCORE, WEIGHT, np.zeros(0, np.uint64), threads),
    "number_pairs of weights": lambda threads: core.number_pairs(
        SCORE, WEIGHT, np.arange(len(SCORE), dtype=np.uint64), threads
    ),
    "group_orders": lambda threads: core.group_orders(integers(SHUFFLED), SCORE, WEIGHT, threads),
    "group_orders of strings": lambda threads: core.group_orders(STRINGS, SCORE, WEIGHT, threads),
    "group_orders in order": lambda threads: core.group_orders(integers(np.sort(SHUFFLED)), SCORE, WEIGHT, threads),
    "mid_ranks": lambda threads: core.mid_ranks(SCORE, threads),
    "error_sums": lambda threads: core.error_sums(SCORE, WEIGHT, threads),
    "exact_total": lambda threads: core.exact_total(SCORE, WEIGHT, threads),
    "hashes": lambda threads: core.hashes(STRINGS, 7, threads),
    "deal": lambda threads: core.deal(integers(SHUFFLED), 9, 7, threads),
    "changes": lambda threads: core.changes(integers(SHUFFLED), threads),
    "count_draws": lambda threads: core.count_draws(WORDS, 101, threads),
    "sum_kept": lambda threads: core.sum_kept(WORDS, SHUFFLED[: 51 * 64 * 61], 61, threads),
    "Factors.scores": lambda threads: factors().scores(*PAIRS, threads, -1),
    "Factors.counts": lambda threads: factors().counts(*PAIRS, threads, -1),
    "Factors.heads": lambda threads: factors().heads(*PAIRS, 4, threads, -1),
    "IdIndex": lambda threads: index_places(core.IdIndex(STRINGS, threads), threads),
}


def index_places(index: Any, threads: int) -> Any:
    return (*index.groups(), index.find(STRINGS, threads))


def plain(value: Any) -> Any:
    """Arrays as bytes, whatever holds them; sums without rounding as the integers that they are."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list) and all(isinstance(each, tuple) and isinstance(each[0], int) for each in value):
        return sum(((high << 64) + low) << exponent for exponent, high, low in value)
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value
