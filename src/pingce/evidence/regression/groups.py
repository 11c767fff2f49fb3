"""Pairs of numbers within groups (users, requests): rows of different groups are never compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import pa
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.binary.grouped import refuse_twice
from pingce.evidence.regression.pairs import is_whole, row_pairs
from pingce.evidence.soundness import demand
from pingce.inputs.ids import Ids, changes, concatenate, from_core, sorted_rows
from pingce.inputs.regression import NumberRows

_PAIRS = ("concordant", "discordant", "tied_truth", "tied_predicted", "tied_both")
_MORE = "column:"
_COLUMNS = {
    "rows": sound.Column("int64", (sound.COUNT,)),
    **{name: sound.Column("int64 float64", (sound.NOT_NEGATIVE,)) for name in _PAIRS},
    "weight": sound.Column("float64", (sound.AMOUNT,), optional=True),
}


@dataclass(frozen=True, eq=False)
class NumberGroups:
    """Pairs of rows of each group, one row a group, sorted by id; whole numbers, or with weights sums of products."""

    groups: Ids
    rows: Ints
    concordant: NDArray[Any]
    discordant: NDArray[Any]
    tied_truth: NDArray[Any]
    "Only the true numbers are equal."
    tied_predicted: NDArray[Any]
    tied_both: NDArray[Any]
    weight: Floats | None = None
    "Σ w; None where rows are not weighted."
    columns: Mapping[str, Floats] = field(default_factory=dict)
    "Σ w · more columns."

    def __len__(self) -> int:
        return len(self.rows)

    def weights(self, by: str) -> Floats:
        """How much each group counts by its rows, by one of the columns, or all alike."""
        if by == "uniform":
            return np.ones(len(self))
        if by == "rows":
            return self.rows.astype(np.float64) if self.weight is None else self.weight
        return self.columns[by]

    def select(self, chosen: NDArray[Any]) -> NumberGroups:
        """Some groups, by mask or place."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        arrays = {name: getattr(self, name)[places] for name in ("rows", *_PAIRS)}
        columns = {name: column[places] for name, column in self.columns.items()}
        weight = None if self.weight is None else self.weight[places]
        return replace(self, groups=self.groups.take(places), weight=weight, columns=columns, **arrays)

    def merge(self, other: NumberGroups) -> NumberGroups:
        """The groups of both; a group may stand in one of the two only."""
        pieces = (self, other)
        if self.groups.integers != other.groups.integers:
            raise InputError(
                "evidence with integer groups cannot be merged with evidence with string groups",
                "整数分组与字符串分组的证据不能合并",
            )
        arrays = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in ("rows", *_PAIRS)}
        columns = {name: np.concatenate([piece.columns[name] for piece in pieces]) for name in self.columns}
        parts = [piece.weight for piece in pieces if piece.weight is not None]
        weight = np.concatenate(parts) if parts else None
        groups = concatenate([piece.groups for piece in pieces])
        every = NumberGroups(groups=groups, weight=weight, columns=columns, **arrays)
        ordered = every.select(sorted_rows(every.groups))
        refuse_twice(ordered.groups)
        return ordered

    def to_arrow(self) -> pa.Table:
        """One row a group; `from_arrow` gives the same evidence back."""
        columns: dict[str, sound.ArrowColumn] = {"group": sound.id_array(self.groups)}
        columns |= {name: getattr(self, name) for name in ("rows", *_PAIRS)}
        columns |= {} if self.weight is None else {"weight": self.weight}
        columns |= {_MORE + name: column for name, column in self.columns.items()}
        return sound.stamped(columns, "number_groups")

    @staticmethod
    def from_arrow(table: pa.Table) -> NumberGroups:
        """The evidence that `to_arrow` wrote."""
        sound.checked_table(table, "number_groups")
        more = [name for name in table.column_names if name.startswith(_MORE)]
        forms = _COLUMNS | dict.fromkeys(more, sound.Column("float64", (sound.AMOUNT,)))
        arrays = sound.checked_columns(table, forms)
        rows = arrays["rows"].astype(np.float64)
        pairs = np.sum([arrays[name].astype(np.float64) for name in _PAIRS], axis=0)
        most = rows * (rows - 1) / 2 if "weight" not in arrays else arrays["weight"] ** 2
        demand(
            (rows > 0).all() and (pairs <= most * (1 + 1e-9)).all(),
            "a group has more pairs than its rows give",
            "某分组的样本对多于其行数所能给出的",
        )
        return NumberGroups(
            groups=sound.checked_ids(sound.ids_in(table, "group"), "group"),
            rows=arrays["rows"],
            weight=arrays.get("weight"),
            columns={name.removeprefix(_MORE): arrays[name] for name in more},
            **{name: arrays[name] for name in _PAIRS},
        )


