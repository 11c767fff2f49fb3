"""The same small data in every case, as it should have been handed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pingce as pc

GRADES = {"u1": {"a": 3, "b": 1}, "u2": {"c": 2}, "u3": {"a": 1, "d": 2}, "u4": {"e": 3}, "u5": {"b": 2, "f": 0}}
SCORES = {user: {item: round(0.91 - 0.07 * rank, 4) for rank, item in enumerate("xacbedyf")} for user in GRADES}

USERS = 40
FEW_ITEMS = {f"u{n}": {f"i{m}": 1 + (n * m) % 5 for m in range(3)} for n in range(USERS)}
MANY_ITEMS = {f"u{n}": {f"i{m}": round(1 / (2 + m + 0.37 * n), 5) for m in range(12)} for n in range(USERS)}
ONE_EACH = {f"u{n}": {f"i{n}": 1} for n in range(USERS)}
A_FIFTH = {f"u{n}": {f"i{n}": 0.9, "x": 0.5} for n in range(USERS // 5)}
TOP_ITEMS = np.array([[4, 2, 0], [1, 3, 5], [2, 0, 1]])

LABELS = [1, 0, 0, 1, 0, 1, 0, 0, 1, 0]
CHANCES = [0.9, 0.3, 0.2, 0.8, 0.6, 0.4, 0.1, 0.35, 0.7, 0.05]
LOGITS = [round(8 * chance - 9, 3) for chance in CHANCES]
GROUPS = ["u", "u", "u", "u", "v", "v", "v", "w", "w", "w"]

CLASSES = ["a", "b", "c", "a", "b", "c"]
GUESSES = ["a", "b", "b", "a", "c", "c"]
CLASS_CHANCES = np.array(
    [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.8, 0.1, 0.1], [0.2, 0.3, 0.5], [0.1, 0.2, 0.7]]
)

NUMBERS = [3.0, 0.5, 2.0, 7.0]
ESTIMATES = [2.5, 0.4, 2.0, 8.0]


def long(nested: dict[Any, dict[str, Any]], value: str = "score") -> pd.DataFrame:
    """A frame with a row per pair."""
    rows = [(user, item, number) for user, items in nested.items() for item, number in items.items()]
    return pd.DataFrame(rows, columns=["user_id", "item_id", value])


def truth() -> pd.DataFrame:
    """The judgements as a frame."""
    return long(GRADES, "grade")


def run(score: str = "score") -> pd.DataFrame:
    """The run as a frame."""
    return long(SCORES, score)


def numbered(nested: dict[str, dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    """The same with users 1, 2, 3 …"""
    return {int(user[1:]): items for user, items in nested.items()}


def table(folder: Path, name: str, frame: pd.DataFrame, **options: Any) -> Path:
    """A frame as a text file."""
    path = folder / name
    frame.to_csv(path, index=False, **options)
    return path


def ndcg(qrels: Any, lists: Any, metric: Any = "ndcg@10", **options: Any) -> pc.RankingScores:
    """The call of a newcomer."""
    return pc.evaluate_ranking(qrels, lists, metric, **options)


def binary(labels: Any, scores: Any, metrics: Any = None, **options: Any) -> pc.BinaryScores:
    """The call of a newcomer."""
    return pc.evaluate_binary(labels, scores, metrics, **options)
