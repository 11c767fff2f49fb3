"""Make the small cases of several labels per row: a matrix of 0 and 1 and a matrix of scores, by a seed of their name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "cases" / "multilabel.json"
Matrices = dict[str, list[list[Any]]]


def rows(rng: random.Random, count: int, width: int, places: int = 6) -> Matrices:
    """Labels that hold are likelier to have high scores."""
    case: Matrices = {"truth": [], "score": []}
    for _ in range(count):
        scores = [round(rng.random(), places) for _ in range(width)]
        case["truth"].append([int(rng.random() < 0.15 + 0.6 * score) for score in scores])
        case["score"].append(scores)
    return case


def worked(rng: random.Random) -> Matrices:
    """Two rows of scikit-learn's documentation."""
    return {"truth": [[1, 0, 0], [0, 0, 1]], "score": [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]]}


def plain(rng: random.Random) -> Matrices:
    """No two scores are equal, and every label occurs."""
    return rows(rng, 40, 5)


def tied(rng: random.Random) -> Matrices:
    """Scores of one decimal: many labels of a row share one."""
    return rows(rng, 40, 6, 1)


def rare(rng: random.Random) -> Matrices:
    """A label that never occurs, one that always does, one that is never predicted."""
    case = rows(rng, 30, 5)
    for true, score in zip(case["truth"], case["score"], strict=True):
        true[0], true[1], score[2] = 0, 1, round(score[2] / 3, 6)
    return case


def uneven(rng: random.Random) -> Matrices:
    """Rows without labels, rows that have all, rows of which nothing is predicted."""
    case = rows(rng, 30, 4)
    for at in range(0, 30, 5):
        case["truth"][at] = [0] * 4
        case["truth"][at + 1] = [1] * 4
        case["score"][at + 2] = [round(score / 4, 6) for score in case["score"][at + 2]]
    return case


def decided(rng: random.Random) -> Matrices:
    """Predictions that are 0 and 1 themselves."""
    case = rows(rng, 30, 5)
    return {**case, "score": [[float(score > 0.5) for score in line] for line in case["score"]]}


MAKERS = (worked, plain, tied, rare, uneven, decided)


def main() -> None:
    """Write the file, one line a matrix."""
    cases = {maker.__name__: maker(random.Random(maker.__name__)) for maker in MAKERS}
    text = [
        f' "{name}": {{\n' + ",\n".join(f'  "{side}": {json.dumps(case[side])}' for side in sorted(case)) + "\n }"
        for name, case in cases.items()
    ]
    FILE.write_text("{\n" + ",\n".join(text) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
