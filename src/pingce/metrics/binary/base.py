"""Binary metrics: one function over evidence for speed, one over plain rows as definition."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.grouped import group_evidence
from pingce.evidence.binary.stack import TableStack
from pingce.evidence.binary.thresholds import Cells, ThresholdEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.declared import NAN, Basis, Metric

NO_CLASS = Text("one of the two classes does not occur", "缺少正类或负类")
NO_POSITIVE = Text("there is no positive row", "没有正例")
OF_CURVE = 50
"Rows of each class without which draws of a curve hold the truth in fewer than 93 of 100 cases."


@dataclass(frozen=True)
class LabelledList:
    """Plain rows: labels are 1 and 0; the weight of a row is how often it counts."""

    labels: tuple[int, ...]
    scores: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    groups: tuple[Any, ...] | None = None
    threshold: float = 0.5
    compare: str = "ge"
    epsilon: float = 2.220446049250313e-16

    def rows(self) -> list[tuple[int, float, float]]:
        """Label, score and weight of each row."""
        return list(zip(self.labels, self.scores, self.weights or (1,) * len(self.labels), strict=True))

    def count(self, label: int) -> float:
        """Rows with a label."""
        return sum(weight for y, _, weight in self.rows() if y == label)

    def cells(self, threshold: float | None = None) -> Cells:
        """The decision at a threshold."""
        limit = self.threshold if threshold is None else threshold
        counts: dict[tuple[int, bool], float] = {(y, decided): 0 for y in (0, 1) for decided in (False, True)}
        for y, score, weight in self.rows():
            strict = self.compare == "gt" and threshold is None
            counts[y, score > limit if strict else score >= limit] += weight
        return Cells(counts[1, True], counts[0, True], counts[0, False], counts[1, False])

    def at_thresholds(self) -> Iterator[tuple[float, Cells]]:
        """Each distinct score, from the highest, with its decision."""
        for score in sorted({score for _, score, weight in self.rows() if weight}, reverse=True):
            yield score, self.cells(score)

    def members(self) -> list[LabelledList]:
        """One list a group."""
        counted = (row for row in zip(self.groups or (), self.rows(), strict=True) if row[1][2])
        rows = sorted(counted, key=lambda row: str(row[0]))
        split = [[row for _, row in inside] for _, inside in groupby(rows, key=lambda row: str(row[0]))]
        columns = [[tuple(column) for column in zip(*inside, strict=True)] for inside in split]
        return [LabelledList(labels, scores, weights) for labels, scores, weights in columns]


@dataclass(frozen=True, kw_only=True)
class BinaryMetric(Metric):
    """Base of all metrics of labels and scores."""

    task = "binary"
    symbols = Text(
        "n: rows · P, N: positive and negative rows · TP, FP: positive and negative rows predicted positive · TN, FN: negative and "
        "positive rows predicted negative · s⁺, s⁻: score of a positive, of a negative row · y: label, 1 or 0 · p: predicted probability",
        "n：行数 · P、N：正例数、负例数 · TP、FP：判为正的行中，正例数、负例数 · TN、FN：判为负的行中，负例数、正例数 · "
        "s⁺、s⁻：正例、负例的分数 · y：标签，1 或 0 · p：预估概率",
    )
    example_data = ((1, 0, 1, 0), (0.9, 0.8, 0.7, 0.1))
    "Labels and scores: at 0.5, TP = 2, FP = 1, TN = 1, FN = 0."
    example_form = Text("labels {}; scores {}", "标签 {}；分数 {}")
    needs: ClassVar[str] = "cells"
    "The evidence it reads: cells, pairs, thresholds, probability or groups."
    division: ClassVar[tuple[str, str]] = ("", "")
    "Cells over cells, where that is all: `tp` over `tp fp`."
    bounded: ClassVar[bool] = False
    "Whether `bound` says how far a value from cells of scores may be from the exact one."
    of_each_group: ClassVar[bool] = False
    "Whether the table of groups has it too."

    @classmethod
    def example_rows(cls) -> LabelledList:
        _, labels, scores = cls.about.example
        return LabelledList(labels, scores, groups=cls.about.groups or None)

    @classmethod
    def threshold_words(cls) -> Text | None:
        """When a row is predicted positive, for metrics of a decision."""
        if cls.needs != "cells":
            return None
        return Text(
            f"a row is predicted positive if its score ≥ 0.5; threshold= and compare=gt (>) change that: {cls.name}(threshold=0.3), --threshold 0.3",
            f"分数 ≥ 0.5 即判为正；可用 threshold= 与 compare=gt（>）更改：{cls.name}(threshold=0.3)、--threshold 0.3",
        )

    def value(self, view: BinaryView) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        """The value of each of several tables, whose sums are rounded: one after another, unless a metric does better."""
        return np.array([self.value(table.view(policies)) for table in stack.tables()])

    def define(self, rows: LabelledList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    @classmethod
    def signed_policies(cls, always: tuple[str, ...], parameters: Collection[str] = ()) -> tuple[str, ...]:
        """The threshold matters to decisions only."""
        return always if cls.needs == "cells" else tuple(name for name in always if name == "undefined")

    def reads_table(self) -> bool:
        """Whether it reads the table of scores, or the pairs that follow from it."""
        return self.needs in ("pairs", "thresholds")

    def rows_for_interval(self) -> int:
        """Draws of a curve need some rows of each class."""
        return OF_CURVE if self.needs == "thresholds" else 0

    def bound(self, table: ThresholdEvidence) -> float | None:
        """How far the value may be from the exact one, where scores of one cell stand as equal; None where undefined."""
        return None

    def group_losses(self, view: BinaryView) -> Floats | None:
        """The losses of rows, summed within each group: users are drawn apart, not their rows."""
        losses, evidence = self.row_losses(view), view.evidence
        if losses is None:
            return None
        rows = replace(evidence.rows, columns={"losses": losses})
        return group_evidence(rows, columns=("losses",), threads=evidence.threads).columns["losses"]

    def probability_sums(self) -> tuple[float | None, int] | None:
        """Sums of probabilities that it reads besides the usual ones: ε (None: that of the scores' type), and bins."""
        return None

    def basis(self, view: BinaryView, *, undefined: bool) -> Basis:
        """What its value stands on."""
        evidence = view.evidence
        resolved = {"eps": evidence.rows.epsilon} if getattr(self, "eps", 0) is None else {}
        bound = self.bound(evidence.thresholds) if evidence.bins is not None and self.reads_table() else None
        return Basis(len(evidence.rows), undefined=int(undefined), resolved=resolved, bound=bound)


def ratio(top: float, bottom: float) -> float:
    """top / bottom, undefined where the bottom is 0."""
    return top / bottom if bottom else NAN
