"""Two models on the same rows: is the difference of a metric real? Which test depends on what the metric is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.regression import NumberRows
from pingce.stats.calibration import CalibrationDifference, bin_sums
from pingce.stats.clustered import clustered_area_difference, group_codes
from pingce.stats.delong import area_difference
from pingce.stats.influences import metric_view, row_losses
from pingce.stats.intervals import NONE, checked_confidence
from pingce.stats.paired import checked_test, coin_p, test_name
from pingce.stats.resampled import resampled_differences, says_the_same
from pingce.stats.sums import PairedSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.metrics.declared import Metric
    from pingce.scores.base import Value

    Evidence = BinaryEvidence | MulticlassEvidence | NumberRows

PERMUTATIONS = 100_000
DELONG = Text("DeLong's test of two correlated AUCs", "DeLong 检验（两个相关的 AUC）")
DELONG_GROUPS = Text("DeLong's test of two correlated AUCs, by group", "DeLong 检验（两个相关的 AUC，按组）")
MCNEMAR = Text("McNemar's test (exact binomial)", "McNemar 检验（精确二项）")
CALIBRATION = Text("test of two bias-corrected calibration errors", "检验两个校正偏差后的校准误差")
BOOTSTRAP = Text("paired bootstrap of rows", "按行配对的自助抽样")
BOOTSTRAP_GROUPS = Text("paired bootstrap of groups", "按组配对的自助抽样")

UNTESTED = Text("no test: the metric has no confidence interval", "无法检验：该指标没有置信区间")
UNDEFINED = Text("no test: one of the two values is undefined", "无法检验：两个值中有一个没有定义")


@dataclass(frozen=True)
class ModelDifference:
    """The first model's value less the second's, and how sure one can be of it."""

    difference: float
    p: float
    interval: tuple[float, float]
    test: Text
    "Which test it was, in words."
    count: int
    "Rows or groups compared."
    unit: str = "rows"
    left_out: int = 0
    "Groups for which the metric is undefined."


def model_p(
    value_a: Value,
    value_b: Value,
    evidence_a: Evidence,
    evidence_b: Evidence,
    *,
    confidence: float = 0.95,
    samples: int = 1000,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> ModelDifference:
    """One metric of two models on the same rows, in the same order. `samples` are those of the bootstrap."""
    found = model_differences(
        {"": value_a},
        {"": value_b},
        evidence_a,
        evidence_b,
        confidence=confidence,
        samples=samples,
        permutations=permutations,
        seed=seed,
    )
    return found[""]


def model_differences(
    values_a: Mapping[str, Value],
    values_b: Mapping[str, Value],
    evidence_a: Evidence,
    evidence_b: Evidence,
    *,
    confidence: float = 0.95,
    samples: int = 1000,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> dict[str, ModelDifference]:
    """All metrics that both models have; those that need the bootstrap share its draws.

    auc, rank_loss: DeLong. gauc: permutation over groups. logloss, ne, brier, mae, mse: permutation over rows, or over
    groups where there are some. accuracy: McNemar, or as those where there are groups or weights. All others:
    paired bootstrap of rows.
    """
    checked_confidence(confidence, samples, seed)
    checked_test("permutation", permutations, seed)
    refuse_other_rows(evidence_a, evidence_b)
    common = {name: (value, values_b[name]) for name, value in values_a.items() if name in values_b}
    found: dict[str, ModelDifference] = {}
    same = says_the_same(evidence_a, evidence_b)
    for name, (a, b) in common.items():
        if math.isnan(a.value - b.value):
            found[name] = ModelDifference(math.nan, math.nan, NONE, UNDEFINED, 0, a.unit)
        elif a.metric.no_interval is not None:
            found[name] = ModelDifference(a.value - b.value, math.nan, NONE, UNTESTED, 0, a.unit)
        elif one := _direct(a, b, evidence_a, evidence_b, (confidence, permutations, seed)):
            found[name] = replace(one, interval=(0.0, 0.0)) if same and one.test is MCNEMAR else one
    pairs = {name: pair for name, pair in common.items() if name not in found}
    if pairs:
        drawn = resampled_differences(pairs, evidence_a, evidence_b, confidence=confidence, samples=samples, seed=seed)
        for name, (p, interval) in drawn.items():
            difference = values_a[name].value - values_b[name].value
            count, unit = _units(evidence_a)
            test = BOOTSTRAP_GROUPS if unit == "groups" else BOOTSTRAP
            found[name] = ModelDifference(difference, p, interval, test, count, unit)
    return {name: found[name] for name in common}


def _direct(
    a: Value, b: Value, evidence_a: Evidence, evidence_b: Evidence, asked: tuple[float, int, int]
) -> ModelDifference | None:
    """By a test that needs no new evidence; None where there is none for the metric."""
    if isinstance(evidence_a, BinaryEvidence) and isinstance(evidence_b, BinaryEvidence):
        return _of_binary(a, b, evidence_a, evidence_b, asked)
    if isinstance(evidence_a, MulticlassEvidence) and isinstance(evidence_b, MulticlassEvidence):
        weight = evidence_a.rows.weight
    elif isinstance(evidence_a, NumberRows) and isinstance(evidence_b, NumberRows):
        weight = evidence_a.weight
    else:
        return None
    first, second = (row_losses(value, data) for value, data in ((a, evidence_a), (b, evidence_b)))
    return _of_rows(a, b, (first, second), weight, asked)


def _of_binary(
    a: Value, b: Value, evidence_a: BinaryEvidence, evidence_b: BinaryEvidence, asked: tuple[float, int, int]
) -> ModelDifference | None:
    rows, test = evidence_a.rows, a.metric.paired_test
    if test == "calibration":
        groups = None if rows.group is None else group_codes(evidence_a)
        apart = CalibrationDifference(bin_sums(a.metric, evidence_a, groups), bin_sums(b.metric, evidence_b, groups))
        equal = np.array_equal(rows.scores, evidence_b.rows.scores)
        p, interval = (1.0, (0.0, 0.0)) if equal else (apart.p, apart.interval(asked[0]))
        return ModelDifference(a.value - b.value, p, interval, CALIBRATION, *_units(evidence_a))
    if test == "delong" and rows.weight is None and rows.group is not None:
        first, second = _in_order(a.metric, evidence_a, evidence_b)
        clustered = clustered_area_difference(first, second)
        return ModelDifference(
            a.value - b.value, clustered.p, clustered.interval(asked[0]), DELONG_GROUPS, *_units(evidence_a)
        )
    if test == "delong" and rows.weight is None:
        turned = area_difference(rows.positive, *_in_order(a.metric, rows.scores, evidence_b.rows.scores))
        return ModelDifference(a.value - b.value, turned.p, turned.interval(asked[0]), DELONG, len(rows))
    if test == "groups":
        sums, left_out = _group_areas(a, b, evidence_a, evidence_b)
        return replace(_tested(a, b, sums, "groups", asked), left_out=left_out)
    if rows.group is not None and (grouped := _group_losses(a, b, evidence_a, evidence_b)) is not None:
        return _tested(a, b, grouped, "groups", asked)
    return _of_rows(a, b, (row_losses(a, evidence_a), row_losses(b, evidence_b)), rows.weight, asked)


def _group_losses(a: Value, b: Value, evidence_a: BinaryEvidence, evidence_b: BinaryEvidence) -> PairedSums | None:
    """What each group adds to a mean over rows: users are drawn apart, not their rows. None where the metric is none."""
    metrics: tuple[Any, Any] = a.metric, b.metric
    first, second = (
        metrics[0].group_losses(metric_view(a, evidence_a)),
        metrics[1].group_losses(metric_view(b, evidence_b)),
    )
    if first is None or second is None:
        return None
    weights = evidence_a.groups().weights("impressions")
    kept = weights > 0
    return PairedSums((first - second)[kept], weights[kept], True)


def _group_areas(a: Value, b: Value, evidence_a: BinaryEvidence, evidence_b: BinaryEvidence) -> tuple[PairedSums, int]:
    """The AUC of each group, times its weight; and how many groups have none."""
    metric: Any = a.metric
    other: Any = b.metric
    groups, others = (evidence.groups(metric.needed_columns()) for evidence in (evidence_a, evidence_b))
    apart = metric.areas(groups) - other.areas(others)
    weights = groups.weights(metric.by)
    counted = ~np.isnan(apart) & (weights > 0)
    sums = PairedSums((apart * weights)[counted], weights[counted], True)
    return sums, int(np.count_nonzero(~counted))


_Model = TypeVar("_Model")


def _units(evidence: Evidence) -> tuple[int, str]:
    """How many rows were compared, or groups where there are some."""
    if isinstance(evidence, BinaryEvidence) and evidence.rows.group is not None:
        return int(group_codes(evidence).max()) + 1, "groups"
    return _length(evidence), "rows"


def _in_order(metric: Metric, first: _Model, second: _Model) -> tuple[_Model, _Model]:
    """A rank loss is lower where the area is larger."""
    return (first, second) if metric.about.higher_is_better else (second, first)


def _of_rows(
    a: Value,
    b: Value,
    sides: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None],
    weight: NDArray[np.float64] | None,
    asked: tuple[float, int, int],
) -> ModelDifference | None:
    """Paired by row; right and wrong answers without weights by McNemar's test, which is the same test counted out."""
    first, second = sides
    if first is None or second is None:
        return None
    apart = first - second
    sums = PairedSums.of(apart, weight)
    if a.metric.paired_test == "mcnemar" and weight is None:
        p = float(coin_p(np.count_nonzero(apart > 0), np.count_nonzero(apart < 0)))  # type: ignore[arg-type]
        return ModelDifference(a.value - b.value, p, sums.counted_interval(asked[0]), MCNEMAR, len(apart))
    return _tested(a, b, sums, "rows", asked)


