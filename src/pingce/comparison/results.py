"""The parts of a comparison: a value of each model, and the difference of each two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.averages import settled_weights
from pingce.scores.values import Value, best_of, ends
from pingce.stats.paired import TESTS

if TYPE_CHECKING:
    from pingce.metrics.declared import Metric

NO_SPREAD = Text(
    "not tested: the differences are all the same, and without variance there is no t-test",
    "未检验：差值全部相同，方差为零，无法做 t 检验",
)
_BY_ORDER = (TESTS["sign"], TESTS["wilcoxon"])
"Tests that do not look at the mean: a model may win most queries and have the lower one."


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One model against another by one metric. What does not apply to a metric is NaN or None."""

    model: str
    against: str
    values: tuple[float, float]
    "The model's value and the other's, over the pairs: where units are left out, not those of all units."
    p: float
    test: Text
    interval: Interval = NO_INTERVAL
    corrected: float = math.nan
    "p, corrected over the family it was shown in."
    unit: str = "queries"
    pairs: int = 0
    left_out: int = 0
    "Units without a value of both models."
    effect: float = math.nan
    "Cohen's d of the paired differences."
    wins: int | None = None
    "Units in which the model is better; where a metric has no better end, higher."
    ties: int | None = None
    losses: int | None = None
    detectable: float = math.nan
    "The smallest difference that so many pairs would show as significant, 8 times of 10."
    chance: float | None = None
    "The value of a random order, where the metric has one."

    @property
    def value(self) -> float:
        """The model's value less the other's."""
        return self.values[0] - self.values[1]

    @property
    def relative(self) -> float:
        """The difference as a share of the other's value; NaN where that is 0."""
        return self.value / abs(self.values[1]) if self.values[1] else math.nan

    @property
    def rela_impr(self) -> float:
        """How much more the model orders than chance, as a share of what the other does: (AUC − ½) / (AUC₀ − ½) − 1.

        NaN where the metric has no value of a random order, or the other is no better than that.     [zhou2018]
        """
        if self.chance is None or not self.values[1] > self.chance:
            return math.nan
        return (self.values[0] - self.chance) / (self.values[1] - self.chance) - 1

    def figures(self) -> Json:
        """All that is known of it, by the names that tables of data have."""
        names = ("pairs", "left_out", "effect", "wins", "ties", "losses", "detectable")
        head = {"against": self.against, "difference": self.value, "relative": self.relative}
        tests = {"p": self.p, "corrected_p": self.corrected} | {name: getattr(self, name) for name in names}
        gained = {} if self.chance is None else {"rela_impr": self.rela_impr}
        return head | gained | ends(self.interval, "difference_") | tests | {"test": self.test.en}

    def turned(self) -> Difference:
        """The difference seen from the other model."""
        low, high = self.interval
        return replace(
            self,
            model=self.against,
            against=self.model,
            values=self.values[::-1],
            interval=(0.0 - high, 0.0 - low),
            effect=0.0 - self.effect,
            wins=self.losses,
            losses=self.wins,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class UnitValues:
    """The value of each query (or group) under each model, matched by id."""

    unit: str
    ids: Sequence[str | int]
    "Sorted."
    columns: Floats
    "A row per unit, a column per model; NaN where undefined."
    weights: Floats | None = None
    "How much each unit counts in the mean."
    by_items: Floats | None = None
    "The same by the weights of its items, beside those; NaN where it counts as others that are compared do on average."

    def weights_over(self, chosen: NDArray[np.bool_]) -> Floats | None:
        """How much each unit counts where these are looked at; None where all count alike."""
        if self.by_items is None:
            return self.weights
        by_items = settled_weights(np.where(chosen, self.by_items, 0.0))
        return by_items if self.weights is None else by_items * self.weights


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasuredMetric:
    """One metric on all models."""

    name: str
    id: str
    metric: Metric
    models: tuple[str, ...]
    values: tuple[float, ...]
    signatures: tuple[str, ...]
    counts: tuple[int, ...]
    undefined: tuple[int, ...]
    unit: str
    intervals: tuple[Interval, ...] = ()
    differences: Mapping[tuple[str, str], Difference] = field(default_factory=dict)
    "By model and the one it is compared with; each two once."
    units: UnitValues | None = None
    "The values behind it, where it stands on queries or groups."
    notes: tuple[Text, ...] = ()

    @classmethod
    def of(cls, name: str, values: Mapping[str, Value], signatures: Iterable[str]) -> MeasuredMetric:
        """A metric on all models, before any two of them are compared."""
        first, each = next(iter(values.values())), values.values()
        return cls(
            name=name,
            id=first.id,
            metric=first.metric,
            models=tuple(values),
            values=tuple(value.value for value in each),
            signatures=tuple(signatures),
            counts=tuple(value.count for value in each),
            undefined=tuple(value.undefined for value in each),
            unit=first.unit,
        )

    @property
    def higher_is_better(self) -> bool | None:
        """None where there is no better end."""
        better: bool | None = self.metric.about.higher_is_better
        return better

    @property
    def is_mean(self) -> bool:
        """Whether the value is the mean of its units: if not, neither a test of them nor an interval would be of the value."""
        return bool(getattr(self.metric, "is_mean", True))

    @property
    def is_tested(self) -> bool:
        """Whether its differences can be tested: of rankings, whether it is a mean over queries or a gap between groups of them."""
        return (self.is_mean or self.metric.is_reading) and self.metric.no_interval is None

    def value(self, model: str) -> float:
        """The value of a model."""
        return self.values[self.models.index(model)]

    def difference(self, model: str, against: str) -> Difference:
        """One model against another, not yet corrected."""
        gap = self.differences.get((model, against))
        return self.differences[against, model].turned() if gap is None else gap

    def better(self, model: str, against: str) -> bool:
        """Whether a model has the better value; where ranks or signs were tested, also the better of most units."""
        if self.higher_is_better is None:
            return False
        gap = self.difference(model, against)
        if gap.test in _BY_ORDER and (gap.wins or 0) <= (gap.losses or 0):
            return False
        return gap.value > 0 if self.higher_is_better else gap.value < 0

    def best(self) -> list[str]:
        """The models with the best value; none where all are equal or there is no better end."""
        return [self.models[at] for at in best_of(self.values, higher=self.higher_is_better)]
