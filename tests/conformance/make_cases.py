"""Write the runs and judgements that the peers were asked about, into `cases/`.

Every case is drawn from a generator seeded with its own name, through `random()` alone, the one method whose sequence
Python promises to keep: any interpreter writes the same bytes. Scores are free of ties, also after rounding to
float32, except in the cases `ties` and `float32`, which exist to break that rule.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

CASES = Path(__file__).resolve().parent / "cases"
ODD_QUERIES = ["9", "10", "100", "q2", "q10", "topic-3", "007", "7", "Z", "a_b"]
BINARY = [0, 0, 0, 1]
GRADED = [0, 0, 0, 1, 1, 2, 3, 4]

T = TypeVar("T")


@dataclass
class Query:
    """One query: grades of the judged items, and the returned items with their scores as text, in file order."""

    id: str
    judged: dict[str, float] = field(default_factory=dict)
    returned: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Shape:
    """What the queries of a case look like."""

    depth: int = 100
    pool: int = 140
    judged: int = 70
    grades: Sequence[float] = tuple(GRADED)
    low: float = 0.0
    decimals: int = 4
    item: Callable[[int], str] = "d{}".format
    relevant: int | None = None
    "How many relevant items at most; none leaves it to the grades."


def pick(rng: random.Random, options: Sequence[T]) -> T:
    """One of the options, each as likely as the others."""
    return options[int(rng.random() * len(options))]


def mixed(rng: random.Random, items: Iterable[T]) -> list[T]:
    """The items in random order."""
    return [item for _, item in sorted(((rng.random(), item) for item in items), key=lambda pair: pair[0])]


def float32(text: str) -> float:
    """The number as a tool sees it that keeps scores in single precision."""
    return float(struct.unpack("f", struct.pack("f", float(text)))[0])


def query_ids(count: int) -> list[str]:
    """Names that sort one way as text and another as numbers, some not numbers at all, two equal as numbers only."""
    return (ODD_QUERIES + [str(201 + i) for i in range(count)])[:count]


def pooled(rng: random.Random, name: str, shape: Shape) -> tuple[Query, list[str]]:
    """A query with its judgements, and the items it returns; the two overlap in part, one item at least is relevant."""
    items = [shape.item(i) for i in mixed(rng, range(1, shape.pool + 1))]
    judged = {item: pick(rng, shape.grades) for item in items[: shape.judged]}
    if max(judged.values()) < 1:
        judged[items[0]] = max(shape.grades)
    if shape.relevant is not None:
        surplus = [item for item, grade in judged.items() if grade >= 1][shape.relevant :]
        judged.update(dict.fromkeys(surplus, 0))
    return Query(name, judged), mixed(rng, items)[: shape.depth]


def distinct_score(rng: random.Random, grade: float, shape: Shape, taken: set[float]) -> str:
    """A score that leans towards good grades and differs, in single precision, from those already taken."""
    while True:
        text = f"{shape.low + 8 * rng.random() + 1.5 * max(grade, 0) * rng.random():.{shape.decimals}f}"
        if float32(text) not in taken:
            taken.add(float32(text))
            return text


def ordinary(rng: random.Random, name: str, shape: Shape) -> Query:
    """A query whose list is better than chance and far from perfect, without ties."""
    query, items = pooled(rng, name, shape)
    taken: set[float] = set()
    query.returned = [(item, distinct_score(rng, query.judged.get(item, 0), shape, taken)) for item in items]
    return query


def named_shapes(count: int, shape: Shape) -> list[tuple[str, Shape]]:
    """Query names, each with the shape; every fourth has only one, two or three relevant items."""
    few = replace(shape, relevant=1), replace(shape, relevant=2), replace(shape, relevant=3)
    return [(name, few[i // 4 % 3] if i % 4 == 3 else shape) for i, name in enumerate(query_ids(count))]


def ordinary_case(rng: random.Random, count: int, shape: Shape) -> list[Query]:
    """`count` queries of one shape."""
    return [ordinary(rng, name, shape) for name, shape in named_shapes(count, shape)]


def binary(rng: random.Random) -> list[Query]:
    """Grades 0 and 1."""
    return ordinary_case(rng, 40, Shape(grades=BINARY))


def graded(rng: random.Random) -> list[Query]:
    """Grades 0 to 4."""
    return ordinary_case(rng, 40, Shape())


def mixed_script_item(number: int) -> str:
    """An item name; by code point d < 商 < Ａ < 𠮷, in UTF-16 the last would stand before the third."""
    return f"{'d商Ａ𠮷'[number % 4]}{number}"


def ties(rng: random.Random) -> list[Query]:
    """Whole scores 0 to 9, so that every list is made of long blocks of ties; item names partly in Chinese."""
    queries = []
    for name, shape in named_shapes(40, Shape(item=mixed_script_item)):
        query, items = pooled(rng, name, shape)
        lift = {item: int(grade > 1) for item, grade in query.judged.items()}
        query.returned = [(item, str(int(9 * rng.random()) + lift.get(item, 0))) for item in items]
        queries.append(query)
    return queries


def missing(rng: random.Random) -> list[Query]:
    """Judged queries that were not run (every fifth) and queries that were run but never judged (every seventh)."""
    queries = ordinary_case(rng, 30, Shape(depth=40, pool=60, judged=30, low=-4.0))
    for i, query in enumerate(queries):
        if i % 5 == 1:
            query.returned = []
        elif i % 7 == 2:
            query.judged = {}
    return queries


def barren(rng: random.Random) -> list[Query]:
    """Queries with nothing to find, one whose judged items all stayed away, one judged relevant throughout."""
    queries = ordinary_case(rng, 20, Shape(depth=30, pool=50, judged=25))
    for query in queries[1:12:3]:
        query.judged = dict.fromkeys(query.judged, 0)
    stayed_away, all_relevant = queries[12], queries[14]
    stayed_away.returned = [(f"new{i}", score) for i, (_, score) in enumerate(stayed_away.returned)]
    all_relevant.judged = {item: max(1, grade) for item, grade in all_relevant.judged.items()}
    return queries


def negative(rng: random.Random) -> list[Query]:
    """Grades from -2 (pooled, not judged) to 3, scores on both sides of 0."""
    return ordinary_case(rng, 30, Shape(depth=60, pool=90, judged=60, grades=[-2, -1, 0, 0, 1, 2, 3], low=-5.0))


def floatgrades(rng: random.Random) -> list[Query]:
    """Grades that are not whole."""
    return ordinary_case(rng, 20, Shape(depth=30, pool=45, judged=30, grades=[0, 0, 0.5, 1, 1.25, 2.75, 3]))


def short(rng: random.Random) -> list[Query]:
    """Lists of one to five items, shorter than every cut-off of 10 and often than the number of relevant items."""
    shapes = [Shape(depth=1 + i % 5, pool=12, judged=9) for i in range(30)]
    return [ordinary(rng, name, shape) for name, shape in zip(query_ids(30), shapes, strict=True)]


def deep(rng: random.Random) -> list[Query]:
    """Lists of 2500."""
    return ordinary_case(rng, 3, Shape(depth=2500, pool=3000, judged=500, decimals=5))


def closed(rng: random.Random) -> list[Query]:
    """Lists that hold every judged item and others too, two of them without relevant items: all that a tool can know."""
    queries = ordinary_case(rng, 20, Shape(depth=40, pool=40, judged=25))
    for query in queries[4:10:5]:
        query.judged = dict.fromkeys(query.judged, 0)
    return queries


def selfsame(rng: random.Random) -> list[Query]:
    """Every other query returns itself as an item, as documents that are queries do; some are judged, one returns no more."""
    queries = ordinary_case(rng, 16, Shape(depth=14, pool=24, judged=14))
    for i, query in enumerate(queries[::2]):
        query.returned[i] = query.id, query.returned[i][1]
        query.judged |= {query.id: 1 + i % 4} if i % 3 == 0 else {}
    queries[2].returned = queries[2].returned[1:2]
    return queries


def ranked_by_grade(rng: random.Random, sign: int) -> list[Query]:
    """Queries that return every judged item and no other, in the order of sign · grade."""
    queries = []
    for name, shape in named_shapes(12, Shape(pool=40, judged=40)):
        query, _ = pooled(rng, name, shape)
        listed = sorted(query.judged.items(), key=lambda pair: sign * pair[1])
        query.returned = [(item, f"{40 - i}.5") for i, (item, _) in enumerate(listed)]
        queries.append(query)
    return queries


def perfect(rng: random.Random) -> list[Query]:
    """The best order there is."""
    return ranked_by_grade(rng, -1)


def reversed_(rng: random.Random) -> list[Query]:
    """The worst order there is."""
    return ranked_by_grade(rng, 1)


def float32_(rng: random.Random) -> list[Query]:
    """Every score shared in single precision by four items that double precision keeps apart."""
    queries = []
    for name, shape in named_shapes(20, Shape(depth=48, pool=70, judged=40)):
        query, items = pooled(rng, name, shape)
        blocks = mixed(rng, range(12))
        scores = [f"{1 + block / 16 + step * 1e-10:.10f}" for block in blocks for step in (1, 2, 3, 4)]
        query.returned = list(zip(items, scores, strict=True))
        queries.append(query)
    return queries


def rows_of_run(queries: Iterable[Query]) -> list[str]:
    """The lines of a run file; the rank column agrees with the scores, ties in ascending order of the item."""
    rows = []
    for query in queries:
        best_first = sorted(query.returned, key=lambda pair: (-float(pair[1]), pair[0]))
        rank = {item: i for i, (item, _) in enumerate(best_first, start=1)}
        rows += [f"{query.id} Q0 {item} {rank[item]} {score} made\n" for item, score in query.returned]
    return rows


def rows_of_qrels(queries: Iterable[Query]) -> list[str]:
    """The lines of a qrels file."""
    return [f"{query.id} 0 {item} {grade}\n" for query in queries for item, grade in query.judged.items()]


def by_score(query: Query) -> Query:
    """The query with its items best first, as a system would write them; equal scores keep their order."""
    return replace(query, returned=sorted(query.returned, key=lambda pair: -float(pair[1])))


def check_ties(name: str, queries: Iterable[Query]) -> None:
    """Stop if a list has ties where it should not, or none where it should."""
    for query in queries:
        scores = [score for _, score in query.returned]
        double, single = len({float(s) for s in scores}), len({float32(s) for s in scores})
        tied = (double < len(scores), single < double)
        if tied != (name == "ties", name == "float32"):
            raise ValueError(f"case {name}, query {query.id}: ties in double, float32 only: {tied}")


MAKERS: dict[str, Callable[[random.Random], list[Query]]] = {
    "binary": binary,
    "graded": graded,
    "ties": ties,
    "missing": missing,
    "barren": barren,
    "negative": negative,
    "floatgrades": floatgrades,
    "short": short,
    "deep": deep,
    "closed": closed,
    "selfsame": selfsame,
    "perfect": perfect,
    "reversed": reversed_,
    "float32": float32_,
}
SHUFFLED = {"graded", "ties", "missing", "float32"}
"Cases whose run and qrels rows stand in no order, queries interleaved; the others are best first, query by query."


def write_case(name: str) -> None:
    """Make one case and write its two files."""
    rng = random.Random(name)
    queries = MAKERS[name](rng)
    check_ties(name, queries)
    qrels, run = rows_of_qrels(queries), rows_of_run(map(by_score, queries))
    if name in SHUFFLED:
        qrels, run = mixed(rng, qrels), mixed(rng, run)
    (CASES / f"{name}.qrels").write_text("".join(qrels), encoding="utf-8", newline="\n")
    (CASES / f"{name}.run").write_text("".join(run), encoding="utf-8", newline="\n")


def main() -> None:
    """Write every case."""
    CASES.mkdir(exist_ok=True)
    for name in MAKERS:
        write_case(name)


if __name__ == "__main__":
    main()
