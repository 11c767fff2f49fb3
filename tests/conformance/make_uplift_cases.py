"""Make the small cases of uplift: outcomes, treatments and scores, by a seed of their name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "cases" / "uplift.json"
Columns = dict[str, list[Any]]


def rows(rng: random.Random, count: int, effect: float, places: int | None = None) -> Columns:
    """Rows of both arms: the higher the score, the more a treatment helps."""
    case: Columns = {"outcome": [], "treatment": [], "score": []}
    for _ in range(count):
        help_, treated = rng.random(), int(rng.random() < 0.5)
        score = help_ + 0.3 * rng.random()
        case["outcome"].append(int(rng.random() < 0.3 + effect * treated * (help_ - 0.3)))
        case["treatment"].append(treated)
        case["score"].append(score if places is None else round(score, places))
    return case


def worked(rng: random.Random) -> Columns:
    """Eight rows that a person worked out."""
    return {
        "outcome": [1, 1, 0, 1, 0, 0, 1, 0],
        "treatment": [1, 0, 1, 1, 0, 0, 1, 0],
        "score": [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
    }


def helpful(rng: random.Random) -> Columns:
    """A treatment that helps, and scores that know whom."""
    return rows(rng, 60, 0.6)


def harmful(rng: random.Random) -> Columns:
    """A treatment that does harm: the curve ends below 0."""
    return rows(rng, 50, -0.4)


def tied(rng: random.Random) -> Columns:
    """Scores of one decimal: many rows share one."""
    return rows(rng, 60, 0.5, 1)


def constant(rng: random.Random) -> Columns:
    """One score for all."""
    return {**rows(rng, 30, 0.5), "score": [0.5] * 30}


def late_control(rng: random.Random) -> Columns:
    """The first rows by score are all treated."""
    case = rows(rng, 40, 0.5)
    order = sorted(range(40), key=lambda row: -case["score"][row])
    for row in order[:5]:
        case["treatment"][row] = 1
    return case


def late_treated(rng: random.Random) -> Columns:
    """The first rows by score are all of the control arm."""
    case = late_control(rng)
    return {**case, "treatment": [1 - treated for treated in case["treatment"]]}


def money(rng: random.Random) -> Columns:
    """Outcomes that are amounts."""
    case = rows(rng, 45, 0.5)
    return {**case, "outcome": [round(outcome * 40 * rng.random(), 2) for outcome in case["outcome"]]}


MAKERS = (worked, helpful, harmful, tied, constant, late_control, late_treated, money)


def main() -> None:
    """Write the file, one line a column."""
    cases = {maker.__name__: maker(random.Random(maker.__name__)) for maker in MAKERS}
    text = [
        f' "{name}": {{\n' + ",\n".join(f'  "{column}": {json.dumps(case[column])}' for column in sorted(case)) + "\n }"
        for name, case in cases.items()
    ]
    FILE.write_text("{\n" + ",\n".join(text) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
