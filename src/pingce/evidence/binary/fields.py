"""Field evidence: rows, positives and predicted positives of each value of a column, which add up in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.lazy import cached_property, pa
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand
from pingce.inputs.ids import Ids, IntIds, StringIds, concatenate, sorted_rows

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

_HALF = 31
"Probabilities are counted in 2^-62, in two halves of so many bits: sums of up to 2^32 rows are whole numbers."
_BLOCK = 1 << 22
"Rows whose halves add up exactly in a double."
_COLUMNS = {name: sound.Column("int64", (sound.NOT_NEGATIVE,)) for name in ("rows", "positives", "high", "low")}
_WEIGHTED = {name: sound.Column("float64", (sound.AMOUNT,)) for name in _COLUMNS}


@dataclass(frozen=True, eq=False)
class FieldEvidence:
    """One row a value of the column, sorted: counts, or sums of weights where rows are weighted."""

    fields: Ids
    rows: NDArray[Any]
    positives: NDArray[Any]
    high: NDArray[Any]
    "Σ p in 2^-31, whole ones."
    low: NDArray[Any]
    "What is left of Σ p, in 2^-62."

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def predicted(self) -> Floats:
        """Σ p of each field."""
        return np.asarray(
            np.ldexp(self.high.astype(np.float64), -_HALF) + np.ldexp(self.low.astype(np.float64), -2 * _HALF)
        )

    @cached_property
    def excess(self) -> Floats:
        """Σ (y − p) of each field; the whole parts are subtracted before anything is rounded."""
        ones = self.positives << _HALF if self.high.dtype.kind == "i" else np.ldexp(self.positives, _HALF)
        whole = ones - self.high
        return np.asarray(
            np.ldexp(whole.astype(np.float64), -_HALF) - np.ldexp(self.low.astype(np.float64), -2 * _HALF)
        )

    def names(self, places: NDArray[np.intp]) -> list[str | int]:
        """The values of some fields."""
        return list(self.fields.take(places).to_list())

    def to_arrow(self) -> pa.Table:
        """One row a field; `from_arrow` gives the same evidence back."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        return sound.stamped({"field": sound.id_array(self.fields), **columns}, "fields")

    @staticmethod
    def from_arrow(table: pa.Table) -> FieldEvidence:
        """The evidence that `to_arrow` wrote."""
        sound.checked_table(table, "fields")
        fields = sound.checked_ids(sound.ids_in(table, "field"), "field")
        if "rows" in table.column_names and pa.types.is_floating(table.schema.field("rows").type):
            sums = sound.checked_columns(table, _WEIGHTED)
            return FieldEvidence(fields, *(sums[name] for name in _WEIGHTED))
        counts = sound.checked_columns(table, _COLUMNS)
        few = bool(((counts["positives"] <= counts["rows"]) & (counts["high"] <= counts["rows"] << _HALF)).all())
        demand(few, "a field has more positives than rows", "某字段的正例多于行数")
        return FieldEvidence(fields, counts["rows"], counts["positives"], counts["high"], counts["low"])

    @staticmethod
    def joined(pieces: Sequence[FieldEvidence]) -> FieldEvidence:
        """The evidence of all pieces; a field may stand in several of them."""
        first = pieces[0]
        if len(pieces) == 1:
            return first
        if len({piece.fields.integers for piece in pieces}) > 1:
            raise InputError(
                "fields that are integers in one batch and text in another cannot be merged; make them alike",
                "某一批中的字段为整数、另一批为文字，不能合并；请统一类型",
            )
        fields, place = distinct(concatenate([piece.fields for piece in pieces]))

        def total(name: str) -> Any:
            column = np.concatenate([getattr(piece, name) for piece in pieces])
            if column.dtype.kind == "f":
                return sums_by_place(column, place, len(fields))
            sums = np.zeros(len(fields), column.dtype)
            np.add.at(sums, place, column)
            return sums

        return FieldEvidence(fields, *(total(name) for name in _COLUMNS))


def distinct(column: Ids) -> tuple[Ids, NDArray[np.intp]]:
    """Each value once, sorted, and the place of each row among them."""
    plain = column.plain()
    if isinstance(plain, IntIds):
        encoded = pa.array(plain.comparable()).dictionary_encode()
        values: Ids = IntIds(encoded.dictionary.to_numpy())
    else:
        encoded = _words(plain).dictionary_encode()
        values = StringIds.from_bytes(encoded.dictionary.to_pylist())
    order = sorted_rows(values)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return values.take(order), place[encoded.indices.to_numpy()]


def _words(ids: StringIds) -> pa.Array:
    """Strings as an Arrow array, which shares their bytes where they lie side by side."""
    if len(ids) and (ids.starts[1:] != ids.ends[:-1]).any():
        ids = StringIds.from_bytes(ids.to_bytes())
    offsets = np.append(ids.starts[:1], ids.ends).astype(np.int64)
    data = np.ascontiguousarray(ids.data)
    return pa.Array.from_buffers(pa.large_binary(), len(ids), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def column_of_fields(rows: BinaryRows, name: str) -> Ids:
    """The column of a name, or the groups where it has none."""
    column = rows.fields.get(name) if name else rows.group
    if column is None:
        raise InputError(
            "no fields were given: say which column they are in, e.g. field_rce(by=ad_id), or give group= (--group)",
            "没有给出字段：请写明在哪一列，例如 field_rce(by=ad_id)，或给出 group=（--group）",
        )
    return column


def field_evidence(rows: BinaryRows, columns: Sequence[Ids]) -> list[FieldEvidence]:
    """The evidence of several columns of the same rows, whose scores must be probabilities."""
    if rows.weight is not None:
        kept = np.flatnonzero(rows.weight)
        weight = rows.weight[kept]
        added = [weight, weight * rows.positive[kept], *(weight * half for half in _halves(rows.scores[kept]))]
        return [_weighed(*distinct(column.take(kept)), added) for column in columns]
    halves = _halves(rows.scores)
    return [_counted(*distinct(column), rows.positive, halves) for column in columns]


def _weighed(fields: Ids, place: NDArray[np.intp], added: Sequence[NDArray[Any]]) -> FieldEvidence:
    """Sums of weights and of their products, in the same halves: whole weights give the bits of repeated rows."""
    return FieldEvidence(fields, *(sums_by_place(each.astype(np.float64), place, len(fields)) for each in added))


def _halves(scores: NDArray[Any]) -> tuple[Floats, Floats]:
    """Each probability in 2^-31, whole, and what is left of it, in 2^-62."""
    wide = np.ldexp(scores.astype(np.float64), _HALF)
    high = np.floor(wide)
    return high, np.rint(np.ldexp(wide - high, _HALF))


def _counted(
    fields: Ids, place: NDArray[np.intp], positive: NDArray[np.uint8], halves: tuple[Floats, Floats]
) -> FieldEvidence:
    """Whole numbers, block by block, so that doubles hold their sums exactly."""
    count = len(fields)
    sums = np.zeros((3, count), np.int64)
    for begin in range(0, len(place), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        columns: list[NDArray[Any]] = [positive[block], halves[0][block], halves[1][block]]
        sums += np.stack([np.bincount(place[block], column, minlength=count) for column in columns]).astype(np.int64)
    rows = np.bincount(place, minlength=count).astype(np.int64)
    return FieldEvidence(fields, rows, *sums)
