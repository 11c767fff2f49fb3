"""Evidence of several labels per row: counts at a threshold, sums of what the order within rows comes to, and each label alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, rows_not_kept
from pingce.base.exact import exact_sum
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.evidence.soundness import demand
from pingce.inputs.binary import BinaryRows
from pingce.inputs.labels import TwoLabels
from pingce.inputs.slices import Partition
from pingce.multilabel.counts import Decisions, decide
from pingce.multilabel.ranks import FORM, RankSums, RowRanks, rank_sums, row_ranks
from pingce.multilabel.rows import LabelRows

if TYPE_CHECKING:
    from pingce.multilabel.policies import MultilabelPolicies
    from pingce.multilabel.predictions import LabelPredictions

Key: TypeAlias = "tuple[float, str]"
"A threshold, and how scores are compared with it."
_ABOUT = {
    "labels": [str],
    "count": sound.WHOLE,
    "total": sound.FRACTION,
    "weighted": bool,
    "declared": bool,
    "decisions": [sound.row_of(float, str)],
    "ranks": (None, FORM),
}


@dataclass(frozen=True, eq=False)
class LabelSums:
    """What is left of rows when they are gone: counts and sums that add up in any order."""

    labels: tuple[str, ...]
    count: int
    "Rows, also those of weight 0."
    total: Fraction
    "Rows, or Σ w."
    weighted: bool
    declared: bool
    decisions: Mapping[Key, Decisions]
    ranks: RankSums | None

    @staticmethod
    def of(evidence: MultilabelEvidence, keys: Iterable[Key], *, ranks: bool) -> LabelSums:
        """The sums of rows, at these thresholds."""
        rows = evidence.data
        decisions = {key: evidence.decisions(key) for key in keys}
        sums = evidence.ranks if ranks else None
        weighted = rows.weight is not None
        return LabelSums(rows.labels, len(rows), evidence.weight, weighted, rows.declared, decisions, sums)

    def merge(self, other: LabelSums) -> LabelSums:
        """The sums of both sets of rows."""
        decisions = {key: counts.merge(other.decisions[key]) for key, counts in self.decisions.items()}
        ranks = None if self.ranks is None or other.ranks is None else self.ranks.merge(other.ranks)
        count, total = self.count + other.count, self.total + other.total
        return LabelSums(self.labels, count, total, self.weighted, self.declared, decisions, ranks)

    def to_tables(self) -> dict[str, pa.Table]:
        """As tables of a state."""
        about = {
            "labels": list(self.labels),
            "count": self.count,
            "total": str(self.total),
            "weighted": self.weighted,
            "declared": self.declared,
            "decisions": [list(key) for key in self.decisions],
            "ranks": None if self.ranks is None else self.ranks.to_json(),
        }
        tables = {"sums": sound.stamped({}, "multilabel", about=json.dumps(about))}
        for at, counts in enumerate(self.decisions.values()):
            tables |= counts.to_tables(f"decisions{at}")
        return tables

    @staticmethod
    def from_tables(tables: Mapping[str, pa.Table]) -> LabelSums:
        """The sums that `to_tables` wrote."""
        about = sound.checked_json(sound.checked_table(tables["sums"], "multilabel").get("about"), _ABOUT, "sums")
        labels, total = tuple(about["labels"]), sound.checked_fraction(about["total"], "total")
        demand(labels and len(set(labels)) == len(labels), "a label has no name, or two have one", "标签缺名或重名")
        decisions = {
            (float(threshold), compare): Decisions.from_tables(tables, f"decisions{at}", len(labels))
            for at, (threshold, compare) in enumerate(about["decisions"])
        }
        ranks = None if about["ranks"] is None else RankSums.from_json(about["ranks"])
        sums = LabelSums(labels, about["count"], total, about["weighted"], about["declared"], decisions, ranks)
        sums._refuse_unsound()
        return sums

    def _refuse_unsound(self) -> None:
        """Refuse sums that contradict each other."""
        demand(self.weighted or self.total == self.count, "rows are counted wrongly", "行数有误")
        totals = [exact_sum(counts.patterns.amount) for counts in self.decisions.values()]
        totals += [] if self.ranks is None else [sum(self.ranks.amounts, Fraction(0))]
        near = all(abs(total - self.total) <= self.total / 10**9 for total in totals)
        demand(near, "the counts are not those of all rows", "计数不是全部行的计数")


class MultilabelEvidence:
    """The evidence of some rows, or of sums; each piece is made when a metric first asks for it."""

    def __init__(self, rows: LabelRows | None, sums: LabelSums | None = None, *, threads: int | None = None) -> None:
        self._rows, self._sums, self.threads = rows, sums, threads
        source: Any = rows if sums is None else sums
        self.labels: tuple[str, ...] = source.labels
        self.declared: bool = source.declared
        self.weighted: bool = rows.weight is not None if rows is not None else source.weighted
        self.count = len(rows) if rows is not None else source.count
        self.notes: tuple[Text, ...] = ()
        self._decisions: dict[Key, Decisions] = {} if sums is None else dict(sums.decisions)
        self._labels: dict[int | None, BinaryEvidence] = {}

    @property
    def data(self) -> LabelRows:
        """The rows, where they were kept."""
        if self._rows is None:
            raise rows_not_kept()
        return self._rows

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return () if self._rows is None else self._rows.by

    @cached_property
    def weight(self) -> Fraction:
        """How many rows, or Σ w."""
        if self._rows is None and self._sums is not None:
            return self._sums.total
        weight = self.data.weight
        return Fraction(len(self.data)) if weight is None else exact_sum(weight)

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: each piece is made when it is first wanted."""

    def view(self, policies: MultilabelPolicies) -> LabelView:
        """The evidence under the policies of a metric."""
        return LabelView(self, policies)

    def part(self, places: NDArray[np.intp]) -> MultilabelEvidence:
        """The evidence of some of the rows; the labels stay those of all."""
        return MultilabelEvidence(self.data.select(places), threads=self.threads)

    def predictions(self) -> LabelPredictions:
        """The predictions behind it, for paired tests."""
        from pingce.multilabel.predictions import LabelPredictions

        return LabelPredictions(self)

    def decisions(self, key: Key) -> Decisions:
        """The counts at a threshold."""
        if key not in self._decisions:
            if self._rows is None:
                raise _not_gathered()
            self._decisions[key] = decide(self._rows, *key)
        return self._decisions[key]

    @cached_property
    def row_ranks(self) -> RowRanks:
        """The order within each row."""
        return row_ranks(self.data, self.threads)

    @cached_property
    def ranks(self) -> RankSums:
        """What it adds up to."""
        if self._rows is None:
            if self._sums is None or self._sums.ranks is None:
                raise _not_gathered()
            return self._sums.ranks
        return rank_sums(self.row_ranks, self._rows.weight, self.threads)

    def label(self, at: int | None) -> BinaryEvidence:
        """The rows of one label as labels and scores; None: those of all labels, one after another."""
        if at not in self._labels:
            self._labels[at] = BinaryEvidence(label_rows(self.data.counted(), at), threads=self.threads)
        return self._labels[at]

    def is_mixed(self, at: int | None) -> tuple[bool, bool]:
        """Whether there are rows that have the label, and rows that do not."""
        rows = self.label(at).rows
        return rows.labels.count > 0, rows.labels.count < len(rows)


