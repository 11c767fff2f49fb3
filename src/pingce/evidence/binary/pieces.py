"""What binary metrics need of some rows, without the rows: it adds up over batches, processes and machines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import BinaryEvidence, weight_columns
from pingce.evidence.binary.facts import Facts
from pingce.evidence.binary.fields import FieldEvidence, column_of_fields, field_evidence
from pingce.evidence.binary.grouped import GroupEvidence, group_evidence
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.score_tables import Tables
from pingce.evidence.binary.thresholds import exact_cells
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.binary import BinaryRows
from pingce.inputs.binary_batches import joined_rows

Key = tuple[float | None, int]
CellKey = tuple[float, str]

ROOM = 1 << 27
"Bytes of scores and labels that are kept before they are counted: counting many at once costs less."
EVERYTHING = ("sums", "scores", "groups")


@dataclass(frozen=True)
class BinaryNeeds:
    """What metrics, counts and the diagnosis will ask for."""

    cells: tuple[CellKey, ...]
    "Thresholds, rounded to the type of the scores, and how scores are compared with them."
    probability: tuple[Key, ...]
    "ε (None: that of the scores' type) and bins."
    columns: tuple[str, ...]
    "Σ over each group."
    group_epsilon: float | None
    "ε of the log loss of each group, where it is asked for."
    fields: tuple[str, ...] = ()
    "Columns by whose values probabilities are added up; empty: by group."

    @staticmethod
    def of(kinds: Sequence[Any], decisions: Iterable[BinaryPolicies], score_type: np.dtype[Any]) -> BinaryNeeds:
        """The needs of metrics, and of the policies under which rows are decided."""
        with np.errstate(over="ignore"):
            cells = [(float(score_type.type(decision.threshold)), decision.compare) for decision in decisions]
        sums = [key for kind in kinds if (key := kind.probability_sums()) is not None]
        keys = [key for key in sums if key[0] is None] or [(None, 0)]
        keys += [key for key in sums if key[0] is not None]
        loss = next((kind for kind in kinds if kind.of_each_group), None)
        return BinaryNeeds(
            tuple(dict.fromkeys(cells)),
            tuple(dict.fromkeys(keys)),
            weight_columns(kinds),
            None if loss is None else loss.eps or float(np.finfo(score_type).eps),
            tuple(dict.fromkeys(kind.by for kind in kinds if kind.needs == "fields")),
        )


class BinaryPieces:
    """The evidence of all rows that were added: facts, sums, tables of scores, groups. Rows are kept for a while only."""

    def __init__(
        self,
        needs: BinaryNeeds,
        *,
        tables: Tables | None = None,
        gather: Collection[str] = EVERYTHING,
        room: int = ROOM,
    ) -> None:
        self.needs, self.gather, self.room = needs, frozenset(gather), room
        self.facts: Facts | None = None
        self.cells: dict[CellKey, list[Fraction]] = {}
        self.probability: dict[Key, ProbabilityEvidence] = {}
        self.tables = Tables() if tables is None else tables
        self.waiting: list[BinaryRows] = []
        "Rows that are not counted yet, without their groups."
        self._held = 0
        self.counted = False
        "Whether there are sums of rows that are not waiting."
        self.group_pieces: list[GroupEvidence] = []
        self.fields: dict[str, FieldEvidence] = {}
        "By column; none where a score was no probability."

    def add(self, rows: BinaryRows, names: tuple[Any, ...], threads: int | None = None) -> None:
        """Rows whose labels are settled; groups come whole."""
        facts = Facts.of(rows, names)
        self.facts = facts if self.facts is None else self.facts.merge(facts)
        if rows.group is not None and "groups" in self.gather:
            epsilon = self.needs.group_epsilon if facts.improbable is None else None
            self.group_pieces.append(group_evidence(rows, epsilon=epsilon, columns=self.needs.columns, threads=threads))
        if self.needs.fields and facts.improbable is None:
            counts = field_evidence(rows, [column_of_fields(rows, name) for name in self.needs.fields])
            self._add_fields(dict(zip(self.needs.fields, counts, strict=True)))
        if self.gather & {"sums", "scores"}:
            self._wait([replace(rows, group=None, columns={}, by=(), fields={})], threads)

    def _add_fields(self, fields: Mapping[str, FieldEvidence]) -> None:
        for name, counts in fields.items():
            self.fields[name] = FieldEvidence.joined([*([self.fields[name]] if name in self.fields else []), counts])

    def _wait(self, batches: list[BinaryRows], threads: int | None = None) -> None:
        self.waiting += batches
        columns = [column for rows in batches for column in (rows.scores, rows.positive, rows.weight)]
        self._held += sum(column.nbytes for column in columns if column is not None)
        if self._held > self.room:
            self.count(threads)

    def count(self, threads: int | None = None) -> None:
        """Count the rows that wait: what they add to sums and table is kept, they are not."""
        if not self.waiting:
            return
        rows = joined_rows(self.waiting)
        evidence = BinaryEvidence(rows, ("thresholds",), threads=threads)
        if "sums" in self.gather:
            cells = {key: list(map(Fraction, exact_cells(rows, *key, threads))) for key in self.needs.cells}
            keys = self.needs.probability if rows.are_probabilities else ()
            self._add_sums(cells, {key: evidence.probability(*key) for key in keys})
        if "scores" in self.gather:
            self.tables.add(evidence.thresholds)
        self.waiting, self._held = [], 0

    def _add_sums(self, cells: dict[CellKey, list[Fraction]], probability: dict[Key, ProbabilityEvidence]) -> None:
        for key, numbers in cells.items():
            counts = self.cells.get(key, [Fraction(0)] * 4)
            self.cells[key] = [count + more for count, more in zip(counts, numbers, strict=True)]
        if self.counted:
            # Once a score was no probability, there are no such sums.
            both = self.probability.keys() & probability.keys()
            self.probability = {key: self.probability[key].merge(probability[key]) for key in both}
        else:
            self.probability = dict(probability)
        self.counted = True

    def merge(self, other: BinaryPieces) -> None:
        """See what other pieces have seen, with the same needs."""
        if other.facts is None:
            return
        self.facts = other.facts if self.facts is None else self.facts.merge(other.facts)
        self.group_pieces += other.group_pieces
        self._add_fields(other.fields)
        if other.counted:
            self._add_sums(other.cells, other.probability)
        for table in other.tables.pieces():
            self.tables.add(table)
        self._wait(other.waiting)

    def groups(self) -> GroupEvidence | None:
        """All groups; one that was seen in two batches is refused."""
        if not self.group_pieces:
            return None
        if len(self.group_pieces) > 1:
            if any(piece.loss is None for piece in self.group_pieces):
                self.group_pieces = [replace(piece, loss=None) for piece in self.group_pieces]
            self.group_pieces = [GroupEvidence.joined(self.group_pieces)]
        return self.group_pieces[0]

    def copy(self) -> BinaryPieces:
        """What was seen so far; what is added later to one of the two, the other does not see."""
        self.groups()
        other = copy(self)
        other.tables, other.waiting, other.group_pieces = self.tables.copy(), [*self.waiting], [*self.group_pieces]
        other.cells, other.probability = dict(self.cells), dict(self.probability)
        other.fields = dict(self.fields)
        return other
