"""Group evidence: rows, positives and concordant pairs of each group (user, request)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand
from pingce.inputs.ids import Ids, IntIds, changes, concatenate, from_core, sorted_rows

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows


_NOTHING = np.zeros(0)
_COUNTS = ("rows", "positives", "twice_concordant", "constant")
_SUMS = ("positive_weight", "negative_weight", "concordant", "loss")
_BLOCK = 1 << 15
MOST_ROWS = 1 << 32
"Of one group: 64 bits hold twice its pairs."
_COLUMNS = {name: sound.Column("int64", (sound.COUNT,)) for name in _COUNTS[:2]}
_COLUMNS |= {"twice_concordant": sound.Column("int64", (sound.NOT_NEGATIVE,))}
_COLUMNS |= {"constant": sound.Column("uint8", (sound.FLAG,))}
_COLUMNS |= {name: sound.Column("float64", (sound.AMOUNT,), optional=True) for name in _SUMS}
_COLUMNS |= {"concordant": sound.Column("float64", (sound.FINITE, sound.NOT_NEGATIVE), optional=True)}


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """One row a group, sorted by id. Sums of floats run over sorted values, so that row order never matters."""

    groups: Ids
    rows: Ints
    positives: Ints
    twice_concordant: Ints
    "2 × the pairs in which the positive scores higher, and 1 × those with equal scores."
    constant: NDArray[np.uint8]
    "1 where both labels occur, and all rows that weigh anything have one score."
    positive_weight: Floats | None = None
    "Σ w⁺; None where rows are not weighted, and so the next two."
    negative_weight: Floats | None = None
    "Σ w⁻, by itself: as a difference it would be lost beside a large Σ w⁺."
    concordant: Floats | None = None
    "Σ w⁺ w⁻ over concordant pairs, half for equal scores."
    loss: Floats | None = None
    "Σ w · loss, where it was asked for."
    columns: Mapping[str, Floats] = field(default_factory=dict)
    "Σ w · more columns."

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sides(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The positive and the negative rows of each group, or Σ of their weights."""
        return self._sides(slice(None))

    def _sides(self, block: slice) -> tuple[NDArray[Any], NDArray[Any]]:
        if self.positive_weight is None or self.negative_weight is None:
            return self.positives[block], self.rows[block] - self.positives[block]
        return self.positive_weight[block], self.negative_weight[block]

    @property
    def weight(self) -> Floats | None:
        """Σ w; None where rows are not weighted."""
        return None if self.positive_weight is None else self.weights("impressions")

    @cached_property
    def both(self) -> NDArray[np.bool_]:
        """Groups with a positive and a negative row: only these have an AUC."""
        positives, negatives = self.sides
        return (positives > 0) & (negatives > 0)

    def auc(self) -> Floats:
        """The AUC of each group; NaN where it has one class only."""
        top: NDArray[Any] = self.twice_concordant if self.concordant is None else self.concordant
        pairs = 2 if self.concordant is None else 1
        areas = np.empty(len(self))
        for begin in range(0, len(self), _BLOCK):  # so that what is made on the way stays in the cache
            block = slice(begin, begin + _BLOCK)
            positives, negatives = self._sides(block)
            with np.errstate(invalid="ignore"):  # 0 / 0 where there are no pairs; a mask would take ten times as long
                np.divide(top[block], pairs * positives * negatives, out=areas[block])
            np.minimum(areas[block], 1.0, out=areas[block])  # sums of weights are rounded
        return areas

    def weights(self, by: str) -> Floats:
        """How much each group counts."""
        if by == "uniform":
            return np.ones(len(self))
        if by in ("clicks", "impressions"):
            if self.positive_weight is None:
                return (self.positives if by == "clicks" else self.rows).astype(np.float64)
            weights: Floats = self.sides[0] if by == "clicks" else np.add(*self.sides)
            return weights
        return self.columns[by]

    def select(self, chosen: NDArray[Any]) -> GroupEvidence:
        """Some groups, by mask or place; a group may be chosen more than once."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        arrays = {name: getattr(self, name)[places] for name in (*_COUNTS, *self._sums())}
        columns = {name: column[places] for name, column in self.columns.items()}
        return replace(self, groups=self.groups.take(places), columns=columns, **arrays)

    def _sums(self) -> list[str]:
        return [name for name in _SUMS if getattr(self, name) is not None]

    def merge(self, other: GroupEvidence) -> GroupEvidence:
        """The evidence of both; a group may stand in one of the two only."""
        return GroupEvidence.joined([self, other])

    @staticmethod
    def joined(pieces: Sequence[GroupEvidence]) -> GroupEvidence:
        """The evidence of all pieces, put in order once; a group may stand in one of them only."""
        first = pieces[0]
        if len({piece.groups.integers for piece in pieces}) > 1:
            raise InputError(
                "evidence with integer groups cannot be merged with evidence with string groups",
                "整数分组与字符串分组的证据不能合并",
            )
        if any(piece._sums() != first._sums() or set(piece.columns) != set(first.columns) for piece in pieces):
            raise InputError(
                "the two pieces hold different columns (weights, losses, group weights); compute both alike",
                "两份证据的列不同（权重、损失或分组权重）；请用相同的设置计算",
            )
        names = (*_COUNTS, *first._sums())
        every = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in names}
        columns = {name: np.concatenate([piece.columns[name] for piece in pieces]) for name in first.columns}
        all_of_them = GroupEvidence(groups=concatenate([piece.groups for piece in pieces]), columns=columns, **every)
        if _ascending(all_of_them.groups):
            return all_of_them
        ordered = all_of_them.select(sorted_rows(all_of_them.groups))
        refuse_twice(ordered.groups)
        return ordered

    def to_arrow(self) -> pa.Table:
        """One row a group; `from_arrow` gives the same evidence back."""
        columns: dict[str, sound.ArrowColumn] = {"group": sound.id_array(self.groups)}
        columns |= {name: getattr(self, name) for name in (*_COUNTS, *self._sums())}
        columns |= {f"column:{name}": column for name, column in self.columns.items()}
        return sound.stamped(columns, "groups")

    @staticmethod
    def from_arrow(table: pa.Table) -> GroupEvidence:
        """The evidence that `to_arrow` wrote."""
        sound.checked_table(table, "groups")
        more = [name for name in table.column_names if name.startswith("column:")]
        arrays = sound.checked_columns(table, _COLUMNS | dict.fromkeys(more, sound.Column("float64", (sound.AMOUNT,))))
        rows, positives = arrays["rows"], arrays["positives"]
        few = bool(((rows > 0) & (rows < MOST_ROWS) & (positives <= rows)).all())
        pairs = positives.astype(np.uint64) * (rows - positives).astype(np.uint64)
        demand(
            few and (arrays["twice_concordant"].astype(np.uint64) <= 2 * pairs).all(),
            "a group has more positives or pairs than rows give",
            "某分组的正例或样本对多于其行数所能给出的",
        )
        sums = [arrays[name] for name in _SUMS[:3] if name in arrays]
        with np.errstate(over="ignore"):
            light = not sums or (len(sums) == 3 and (sums[2] <= sums[0] * sums[1] * (1 + 1e-9) + 1e-300).all())
        demand(light, "a group has more pairs than its weights give", "某分组的样本对多于其权重所能给出的")
        return GroupEvidence(
            groups=sound.checked_ids(sound.ids_in(table, "group"), "group"),
            columns={name.removeprefix("column:"): arrays[name] for name in more},
            **{name: arrays[name] for name in (*_COUNTS, *_SUMS) if name in arrays},
        )


def _ascending(groups: Ids) -> bool:
    """Whether integers are seen at a glance to be in order, and none twice."""
    return isinstance(groups, IntIds) and bool((groups.values[1:] > groups.values[:-1]).all())


def refuse_twice(groups: Ids) -> None:
    """Refuse a group that is there more than once; they are in order, so that the same ones stand side by side."""
    again = np.ones(len(groups), bool)
    again[changes(groups)] = False
    if again.any():
        twice = np.flatnonzero(again)
        examples = ", ".join(f"'{group}'" for group in groups.take(twice[:3]).to_list())
        raise InputError(
            f"{len(twice)} groups stand in two batches or pieces ({examples}); give each group whole, or allow it with split='allowed'",
            f"有 {len(twice)} 个分组出现在两批或两份证据中（{examples}）；请完整给出每个分组，或用 split='allowed' 允许拆分",
        )


def refuse_split(batches: Sequence[Ids]) -> None:
    """Refuse a group that is in more than one of several batches of rows."""
    if len(batches) > 1 and not _apart(batches):
        every = concatenate([_distinct(batch) for batch in batches])
        refuse_twice(every.take(sorted_rows(every)))


def _apart(batches: Sequence[Ids]) -> bool:
    """Whether batches of integers obviously share none: their ranges do not meet."""
    ranges = sorted((int(ids.values.min()), int(ids.values.max())) for ids in batches if isinstance(ids, IntIds))
    return len(ranges) == len(batches) and all(lower[1] < upper[0] for lower, upper in pairwise(ranges))


def _distinct(ids: Ids) -> Ids:
    """Each id once, sorted; rows of a group mostly stand side by side."""
    stretches = ids.take(changes(ids))
    ordered = stretches.take(sorted_rows(stretches))
    return ordered.take(changes(ordered))


def group_evidence(
    rows: BinaryRows, *, epsilon: float | None = None, columns: tuple[str, ...] = (), threads: int | None = None
) -> GroupEvidence:
    """The evidence of every group; with an epsilon also its log loss, probabilities kept within [ε, 1 - ε]."""
    if rows.group is None:
        raise InputError(
            "no groups were given: say which column or array holds them with group= or --group",
            "没有给出分组：请用 group= 或 --group 指明哪一列是分组",
        )
    core = native_core()
    if core is None:
        from pingce.evidence.binary.reference import group_pairs

        return group_pairs(rows, epsilon, columns)
    weight = rows.weight if rows.weight is not None else _NOTHING
    whole = rows.group.pieces(), rows.positive, rows.scores, weight, epsilon or 0.0
    # The core adds up one column at a time; without any it counts all the same.
    numbers = [rows.column(name) for name in columns] or [_NOTHING]
    counts = [core.group_pairs(*whole, column, thread_count(threads)) for column in numbers]
    names = [*_COUNTS, *(_SUMS[:3] if rows.weight is not None else ()), *(("loss",) if epsilon else ())]
    return GroupEvidence(
        groups=from_core(counts[0]["groups"]),
        columns={name: sums["column"] for name, sums in zip(columns, counts, strict=False)},
        **{name: counts[0][name] for name in names},
    )