def label_rows(rows: LabelRows, at: int | None) -> BinaryRows:
    """One label alone, or all of them as one."""
    if at is None:
        flags, scores, weight = rows.truth.reshape(-1), rows.scores.reshape(-1), rows.weight
        weight = None if weight is None else np.repeat(weight, len(rows.labels))
    else:
        flags, scores, weight = rows.truth[:, at], rows.scores[:, at], rows.weight
    positive = np.ascontiguousarray(flags)
    labels = TwoLabels(positive, int(np.count_nonzero(positive)), 1, 0)
    return BinaryRows(labels, np.ascontiguousarray(scores), scores.dtype, weight)


def _not_gathered() -> InputError:
    return InputError(
        "this was not counted; ask for the metric when the evaluator is made",
        "没有累加这一项；请在创建评测器时指定该指标",
    )


class LabelView:
    """What a metric reads."""

    def __init__(self, evidence: Any, policies: MultilabelPolicies) -> None:
        self.evidence, self.policies = evidence, policies
        self.labels: tuple[str, ...] = evidence.labels

    @property
    def decisions(self) -> Decisions:
        """The counts at the threshold."""
        counts: Decisions = self.evidence.decisions((self.policies.threshold, self.policies.compare))
        return counts

    @property
    def total(self) -> float:
        """How many rows, or Σ w."""
        return float(self.evidence.weight)

    @property
    def ranks(self) -> RankSums:
        """What the order within rows adds up to."""
        sums: RankSums = self.evidence.ranks
        return sums

    def label(self, at: int | None) -> Any:
        """What a metric of labels and scores reads of one label; None: of all of them as one."""
        return self.evidence.label(at).view(BinaryPolicies())

    def is_mixed(self, at: int | None) -> tuple[bool, bool]:
        """Whether there are rows that have the label, and rows that do not; None: of all labels as one."""
        mixed: tuple[bool, bool] = self.evidence.is_mixed(at)
        return mixed
