"""What decisions at a threshold come to: counts of each label, and how many rows have which numbers of labels right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import UNIT, Floats, Ints, rounded, units, units_by_group
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
Units = tuple[int, ...]
"Sums of weights that are not rounded, as `units` has them."


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
    units: Units | None = None
    "The same, not rounded, where rows are weighted."

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
        names = tp[starts], predicted[starts], true[starts], np.add.reduceat(rows, starts)
        if self.units is None or other.units is None:
            return Patterns(*names, np.add.reduceat(amount, starts))
        every = np.array([*self.units, *other.units], object)[order]
        exact = tuple(np.add.reduceat(every, starts).tolist())
        return Patterns(*names, _floats(exact), exact)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Of each label: rows that have it and are predicted to, that are predicted to, that have it; Σ w where rows are weighted."""

    tp: Floats
    predicted: Floats
    true: Floats
    patterns: Patterns
    units: tuple[Units, ...] | None = None
    "The same three, not rounded, where rows are weighted."

    @staticmethod
    def of_units(exact: tuple[Units, ...], patterns: Patterns) -> Decisions:
        """The counts of weighted rows."""
        tp, predicted, true = map(_floats, exact)
        return Decisions(tp, predicted, true, patterns, exact)

    def merge(self, other: Decisions) -> Decisions:
        """Those of both sets of rows."""
        patterns = self.patterns.merge(other.patterns)
        if self.units is None or other.units is None:
            tp, predicted, true = (getattr(self, name) + getattr(other, name) for name in _LABELS)
            return Decisions(tp, predicted, true, patterns)
        both = zip(self.units, other.units, strict=True)
        return Decisions.of_units(tuple(tuple(map(sum, zip(*pair, strict=True))) for pair in both), patterns)

    def to_tables(self, name: str) -> dict[str, pa.Table]:
        """As tables of a state."""
        labels: dict[str, sound.ArrowColumn] = {column: getattr(self, column) for column in _LABELS}
        patterns: dict[str, sound.ArrowColumn] = {column: getattr(self.patterns, column) for column in _PATTERNS}
        if self.units is not None and self.patterns.units is not None:
            labels |= {f"{column} units": _texts(each) for column, each in zip(_LABELS, self.units, strict=True)}
            patterns["amount units"] = _texts(self.patterns.units)
        return {
            f"{name}.labels": sound.stamped(labels, "multilabel_counts"),
            f"{name}.patterns": sound.stamped(patterns, "multilabel_patterns"),
        }

    @staticmethod
    def from_tables(tables: Mapping[str, pa.Table], name: str, width: int) -> Decisions:
        """What `to_tables` wrote."""
        pieces = []
        for part, kind, forms in (
            ("labels", "multilabel_counts", _LABELS),
            ("patterns", "multilabel_patterns", _PATTERNS),
        ):
            demand(f"{name}.{part}" in tables, "counts are missing", "缺少计数")
            table = tables[f"{name}.{part}"]
            sound.checked_table(table, kind)
            pieces.append(sound.checked_columns(table, forms))
        labels, columns = pieces
        few = all((columns["tp"] <= columns[side]).all() for side in ("predicted", "true"))
        wide = all((columns[side] <= width).all() for side in ("predicted", "true"))
        demand(few and wide and len(labels["tp"]) == width, "more labels are counted than there are", "计数多于标签数")
        near = bool((labels["tp"] <= np.minimum(labels["predicted"], labels["true"]) * (1 + 1e-9)).all())
        demand(near, "more labels are right than there are", "判对的标签多于总数")
        tp, predicted, true, rows, amount = columns.values()
        exact = _units(tables[f"{name}.patterns"], "amount", amount)
        no_units = None if exact is None else ()
        empty = Patterns(tp[:0], predicted[:0], true[:0], rows[:0], amount[:0], no_units)
        patterns = empty.merge(Patterns(tp, predicted, true, rows, amount, exact))
        sums = [_units(tables[f"{name}.labels"], column, labels[column]) for column in _LABELS]
        each = tuple(units for units in sums if units is not None)
        if len(each) == len(sums):
            return Decisions.of_units(each, patterns)
        return Decisions(labels["tp"], labels["predicted"], labels["true"], patterns)


def _floats(exact: Units) -> Floats:
    return np.array([rounded(total) for total in exact], np.float64)


def _texts(exact: Units) -> list[str]:
    """Hexadecimal digits, and how many binary zeros follow them."""
    zeros = [max(0, (total & -total).bit_length() - 1) for total in exact]
    return [f"{total >> places:x}p{places}" for total, places in zip(exact, zeros, strict=True)]


_TEXT = re.compile("([0-9a-f]{1,600})p([0-9]{1,4})", re.ASCII)


def _units(table: pa.Table, name: str, amount: Floats) -> Units | None:
    """The unrounded sums of a column, which must round to it; None where rows are not weighted."""
    if f"{name} units" not in table.column_names:
        return None
    matches = [_TEXT.fullmatch(str(text)) for text in table.column(f"{name} units").to_pylist()]
    digits = [(int(match[1], 16), int(match[2])) for match in matches if match is not None]
    demand(len(digits) == len(matches), "sums are no whole numbers", "各和不是整数")
    exact = tuple(number << places for number, places in digits)
    small = all(total < 1 << (UNIT + 1023) for total in exact)
    same = small and np.array_equal(_floats(exact), amount)
    demand(same, "sums differ from their rounded values", "各和与其舍入值不符")
    return exact


def predicted_flags(scores: NDArray[Any], threshold: float, compare: str) -> NDArray[np.bool_]:
    """Which labels are predicted; the threshold is first rounded to the type of the scores."""
    with np.errstate(over="ignore"):
        limit = scores.dtype.type(threshold)
    flags: NDArray[np.bool_] = scores >= limit if compare == "ge" else scores > limit
    return flags


def decide(rows: LabelRows, threshold: float, compare: str) -> Decisions:
    """The counts of rows at a threshold, block by block."""
    count, width = rows.truth.shape
    sums = np.zeros((3, width), np.int64 if rows.weight is None else object)
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
    patterns = pattern_counts(sizes, rows.weight, width)
    if rows.weight is not None:
        return Decisions.of_units(tuple(tuple(each) for each in sums.tolist()), patterns)
    counts = sums.astype(np.float64)
    return Decisions(counts[0], counts[1], counts[2], patterns)


def _by_label(flags: NDArray[np.uint8], weight: Floats | None) -> NDArray[Any]:
    """How many rows have each label, or their weight, not rounded."""
    if weight is None:
        return np.array([np.count_nonzero(label) for label in flags], np.int64)
    return np.array([units(weight[label.view(bool)]) for label in flags], object)


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
        codes, weight = codes[weight > 0], weight[weight > 0]
    if (width + 1) ** 3 <= max(_FEW, len(codes)):
        number = np.bincount(codes, minlength=1)
        present = np.flatnonzero(number)
        rows = number[present]
    else:
        present, rows = np.unique(codes, return_counts=True)
    rest, true = np.divmod(present, width + 1)
    tp, predicted = np.divmod(rest, width + 1)
    names = tp, predicted, true, rows.astype(np.int64)
    if weight is None:
        return Patterns(*names, rows.astype(np.float64))
    exact = tuple(units_by_group(weight, np.searchsorted(present, codes), len(present)))
    return Patterns(*names, _floats(exact), exact)
