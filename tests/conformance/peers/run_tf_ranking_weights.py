"""Ask TensorFlow Ranking about items with weights; the cases are drawn here and written beside its answers."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tensorflow as tf
from run_tf_ranking import PADDING, metrics

# Importing the other script has made the package's metrics importable alone.
from tensorflow_ranking.python import metrics_impl as tfr

FILE = Path(__file__).resolve().parent.parent / "tf_ranking_weights.json"
CASES = 30


def draw(seed: int) -> dict[str, Any]:
    """Lists of labels, best score first, with a weight for each item; some without a relevant one."""
    rng = random.Random(seed)
    lists, highest = 1 + int(8 * rng.random()), (1, 4)[seed % 2]
    labels, weights = [], []
    for number in range(lists):
        size, share = 1 + int(14 * rng.random()), 0.0 if number % 4 == 3 else 0.5
        labels.append([1 + int(highest * rng.random()) if rng.random() < share else 0 for _ in range(size)])
        weights.append([round(0.05 + (20 if rng.random() < 0.1 else 3) * rng.random(), 2) for _ in range(size)])
    return {"labels": labels, "weights": weights}


def answers(case: dict[str, Any]) -> dict[str, Any]:
    """The value of each list, and their mean by the weights that it gives them."""
    size = max(map(len, case["labels"]))
    labels, weights = (
        tf.constant([[float(value) for value in row] + [filler] * (size - len(row)) for row in case[name]])
        for name, filler in (("labels", PADDING), ("weights", 1.0))
    )
    scores = tf.constant([[-float(rank) for rank in range(size)]] * len(case["labels"]))
    found = {}
    for name, metric in {**metrics(), "BPrefMetric": tfr.BPrefMetric("BPrefMetric", topn=None)}.items():
        values, of_lists = metric.compute(labels, scores, weights)
        value, weight = values.numpy()[:, 0].astype(float), of_lists.numpy()[:, 0].astype(float)
        mean = float((value * weight).sum() / weight.sum()) if weight.sum() else None
        found[name] = {"mean": mean, "per_query": value.tolist()}
    return found


def main() -> None:
    """Write tf_ranking_weights.json."""
    cases = [draw(seed) for seed in range(CASES)]
    lines = ",\n".join(json.dumps(case | {"answers": answers(case)}) for case in cases)
    head = json.dumps({"peer": "tensorflow-ranking", "version": version("tensorflow-ranking")})
    FILE.write_text(f'{head[:-1]}, "cases": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
