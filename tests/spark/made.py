"""Data of the Spark tests: small, with ties, missing and extra queries, groups of one class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa


def rankings(queries: int = 150, *, strings: bool = False, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """Truth and run: scores have ties, some queries are not answered, others not judged."""
    random = np.random.default_rng(seed)

    def side(first: int, rows: int) -> tuple[Any, Any]:
        pairs = np.unique(random.integers([first, 0], [first + queries, 60], (rows, 2)), axis=0)
        random.shuffle(pairs)
        return pairs[:, 0], pairs[:, 1]

    def ids(numbers: Any, letter: str) -> pa.Array:
        return pa.array([f"{letter}{number}é" for number in numbers]) if strings else pa.array(numbers)

    query, item = side(0, 8 * queries)
    truth = pa.table({"user_id": ids(query, "u"), "item_id": ids(item, "i"), "rel": random.integers(0, 4, len(query))})
    query, item = side(queries // 10, 20 * queries)
    score = np.round(random.random(len(query)), 1)
    return truth, pa.table({"user_id": ids(query, "u"), "item_id": ids(item, "i"), "score": score})


def clicks(rows: int = 4000, seed: int = 1) -> pa.Table:
    """Labels, probabilities, users and weights; some users have one class only."""
    random = np.random.default_rng(seed)
    score = np.round(random.random(rows), 3)
    label = (random.random(rows) < score).astype(np.int32)
    return pa.table(
        {
            "click": label,
            "pctr": score,
            "single": score.astype(np.float32),
            "user": random.integers(0, rows // 10, rows),
            "name": pa.array([f"u{number}" for number in random.integers(0, rows // 10, rows)]),
            "weight": random.integers(0, 4, rows).astype(np.float64),
            "word": pa.array(np.where(label == 1, "yes", "no")),
            "revenue": random.integers(0, 9, rows).astype(np.float64),
        }
    )


def classes(rows: int = 3000, seed: int = 2) -> pa.Table:
    """True and predicted classes as words and as numbers, with probabilities."""
    random = np.random.default_rng(seed)
    proba = random.dirichlet([1, 1, 1], rows)
    true = np.array([random.choice(3, p=line) for line in proba])
    words = np.array(["cat", "dog", "eel"])
    return pa.table(
        {
            "true": words[true],
            "pred": words[proba.argmax(axis=1)],
            "proba": pa.array(proba.tolist(), pa.list_(pa.float64())),
            **{f"p{place}": proba[:, place] for place in range(3)},
            "weight": random.integers(1, 5, rows).astype(np.float64),
            "y": true + random.normal(size=rows),
            "y_pred": true.astype(np.float64),
        }
    )


def frame(spark: Any, table: pa.Table, parts: int = 3) -> Any:
    """The table as a data frame in several parts, its rows in no particular order."""
    return spark.createDataFrame(table).repartition(parts)
