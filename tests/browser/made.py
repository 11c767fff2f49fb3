"""What the reports of these tests are made of: drawn with a fixed seed, so that every number can be asked for again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pingce as pc

Run = dict[str, dict[str, float]]
Truth = dict[str, dict[str, int]]

DRAWS = 500
"Enough here: what the page says of a test or an interval is compared with what the library says, not with the truth."
RANKING_METRICS = ["ndcg@10", "ap", "rr@10", "recall@20"]
CLICK_METRICS = ["auc", "gauc"]
LIVE = ("accuracy", "precision", "recall", "f1", "fpr")
"The metrics that follow the slider, by their names in pingce."


@dataclass(frozen=True)
class Rankings:
    """Truth, runs, and the report made of them."""

    truth: Truth
    runs: dict[str, Run]
    path: Path


@dataclass(frozen=True)
class Clicks:
    """Labels, scores by model, users, and the report made of them."""

    labels: NDArray[np.int64]
    models: dict[str, NDArray[np.float64]]
    users: NDArray[np.str_]
    path: Path


def drawn_runs(queries: list[str], models: dict[str, float], depth: int = 30) -> tuple[Truth, dict[str, Run]]:
    """Graded items for each query, and lists of them by models of a given noise."""
    random = np.random.default_rng(7)
    items = [f"d{number}" for number in range(depth)]
    grades = {query: random.choice(4, depth, p=[0.7, 0.15, 0.1, 0.05]) for query in queries}
    truth = {query: {item: int(grade) for item, grade in zip(items, grades[query], strict=True)} for query in queries}
    runs = {
        model: {
            query: dict(zip(items, (grades[query] + noise * random.normal(size=depth)).tolist(), strict=True))
            for query in queries
        }
        for model, noise in models.items()
    }
    return truth, runs


def past(users: list[str], items: int = 30) -> dict[str, Any]:
    """What is known of items: a past in which the first were popular, and a catalogue of which ten are never shown."""
    random = np.random.default_rng(9)
    chosen = {user: [f"d{number}" for number in np.unique(random.geometric(0.2, 6) % (items - 4))] for user in users}
    return {"train": chosen, "catalog": [f"d{number}" for number in range(items + 10)]}


def rankings(folder: Path) -> Rankings:
    """Three runs over eighty queries: two alike, one clearly better."""
    truth, runs = drawn_runs([f"Q{number}" for number in range(80)], {"bm25": 3.0, "dense": 2.8, "fused": 0.9})
    path = folder / "rankings.html"
    pc.report(truth, runs, RANKING_METRICS, path=path, samples=DRAWS, **past(list(truth)))
    return Rankings(truth, runs, path)


def clicks(folder: Path) -> Clicks:
    """Two models over 4,000 rows: one with a score of its own for nearly every row, one with a hundred scores in all."""
    random = np.random.default_rng(11)
    wish = random.normal(size=4_000) - 1.2
    labels = (random.random(4_000) < 1 / (1 + np.exp(-wish))).astype(np.int64)
    fine = 1 / (1 + np.exp(-(wish + random.normal(size=4_000))))
    coarse = np.round(1 / (1 + np.exp(-(wish + 1.5 * random.normal(size=4_000)))), 2)
    users = np.array([f"u{number}" for number in random.integers(0, 150, 4_000)])
    path = folder / "clicks.html"
    models = {"fine": fine, "coarse": coarse}
    pc.report(labels, models, CLICK_METRICS, task="binary", group=users, path=path)
    return Clicks(labels, models, users, path)
