"""Two models on the same rows: is the difference of a metric real? Which test depends on what the metric is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.regression import NumberRows
from pingce.scores.values import Value
from pingce.stats.areas import area_difference, clustered_area_difference
from pingce.stats.calibration import CalibrationDifference, bin_sums
from pingce.stats.influences import PairedSums
from pingce.stats.paired import checked_test, coin_p, test_name
from pingce.stats.paired_draws import Pairs, influence_difference, resampled_differences
from pingce.stats.predictions import Predictions, predictions_of
from pingce.stats.resampling import Resampling, metric_view, normal_z

Evidence = BinaryEvidence | MulticlassEvidence | NumberRows

PERMUTATIONS = 100_000
DELONG = Text("DeLong's test of two correlated AUCs", "DeLong 检验（两个相关的 AUC）")
DELONG_GROUPS = Text("DeLong's test of two correlated AUCs, by group", "DeLong 检验（两个相关的 AUC，按组）")
MCNEMAR = Text("McNemar's test (exact binomial)", "McNemar 检验（精确二项）")
CALIBRATION = Text("test of two bias-corrected calibration errors", "检验两个校正偏差后的校准误差")
INFLUENCE = Text("paired test of what each row adds (influence functions)", "按各行的影响函数配对检验")
INFLUENCE_GROUPS = Text("paired test of what each group adds (influence functions)", "按各组的影响函数配对检验")
BOOTSTRAP = Text("paired bootstrap of rows", "按行配对的自助抽样")
JEFFREYS = Text(
    "paired draws of what may be behind few rows (Jeffreys' prior)", "按格配对抽样（行数少，Jeffreys 先验）"
)
BOOTSTRAP_GROUPS = Text("paired bootstrap of groups", "按组配对的自助抽样")

UNTESTED = Text("no test: the metric has no confidence interval", "无法检验：该指标没有置信区间")
UNDEFINED = Text("no test: one of the two values is undefined", "无法检验：两个值中有一个没有定义")


@dataclass(frozen=True)
class ModelDifference:
    """The first model's value less the second's, and how sure one can be of it."""

    difference: float
    p: float
    interval: Interval
    test: Text
    "Which test it was, in words."
    count: int
    "Rows or groups compared."
    unit: str = "rows"
    left_out: int = 0
    "Groups for which the metric is undefined."


def model_differences(
    pairs: Pairs,
    evidence: tuple[Evidence, Evidence],
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    permutations: int = PERMUTATIONS,
) -> dict[str, ModelDifference]:
    """Each metric of two models on the same rows, in the same order; those that need the bootstrap share its draws.

    auc, rank_loss: DeLong. gauc, xgauc: permutation over groups. logloss, ne, brier, mae, mse: permutation over rows, or over
    groups where there are some. accuracy: McNemar, or as those where there are groups or weights. All others: what each
    row or group adds to the difference where there are many, else paired bootstrap, of decisions with few rows of a kind
    paired draws of shares.
    """
    checked_test("permutation", permutations, resampling.seed)
    first, second = map(predictions_of, evidence)
    _refuse_other_rows(first, second)
    differences: dict[str, ModelDifference] = {}
    for name, (a, b) in pairs.items():
        if math.isnan(a.value - b.value):
            differences[name] = ModelDifference(math.nan, math.nan, NO_INTERVAL, UNDEFINED, 0, a.unit)
        elif a.metric.no_interval is not None:
            differences[name] = ModelDifference(a.value - b.value, math.nan, NO_INTERVAL, UNTESTED, 0, a.unit)
        elif direct := _Pair((a, b), (first, second), resampling, permutations).test():
            differences[name] = direct
    count, unit = first.units
    for name, pair in pairs.items():
        if name not in differences and (influences := influence_difference(pair, first, second)) is not None:
            interval = influences.interval(resampling.confidence)
            test = INFLUENCE_GROUPS if unit == "groups" else INFLUENCE
            differences[name] = ModelDifference(influences.value, influences.p, interval, test, count, unit)
    others = {name: pair for name, pair in pairs.items() if name not in differences}
    test = BOOTSTRAP_GROUPS if unit == "groups" else BOOTSTRAP
    for name, (p, interval, behind) in resampled_differences(others, first, second, resampling).items():
        a, b = pairs[name]
        differences[name] = ModelDifference(a.value - b.value, p, interval, JEFFREYS if behind else test, count, unit)
    return {name: differences[name] for name in pairs}


class _Pair:
    """A metric of two models, and tests that need no new evidence."""

    def __init__(
        self,
        values: tuple[Value, Value],
        sides: tuple[Predictions, Predictions],
        resampling: Resampling,
        permutations: int,
    ) -> None:
        self.values, self.sides, self.resampling, self.permutations = values, sides, resampling, permutations
        self.metrics: tuple[Any, Any] = values[0].metric, values[1].metric
        self.difference = values[0].value - values[1].value
        self.groups, self.weight, self.units = sides[0].groups, sides[0].weight, sides[0].units

    def test(self) -> ModelDifference | None:
        """The test that the metric names; None where it is the bootstrap."""
        kind, is_weighted = self.metrics[0].paired_test, self.weight is not None
        if kind == "calibration":
            return self._calibration()
        if kind == "delong" and not is_weighted:
            return self._areas()
        if kind == "groups":
            return self._group_areas()
        grouped = None if self.groups is None else self._group_losses()
        return grouped or self._row_losses(counted=kind == "mcnemar" and not is_weighted)

    def _row_losses(self, *, counted: bool) -> ModelDifference | None:
        """Test what each row adds to a mean; right and wrong answers are counted out, which is the same test."""
        losses, others = (value.metric.row_losses(metric_view(value, side.evidence)) for value, side in self._each())
        if losses is None or others is None:
            return None
        apart = losses - others
        sums = PairedSums.of(apart, self.weight)
        if not counted:
            return self._permuted(sums, "rows")
        p = float(coin_p(np.count_nonzero(apart > 0), np.count_nonzero(apart < 0)))  # type: ignore[arg-type]
        interval = (0.0, 0.0) if self._agree() else sums.counted_interval(self.resampling.confidence)
        return ModelDifference(self.difference, p, interval, MCNEMAR, len(apart))

    def _each(self) -> Iterator[tuple[Value, Predictions]]:
        return zip(self.values, self.sides, strict=True)

    def _agree(self) -> bool:
        return self.sides[0].agrees_with(self.sides[1])

    def _calibration(self) -> ModelDifference:
        apart = CalibrationDifference(
            *(bin_sums(value.metric, side.evidence, self.groups) for value, side in self._each())
        )
        p, interval = (
            (1.0, (0.0, 0.0)) if self._agree() else (apart.p, apart.interval(normal_z(self.resampling.confidence)))
        )
        return ModelDifference(self.difference, p, interval, CALIBRATION, *self.units)

    def _areas(self) -> ModelDifference:
        """Apply DeLong's test; a rank loss is lower where the area is larger."""
        sides = self.sides if self.metrics[0].about.higher_is_better else self.sides[::-1]
        if self.groups is None:
            test, apart = DELONG, area_difference(sides[0].truth, *(side.rows.scores for side in sides))
        else:
            test, apart = DELONG_GROUPS, clustered_area_difference(*(side.evidence for side in sides))
        interval = apart.interval(self.resampling.confidence)
        return ModelDifference(self.difference, apart.p, interval, test, *self.units)

    def _group_areas(self) -> ModelDifference:
        """Test the value of each group, times its weight."""
        metric = self.metrics[0]
        groups, others = (side.grouped(metric.needed_columns()) for side in self.sides)
        weights = metric.weights(groups)
        sums = PairedSums.of(metric.areas(groups) - self.metrics[1].areas(others), weights, sorted=True)
        return replace(self._permuted(sums, "groups"), left_out=len(weights) - len(sums.weights))

    def _group_losses(self) -> ModelDifference | None:
        """Test what each group adds to a mean over rows: users vary, not their rows. None where the metric is none."""
        losses, others = (value.metric.group_losses(metric_view(value, side.evidence)) for value, side in self._each())
        if losses is None or others is None:
            return None
        weights = self.sides[0].evidence.groups().weights("impressions")
        kept = weights > 0
        return self._permuted(PairedSums((losses - others)[kept], weights[kept], True), "groups")

    def _permuted(self, sums: PairedSums, unit: str) -> ModelDifference:
        """Test by the permutation of signs; an interval of the metric where its value is a multiple of the mean."""
        scale = self.difference / sums.mean if self.metrics[0].scaled_mean and sums.mean else 1.0
        low, high = sums.interval(self.resampling.confidence)
        test = test_name("permutation", int(np.count_nonzero(sums.differences)), self.permutations)
        p = sums.p(self.permutations, self.resampling.seed)
        return ModelDifference(self.difference, p, (low * scale, high * scale), test, len(sums.weights), unit)


def _refuse_other_rows(first: Predictions, second: Predictions) -> None:
    """Two models can be compared row by row only where the rows are the same."""
    truth_a, truth_b = first.labels, second.labels
    if len(truth_a) != len(truth_b):
        raise InputError(
            f"the two models have {len(truth_a)} and {len(truth_b)} rows; a paired test needs the same rows in the same order",
            f"两个模型的行数为 {len(truth_a)} 与 {len(truth_b)}；配对检验需要相同的行且顺序一致",
        )
    other = np.flatnonzero(truth_a != truth_b)
    if len(other):
        raise InputError(
            f"row {other[0]}: the two models have different truth there, and in {len(other)} rows in all; bring the rows into the same order",
            f"第 {other[0]} 行（从 0 起）：两个模型的真实值不同，共 {len(other)} 行；请先将各行按同一顺序排列",
        )
