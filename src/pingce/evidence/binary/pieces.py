"""What binary metrics need of some rows, without the rows: it adds up over batches, processes and machines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.facts import Facts
from pingce.evidence.binary.grouped import GroupEvidence, group_evidence
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.score_tables import Tables
from pingce.evidence.binary.thresholds import exact_cells as cells_at
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.binary import BinaryRows
from pingce.inputs.binary_batches import joined_rows

Key = tuple[float | None, int]


ROOM = 1 << 27
"Bytes of scores and labels that are kept before they are counted: counting many at once costs less."
EVERYTHING = ("sums", "scores", "groups")


@dataclass(frozen=True)
class BinaryNeeds:
    """What metrics, counts and the diagnosis will ask for."""

    cells: tuple[tuple[float, str], ...]
    "Thresholds, rounded to the type of the scores, and how scores are compared with them."
    probability: tuple[tuple[float | None, int], ...]
    "ε (None: that of the scores' type) and bins."
    columns: tuple[str, ...]
    "Σ over each group."
    group_epsilon: float | None
    "ε of the log loss of each group, where it is asked for."

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
            tuple(dict.fromkeys(name for kind in kinds for name in kind.needed_columns())),
            None if loss is None else loss.eps or float(np.finfo(score_type).eps),
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
        self.needs = needs
        self.gather = frozenset(gather)
        self.room = room
        self.facts: Facts | None = None
        self.cells: dict[tuple[float, str], list[Fraction]] = {}
        self.probability: dict[Key, ProbabilityEvidence] = {}
        self.tables = Tables() if tables is None else tables
        self.waiting: list[BinaryRows] = []
        "Rows that are not counted yet, without their groups."
        self._held = 0
        self.counted = False
        "Whether there are sums of rows that are not waiting."
        self._groups: list[GroupEvidence] = []

    def add(self, rows: BinaryRows, names: tuple[Any, ...], threads: int | None = None) -> None:
        """Rows whose labels are settled; groups come whole."""
        facts = Facts.of(rows, names)
        self.facts = facts if self.facts is None else self.facts.merge(facts)
        if rows.group is not None and "groups" in self.gather:
            epsilon = self.needs.group_epsilon if facts.improbable is None else None
            self._groups.append(group_evidence(rows, epsilon=epsilon, columns=self.needs.columns, threads=threads))
        if self.gather & {"sums", "scores"}:
            self._wait([replace(rows, group=None, columns={}, by=())], threads)

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
        evidence = BinaryEvidence(joined_rows(self.waiting), ("thresholds",), threads=threads)
        if "sums" in self.gather:
            self._add_sums(exact_cells(evidence, self.needs), sums_of(evidence, self.needs))
        if "scores" in self.gather:
            self.tables.add(evidence.thresholds)
        self.waiting, self._held = [], 0

    def _add_sums(
        self, cells: dict[tuple[float, str], list[Fraction]], probability: dict[Key, ProbabilityEvidence]
    ) -> None:
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
        self._groups += other._groups
        if other.counted:
            self._add_sums(other.cells, other.probability)
        for table in other.tables.pieces():
            self.tables.add(table)
        self._wait(other.waiting)

    def groups(self) -> GroupEvidence | None:
        """All groups; one that was seen in two batches is refused."""
        if not self._groups:
            return None
        if len(self._groups) > 1:
            if any(piece.loss is None for piece in self._groups):
                self._groups = [replace(piece, loss=None) for piece in self._groups]
            self._groups = [GroupEvidence.joined(self._groups)]
        return self._groups[0]

    def take_groups(self, groups: GroupEvidence) -> None:
        """Groups that were counted elsewhere."""
        self._groups.append(groups)

    def copy(self) -> BinaryPieces:
        """What was seen so far; what is added later to one of the two, the other does not see."""
        self.groups()
        other = BinaryPieces(self.needs, tables=self.tables.copy(), gather=self.gather, room=self.room)
        other.facts, other.counted = self.facts, self.counted
        other.waiting, other._held = list(self.waiting), self._held
        other.cells, other.probability, other._groups = dict(self.cells), dict(self.probability), list(self._groups)
        return other


def exact_cells(evidence: BinaryEvidence, needs: BinaryNeeds) -> dict[tuple[float, str], list[Fraction]]:
    """TP, FP, TN, FN at each threshold, not rounded."""
    return {key: list(map(Fraction, cells_at(evidence.rows, *key))) for key in needs.cells}


def sums_of(evidence: BinaryEvidence, needs: BinaryNeeds) -> dict[Key, ProbabilityEvidence]:
    """Sums of probabilities; none where scores are something else."""
    if not evidence.rows.are_probabilities:
        return {}
    return {key: evidence.probability(*key) for key in needs.probability}
