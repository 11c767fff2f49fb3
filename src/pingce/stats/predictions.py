"""What a model predicted for rows, whatever the task: columns to sort and compare by, and evidence of rows drawn anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, Places
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.regression.evidence import Kept, error_evidence
from pingce.evidence.regression.groups import NumberGroups, number_groups
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import Metric, RowTerms
from pingce.scores.values import Value
from pingce.stats.draws import Units
from pingce.stats.influences import equivalent_count, median_influences, ratio_influences
from pingce.stats.labels import MANY, LabelRows
from pingce.stats.margins import margin_influences
from pingce.stats.resampling import Resampling, metric_view, value_columns

SQUARABLE = 1e140
"Sums of squares of such numbers are doubles."


class Predictions(ABC):
    """The predictions of one model, row by row."""

    groups: Ints | None = None
    "The group of each row as a number; -1 for a row of weight 0, which is none."

    def __init__(self, evidence: Any, rows: Any, truth: NDArray[Any], columns: Sequence[NDArray[Any]]) -> None:
        self.evidence = evidence
        self.rows = rows
        self.weight: Floats | None = rows.weight
        self.truth = truth
        self.columns = columns
        "What the model predicted, as numbers."
        self.weights = [] if rows.weight is None else [rows.weight]

    @property
    def row_weights(self) -> Floats:
        """The weight of each row, 1 without weights."""
        return np.ones(len(self.truth)) if self.weight is None else self.weight

    @property
    def labels(self) -> NDArray[Any]:
        """The truth of each row as two models can compare it."""
        return self.truth

    @property
    def conditions(self) -> list[NDArray[Any]]:
        """What all models share of a row: weight and truth."""
        return [*self.weights, self.truth]

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them, so that the order they came in does not matter."""
        return np.lexsort((self.truth, *self.columns, *self.weights))

    @property
    def units(self) -> tuple[int, str]:
        """How many rows there are, or groups where there are some; a row of weight 0 is none."""
        if self.groups is not None:
            return int(self.groups.max()) + 1, "groups"
        return len(self.truth) if self.weight is None else int(np.count_nonzero(self.weight)), "rows"

    def agrees_with(self, other: Predictions) -> bool:
        """Whether two models predict the same for every row."""
        return len(self.columns) == len(other.columns) and all(map(np.array_equal, self.columns, other.columns))

    def grouped(self, columns: tuple[str, ...]) -> Any:
        """The evidence of groups, for metrics that are means over them."""
        return self.evidence.groups(columns)

    def row_influences(self, value: Value) -> Floats | None:
        """What each row adds to a value, times its weight; None where there are too few rows, or that is not known."""
        return None

    @abstractmethod
    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Draws of each value; two models that share the order of their rows share the rows of each draw."""


class SampledPredictions(Predictions):
    """Predictions whose metrics are computed anew for each draw of rows."""

    @abstractmethod
    def select(self, chosen: Places, metrics: Iterable[Metric]) -> Any:
        """The evidence of some rows, as the metrics need it."""

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Rows drawn by their place in the order."""
        random, size, metrics = resampling.random(), len(order), [value.metric for value in values.values()]
        draws = (order[random.integers(0, size, size)] for _ in range(resampling.samples))
        return value_columns(values, (self.select(rows, metrics) for rows in draws), resampling.samples)


