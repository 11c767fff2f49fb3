"""Write the labels, click predictions and numbers that the peers were asked about, into `cases/labels.json`.

Drawn as in `make_cases.py`: a generator a case, seeded with its name, through `random()` alone. Probabilities of classes
are 64ths, hence exact in single precision, and sum to 1. Numbers of a float32 case are exact in single precision.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "cases" / "labels.json"
Columns = dict[str, Any]


def float32(number: float) -> float:
    """The number rounded to single precision."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def label(rng: random.Random, rate: float) -> int:
    """A click or none."""
    return int(rng.random() < rate)


def score(rng: random.Random, truth: int, decimals: int = 4) -> float:
    """A probability strictly inside 0 and 1 that leans towards the truth."""
    return round(0.02 + 0.6 * rng.random() + 0.36 * rng.random() * truth, decimals)


def clicks(rng: random.Random, rows: int, rate: float = 0.4, decimals: int = 4) -> Columns:
    """Labels with scores that are better than chance."""
    truth = [label(rng, rate) for _ in range(rows)]
    return {"y_true": truth, "y_score": [score(rng, y, decimals) for y in truth]}


def plain(rng: random.Random) -> Columns:
    """No ties."""
    return clicks(rng, 50)


def ties(rng: random.Random) -> Columns:
    """Scores with one decimal; some stand exactly on the threshold 0.5."""
    return clicks(rng, 60, decimals=1)


def hard_labels(rng: random.Random) -> Columns:
    """Scores that are themselves labels, a fifth of them wrong."""
    truth = [label(rng, 0.5) for _ in range(40)]
    return {"y_true": truth, "y_score": [float(y if rng.random() < 0.8 else 1 - y) for y in truth]}


def extreme(rng: random.Random) -> Columns:
    """Certain probabilities, 0 and 1, some right and some wrong, among others."""
    case = clicks(rng, 30)
    certain = [(0, 0.0), (1, 1.0), (1, 0.0), (0, 1.0), (0, 1e-20), (1, 1e-9)]
    return {
        "y_true": case["y_true"] + [y for y, _ in certain],
        "y_score": case["y_score"] + [p for _, p in certain],
    }


def only_positives(rng: random.Random) -> Columns:
    """One class: all clicked."""
    return clicks(rng, 12, rate=1)


def only_negatives(rng: random.Random) -> Columns:
    """One class: none clicked."""
    return clicks(rng, 12, rate=0)


def none_predicted(rng: random.Random) -> Columns:
    """Both classes, every score under 0.5."""
    case = clicks(rng, 20)
    return {**case, "y_score": [round(0.45 * p, 4) for p in case["y_score"]]}


def imbalanced(rng: random.Random) -> Columns:
    """Two clicks among sixty."""
    truth = [int(i in (13, 41)) for i in range(60)]
    return {"y_true": truth, "y_score": [score(rng, y) for y in truth]}


def single_precision(rng: random.Random) -> Columns:
    """Scores of single precision, two of them next to 0 and 1."""
    case = clicks(rng, 40)
    scores = [float32(p) for p in case["y_score"]]
    return {"y_true": [*case["y_true"], 0, 1], "y_score": [*scores, 0.0, 1.0], "dtype": "float32"}


def margins(rng: random.Random) -> Columns:
    """Scores that are no probabilities, on both sides of 0 and 1."""
    truth = [label(rng, 0.4) for _ in range(40)]
    return {"y_true": truth, "y_score": [round(4 * rng.random() - 2.5 + 1.5 * y, 3) for y in truth]}


def groups(rng: random.Random) -> Columns:
    """Users of different size, ties within users, two with one class only; rows of users interleaved."""
    sizes = {11: 9, 12: 4, 3: 14, 40: 2, 5: 7, 6: 5, 7: 1, 88: 10}
    one_class = {6: 1, 7: 0}
    rows = []
    for user, size in sizes.items():
        for i in range(size):
            truth = one_class.get(user, i if i < 2 else label(rng, 0.4))
            rows.append((user, truth, score(rng, truth, 1 if user in (3, 88) else 3)))
    rows = [row for _, row in sorted((rng.random(), row) for row in rows)]
    return {"y_true": [y for _, y, _ in rows], "y_score": [p for *_, p in rows], "group": [user for user, *_ in rows]}


def lonely_groups(rng: random.Random) -> Columns:
    """Users that each have one class only."""
    truth = [1, 1, 0, 0, 0, 1]
    return {"y_true": truth, "y_score": [score(rng, y) for y in truth], "group": [1, 1, 2, 2, 2, 3]}


