"""Make factors like those of films: popular items, genres, users with a taste; and what their users had and will have.

Factors are whole numbers whose products and sums float32 holds exactly, so that every tool has the same scores in whatever order it adds;
and no two of the best candidates of a user have the same score, so that every tool has the same order.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

FILE = Path(__file__).parent / "cases" / "factors.json"
USERS, ITEMS, WIDTH, GENRES = 80, 300, 12, 6
LARGEST = 1023
"12 products of such numbers are less than 2 ** 24."
DEPTH = 60
"So many of the best candidates have scores of their own."
Lists = list[list[int]]


def factor(rng: random.Random, around: list[float], first: float) -> list[int]:
    """A point near its genre's, with a first number of its own."""
    near = [first, *(rng.gauss(centre, 180) for centre in around)]
    return [round(max(-LARGEST, min(LARGEST, number))) for number in near]


def factors(rng: random.Random) -> dict[str, Lists]:
    """Users and items; the first number is the popularity of an item, which all users like alike."""
    genres = [[rng.gauss(0, 280) for _ in range(WIDTH - 1)] for _ in range(GENRES)]
    return {
        "users": [factor(rng, rng.choice(genres), 600) for _ in range(USERS)],
        "items": [factor(rng, rng.choice(genres), 1000 / (1 + place / 40)) for place in range(ITEMS)],
    }


def had(rng: random.Random, model: dict[str, Lists], sizes: list[tuple[int, int]]) -> dict[str, Lists]:
    """For each user so many items of the past and of the future, likelier the higher their score is."""
    case: dict[str, Lists] = {"train": [], "test": []}
    for user, (past, future) in zip(model["users"], sizes, strict=True):
        liking = [rng.gauss(dot(user, item), 600_000) for item in model["items"]]
        chosen = sorted(range(ITEMS), key=lambda item: -liking[item])[: past + future]
        rng.shuffle(chosen)
        case["train"].append(sorted(chosen[:past]))
        case["test"].append(sorted(chosen[past:]))
        best = sorted(
            (dot(user, model["items"][item]) for item in set(range(ITEMS)) - set(chosen[:past])), reverse=True
        )
        if len(set(best[:DEPTH])) < DEPTH:
            raise SystemExit("equal scores: take another seed")
    return case


def dot(user: list[int], item: list[int]) -> int:
    """The score of a pair."""
    return sum(one * other for one, other in zip(user, item, strict=True))


def main() -> None:
    """Write the file, one line a list."""
    rng = random.Random("factors")
    model = factors(rng)
    uneven = [(rng.choice((0, 5, 40)), rng.choice((0, 1, 3, 12))) for _ in range(USERS)]
    document = {
        "even": {**model, **had(rng, model, [(20, 10)] * USERS)},
        "uneven": {**model, **had(rng, model, uneven)},
    }
    text = [
        f' "{name}": {{\n' + ",\n".join(f'  "{side}": {json.dumps(case[side])}' for side in sorted(case)) + "\n }"
        for name, case in document.items()
    ]
    FILE.write_text("{\n" + ",\n".join(text) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