class LabelPredictions(Predictions):
    """Scores of labels of two kinds."""

    def __init__(self, evidence: BinaryEvidence) -> None:
        rows = evidence.rows
        super().__init__(evidence, rows, rows.positive, (rows.scores,))
        self.labels_and_scores = LabelRows(evidence, by_group=rows.group is not None)
        self.groups = self.labels_and_scores.codes

    def row_influences(self, value: Value) -> Floats | None:
        """By cells, where both classes have many rows."""
        return self.labels_and_scores.row_influences(value) if self.labels_and_scores.are_many_for(value) else None

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Sums of cells, drawn for each value."""
        return {name: self._draws(value, order, resampling) for name, value in values.items()}

    def _draws(self, value: Value, order: Places, resampling: Resampling) -> Floats:
        """Rows in an order that both models share, or groups by their number."""
        rows, celled = self.labels_and_scores, self.labels_and_scores.celled(value)
        count, cells, weight = len(celled.sums), celled.cell(), self.weight
        if rows.codes is None:
            units = Units.in_order(cells[order], count, None if weight is None else weight[order])
        else:
            units = Units.of_groups(cells, count, weight, rows.codes)
        return celled.draws(units.sums(resampling)) + (value.value - celled.value)


class ClassPredictions(SampledPredictions):
    """Predicted classes, or a probability of each."""

    def __init__(self, evidence: MulticlassEvidence) -> None:
        rows = evidence.rows
        self.codes = [] if rows.prediction is None else [rows.prediction.codes]
        self.probabilities = [] if rows.proba is None else list(rows.proba.T)
        super().__init__(evidence, rows, rows.truth.codes, [*self.codes, *self.probabilities])

    def row_influences(self, value: Value) -> Floats | None:
        """By what rows add, or by the margins of the confusion matrix where no class has few rows."""
        view = metric_view(value, self.evidence)
        if equivalent_count(self.row_weights) < MANY:
            return None
        if value.metric.needs == "confusion":
            return margin_influences(value, self.evidence)
        right = value.metric.right_rows(view)
        terms = value.metric.row_terms(view) if right is None else RowTerms(right.astype(np.float64))
        return None if terms is None else ratio_influences(terms, self.weight)

    @property
    def labels(self) -> NDArray[Any]:
        """The names of the true classes."""
        names: NDArray[Any] = np.array([str(name) for name in self.rows.truth.names])[self.truth]
        return names

    @property
    def order(self) -> Places:
        """Rows sorted by probabilities, weight, prediction and truth."""
        return np.lexsort((self.truth, *self.codes, *self.weights, *self.probabilities))

    def select(self, chosen: Places, _: Iterable[Metric] = ()) -> MulticlassEvidence:
        """The evidence of some rows."""
        return self._evidence(self.rows.select(chosen))

    def _evidence(self, rows: Any) -> MulticlassEvidence:
        return MulticlassEvidence(rows, threads=self.evidence.threads, whole=self.evidence)


class NumberPredictions(SampledPredictions):
    """Predicted numbers."""

    def __init__(self, rows: NumberRows) -> None:
        super().__init__(rows, rows, rows.true, (rows.predicted,))

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """All draws of a metric at once, where it knows how; else one after another."""
        blocks_of: dict[str, list[Floats]] = {}
        if self.are_squarable and len(order):
            rows = self.rows.select(order)
            units = Units.of_counts(np.ones(len(order), np.int64))
            for often in units.sums(resampling):
                counted = often if rows.weight is None else often * rows.weight
                for name, value in values.items():
                    if (some := value.metric.drawn_values(rows, counted)) is not None:
                        blocks_of.setdefault(name, []).append(some)
        others = {name: value for name, value in values.items() if name not in blocks_of}
        columns = {name: np.concatenate(blocks) for name, blocks in blocks_of.items()}
        return columns | super().paired_draws(others, order, resampling)

    def grouped(self, columns: tuple[str, ...]) -> NumberGroups:
        """Pairs within groups."""
        return number_groups(self.rows.counted(), columns)

    def row_influences(self, value: Value) -> Floats | None:
        """What each row adds to its square, over twice the value, where it is a root."""
        added = self.square_influences(value)
        return added if added is None or not value.metric.is_root else added / (2 * value.value)

    @property
    def are_squarable(self) -> bool:
        """Whether the squares of all numbers are doubles."""
        largest = [float(np.abs(side).max(initial=0)) for side in (self.rows.true, self.rows.predicted)]
        return all(not size or 1 / SQUARABLE <= size <= SQUARABLE for size in largest)

    def square_influences(self, value: Value) -> Floats | None:
        """What each row adds to a value, or to its square where it is a root; None where squares are beyond doubles."""
        metric, rows = value.metric, self.rows
        if not self.are_squarable or equivalent_count(self.row_weights) < MANY:
            return None
        median = metric.median_of(rows)
        if median is not None:
            return median_influences(median, self.weight)
        terms = metric.row_terms(rows)
        return None if terms is None else ratio_influences(terms, self.weight)

    def select(self, chosen: Places, metrics: Iterable[Metric]) -> Any:
        """The evidence of some rows, as the metrics need it."""
        weight = None if self.weight is None else self.weight[chosen]
        rows = NumberRows(self.rows.true[chosen], self.rows.predicted[chosen], weight)
        needs = [need for metric in metrics for need in metric.needs]
        return error_evidence(rows, needs, Kept(rows=True, ends=True))


def predictions_of(evidence: Any) -> Predictions:
    """The predictions behind some evidence, which may know them itself, or rows of numbers."""
    if hasattr(evidence, "predictions"):
        of_evidence: Predictions = evidence.predictions()
        return of_evidence
    if isinstance(evidence, BinaryEvidence):
        return LabelPredictions(evidence)
    if isinstance(evidence, MulticlassEvidence):
        return ClassPredictions(evidence)
    return NumberPredictions(evidence if isinstance(evidence, NumberRows) else evidence.data)
