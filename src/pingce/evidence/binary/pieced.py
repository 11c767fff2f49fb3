"""The same evidence of labels and scores from pieces: metrics, counts and curves do not notice that rows are gone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, nothing_seen
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.facts import Facts
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.evidence.binary.pieces import BinaryPieces
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.score_tables import Tables
from pingce.evidence.binary.slice_totals import SliceSums
from pingce.evidence.binary.thresholds import Cells, Pairs, ThresholdEvidence, exact_cells
from pingce.inputs.binary import BinaryRows, Scored
from pingce.inputs.binary_batches import joined_rows
from pingce.inputs.labels import TwoLabels

POINTS = 1000
"Of curves, where the whole table does not fit into memory."


class RowsGoneError(InputError):
    """Rows were asked for, and there are none any more."""


class RowSummary(Scored):
    """What can still be said of rows that were not kept. Its names are those of `BinaryRows`."""

    by = ()

    def __init__(self, facts: Facts, labels: tuple[Any, Any], group: Any) -> None:
        self.facts, self.group, self.notes = facts, group, facts.notes
        self.labels = TwoLabels(np.zeros(0, np.uint8), facts.positives, *labels)
        self.score_type, self.weight = np.dtype(facts.score_type), np.zeros(0) if facts.weighted else None
        self.score_range, self.improbable = (facts.lowest, facts.highest), facts.improbable

    def __len__(self) -> int:
        return self.facts.rows

    def _refuse(self) -> NoReturn:
        raise RowsGoneError(
            "this needs the rows, and these scores were made from batches without keeping them; give all rows in one call",
            "此处需要逐行数据，而这些结果是分批计算的，没有保留各行；请在一次调用中给出全部数据",
        )

    scores = positive = select = property(_refuse)


class PiecedEvidence(BinaryEvidence):
    """Answers from sums and tables; rows that are not counted yet are counted for what is asked only."""

    def __init__(
        self,
        pieces: BinaryPieces,
        labels: tuple[Any, Any],
        needs: Collection[str] = (),
        *,
        threads: int | None = None,
    ) -> None:
        if pieces.facts is None:
            raise nothing_seen()
        groups = pieces.groups()
        rows: Any = RowSummary(pieces.facts, labels, None if groups is None else groups.groups)
        super().__init__(rows, needs, threads=threads)
        self.pieces, self._all_groups = pieces, groups
        facts, self.bins = pieces.facts, pieces.tables.bins
        self.totals, self.squared_weights = (facts.weight, facts.positive_weight), (facts.whole, facts.squared_weight)
        self.few_scores = facts.few

    slice_totals: tuple[SliceSums, ...] = ()
    "Where slices were counted apart."

    @cached_property
    def waiting(self) -> BinaryEvidence | None:
        """The evidence of rows that are not counted yet."""
        if not self.pieces.waiting:
            return None
        labels = self.rows.labels
        rows = [batch.with_positive(labels.positive_name, labels.negative_name) for batch in self.pieces.waiting]
        return BinaryEvidence(joined_rows(rows), self.needs, threads=self.threads)

    @cached_property
    def thresholds(self) -> ThresholdEvidence:
        return self._tables.whole()

    def ranges(self) -> Iterable[ThresholdEvidence]:
        """The same in ranges of scores, where it does not fit into memory."""
        return self.thresholds.blocks() if self._tables.fits else self._tables.ranges()

    @cached_property
    def _tables(self) -> Tables:
        """All tables, with that of the rows that wait."""
        if self.waiting is None or "scores" not in self.pieces.gather:
            return self.pieces.tables
        tables = self.pieces.tables.copy()
        tables.add(self.waiting.thresholds)
        return tables

    @cached_property
    def pairs(self) -> Pairs:
        alone = not self.pieces.tables and self.bins is None and "scores" in self.pieces.gather
        if alone and self.waiting is not None:
            return self.waiting.pairs
        return self._tables.pairs()

    def expanded(self) -> BinaryEvidence:
        """The evidence of as many rows as were counted, in the order of their scores."""
        count, most = len(self.rows), self._tables.most_rows
        if count > most:
            raise InputError(
                f"an interval of this metric needs labels and scores of all {count} rows on the driver, and collect={most} is the most that "
                "may be there; raise it (some 30 bytes a row), ask for auc, pr_auc, ks or decisions only, or leave ci= out",
                f"该指标的区间需要把全部 {count} 行的标签与分数放在驱动端，而上限为 collect={most}；请调大该值（每行约 30 字节），"
                "或只计算 auc、pr_auc、ks 与判定类指标，或去掉 ci=",
            )
        table, labels = self.thresholds, self.rows.labels
        positives, negatives = (side.astype(np.int64) for side in table.at)
        scores = np.concatenate([np.repeat(table.score, positives), np.repeat(table.score, negatives)])
        positive = np.repeat(np.array([1, 0], np.uint8), [positives.sum(), negatives.sum()])
        two = TwoLabels(positive, labels.count, labels.positive_name, labels.negative_name)
        return BinaryEvidence(BinaryRows(two, scores, self.rows.score_type), self.needs, threads=self.threads)

    @property
    def undiagnosed(self) -> Text | None:
        if self.bins is not None:
            return Text(
                f"There is no diagnosis: it needs every score, and scores were put into {self.bins} bins.",
                f"没有诊断：诊断需要每个分数，而分数已归入 {self.bins} 个箱。",
            )
        if not self._tables.fits:
            return Text(
                "There is no diagnosis: the table of distinct scores does not fit into memory.",
                "没有诊断：不同分数的表超出内存。",
            )
        return None

    def curve_table(self) -> tuple[ThresholdEvidence, bool]:
        if self._tables.fits:
            return self.thresholds, True
        return self._tables.thinned(POINTS), False

    def count_cells(self, key: tuple[float, str]) -> Cells:
        if key not in self.pieces.needs.cells or "sums" not in self.pieces.gather:
            self._refuse_bins()
            return self.thresholds.cells(*key)
        counts: list[Any] = list(self.pieces.cells.get(key, [0, 0, 0, 0]))
        if self.waiting is not None:
            more = exact_cells(self.waiting.rows, *key, self.threads)
            counts = [ours + theirs for ours, theirs in zip(counts, more, strict=True)]
        return Cells(*map(int if self.rows.weight is None else float, counts))

    def probability(self, epsilon: float | None, bins: int = 0, *, loss: bool = True) -> ProbabilityEvidence:
        needs = self.pieces.needs.probability if "sums" in self.pieces.gather else ()
        key = next((key for key in needs if key[0] == epsilon and bins in (0, key[1])), None)
        if key is None:
            self._refuse_bins()
            return TableEvidence(self.thresholds, self.rows).probability(epsilon, bins)
        if (*key, True) not in self._probability:
            sums = self.pieces.probability.get(key)
            if self.waiting is not None:
                more = self.waiting.probability(*key)
                sums = more if sums is None else sums.merge(more)
            if sums is None:
                raise EmptyInputError("no probabilities were seen", "没有任何概率")
            self._probability[(*key, True)] = sums
        return self._probability[(*key, True)]

    def groups(self, columns: tuple[str, ...] = (), epsilon: float | None = None) -> GroupEvidence:
        return super().groups(columns, epsilon) if self._all_groups is None else self._all_groups

    def count_fields(self, names: Sequence[str]) -> None:
        """They are counted with every batch."""
        self._fields |= {name: self.pieces.fields[name] for name in names}

    def _refuse_bins(self) -> None:
        if self.bins is not None:
            raise InputError(
                f"scores were put into {self.bins} bins: only what was asked for with the metrics is known besides; "
                "ask for it there, or leave bins out",
                f"分数已归入 {self.bins} 个箱：此外只知道随指标一起要求的内容；请在指标中要求，或不用 bins",
            )
