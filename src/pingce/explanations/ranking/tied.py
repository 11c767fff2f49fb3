"""The mean over all orders of tied items, worked block by block, for metrics that are not sums over ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Derivation, Grid, Line, Step
from pingce.explanations.ranking.lesson import RANK, Lesson, by_columns, column, ranks_of, sum_line
from pingce.metrics.ranking import tied
from pingce.metrics.ranking.average_precision import AveragePrecision, ReciprocalRank
from pingce.metrics.ranking.hits import HitRate

_BLOCKS = Text(
    "Blocks of equal scores with relevant items; every order within a block is equally likely",
    "含相关条目的同分块；块内各种顺序等可能",
)
_SIZE = column("size", "items", "条目数")
_HITS = column("hits", "relevant", "相关数")
_BEFORE = column("before", "relevant above", "之前的相关数")
_SLOTS = column("within", "places within k", "前 k 内的位置数")


def _blocks(lesson: Lesson) -> list[tuple[int, int, int, int]]:
    blocks = tied.tie_blocks(lesson.view)
    return list(
        zip(blocks.above.tolist(), blocks.size.tolist(), blocks.hits.tolist(), blocks.before.tolist(), strict=True)
    )


def _grid(lesson: Lesson, k: int | None, *more: tuple[Column, Sequence[Cell]]) -> Grid:
    blocks = _blocks(lesson)
    columns: list[tuple[Column, Sequence[Cell]]] = [
        (RANK, [ranks_of(above, size) for above, size, _, _ in blocks]),
        (_SIZE, [size for _, size, _, _ in blocks]),
        (_HITS, [hits for _, _, hits, _ in blocks]),
        (_BEFORE, [before for _, _, _, before in blocks]),
    ]
    if k is not None:
        columns.append((_SLOTS, [tied.slots_within(above, size, k) for above, size, _, _ in blocks]))
    return by_columns("blocks", _BLOCKS, [*columns, *more])


def hit_rate(metric: HitRate, lesson: Lesson) -> Derivation:
    """1 − the chance that no relevant item falls within k."""
    k = metric.k
    missed = [tied.chance_of_none(above, size, hits, k) for above, size, hits, _ in _blocks(lesson)]
    product = 1.0
    for chance in missed:
        product *= chance
    grid = _grid(lesson, k, (column("none", "chance of none within k", "前 k 内一个也没有的概率"), missed))
    written = missed if len(missed) <= 8 else [chance for chance in missed if chance != 1.0]
    template = " · ".join(["{}"] * len(written)) or "1"
    line = Line("none", Text("P(none)", "P(无)"), template, tuple(written), product)
    return Derivation((lesson.grid(lesson.within(k), k=k), grid, line), "1 − {}", (product,), 1.0 - product)


def reciprocal_rank(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    """1/rank of the first relevant item, over the places where it may stand."""
    k = metric.k
    rows = lesson.grid(lesson.within(k), k=k)
    first = next((block for block in _blocks(lesson) if not block[3]), None)
    places = [] if first is None else tied.chances_of_first(*first[:3], k)
    terms = [chance / rank for rank, chance in places]
    if not terms:
        return Derivation((rows,), Text("0, since none is relevant", "0，因为没有相关条目"), (), 0.0)
    grid = by_columns(
        "first",
        Text("Where the first relevant item may stand", "第一个相关条目可能的位置"),
        [
            (RANK, [rank for rank, _ in places]),
            (column("chance", "chance", "概率"), [chance for _, chance in places]),
            (column("term", "chance / rank", "概率 / 名次"), terms),
        ],
    )
    total = fsum(terms)
    line = sum_line("sum", "Σ", terms, total)
    return Derivation((rows, grid), line.template, line.numbers, total)


def precision_sum_steps(metric: AveragePrecision, lesson: Lesson) -> tuple[list[Step], float]:
    """Mean of the precisions at the hits of each block, and their sum."""
    k = metric.k

    def part(above: int, size: int, hits: int, before: int) -> float:
        return tied.precision_sum(above, size, hits, before, tied.slots_within(above, size, k))

    steps, terms = _sums(lesson, k, part)
    total = float(tied.expected_precision_sum(lesson.view, k)[0])
    return [*steps, sum_line("sum", "Σ", terms, total)], total


_Part = Callable[[int, int, int, int], float]


def _sums(lesson: Lesson, k: int | None, part: _Part) -> tuple[list[Step], list[float]]:
    terms = [part(*block) for block in _blocks(lesson)]
    sums = column("precisions", "mean Σ h_i / i", "Σ h_i / i 的均值")
    return [lesson.grid(lesson.within(k), k=k), _grid(lesson, k, (sums, terms))], terms


def average_precision_over_hits(metric: AveragePrecision, lesson: Lesson) -> Derivation:
    """With norm=hits the number of hits itself depends on the order, in the block that k cuts."""
    k = metric.k
    cut = next((block for block in _blocks(lesson) if k is not None and block[0] < k < block[0] + block[1]), None)

    def part(above: int, size: int, hits: int, before: int) -> float:
        return tied.precision_sum(above, size, hits, before) if k is None or above + size <= k else 0.0

    steps, terms = _sums(lesson, k, part)
    above_cut = sum(terms)
    certain = sum(hits for above, size, hits, _ in _blocks(lesson) if k is None or above + size <= k)
    steps.append(sum_line("sum", "A", [term for term in terms if term], above_cut))
    if cut is None:
        if not certain:
            return Derivation(steps, Text("0, since none is relevant", "0，因为没有相关条目"), (), 0.0)
        return Derivation(steps, "{} / {}", (above_cut, certain), above_cut / certain)
    above, size, hits, before = cut
    slots = tied.slots_within(above, size, k)
    chances = tied.chances_within(size, hits, slots)
    inside = [tied.precision_sum(above, slots, x, before) if x else 0.0 for x, _ in chances]
    grid = by_columns(
        "cut",
        Text(
            f"The block {ranks_of(above, size)} is cut at {k}: x of its relevant items fall within",
            f"第 {ranks_of(above, size)} 位的同分块在 {k} 处截断：其中 x 个相关条目落在前 {k}",
        ),
        [
            (column("x", "x"), [x for x, _ in chances]),
            (column("chance", "P(x)"), [chance for _, chance in chances]),
            (column("hits", "H + x"), [before + x for x, _ in chances]),
            (column("precisions", "E_x"), inside),
        ],
    )
    inverse = tied.inverse_hits(above, size, hits, before, k)
    within = tied.precision_over_hits(above, size, hits, before, k)
    steps += [
        grid,
        Line("inverse", "B", "Σ P(x) / (H + x)", (), inverse),
        Line("own", "C", "Σ P(x) · E_x / (H + x)", (), within),
    ]
    return Derivation(steps, Text("A · B + C = {} · {} + {}", "A · B + C = {} · {} + {}"), (above_cut, inverse, within), above_cut * inverse + within)  # fmt: skip
