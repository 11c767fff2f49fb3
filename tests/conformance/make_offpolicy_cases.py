"""Make the small cases of off-policy values: a log, a target policy and a model of the reward, by a seed of their name.

Tools that take the probabilities and estimates of all actions have them under `actions`; the other columns are those of one action a row.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "cases" / "offpolicy.json"
Matrix = list[list[float]]


def log(rng: random.Random, logging: Matrix, target: Matrix, rewards: Matrix, estimates: Matrix) -> dict[str, Any]:
    """Rows whose actions the logging policy chose, and what each side says of them."""
    actions = [rng.choices(range(len(chances)), chances)[0] for chances in logging]
    return {
        "y_true": [row[action] for row, action in zip(rewards, actions, strict=True)],
        "y_pred": [row[action] for row, action in zip(target, actions, strict=True)],
        "propensity": [row[action] for row, action in zip(logging, actions, strict=True)],
        "logged_estimate": [row[action] for row, action in zip(estimates, actions, strict=True)],
        "target_estimate": [
            sum(p * q for p, q in zip(chances, expected, strict=True))
            for chances, expected in zip(target, estimates, strict=True)
        ],
        "actions": {"action": actions, "target": target, "estimates": estimates},
    }


def policy(rng: random.Random, rows: int, actions: int, sharp: float) -> Matrix:
    """Probabilities of each row, sixteenths that sum to 1; the sharper, the more of one action."""
    chances = []
    for _ in range(rows):
        parts = [1] * actions
        for _ in range(16 - actions):
            parts[0 if rng.random() < sharp else rng.randrange(actions)] += 1
        chances.append([part / 16 for part in parts])
    return chances


def random_log(rng: random.Random, rows: int, actions: int, sharp: float, *, binary: bool = True) -> dict[str, Any]:
    """A log of a nearly even policy, a target that may be sharp, and a model that is off by some noise."""
    means = [[round(0.1 + 0.6 * rng.random(), 3) for _ in range(actions)] for _ in range(rows)]
    rewards = [
        [float(rng.random() < mean) if binary else round(9 * mean * rng.random(), 3) for mean in row] for row in means
    ]
    estimates = [[round(mean + rng.gauss(0, 0.1), 3) for mean in row] for row in means]
    return log(rng, policy(rng, rows, actions, 0.1), policy(rng, rows, actions, sharp), rewards, estimates)


def even(rng: random.Random) -> dict[str, Any]:
    """Two policies that are not far apart."""
    return random_log(rng, 60, 3, 0.2)


def far(rng: random.Random) -> dict[str, Any]:
    """A target policy that nearly always does what the log rarely has: a few large weights."""
    return random_log(rng, 60, 4, 0.95)


def money(rng: random.Random) -> dict[str, Any]:
    """Rewards that are amounts."""
    return random_log(rng, 50, 3, 0.6, binary=False)


def certain(rng: random.Random) -> dict[str, Any]:
    """A target policy without chance: weights of 0 for all other actions."""
    case = random_log(rng, 40, 3, 0.5)
    target = [[float(action == at % 3) for action in range(3)] for at in range(40)]
    actions, estimates = case["actions"]["action"], case["actions"]["estimates"]
    case["y_pred"] = [row[action] for row, action in zip(target, actions, strict=True)]
    case["target_estimate"] = [
        sum(p * q for p, q in zip(*pair, strict=True)) for pair in zip(target, estimates, strict=True)
    ]
    case["actions"]["target"] = target
    return case


def one_row(rng: random.Random) -> dict[str, Any]:
    """A single row."""
    return random_log(rng, 1, 2, 0.5)


MAKERS = (even, far, money, certain, one_row)


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
