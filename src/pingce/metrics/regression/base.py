"""Metrics of numbers: one function over exact sums for speed, one over plain rows as definition."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About, Basis, Metric

if TYPE_CHECKING:
    from pingce.evidence.regression.evidence import ErrorEvidence
    from pingce.inputs.regression import NumberRows

CONSTANT = Text("the truth is constant", "真值全部相同")

about = partial(About, range="0 … ∞", higher_is_better=False)


@dataclass(frozen=True)
class NumberList:
    """Plain rows; the weight of a row is how often it counts."""

    true: tuple[float, ...]
    predicted: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    groups: tuple[Any, ...] | None = None

    def rows(self) -> list[tuple[float, float, float]]:
        """True number, predicted number and weight of each row that counts."""
        weights = self.weights or (1.0,) * len(self.true)
        return [row for row in zip(self.true, self.predicted, weights, strict=True) if row[2]]

    def total(self) -> float:
        """Σ w."""
        return sum(weight for _, _, weight in self.rows())

    def members(self) -> list[NumberList]:
        """The rows of each group."""
        weights = self.weights or (1.0,) * len(self.true)
        rows = list(zip(self.groups or (), self.true, self.predicted, weights, strict=True))
        chosen = ([row[1:] for row in rows if row[0] == group and row[3]] for group in sorted({row[0] for row in rows}))
        return [NumberList(*zip(*member, strict=True)) for member in chosen if member]

    def pairs(self) -> list[tuple[float, float, float]]:
        """Of each pair of rows the differences of truth and prediction, and the product of their weights; a row of weight w has
        w (w − 1) / 2 with itself.
        """
        rows = self.rows()
        apart = [(b[0] - a[0], b[1] - a[1], a[2] * b[2]) for i, a in enumerate(rows) for b in rows[i + 1 :]]
        return apart + [(0.0, 0.0, w * (w - 1) / 2) for _, _, w in rows if w > 1]


@dataclass(frozen=True, kw_only=True)
class RegressionMetric(Metric):
    """Base of all metrics of numbers."""

    task = "regression"
    uses = "numbers"
    symbols = Text("y: true number · ŷ: predicted number · e = ŷ − y", "y：真值 · ŷ：预测值 · e = ŷ − y")
    example_data = ((3.0, -0.5, 2.0, 7.0), (2.5, 0.0, 2.0, 8.0))
    "True and predicted numbers: the errors are −0.5, 0.5, 0 and 1."
    example_form = Text("true y {}; predicted ŷ {}", "真值 y {}；预测 ŷ {}")
    needs: ClassVar[tuple[str, ...]] = ()
    "The sums it reads: names in evidence.regression.evidence.SUMS."
    needs_rows: ClassVar[bool] = False
    "Whether sums do not suffice: the rows are kept, and merged."
    needs_ends: ClassVar[bool] = False
    "Whether it reads the lowest and the highest true number."

    @classmethod
    def example_rows(cls) -> NumberList:
        true, predicted = cls.about.example[1:]
        return NumberList(true, predicted, groups=cls.about.groups or None)

    def value(self, evidence: ErrorEvidence) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats | None:
        """The value of each draw, which has each row so often, a row per draw; None where a metric is computed anew."""
        terms = self.row_terms(rows)
        if terms is None or terms.value is not None:
            return None
        bottom = often.sum(axis=1) if terms.bottom is None else (often * terms.bottom).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            values = (often * terms.top).sum(axis=1) / bottom
        values = 1 - values if terms.complement else values
        of_draws: Floats = np.sqrt(values) if self.is_root else values
        return of_draws

    def define(self, rows: NumberList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    def basis(self, evidence: ErrorEvidence, *, undefined: bool) -> Basis:
        """What its value stands on."""
        return Basis(evidence.count, undefined=int(undefined))

    def quotient(self, top: Fraction, bottom: Fraction) -> float:
        """top / bottom, rounded once; undefined where the bottom is 0."""
        try:
            return float(top / bottom) if bottom else NAN
        except OverflowError:
            raise InputError(
                f"{self.id}: the value is beyond the range of doubles; use mae or rmse",
                f"{self.id}：结果超出双精度范围；请改用 mae 或 rmse",
            ) from None
