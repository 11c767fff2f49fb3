"""Order of numbers: pairs of rows one by one where they are few, their kinds counted, and the share that is in order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.exact import Floats, Places
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.evidence.regression.ranks import rank_power, rank_rows
from pingce.explanations.derivation import Derivation, Grid, Line, Number, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, Excerpt, ends, numbers_in, plain, real
from pingce.inputs.regression import NumberRows
from pingce.metrics.regression import pairs

MOST_PAIRS = 60
"Pairs that are written one by one."
KINDS = {
    "concordant": Text("in order", "次序一致"),
    "discordant": Text("out of order", "次序相反"),
    "tied_predicted": Text("equal in ŷ only", "仅 ŷ 相等"),
    "tied_truth": Text("equal in y only", "仅 y 相等"),
    "tied_both": Text("equal in both", "都相等"),
}
_LETTERS = {"concordant": "C", "discordant": "D", "tied_predicted": "T_p", "tied_truth": "T_y", "tied_both": "T_b"}
_COUNTED = Text("counted over all pairs of rows", "对全部样本对计数")


def kind_lines(counts: dict[str, Fraction]) -> list[Step]:
    """How many pairs there are of each kind."""
    return [
        Line(
            name,
            Text(f"{letter} ({KINDS[name].en})", f"{letter}（{KINDS[name].zh}）"),
            _COUNTED,
            (),
            plain(counts[name]),
        )
        for name, letter in _LETTERS.items()
    ]


def pair_grid(rows: NumberRows, shares: dict[str, tuple[float, int]]) -> list[Step]:
    """Every pair with what it counts; nothing where they are many."""
    count = len(rows)
    if count * (count - 1) // 2 > MOST_PAIRS:
        return []
    first, second = np.triu_indices(count, 1)
    apart = zip(
        (rows.true[second] - rows.true[first]).tolist(),
        (rows.predicted[second] - rows.predicted[first]).tolist(),
        strict=True,
    )
    kinds = [pairs.kind_of(*difference) for difference in apart]
    columns: list[Cells] = [
        (
            "first",
            Text("rows (from 0)", "行（从 0 起）"),
            [f"{a}, {b}" for a, b in zip(first.tolist(), second.tolist(), strict=True)],
        ),
        ("true", "y", _both(rows.true, first, second)),
        ("predicted", "ŷ", _both(rows.predicted, first, second)),
        ("kind", Text("pair", "样本对"), [_LETTERS[kind] for kind in kinds]),
        ("share", Text("counts", "计"), [shares[kind][0] if shares[kind][1] else None for kind in kinds]),
    ]
    if rows.weight is not None:
        columns.append(("weight", "w · w'", numbers_in((rows.weight[first] * rows.weight[second]).tolist())))
    counted = [bool(shares[kind][1]) for kind in kinds]
    excerpt = Excerpt(np.arange(len(kinds)), counted, len(kinds))
    return [excerpt.table("pairs", Text("Each pair of rows", "逐对比较"), columns)]


def _both(column: Floats, first: Places, second: Places) -> list[str]:
    """The numbers of both rows of each pair."""
    return [f"{a:.9g}, {b:.9g}" for a, b in zip(column[first].tolist(), column[second].tolist(), strict=True)]


@explains(pairs.Xauc)
def ordered_pairs(metric: pairs.Xauc, view: ErrorEvidence) -> Derivation:
    """Pairs that are right over those that are counted."""
    counts = pairs.counts_of(view.pairs)
    right, every = metric.right_and_all(counts)
    steps = [*pair_grid(view.rows_for(metric.name), metric.shares), *kind_lines(counts)]
    steps += [_weighed(metric, "right", counts), _weighed(metric, "counted", counts)]
    return Derivation(steps, "{} / {}", (real(right), plain(every)), metric.quotient(right, every))


def _weighed(metric: pairs.Xauc, key: str, counts: dict[str, Fraction]) -> Line:
    """Pairs that are right, or all that are counted, as a sum."""
    words, numbers, total = [], [], Fraction(0)
    for name, (share, counted) in metric.shares.items():
        factor = Fraction(share) if key == "right" else Fraction(1)
        if not counted or not factor:
            continue
        words.append("{}" if factor == 1 else "0.5 · {}")
        numbers.append(plain(counts[name]))
        total += factor * counts[name]
    title = Text("pairs that are right", "正确的样本对") if key == "right" else Text("pairs that count", "计入的样本对")
    return Line(key, title, " + ".join(words), tuple(numbers), plain(total))


@explains(pairs.Kendall)
def rank_correlation(metric: pairs.Kendall, view: ErrorEvidence) -> Derivation:
    """C − D over the root of both sides without their ties."""
    counts = pairs.counts_of(view.pairs)
    shares = {"concordant": (1.0, 1), "discordant": (-1.0, 1), "tied_predicted": (0.0, 1), "tied_truth": (0.0, 1)}
    steps = [*pair_grid(view.rows_for(metric.name), shares | {"tied_both": (0.0, 0)}), *kind_lines(counts)]
    untied = counts["concordant"] + counts["discordant"]
    numbers: tuple[Number, ...] = tuple(
        plain(part)
        for part in (
            counts["concordant"] - counts["discordant"],
            untied + counts["tied_predicted"],
            untied + counts["tied_truth"],
        )
    )
    lines = [
        Line("apart", "C − D", "{} − {}", (plain(counts["concordant"]), plain(counts["discordant"])), numbers[0]),
        Line("truth", "C + D + T_p", _COUNTED, (), numbers[1]),
        Line("predicted", "C + D + T_y", _COUNTED, (), numbers[2]),
    ]
    return Derivation([*steps, *lines], "{} / √({} · {})", numbers, metric.value(view))


@explains(pairs.NormalizedGini)
def lifted(metric: pairs.NormalizedGini, view: ErrorEvidence) -> Derivation:
    """Ranks in both orders, and the truth summed up by them."""
    rows = view.rows_for(metric.name)
    if not len(rows):
        return Derivation([])
    lift, best = pairs.lifted_sums(rows)
    words = Text("the exact sum over all rows", "对全部行精确求和")
    lines: list[Step] = [
        Line("found", Text("Σ y · (2 rank ŷ − n − 1)", "Σ y · (2 ŷ 的名次 − n − 1)"), words, (), real(lift)),
        Line("best", Text("Σ y · (2 rank y − n − 1)", "Σ y · (2 y 的名次 − n − 1)"), words, (), real(best)),
    ]
    numbers = real(lift), real(best)
    return Derivation([_ranks(rows), *lines], "{} / {}", numbers, metric.quotient(lift, best))


def _ranks(rows: NumberRows) -> Grid:
    excerpt, twice = ends(np.ones(len(rows), bool)), rank_rows(rows)
    unit = Fraction(2) ** rank_power(rows)
    sides = (
        numbers_in((Fraction(rank) / unit + 1) / 2 for rank in column[excerpt.places].tolist())
        for column in (twice.predicted, twice.true)
    )
    predicted, true = sides
    columns: list[Cells] = [
        excerpt.row,
        ("true", "y", rows.true),
        ("predicted", "ŷ", rows.predicted),
        ("predicted_rank", Text("rank of ŷ", "ŷ 的名次"), predicted),
        ("true_rank", Text("rank of y", "y 的名次"), true),
        *excerpt.weight(rows.weight),
    ]
    return excerpt.table("ranks", Text("Ranks, equal numbers sharing theirs", "名次（相等的数取平均）"), columns)