def classes(rng: random.Random, rows: int, true: list[int], leaning: list[int]) -> Columns:
    """Classes, and probabilities that lean to the truth in most rows; the prediction is the first largest one."""
    count = max(*true, *leaning) + 1
    case: Columns = {"y_true": [], "y_pred": [], "proba": []}
    for _ in range(rows):
        truth = true[int(rng.random() * len(true))]
        guess = truth if truth in leaning and rng.random() < 0.6 else leaning[int(rng.random() * len(leaning))]
        parts = [0] * count
        for _ in range(64):
            parts[guess if rng.random() < 0.2 else leaning[int(rng.random() * len(leaning))]] += 1
        case["y_true"].append(truth)
        case["y_pred"].append(parts.index(max(parts)))
        case["proba"].append([part / 64 for part in parts])
    return case


def classes_plain(rng: random.Random) -> Columns:
    """Four classes, all true and all predicted."""
    return classes(rng, 60, [0, 0, 0, 1, 1, 2, 3], [0, 1, 2, 3])


def classes_absent(rng: random.Random) -> Columns:
    """Class 2 is predicted but never true."""
    return classes(rng, 40, [0, 0, 1, 3], [0, 1, 2, 3])


def classes_never_predicted(rng: random.Random) -> Columns:
    """Class 1 is true but never predicted, and its probability is 0."""
    return classes(rng, 40, [0, 0, 1, 2, 3], [0, 2, 3])


def classes_unseen(rng: random.Random) -> Columns:
    """Class 1 is neither true nor predicted."""
    return classes(rng, 40, [0, 0, 2, 3], [0, 2, 3])


def classes_one(rng: random.Random) -> Columns:
    """One true class of three."""
    return classes(rng, 20, [1], [0, 1, 2])


def numbers(rng: random.Random, rows: int, low: float, high: float) -> Columns:
    """Numbers, and guesses near them."""
    truth = [round(low + (high - low) * rng.random(), 3) for _ in range(rows)]
    return {"y_true": truth, "y_pred": [round(y + 3 * rng.random() - 1.4, 3) for y in truth]}


def numbers_plain(rng: random.Random) -> Columns:
    """Positive numbers."""
    return numbers(rng, 50, 2, 20)


def numbers_signed(rng: random.Random) -> Columns:
    """Numbers on both sides of 0."""
    return numbers(rng, 40, -10, 10)


def numbers_constant_truth(rng: random.Random) -> Columns:
    """The truth never changes."""
    return numbers(rng, 20, 5, 5)


def numbers_constant_guess(rng: random.Random) -> Columns:
    """The guess never changes."""
    case = numbers(rng, 20, 2, 12)
    return {**case, "y_pred": [7.5] * 20}


def numbers_constant_both(rng: random.Random) -> Columns:
    """A constant truth, guessed right."""
    return {"y_true": [4.0] * 8, "y_pred": [4.0] * 8}


def numbers_zeros(rng: random.Random) -> Columns:
    """Zeros in the truth, one of them guessed right; never negative."""
    case = numbers(rng, 30, 2, 9)
    return {"y_true": [*case["y_true"], 0.0, 0.0, 0.0], "y_pred": [*case["y_pred"], 0.0, 0.25, 1.5]}


def numbers_equal_ranks(rng: random.Random) -> Columns:
    """Whole numbers with many ties."""
    case = numbers(rng, 40, 0, 6)
    return {name: [float(abs(round(y))) for y in column] for name, column in case.items()}


def numbers_single_precision(rng: random.Random) -> Columns:
    """Numbers of single precision."""
    case = numbers(rng, 40, 2, 20)
    return {name: [float32(y) for y in column] for name, column in case.items()} | {"dtype": "float32"}


MAKERS: dict[str, tuple[Callable[[random.Random], Columns], ...]] = {
    "binary": (
        plain, ties, hard_labels, extreme, only_positives, only_negatives, none_predicted, imbalanced,
        single_precision, margins, groups, lonely_groups,
    ),
    "multiclass": (classes_plain, classes_absent, classes_never_predicted, classes_unseen, classes_one),
    "regression": (
        numbers_plain, numbers_signed, numbers_constant_truth, numbers_constant_guess, numbers_constant_both,
        numbers_zeros, numbers_equal_ranks, numbers_single_precision,
    ),
}  # fmt: skip


def label_cases() -> dict[str, Columns]:
    """Every case by name."""
    cases = {}
    for task, makers in MAKERS.items():
        for maker in makers:
            name = maker.__name__
            cases[name] = {"task": task, "dtype": "float64", **maker(random.Random(name))}
    return cases


def main() -> None:
    """Write the file, one line a column."""
    text = [
        f' "{name}": {{\n' + ",\n".join(f'  "{column}": {json.dumps(case[column])}' for column in sorted(case)) + "\n }"
        for name, case in label_cases().items()
    ]
    FILE.write_text("{\n" + ",\n".join(text) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
