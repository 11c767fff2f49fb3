"""Write the runs and judgements with subtopics that ndeval and ir_measures were asked about, into `cases/intents/`.

As in `make_cases.py`, every case is drawn from a generator seeded with its own name. Topics are numbers, since ndeval
takes no others; the column of ranks agrees with the scores, and tied scores with the largest docno first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from make_cases import mixed, pick

CASES = Path(__file__).resolve().parent / "cases" / "intents"


@dataclass(frozen=True)
class Shape:
    """What the topics of a case look like."""

    topics: int = 12
    subtopics: int = 6
    pool: int = 40
    depth: int = 30
    grades: tuple[int, ...] = (0, 1)
    decimals: int = 5
    missing: bool = False
    "Whether some topics are judged only, some returned only, and one has nothing relevant."


SHAPES = {
    "plain": Shape(),
    "graded": Shape(grades=(0, 0, 1, 2, 3), subtopics=12),
    "ties": Shape(decimals=1),
    "short": Shape(topics=20, depth=4, pool=9, subtopics=3),
    "barren": Shape(missing=True, topics=14),
}


def topic_lines(rng: random.Random, topic: int, shape: Shape) -> tuple[list[str], list[str]]:
    """The judgements of a topic, and its list."""
    items = [f"d{number}" for number in mixed(rng, range(shape.pool))]
    count = 1 + int(rng.random() * shape.subtopics)
    judged = [
        f"{topic} {subtopic} {item} {pick(rng, shape.grades)}\n"
        for item in items[: shape.pool // 2]
        for subtopic in range(1, count + 1)
        if rng.random() < 0.35
    ]
    judged += [f"{topic} 1 {items[-1]} {max(shape.grades)}\n"]
    scored = [(round(10 * rng.random(), shape.decimals), item) for item in mixed(rng, items)[: shape.depth]]
    ranked = sorted(scored, reverse=True)
    return judged, [f"{topic} Q0 {item} {rank} {score} made\n" for rank, (score, item) in enumerate(ranked, 1)]


def write_case(name: str, shape: Shape) -> None:
    """Make one case and write its two files."""
    rng = random.Random(f"intents {name}")
    qrels: list[str] = []
    run: list[str] = []
    for topic in range(3, 3 + shape.topics):
        judged, listed = topic_lines(rng, topic, shape)
        if shape.missing and topic % 4 == 1:
            judged = [f"{' '.join(line.split()[:3])} 0\n" for line in judged]
        qrels += [] if shape.missing and topic % 5 == 3 else judged
        run += [] if shape.missing and topic % 5 == 2 else listed
    (CASES / f"{name}.qrels").write_text("".join(qrels), encoding="utf-8", newline="\n")
    (CASES / f"{name}.run").write_text("".join(run), encoding="utf-8", newline="\n")


def main() -> None:
    """Write every case."""
    CASES.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        write_case(name, shape)


if __name__ == "__main__":
    main()
