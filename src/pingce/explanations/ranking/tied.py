"""The mean over all orders of tied items, worked block by block, for metrics that are not sums over ranks."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum, prod

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.ranking.lesson import NONE_RELEVANT, RANK, Lesson, ranks_of, sum_line, sum_of
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking import tied
from pingce.metrics.ranking.average_precision import AveragePrecision, ReciprocalRank
from pingce.metrics.ranking.precision_recall import HitRate


def _blocks(lesson: Lesson) -> list[tuple[int, int, int, int]]:
    """Rows above each block, its size, its relevant items, and those above."""
    blocks = tied.tie_blocks(lesson.view)
    columns = (blocks.above, blocks.size, blocks.hits, blocks.before)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _grid(lesson: Lesson, k: int | None, *more: Cells) -> Grid:
    blocks = _blocks(lesson)
    columns: list[Cells] = [
        (*RANK, [ranks_of(above, size) for above, size, _, _ in blocks]),
        ("size", Text("items", "条目数"), [size for _, size, _, _ in blocks]),
        ("hits", Text("relevant", "相关数"), [hits for _, _, hits, _ in blocks]),
        ("before", Text("relevant above", "之前的相关数"), [before for _, _, _, before in blocks]),
    ]
    if k is not None:
        slots = [tied.slots_within(above, size, k) for above, size, _, _ in blocks]
        columns.append(("within", Text("places within k", "前 k 内的位置数"), slots))
    title = Text(
        "Blocks of equal scores with relevant items; every order within a block is equally likely",
        "含相关条目的同分块；块内各种顺序等可能",
    )
    return table("blocks", title, [*columns, *more])


def hit_rate(metric: HitRate, lesson: Lesson) -> Derivation:
    """1 − the chance that no relevant item falls within k."""
    k = metric.k
    missed = [tied.chance_of_none(above, size, hits, k) for above, size, hits, _ in _blocks(lesson)]
    product = prod(missed, start=1.0)
    grid = _grid(lesson, k, ("none", Text("chance of none within k", "前 k 内一个也没有的概率"), missed))
    written = missed if len(missed) <= 8 else [chance for chance in missed if chance != 1.0]
    template = " · ".join(["{}"] * len(written)) or "1"
    line = Line("none", Text("P(none)", "P(无)"), template, tuple(written), product)
    return Derivation((lesson.top(k).grid(), grid, line), "1 − {}", (product,), 1.0 - product)


def reciprocal_rank(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    """1/rank of the first relevant item, over the places where it may stand."""
    rows = lesson.top(metric.k).grid()
    first = next((block for block in _blocks(lesson) if not block[3]), None)
    places = [] if first is None else tied.chances_of_first(*first[:3], metric.k)
    terms = [chance / rank for rank, chance in places]
    if not terms:
        return Derivation((rows,), NONE_RELEVANT, (), 0.0)
    grid = table(
        "first",
        Text("Where the first relevant item may stand", "第一个相关条目可能的位置"),
        [
            (*RANK, [rank for rank, _ in places]),
            ("chance", Text("chance", "概率"), [chance for _, chance in places]),
            ("term", Text("chance / rank", "概率 / 名次"), terms),
        ],
    )
    return sum_of((rows, grid), terms, fsum(terms))


def precision_sum_steps(metric: AveragePrecision, lesson: Lesson) -> tuple[list[Step], float]:
    """Mean of the precisions at the hits of each block, and their sum."""
    k = metric.k

    def part(above: int, size: int, hits: int, before: int) -> float:
        return tied.precision_sum(above, size, hits, before, tied.slots_within(above, size, k))

    steps, terms = block_steps(lesson, k, part, _PRECISIONS)
    weights = tied.tie_blocks(lesson.view).weight
    if weights is not None:
        heavy: Cells = ("weight", Text("mean weight", "平均权重"), weights.tolist())
        steps[-1] = _grid(lesson, k, (*_PRECISIONS, terms), heavy)
        terms = [term * weight for term, weight in zip(terms, weights.tolist(), strict=True)]
    total = float(tied.expected_precision_sum(lesson.view, k)[0])
    return [*steps, sum_line("sum", "Σ", terms, total)], total


_PRECISIONS = ("precisions", Text("mean Σ h_i / i", "Σ h_i / i 的均值"))
_RECIPROCALS = ("reciprocals", Text("mean Σ 1 / rank", "Σ 1 / 名次 的均值"))


def block_steps(
    lesson: Lesson, k: int | None, part: Callable[..., float], column: tuple[str, Text]
) -> tuple[list[Step], list[float]]:
    """The list, its blocks, and what each block adds to a sum."""
    terms = [part(*block) for block in _blocks(lesson)]
    return [lesson.top(k).grid(), _grid(lesson, k, (*column, terms))], terms


def over_hits(metric: AveragePrecision | ReciprocalRank, lesson: Lesson) -> Derivation:
    """A mean over hits, whose number itself depends on the order in the block that k cuts."""
    k, is_ap = metric.k, isinstance(metric, AveragePrecision)
    block_sum, column = (tied.precision_sum, _PRECISIONS) if is_ap else (tied.reciprocal_sum, _RECIPROCALS)
    cut = next((block for block in _blocks(lesson) if k is not None and block[0] < k < block[0] + block[1]), None)

    def part(above: int, size: int, hits: int, before: int) -> float:
        return block_sum(above, size, hits, before) if k is None or above + size <= k else 0.0

    steps, terms = block_steps(lesson, k, part, column)
    above_cut = sum(terms)
    certain = sum(hits for above, size, hits, _ in _blocks(lesson) if k is None or above + size <= k)
    steps.append(sum_line("sum", "A", [term for term in terms if term], above_cut))
    if cut is None:
        if not certain:
            return Derivation(steps, NONE_RELEVANT, (), 0.0)
        return Derivation(steps, "{} / {}", (above_cut, certain), above_cut / certain)
    above, size, hits, before = cut
    slots = tied.slots_within(above, size, k)
    chances = tied.chances_within(size, hits, slots)
    inside = [block_sum(above, slots, x, before) if x else 0.0 for x, _ in chances]
    title = Text(
        f"The block {ranks_of(above, size)} is cut at {k}: x of its relevant items fall within",
        f"第 {ranks_of(above, size)} 位的同分块在 {k} 处截断：其中 x 个相关条目落在前 {k}",
    )
    columns: list[Cells] = [
        ("x", "x", [x for x, _ in chances]),
        ("chance", "P(x)", [chance for _, chance in chances]),
        ("hits", "H + x", [before + x for x, _ in chances]),
        (column[0], "E_x", inside),
    ]
    inverse = tied.inverse_hits(above, size, hits, before, k)
    within = tied.sum_over_hits(cut, k, block_sum)
    steps += [
        table("cut", title, columns),
        Line("inverse", "B", "Σ P(x) / (H + x)", (), inverse),
        Line("own", "C", "Σ P(x) · E_x / (H + x)", (), within),
    ]
    numbers, template = (above_cut, inverse, within), "A · B + C = {} · {} + {}"
    return Derivation(steps, Text(template, template), numbers, above_cut * inverse + within)
