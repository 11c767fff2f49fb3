"""What decisions at a threshold come to: counts of each label, and how many rows have which numbers of labels right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, exact_sum
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand
from pingce.multilabel.rows import LabelRows

BLOCK = 1 << 16
"Rows that are looked at at once: their cells stay in the cache of a processor."
_FEW = 1 << 22
"Patterns that are counted in a table of all that can be."
_AMOUNT, _COUNT = sound.Column("float64", (sound.AMOUNT,)), sound.Column("int64", (sound.COUNT,))
_LABELS = {"tp": _AMOUNT, "predicted": _AMOUNT, "true": _AMOUNT}
_PATTERNS = {"tp": _COUNT, "predicted": _COUNT, "true": _COUNT, "rows": _COUNT, "amount": _AMOUNT}


@dataclass(frozen=True, eq=False)
class Patterns:
    """Rows by how many labels they have, how many are predicted, and how many of these are right; ascending.

    What a row says of itself (is it right, its F1, its Jaccard index) follows from these three numbers.
    """

    tp: Ints
    predicted: Ints
    true: Ints
    rows: Ints
    "How many there are that count."
    amount: Floats
    "Σ w of them."

    def merge(self, other: Patterns) -> Patterns:
        """Those of both sets of rows."""
        columns = [np.concatenate([getattr(each, name) for each in (self, other)]) for name in _PATTERNS]
        order = np.lexsort((columns[2], columns[1], columns[0]))
        tp, predicted, true, rows, amount = (column[order] for column in columns)
        fresh = np.ones(len(order), bool)
        fresh[1:] = (tp[1:] != tp[:-1]) | (predicted[1:] != predicted[:-1]) | (true[1:] != true[:-1])
        starts = np.flatnonzero(fresh)
        if not len(starts):
            return self
        sums = np.add.reduceat(rows, starts), np.add.reduceat(amount, starts)
        return Patterns(tp[starts], predicted[starts], true[starts], *sums)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Of each label: rows that have it and are predicted to, that are predicted to, that have it; Σ w where rows are weighted."""

    tp: Floats
    predicted: Floats
    true: Floats
    patterns: Patterns

    def merge(self, other: Decisions) -> Decisions:
        """Those of both sets of rows."""
        tp, predicted, true = (getattr(self, name) + getattr(other, name) for name in _LABELS)
        return Decisions(tp, predicted, true, self.patterns.merge(other.patterns))

    def to_tables(self, name: str) -> dict[str, pa.Table]:
        """As tables of a state."""
        labels = {column: getattr(self, column) for column in _LABELS}
        patterns = {column: getattr(self.patterns, column) for column in _PATTERNS}
        return {
            f"{name}.labels": sound.stamped(labels, "multilabel_counts"),
            f"{name}.patterns": sound.stamped(patterns, "multilabel_patterns"),
        }

    @staticmethod
    def from_tables(tables: Mapping[str, pa.Table], name: str, width: int) -> Decisions:
        """What `to_tables` wrote."""
        pieces = []
        for part, kind, columns in (
            ("labels", "multilabel_counts", _LABELS),
            ("patterns", "multilabel_patterns", _PATTERNS),
        ):
            demand(f"{name}.{part}" in tables, "counts are missing", "缺少计数")
            table = tables[f"{name}.{part}"]
            sound.checked_table(table, kind)
            pieces.append(sound.checked_columns(table, columns))
        labels, patterns = pieces
        few = all((patterns["tp"] <= patterns[side]).all() for side in ("predicted", "true"))
        wide = all((patterns[side] <= width).all() for side in ("predicted", "true"))
        demand(few and wide and len(labels["tp"]) == width, "more labels are counted than there are", "计数多于标签数")
        near = bool((labels["tp"] <= np.minimum(labels["predicted"], labels["true"]) * (1 + 1e-9)).all())
        demand(near, "more labels are right than there are", "判对的标签多于总数")
        empty = Patterns(*(np.zeros(0, column.dtype) for column in patterns.values()))
        return Decisions(**labels, patterns=empty.merge(Patterns(**patterns)))


def predicted_flags(scores: NDArray[Any], threshold: float, compare: str) -> NDArray[np.bool_]:
    """Which labels are predicted; the threshold is first rounded to the type of the scores."""
    with np.errstate(over="ignore"):
        limit = scores.dtype.type(threshold)
    flags: NDArray[np.bool_] = scores >= limit if compare == "ge" else scores > limit
    return flags


def decide(rows: LabelRows, threshold: float, compare: str) -> Decisions:
    """The counts of rows at a threshold, block by block."""
    count, width = rows.truth.shape
    sums = np.zeros((3, width))
    sizes = np.zeros((3, count), np.int64)
    for begin in range(0, count, BLOCK):
        part = slice(begin, begin + BLOCK)
        # A label in a row of memory: adding up over rows and over labels are both plain passes then.
        true = np.ascontiguousarray(rows.truth[part].T)
        predicted = np.ascontiguousarray(predicted_flags(rows.scores[part], threshold, compare).T).view(np.uint8)
        weight = None if rows.weight is None else rows.weight[part]
        for at, flags in enumerate((true & predicted, predicted, true)):
            sums[at] += _by_label(flags, weight)
            sizes[at, part] = _by_row(flags)
    return Decisions(sums[0], sums[1], sums[2], pattern_counts(sizes, rows.weight, width))


def _by_label(flags: NDArray[np.uint8], weight: Floats | None) -> Floats:
    if weight is None:
        return np.array([np.count_nonzero(label) for label in flags], np.float64)
    return np.array([float(exact_sum(weight[label.view(bool)])) for label in flags])


def _by_row(flags: NDArray[np.uint8]) -> Ints:
    total: NDArray[Any] = np.zeros(flags.shape[1], np.uint8 if len(flags) < 256 else np.int64)
    for label in flags:
        np.add(total, label, out=total)
    return total.astype(np.int64)


def pattern_codes(sizes: Ints, width: int) -> Ints:
    """One number for the three of a row: tp, predicted, true."""
    codes: Ints = (sizes[0] * (width + 1) + sizes[1]) * (width + 1) + sizes[2]
    return codes


def pattern_counts(sizes: Ints, weight: Floats | None, width: int) -> Patterns:
    """How many rows have which three numbers; rows of weight 0 are none."""
    codes = pattern_codes(sizes, width)
    if weight is not None:
        kept = weight > 0
        codes, weight = codes[kept], weight[kept]
        order = np.lexsort((weight, codes))  # sums of fractions depend on their order, but not on that of the rows
        codes, weight = codes[order], weight[order]
    if (width + 1) ** 3 <= max(_FEW, len(codes)):
        number = np.bincount(codes, minlength=1)
        present = np.flatnonzero(number)
        rows = number[present]
        amount = (rows if weight is None else np.bincount(codes, weight)[present]).astype(np.float64)
    else:
        present, place, rows = np.unique(codes, return_inverse=True, return_counts=True)
        amount = (rows if weight is None else np.bincount(place.reshape(-1), weight)).astype(np.float64)
    rest, true = np.divmod(present, width + 1)
    tp, predicted = np.divmod(rest, width + 1)
    return Patterns(tp, predicted, true, rows.astype(np.int64), amount)