def _tested(a: Value, b: Value, sums: PairedSums, unit: str, asked: tuple[float, int, int]) -> ModelDifference:
    """By the permutation of signs; an interval of the metric where its value is a multiple of the mean."""
    difference = a.value - b.value
    moved = int(np.count_nonzero(sums.differences))
    scale = difference / sums.mean if a.metric.scaled_mean and sums.mean else 1.0
    low, high = sums.interval(asked[0])
    return ModelDifference(
        difference,
        sums.p(*asked[1:]),
        (low * scale, high * scale),
        test_name("permutation", moved, asked[1]),
        len(sums.weights),
        unit,
    )


def _length(evidence: Evidence) -> int:
    """Rows; one of weight 0 is none."""
    rows = evidence if isinstance(evidence, NumberRows) else evidence.rows
    return len(rows) if rows.weight is None else int(np.count_nonzero(rows.weight))


def refuse_other_rows(evidence_a: Evidence, evidence_b: Evidence) -> None:
    """Two models can be compared row by row only where the rows are the same."""
    truth_a, truth_b = _truth(evidence_a), _truth(evidence_b)
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


def _truth(evidence: Evidence) -> NDArray[Any]:
    if isinstance(evidence, NumberRows):
        return evidence.true
    if isinstance(evidence, BinaryEvidence):
        return evidence.rows.positive
    truth = evidence.rows.truth
    return np.array([str(name) for name in truth.names])[truth.codes]
