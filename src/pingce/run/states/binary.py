"""What an evaluator of labels and scores has seen: batches that wait, and pieces of evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.core import thread_count
from pingce.base.errors import InputError, nothing_seen
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.facts import Facts, contradicted
from pingce.evidence.binary.grouped import refuse_split
from pingce.evidence.binary.pieces import EVERYTHING, ROOM, BinaryNeeds, BinaryPieces
from pingce.evidence.binary.score_tables import Tables
from pingce.evidence.binary.slice_totals import SliceSums, predicted_sums
from pingce.evidence.soundness import demand
from pingce.inputs.binary import BinaryBatch, BinaryRows, read_batch
from pingce.inputs.binary_batches import (
    USUAL,
    joined_rows,
    joined_slices,
    positive_so_far,
    refuse_other_shape,
    shape_of,
    together,
    union,
)
from pingce.inputs.cells import refuse_weightless
from pingce.inputs.data import RowData
from pingce.inputs.labels import both_labels, label_notes
from pingce.inputs.names import LABEL, PREDICTED_SCORE
from pingce.inputs.predictions import Naming
from pingce.inputs.vectors import vector
from pingce.request import Request
from pingce.run.memory import RowBudget
from pingce.run.progress import Doing
from pingce.run.score import score
from pingce.run.states.base import Batches, State, checked_split
from pingce.run.states.binary_refusals import (
    checked_bins,
    exact_only,
    refuse_lacking,
    refuse_other_facts,
    refuse_unbounded,
)
from pingce.run.states.window import checked_window, slide, window_notes
from pingce.run.temporary import Workspace
from pingce.scores.binary import BinaryScores

if TYPE_CHECKING:
    from fractions import Fraction

    from typing_extensions import Self

    from pingce.inputs.slices import SlicePart
    from pingce.metrics.grammar import MetricRequest
    from pingce.run.states.sliced import SeenSlice


MANY = 1 << 20
"Rows that wait before they are made into evidence."
ENOUGH = 1 << 16
"Rows of batches that are not joined with others before: joining would cost more than it gains."
_LITTLE_ROOM = 1 << 24
_UNGROUPED = ("auc", "pr_auc", "logloss", "accuracy", "precision", "recall", "f1")
_GROUPED = ("auc", "gauc", "logloss", "ece", "pcoc", "pr_auc")
"Where there are groups, rows are impressions of users more often than not."
_OF_PROBABILITIES = ("logloss", "ece", "pcoc")


@dataclass(frozen=True)
class Gathering:
    """What a feed has a state gather: which pieces, in which tables, and how many bytes of scores may wait."""

    pieces: Collection[str] = EVERYTHING
    tables: Tables | None = None
    room: int | None = None


class BinaryState(State):
    """Batches in, pieces of evidence out."""

    numbers = ("y_score", "weight")
    has_groups = True
    truth_names, prediction_names, prediction_name = LABEL, PREDICTED_SCORE, "score"

    def __init__(self, request: Request, gathering: Gathering = Gathering()) -> None:  # noqa: B008 - frozen
        checked_split(request.split, Text("group", "分组"))
        self.request = replace(request, bins=checked_bins(request.bins), window=checked_window(request.window))
        self.bins = self.request.bins
        self._gather = tuple(name for name in EVERYTHING if name in gathering.pieces)
        self._tables = gathering.tables
        "Those of a feed."
        # What is put into bins is counted soon: that it takes little memory is what they are for.
        room = ROOM if self.bins is None else min(ROOM, _LITTLE_ROOM)
        self._room = room if gathering.room is None else gathering.room
        if self.bins is not None:
            if request.intervals.ci is not None:
                raise exact_only("ci=")
            refuse_unbounded(request.metrics or ())
        self._waiting: list[BinaryBatch] = []
        self._count = 0
        "Rows that wait."
        self._pieces: BinaryPieces | None = None
        self.batches = Batches()
        self._names: tuple[Any, ...] = ()
        "Labels so far."
        self._shape: dict[str, str] = {}
        self._columns: tuple[str, ...] = ()
        self._label = Text("y_true", "y_true")

    def settings(self) -> Json:
        return {"gather": list(self._gather)}

    @classmethod
    def from_settings(cls, request: Request, settings: Json) -> Self:
        return cls(request, Gathering(settings.get("gather", EVERYTHING)))

    @property
    def rows(self) -> int:  # type: ignore[override]
        return (0 if self.facts is None else self.facts.rows) + self._count

    @property
    def facts(self) -> Facts | None:
        """What is known of the rows that were made into evidence; None before there are any."""
        return None if self._pieces is None else self._pieces.facts

    @classmethod
    def usual_names(cls, *, grouped: bool, probabilities: bool = True, streamed: bool = False) -> Sequence[str]:
        """Metrics where none was named: none of probabilities for other scores, GAUC where there are groups."""
        names = _GROUPED if grouped else _UNGROUPED
        return [name for name in names if probabilities or name not in _OF_PROBABILITIES]

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        """A state whose tables of scores go to temporary files."""
        tables = None
        if request.bins is None:
            from pingce.run.spilled import SpilledTables

            tables = SpilledTables(workspace, budget.counted, budget.table, budget.whole)
        return cls(replace(request, split="never"), Gathering(tables=tables, room=budget.waiting))

    @classmethod
    def for_cluster(cls, request: Request, tables: Tables) -> Self:
        """A state whose table of scores is counted where the rows are."""
        return cls(request) if request.bins is not None else cls(request, Gathering(("sums", "groups"), tables))

    def read(self, table: RowData, named: Naming | None = None) -> BinaryBatch:
        metrics = [request.metric for request in self.request.metrics or ()]
        needed = [name for metric in metrics for name in metric.needed_columns()]
        fields = {name for metric in metrics for name in metric.field_columns()}
        return read_batch(table, self.request.reading, needed, named, fields)

    def add(self, rows: BinaryBatch | BinaryRows) -> None:
        if isinstance(rows, BinaryRows) and rows.by:
            raise InputError("give by= to update, not with the rows", "请在 update 中给出 by=，而不是随数据行给出")
        batch = rows if isinstance(rows, BinaryBatch) else BinaryBatch(rows, {})
        if self._count > MANY:
            self._gather_waiting()
        shape = shape_of(batch.rows, list(batch.by))
        if self._shape:
            refuse_other_shape(self._shape, shape)
        names = union(() if self.request.window is not None else self._names, batch.rows.labels.names())
        self._refuse_contradiction(positive_so_far(names, self.request.positive, batch.label), names)
        refuse_lacking(self.request.metrics or (), batch.rows.group is not None, batch.rows.column_names)
        if self.bins is not None and batch.by:
            raise exact_only("by=")
        self._shape, self._names, self._label = shape, names, batch.label
        self._columns = batch.rows.column_names
        self.batches.count += 1
        self._waiting.append(batch)
        self._count += len(batch.rows)
        self._slide()

    def _slide(self, *, exact: bool = False) -> None:
        """Forget rows that are no longer among the last, and, where it must be `exact`, labels that only these had."""
        if self.request.window is None:
            return
        excess = self._count - self.request.window
        if excess > 0:
            self._count -= slide(self._waiting, excess, lambda batch: len(batch.rows), BinaryBatch.last, exact=exact)
        if exact and self._waiting:
            self._names = union(*(batch.rows.labels.names() for batch in self._waiting))

    def add_borrowed(self, batch: BinaryBatch) -> None:
        """See a batch whose arrays the caller will use again: copied, or counted at once."""
        if not self._shape or len(batch.rows) < ENOUGH or self._keeps_rows:
            return self.add(batch.owned())
        self.add(batch.owned(groups=False))
        self._gather_waiting()
        if self._waiting:  # not settled yet which rows are positive
            self._waiting[-1] = batch.owned()
        return None

    def score(self) -> BinaryScores:
        if not self._names:
            raise nothing_seen()
        self._slide(exact=True)
        positive, other = both_labels(self._names, self.request.positive, self._label)
        self._refuse_contradiction(positive, self._names)
        keeps_all = self.bins is None and self._tables is None and self._gather == EVERYTHING
        rows_suffice = self._pieces is None and keeps_all
        evidence = self._evidence_of_rows(positive) if rows_suffice else self._evidence_of_pieces(positive, other)
        scores = self._score(evidence)
        if self.request.positive is None:
            scores.notes = (*scores.notes, *label_notes(evidence.rows.labels))
        scores.notes = (*scores.notes, *window_notes(self.request.window, self._count))
        scores.weight_columns = self._columns
        return scores

    def score_streamed(self, doing: Doing) -> BinaryScores:
        """The same, with everything from the tables on disk that may be wanted later."""
        doing(Text("counting pairs of scores", "正在统计分数对"))
        scores = self.score()
        if scores.evidence.pairs is not None:
            scores.evidence.curve_table()
        return scores

    def score_rows(self, rows: BinaryRows) -> BinaryScores:
        return self._score(BinaryEvidence(rows, threads=self.request.threads))

    @classmethod
    def sums_slices(cls, request: Request) -> bool:
        return request.bins is None

    @classmethod
    def draws_counts(cls, request: Request) -> bool:
        return request.bins is None and not any(metric.metric.field_columns() for metric in request.metrics or ())

    def split_slices(self, rows: BinaryBatch) -> tuple[BinaryBatch, list[SlicePart]]:
        from pingce.inputs.slices import row_partitions

        like = rows.rows.score_column or vector(rows.rows.scores, "y_score")
        partitions = row_partitions(rows.by, like, rows.rows.group, batch=True)
        parts = [part for partition in partitions for part in partition.split()]
        plain = replace(rows, by={})
        return plain, [replace(part, rows=replace(plain, rows=rows.rows.select(part.places))) for part in parts]

    def slice_sums(self, rows: BinaryBatch) -> tuple[Fraction, ...]:
        return predicted_sums(rows.rows)

    def tell_slices(self, evidence: BinaryEvidence, slices: Sequence[SeenSlice]) -> None:
        def sums(part: SeenSlice) -> SliceSums:
            facts = part.state.facts  # type: ignore[attr-defined]
            predicted, variance = part.sums
            return SliceSums(part.by, part.name, predicted, facts.positive_weight, variance)

        evidence.slice_totals = tuple(map(sums, slices))

    def requests_for(self, evidence: BinaryEvidence) -> Sequence[MetricRequest]:
        rows = evidence.rows
        names = self.usual_names(grouped=rows.group is not None, probabilities=rows.are_probabilities)
        return self.request.metrics or self.request.usual(names)

    def part_evidence(self, evidence: BinaryEvidence) -> BinaryEvidence | None:
        from pingce.evidence.binary.pieced import PiecedEvidence

        labels = evidence.rows.labels.positive_name, evidence.rows.labels.negative_name
        pieces = self._counted_pieces(labels[0])
        if pieces.facts is None or not pieces.facts.weight:
            return None
        return PiecedEvidence(pieces, labels, evidence.needs, threads=self.request.threads)

    def _score(self, evidence: BinaryEvidence) -> BinaryScores:
        thread_count(self.request.threads)
        rows = evidence.rows
        grouped, probabilities = rows.group is not None, rows.are_probabilities
        metrics = self.requests_for(evidence)
        if isinstance(rows, BinaryRows):
            refuse_lacking(metrics, grouped, rows.column_names)
        evidence.needs = {metric.metric.needs for metric in metrics}
        if self.bins is not None:
            refuse_unbounded(metrics)
        scores: BinaryScores = score(self.request, metrics, evidence)
        if not self.request.metrics and not probabilities:
            ids = {value.id for value in scores.values_by_name.values()}
            usual = self.request.usual(self.usual_names(grouped=grouped))
            scores.left_out = tuple(metric.name for metric in usual if metric.id not in ids)
        return scores

    def _evidence_of_rows(self, positive: Any) -> BinaryEvidence:
        rows = joined_rows(self._settled_rows(positive))
        slices = joined_slices(self._waiting)
        self._waiting = [BinaryBatch(rows, slices, self._label)]
        if rows.weight is not None:
            refuse_weightless(rows.weight, Text("weight", "weight"))
        for name, column in rows.columns.items():
            refuse_weightless(column, Text(f"group_weight '{name}'", f"group_weight '{name}'"))
        if slices:
            from pingce.inputs.slices import row_partitions

            like = rows.score_column or vector(rows.scores, "y_score")
            rows = replace(rows, by=row_partitions(slices, like, rows.group))
        return BinaryEvidence(rows, threads=self.request.threads)

    def _evidence_of_pieces(self, positive: Any, other: Any) -> BinaryEvidence:
        from pingce.evidence.binary.pieced import PiecedEvidence

        pieces = self._counted_pieces(positive)
        facts = pieces.facts
        if facts is not None and not facts.weight:
            refuse_weightless(np.zeros(1), Text("weight", "weight"))
        for name in facts.idle if facts is not None else ():
            refuse_weightless(np.zeros(1), Text(f"group_weight '{name}'", f"group_weight '{name}'"))
        return PiecedEvidence(pieces, (positive, other), threads=self.request.threads)

    def _counted_pieces(self, positive: Any) -> BinaryPieces:
        """The pieces of everything; those of a feed are counted now, and hold the rows that waited from now on."""
        if self._tables is None:
            return self._with_waiting(None if self._pieces is None else self._pieces.copy(), positive)
        pieces = self._pieces = self._with_waiting(self._pieces, positive)
        self._waiting, self._count = [], 0
        pieces.count(self.request.threads)
        return pieces

    def _refuse_contradiction(self, positive_name: Any, names: tuple[Any, ...]) -> None:
        facts = self.facts
        if facts is not None and positive_name is not None and positive_name != facts.positive_name:
            raise contradicted(facts.positive_name, names)

    @property
    def _keeps_rows(self) -> bool:
        """Whether rows must stay until scores are made: their group may come again, or they are drawn or sliced."""
        split = self.request.split == "allowed" and self._shape.get("group", "none") != "none"
        draws = self.request.intervals.ci is not None and "scores" in self._gather  # else scores are counted elsewhere
        draws = draws or self.request.window is not None
        return split or draws or self._shape.get("by", "none") != "none"

    def _gather_waiting(self) -> None:
        """Make evidence of the rows that wait, if it is settled which of them are positive."""
        if self._keeps_rows or not self._waiting:
            return
        positive = positive_so_far(self._names, self.request.positive, self._label)
        if positive is None and self._names[0] in USUAL and self._count > MANY:
            positive = both_labels(self._names, None, self._label)[0]
        if positive is not None:
            self._pieces = self._with_waiting(self._pieces, positive)
            self._waiting, self._count = [], 0

    def _no_pieces(self) -> BinaryPieces:
        # Where no metric was named, those of probabilities are gathered: scores are not known before.
        usual, policies = self.usual_names(grouped=self._shape["group"] != "none"), self.request.policies
        requests = self.request.metrics or self.request.usual(usual)
        decisions = [request.under(policies) for request in requests if request.metric.needs == "cells"]
        score_type = np.dtype(self._shape["scores"])
        needs = BinaryNeeds.of([request.metric for request in requests], [policies, *decisions], score_type)
        tables = Tables(self.bins) if self.bins is not None and self._tables is None else self._tables
        return BinaryPieces(needs, tables=tables, gather=self._gather, room=self._room)

    def _with_waiting(self, pieces: BinaryPieces | None, positive: Any) -> BinaryPieces:
        """The pieces with those of the rows that wait."""
        pieces = self._no_pieces() if pieces is None else pieces
        for rows in together(self._settled_rows(positive), ENOUGH):
            pieces.add(rows, self._names, self.request.threads)
        return pieces

    def _settled_rows(self, positive: Any) -> list[BinaryRows]:
        """The rows that wait, with their labels settled."""
        if self.request.split == "never" and "groups" in self._gather:
            refuse_split([batch.rows.group for batch in self._waiting if batch.rows.group is not None])
        other = next((name for name in self._names if name != positive), None)
        return [batch.rows.with_positive(positive, other) for batch in self._waiting]

    def merge(self, other: Self) -> None:
        if not other._names:
            return
        if self._shape:
            refuse_other_shape(self._shape, other._shape)
        names = other._names if self.request.window is not None else union(self._names, other._names)
        positive = positive_so_far(names, self.request.positive, self._label)
        for state in (self, other):
            state._refuse_contradiction(positive, names)
        self._shape, self._names, self._label = other._shape, names, other._label
        if other._pieces is not None:
            if self._pieces is None:
                self._pieces = self._no_pieces()
            self._pieces.merge(other._pieces)
        self._waiting += other._waiting
        self._count += other._count
        self.batches.count += other.batches.count
        self._slide()
        if self._count > MANY:
            self._gather_waiting()

    def to_tables(self) -> dict[str, pa.Table]:
        from pingce.run.states.binary_tables import state_of

        self._gather_waiting()
        self._slide(exact=True)
        about = {"names": list(self._names), "shape": self._shape or None, "label": [self._label.en, self._label.zh]}
        return state_of(self._waiting, self._pieces, about)

    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        from pingce.run.states.binary_tables import damaged, fill, read_rows, seen_in

        try:
            about = seen_in(tables)
            self._names, self._shape, self._label = tuple(about["names"]), about["shape"] or {}, Text(*about["label"])
            self.batches.count = 1 if self._names else 0
            demand(bool(self._names) == ("rows" in tables or "facts" in tables), "rows are missing", "缺少数据行")
            if "rows" in tables:
                batch = read_rows(tables["rows"])
                self._waiting, self._count = [batch], len(batch.rows)
                alike, names = self._shape == shape_of(batch.rows, list(batch.by)), batch.rows.labels.names()
                alike = alike and {*names} <= {*self._names}
                demand(alike, "the rows are others than was said of them", "数据行与其描述不符")
                refuse_lacking(self.request.metrics or (), batch.rows.group is not None, batch.rows.column_names)
            if "facts" in tables:
                self._pieces = self._no_pieces()
                fill(self._pieces, tables)
                refuse_other_facts(self._pieces, self._shape, self._names)
                groups = self._pieces.groups()
                columns = () if groups is None else tuple(groups.columns)
                refuse_lacking(self.request.metrics or (), groups is not None, (*columns, *self._pieces.fields))
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise damaged() from problem
