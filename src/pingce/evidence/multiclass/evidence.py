"""Classes as metrics see them: the confusion matrix, and what follows from probabilities, made when first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, rows_not_kept
from pingce.base.exact import exact_sum
from pingce.base.lazy import cached_property
from pingce.evidence.binary.probability import ProbabilityEvidence, probability_evidence
from pingce.evidence.binary.thresholds import Pairs, pair_evidence
from pingce.evidence.multiclass.confusion import ConfusionEvidence, confusion_evidence
from pingce.evidence.policies import MulticlassPolicies
from pingce.inputs.binary import BinaryRows
from pingce.inputs.labels import TwoLabels
from pingce.inputs.multiclass import ClassRows
from pingce.inputs.slices import Partition


class MulticlassEvidence:
    """The evidence of some rows."""

    def __init__(
        self, rows: ClassRows | None, *, threads: int | None = None, whole: MulticlassEvidence | None = None
    ) -> None:
        self._rows, self.threads, self.whole = rows, threads, whole
        "`whole` is what the rows were drawn from, where they are a random draw."
        self.partitions: tuple[Partition, ...] = ()
        if rows is not None:
            self.partitions, self.notes, self.declared = rows.by, rows.notes, rows.declared
            self.labels, self.weighted = rows.labels, rows.weight is not None
            self.row_count, self.tied = rows.given, rows.tied or 0
        self._pairs: dict[tuple[int, int | None], Pairs] = {}

    @property
    def rows(self) -> ClassRows:
        """The rows themselves, where they were kept."""
        if self._rows is None:
            raise rows_not_kept()
        return self._rows

    @property
    def data(self) -> ClassRows:
        """The rows themselves, where they were kept."""
        return self.rows

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: each piece is made when it is first wanted."""

    def part(self, places: NDArray[np.intp]) -> MulticlassEvidence:
        """The evidence of some of the rows: the classes are those that occur there, unless they are fixed."""
        return MulticlassEvidence(self.rows.alone(places), threads=self.threads)

    @cached_property
    def epsilon(self) -> float:
        """The machine epsilon of the probabilities."""
        return float(np.finfo(self.proba.dtype).eps)

    @cached_property
    def confusion(self) -> ConfusionEvidence:
        """True against predicted classes."""
        prediction = self.rows.prediction
        if prediction is None:
            raise InputError("this metric needs predicted labels", "该指标需要预测标签")
        return confusion_evidence(self.rows.truth, prediction, self.rows.weight)

    @property
    def proba(self) -> NDArray[Any]:
        """The probabilities."""
        if self.rows.proba is None:
            raise InputError(
                "metrics of probabilities need one for each class: give proba= (in Python; tables hold labels only)",
                "概率类指标需要每个类别的概率：请给出 proba=（仅限 Python；预测表中只有标签）",
            )
        return self.rows.proba

    def pairs(self, positive: int, negative: int | None = None) -> Pairs:
        """Pairs of a row of one class and a row of another (or of any other), by the probability of the first."""
        key = (positive, negative)
        if key not in self._pairs:
            order, begin = self._by_class
            sides = [slice(*begin[side : side + 2]) for side in (positive, negative) if side is not None]
            places = order[begin[0] :] if negative is None else np.concatenate([order[side] for side in sides])
            is_positive = self.rows.truth.codes[places] == positive
            one_side = not is_positive.any() or is_positive.all()
            weight = None if self.rows.weight is None else self.rows.weight[places]
            rows = _rows(self.proba[places, positive], is_positive, weight)
            self._pairs[key] = Pairs(0, 0, 0) if one_side else pair_evidence(rows, threads=self.threads)
        return self._pairs[key]

    @cached_property
    def _by_class(self) -> tuple[NDArray[np.intp], list[int]]:
        """The rows of each class, one class after another, and where each begins."""
        codes = self.rows.truth.codes
        order = np.argsort(codes, kind="stable")
        return order, np.searchsorted(codes[order], np.arange(len(self.rows.labels) + 1)).tolist()

    def losses(self, epsilon: float | None) -> ProbabilityEvidence:
        """The sums over the probabilities of the true classes."""
        p = self.proba[np.arange(len(self.rows)), self.rows.truth.codes]
        rows = _rows(p, np.ones(len(p), bool), self.rows.weight)
        return probability_evidence(rows, epsilon=epsilon, threads=self.threads)

    def places(self) -> NDArray[np.intp]:
        """How many classes come before the true one: more probable ones, and equal ones that stand first."""
        codes = self.rows.truth.codes[:, None]
        true_proba = np.take_along_axis(self.proba, codes, axis=1)
        before = np.arange(len(self.rows.labels))[None, :] < codes
        places: NDArray[np.intp] = ((self.proba > true_proba) | ((self.proba == true_proba) & before)).sum(axis=1)
        return places

    def undecided(self, k: int) -> int:
        """Rows in which equal probabilities decide whether the true class is among the k most probable."""
        true = np.take_along_axis(self.proba, self.rows.truth.codes[:, None], axis=1)
        higher, equal = (self.proba > true).sum(axis=1), (self.proba == true).sum(axis=1)
        return int(np.count_nonzero((higher < k) & (higher + equal > k)))

    def among(self, k: int) -> Fraction:
        """Rows, or Σ w, whose true class is among the k most probable."""
        return self.weight_of(self.places() < k)

    @cached_property
    def weight(self) -> Fraction:
        """How many rows, or Σ w."""
        weight = self.rows.weight
        return Fraction(len(self.rows)) if weight is None else exact_sum(weight)

    def weight_of(self, chosen: NDArray[np.bool_]) -> Fraction:
        """How many rows were chosen, or Σ of their weights."""
        weight = self.rows.weight
        return Fraction(int(np.count_nonzero(chosen))) if weight is None else exact_sum(weight[chosen])

    def supports(self) -> list[float]:
        """How many rows each class has, or Σ w."""
        codes = self.rows.truth.codes
        return [float(self.weight_of(codes == c)) for c in range(len(self.labels))]

    def view(self, policies: MulticlassPolicies) -> ClassView:
        """The evidence under the policies of a metric."""
        return ClassView(self, policies)


def _rows(scores: NDArray[Any], positive: NDArray[np.bool_], weight: Any) -> BinaryRows:
    kind = scores.dtype
    wide = scores.astype(np.float32) if kind == np.float16 else scores
    mask = np.ascontiguousarray(positive)
    labels = TwoLabels(mask.view(np.uint8), int(np.count_nonzero(mask)), 1, 0)
    return BinaryRows(labels, np.ascontiguousarray(wide), kind, weight)


class ClassView:
    """What a metric reads."""

    def __init__(self, evidence: MulticlassEvidence, policies: MulticlassPolicies) -> None:
        self.evidence, self.policies, self.labels = evidence, policies, evidence.labels
        self.whole = None if evidence.whole is None else ClassView(evidence.whole, policies)
        "The data that a random draw is of; None where it is no draw."

    @property
    def confusion(self) -> ConfusionEvidence:
        """True against predicted classes."""
        return self.evidence.confusion