def number_groups(rows: NumberRows, columns: Sequence[str] = (), threads: int | None = None) -> NumberGroups:
    """The pairs of every group; rows of weight 0 are none."""
    if rows.group is None:
        raise InputError(
            "no groups were given: say which column or array holds them with group= or --group",
            "没有给出分组：请用 group= 或 --group 指明哪一列是分组",
        )
    core = native_core()
    plain = rows.weight is None and not columns
    return _counted_by_core(rows, threads) if core is not None and plain else _by_reference(rows, columns)


def _counted_by_core(rows: NumberRows, threads: int | None) -> NumberGroups:
    core, group = native_core(), rows.group
    if core is None or group is None:
        raise ValueError("no core, or no groups")
    counts = core.group_orders(group.pieces(), *rows.in_memory_order(), thread_count(threads))
    return NumberGroups(from_core(counts["groups"]), counts["rows"], *(counts[name] for name in _PAIRS))


def _by_reference(rows: NumberRows, columns: Sequence[str]) -> NumberGroups:
    """All groups at once: sorted one above the other, rows of different groups make no pair."""
    code, names = group_codes(rows)
    size = np.bincount(code, minlength=len(names)).astype(np.int64)
    if rows.weight is None:
        counts = row_pairs(rows, code)
        pairs = {name: _halved(code, getattr(counts, name), len(names)) for name in _PAIRS}
        groups = NumberGroups(names, size, **pairs, weight=None, columns={})
    else:
        groups = _weighted(rows, code, names, size)
    sums = {name: sums_by_place(rows.column(name), code, len(names)) for name in columns}
    return replace(groups, columns=sums)


def _weighted(rows: NumberRows, code: Ints, names: Ids, size: Ints) -> NumberGroups:
    """Sums of products of weights, those of a group beside its largest: another group may weigh far more."""
    weight, count = np.asarray(rows.weight), len(names)
    exponent = np.zeros(count, np.int64)
    if not is_whole(weight):
        largest = np.zeros(count)
        np.maximum.at(largest, code, weight)
        exponent = np.frexp(largest)[1].astype(np.int64)
    near = np.ldexp(weight, -exponent[code])
    counts = row_pairs(replace(rows, weight=near), code)
    pairs = {name: sums_by_place(near * counts.column(name), code, count) for name in _PAIRS}
    pairs["tied_both"] += sums_by_place(near * np.maximum(near - np.ldexp(1.0, -exponent[code]), 0.0), code, count)
    scaled: dict[str, Floats] = {name: np.ldexp(sums, 2 * exponent - 1) for name, sums in pairs.items()}
    total = np.ldexp(sums_by_place(near, code, count), exponent)
    return NumberGroups(names, size, **scaled, weight=total, columns={})


def _halved(code: Ints, counts: Ints, groups: int) -> Ints:
    """Pairs of each group: each was counted from both of its rows."""
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, code, counts)
    return sums // 2


def group_codes(rows: NumberRows) -> tuple[Ints, Ids]:
    """The number of each row's group, and the ids of groups, sorted."""
    group: Any = rows.group
    order = sorted_rows(group)
    first = changes(ordered := group.take(order))
    code = np.empty(len(order), np.int64)
    code[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(order)))
    return code, ordered.take(first)
