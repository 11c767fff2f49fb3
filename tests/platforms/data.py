"""Data that is the same on every machine: whole numbers and their quotients, without a function of the C library."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

QUERIES, ITEMS, DEPTH, ROWS, LABELS = 100, 300, 30, 1500, 5


class Rankings(NamedTuple):
    """Judgments, two runs with ties, and the tables that metrics of items read."""

    truth: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    train: list[tuple[str, str]]
    catalog: list[str]
    items: dict[str, list[Any]]


def rankings() -> Rankings:
    """Draw them."""
    random = Random(1)
    names = [f"i{item}" for item in range(ITEMS)]
    queries = [f"q{query}" for query in range(QUERIES)]
    truth = {query: {item: random.randrange(5) for item in random.sample(names, 20)} for query in queries}
    runs = {
        model: {
            query: {item: random.randrange(5000) / 7000 for item in random.sample(names, DEPTH)} for query in queries
        }
        for model in ("old", "new")
    }
    train = [(query, item) for query in queries for item in random.sample(names, 8)]
    items = {"item": names, "category": [f"c{random.randrange(9)}" for _ in names]}
    return Rankings(truth, runs, train, names, items)


def predictions() -> dict[str, list[Any]]:
    """Columns of one table for all tasks of rows."""
    random = Random(2)
    score = [random.random() for _ in range(ROWS)]
    shares = [[random.random() for _ in "abc"] for _ in range(ROWS)]
    number = [random.randrange(1, 10**6) / 1000 for _ in range(ROWS)]
    chance = [0.2 + random.randrange(600) / 1000 for _ in range(ROWS)]
    return {
        "click": [int(random.random() < 0.1 + each / 2) for each in score],
        "pctr": score,
        "other": [(each + random.random()) / 2 for each in score],
        "user": [random.randrange(200) for _ in score],
        "weight": [random.randrange(1, 9) / 4 for _ in score],
        "species": [random.choice("abc") for _ in score],
        "guess": [random.choice("abc") for _ in score],
        **{word: [row[at] / sum(row) for row in shares] for at, word in enumerate("abc")},
        "price": number,
        "forecast": [each * (0.5 + random.random()) for each in number],
        "treatment": [int(random.random() < each) for each in chance],
        "propensity": chance,
        "logged_estimate": [each / 2 for each in score],
        "target_estimate": [each / 3 + share / 4 for each, share in zip(score, chance, strict=True)],
        "row": [at // LABELS for at in range(ROWS)],
        "tag": [f"t{at % LABELS}" for at in range(ROWS)],
    }
