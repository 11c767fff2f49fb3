"""What the order of the labels within each row comes to: how far down its labels lie, and how many others lie above them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import thread_count
from pingce.base.exact import Floats, Ints, weighted_sum
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.multilabel.counts import BLOCK
from pingce.multilabel.rows import LabelRows

FORM = {
    "rows": sound.row_of(sound.WHOLE, sound.WHOLE, sound.WHOLE),
    "amounts": [sound.FRACTION],
    "sums": dict.fromkeys(("coverage", "precision", "wrong", "half"), sound.FRACTION),
}


@dataclass(frozen=True, eq=False)
class RowRanks:
    """Of each row: its labels, and what follows from the order of all labels by score."""

    true: Ints
    coverage: Floats
    "Labels that score at least as much as the lowest of its own."
    precision: Floats
    "The mean over its labels of the share of its own among those that score at least as much."
    wrong: Floats
    "Share of its pairs (own, other) in which the other scores more or the same."
    half: Floats
    "The same with equal scores as half wrong."
    width: int

    @property
    def kinds(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Rows without labels, rows that have all, and all others."""
        empty, full = self.true == 0, self.true == self.width
        return empty, full, ~(empty | full)


@dataclass(frozen=True)
class RankSums:
    """Sums over rows, exact: rows without labels, rows that have all, all others, and what the others add up to."""

    rows: tuple[int, int, int]
    amounts: tuple[Fraction, Fraction, Fraction]
    "Σ w of the same."
    sums: Mapping[str, Fraction]

    def merge(self, other: RankSums) -> RankSums:
        """Those of both sets of rows."""
        rows = tuple(map(sum, zip(self.rows, other.rows, strict=True)))
        amounts = tuple(ours + theirs for ours, theirs in zip(self.amounts, other.amounts, strict=True))
        sums = {name: total + other.sums[name] for name, total in self.sums.items()}
        return RankSums(rows, amounts, sums)  # type: ignore[arg-type]

    def to_json(self) -> Json:
        """As plain values."""
        sums = {name: str(total) for name, total in self.sums.items()}
        return {"rows": list(self.rows), "amounts": [*map(str, self.amounts)], "sums": sums}

    @staticmethod
    def from_json(document: Json) -> RankSums:
        """What `to_json` wrote."""
        amounts = [sound.checked_fraction(each, "amounts") for each in document["amounts"]]
        sound.demand(len(amounts) == 3, "sums of ranks are missing", "缺少排名之和")
        sums = {name: sound.checked_fraction(each, name) for name, each in document["sums"].items()}
        return RankSums(tuple(document["rows"]), tuple(amounts), sums)  # type: ignore[arg-type]


def rank_sums(ranks: RowRanks, weight: Floats | None, threads: int | None = None) -> RankSums:
    """The sums of rows; a row of weight 0 is none."""
    kinds = ranks.kinds
    counted = np.ones(len(ranks.true), bool) if weight is None else weight > 0
    amounts = [_total(np.ones(len(ranks.true)), kind, weight, threads) for kind in kinds]
    sums = {
        name: _total(getattr(ranks, name), kinds[2], weight, threads)
        for name in ("coverage", "precision", "wrong", "half")
    }
    rows = [int(np.count_nonzero(kind & counted)) for kind in kinds]
    return RankSums(tuple(rows), tuple(amounts), sums)  # type: ignore[arg-type]


def _total(values: Floats, chosen: NDArray[np.bool_], weight: Floats | None, threads: int | None) -> Fraction:
    every = bool(chosen.all())
    values = values if every else values[chosen]
    return weighted_sum(values, weight if every or weight is None else weight[chosen], threads)


def row_ranks(rows: LabelRows, threads: int | None = None) -> RowRanks:
    """The order within each row. Blocks of rows are looked at by several threads, each row by one."""
    count, width = rows.truth.shape
    coverage, precision, wrong, half = np.zeros((4, count))
    out = RowRanks(rows.truth.sum(axis=1, dtype=np.int64), coverage, precision, wrong, half, width)
    size = max(1, min(BLOCK, (1 << 22) // width))

    def look(begin: int) -> None:
        part = slice(begin, begin + size)
        for name, column in _block(rows.truth[part], rows.scores[part], out.true[part]).items():
            getattr(out, name)[part] = column

    workers = thread_count(threads)
    starts = range(0, count, size)
    if workers < 2 or len(starts) < 2:
        for begin in starts:
            look(begin)
        return out
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(look, starts))
    return out


def _block(truth: NDArray[Any], scores: NDArray[Any], true: Ints) -> dict[str, Floats]:
    """The columns of some rows. Those with many labels stand first, so that the rows that have a k-th one are the first ones."""
    order = np.argsort(-true, kind="stable")
    keys = -scores[order]  # ascending: the best label first
    most = int(true.max(initial=0))
    lowest = np.array(np.inf, keys.dtype)
    true_keys = np.sort(np.where(truth[order] == 1, keys, lowest), axis=1)[:, :most].T.copy()
    keys = np.ascontiguousarray(keys.T)
    sums = {name: np.zeros(len(true)) for name in ("coverage", "precision", "wrong", "tied")}
    having = np.searchsorted(-true[order], -np.arange(1, most + 1), side="right").tolist()
    for k, rows in enumerate(having):
        level = true_keys[k, :rows]
        upto, above = _counted(keys, level)
        mine, mine_above = _counted(true_keys, level)
        sums["coverage"][:rows] = upto  # of the last of its labels in the end
        sums["precision"][:rows] += mine / upto
        sums["wrong"][:rows] += above - mine_above
        sums["tied"][:rows] += (upto - above) - (mine - mine_above)
    width, labels = len(keys), true[order]
    pairs = np.maximum(labels * (width - labels), 1)
    columns = {
        "coverage": sums["coverage"],
        "precision": sums["precision"] / np.maximum(labels, 1),
        "wrong": (sums["wrong"] + sums["tied"]) / pairs,
        "half": (2 * sums["wrong"] + sums["tied"]) / (2 * pairs),
    }
    back = np.empty(len(order), np.intp)
    back[order] = np.arange(len(order))
    return {name: column[back] for name, column in columns.items()}


def _counted(keys: NDArray[Any], level: NDArray[Any]) -> tuple[Ints, Ints]:
    """How many keys of each row are at most the level, and how many are below it."""
    upto, below = (np.zeros(len(level), np.int32) for _ in range(2))
    for label in keys:
        column = label[: len(level)]
        upto += column <= level
        below += column < level
    return upto.astype(np.int64), below.astype(np.int64)
