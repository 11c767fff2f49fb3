"""Ask CatBoost for its expected reciprocal rank, whose labels are the chances that a reader stops: lists of its own, from 0 to 1."""

from __future__ import annotations

import platform
import random
from importlib.metadata import version

from catboost.utils import eval_metric
from peer_files import HERE, layout

CHANCES = (0.0, 0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
MEASURES = ("ERR", "ERR:top=1", "ERR:top=3", "ERR:top=10")
SEED = 20


def lists(source: random.Random) -> dict[str, dict[str, list[float]]]:
    """Some queries: the label of each item, and its score, no two alike."""
    queries: dict[str, dict[str, list[float]]] = {}
    for at in range(12):
        size = source.choice((1, 2, 5, 15))
        labels = [0.0] * size if at == 0 else [source.choice(CHANCES) for _ in range(size)]
        queries[f"q{at:02}"] = {"label": labels, "score": [*map(float, source.sample(range(size), size))]}
    return queries


def main() -> None:
    """Write catboost_chances.json."""
    queries = lists(random.Random(SEED))
    answers: dict[str, dict[str, float]] = {}
    for measure in MEASURES:

        def value(names: list[str], measure: str = measure) -> float:
            rows = [
                (label, score, at)
                for at, name in enumerate(names)
                for label, score in zip(*queries[name].values(), strict=True)
            ]
            labels, scores, groups = (list(column) for column in zip(*rows, strict=True))
            return float(eval_metric(labels, scores, measure, group_id=groups, thread_count=1)[0])

        answers[measure] = {name: value([name]) for name in queries} | {"mean": value(list(queries))}
    document = {
        "tool": "catboost",
        "version": version("catboost"),
        "python": platform.python_version(),
        "made_by": "tests/conformance/peers/run_catboost_chances.py",
        "queries": queries,
        "answers": answers,
    }
    (HERE / "catboost_chances.json").write_text(layout(document) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
