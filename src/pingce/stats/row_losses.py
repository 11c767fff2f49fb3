"""What each row, or each group of rows, adds to a metric that is a mean over rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.binary.grouped import group_evidence
from pingce.evidence.binary.reference import losses
from pingce.stats.sums import PairedSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.binary.evidence import BinaryEvidence
    from pingce.evidence.multiclass.evidence import MulticlassEvidence
    from pingce.inputs.regression import NumberRows
    from pingce.scores.base import Value

    Floats = NDArray[np.float64]

_COLUMN = "what a row adds"


def row_losses(value: Value, evidence: BinaryEvidence) -> Floats | None:
    """Of labels and scores: whether the decision is right, the squared error, the log loss; None for other metrics."""
    rows, metric = evidence.rows, value.metric
    if metric.name == "accuracy":
        view = evidence.seen(value.policies)  # type: ignore[arg-type]
        limit = rows.scores.dtype.type(view.threshold)
        chosen = rows.scores >= limit if view.policies.compare == "ge" else rows.scores > limit
        return np.asarray(chosen == rows.positive.view(bool), np.float64)
    if metric.name == "brier":
        error = rows.scores.astype(np.float64) - rows.positive
        squared: Floats = error * error
        return squared
    if metric.name in ("logloss", "ne"):
        return losses(rows.scores, rows.positive, _epsilon(value, evidence))
    return None


def _epsilon(value: Value, evidence: BinaryEvidence) -> float:
    given: float | None = value.metric.eps  # type: ignore[attr-defined]
    return evidence.rows.epsilon if given is None else given


def group_losses(a: Value, b: Value, evidence_a: BinaryEvidence, evidence_b: BinaryEvidence) -> PairedSums | None:
    """The same, summed within each group: users are drawn apart, not their rows. None for other metrics."""
    if a.metric.name in ("logloss", "ne"):
        sides = [one.groups((), _epsilon(value, one)).loss for value, one in ((a, evidence_a), (b, evidence_b))]
    else:
        sides = [_summed(value, one) for value, one in ((a, evidence_a), (b, evidence_b))]
    if sides[0] is None or sides[1] is None:
        return None
    weights = evidence_a.groups().weights("impressions")
    kept = weights > 0
    return PairedSums((sides[0] - sides[1])[kept], weights[kept], True)


def _summed(value: Value, evidence: BinaryEvidence) -> Floats | None:
    added = row_losses(value, evidence)
    if added is None:
        return None
    rows = replace(evidence.rows, columns={_COLUMN: added})
    return group_evidence(rows, columns=(_COLUMN,), threads=evidence.threads).columns[_COLUMN]


def group_areas(a: Value, b: Value, evidence_a: BinaryEvidence, evidence_b: BinaryEvidence) -> tuple[PairedSums, int]:
    """The AUC of each group, times its weight; and how many groups have none."""
    metric: Any = a.metric
    other: Any = b.metric
    groups, others = (one.groups(metric.needed_columns()) for one in (evidence_a, evidence_b))
    apart = metric.areas(groups) - other.areas(others)
    weights = groups.weights(metric.by)
    counted = ~np.isnan(apart) & (weights > 0)
    sums = PairedSums((apart * weights)[counted], weights[counted], True)
    return sums, int(np.count_nonzero(~counted))


def class_losses(value: Value, evidence: MulticlassEvidence) -> Floats | None:
    """Of classes: whether the predicted one is right, or the log loss of the true one."""
    rows, metric = evidence.rows, value.metric
    if metric.name == "accuracy" and rows.prediction is not None:
        return np.asarray(rows.prediction.codes == rows.truth.codes, np.float64)
    if metric.name == "logloss":
        proba = evidence.proba
        own = proba[np.arange(len(rows)), rows.truth.codes]
        given: float | None = metric.eps  # type: ignore[attr-defined]
        epsilon = float(np.finfo(proba.dtype).eps) if given is None else given
        return losses(own, np.ones(len(own), np.uint8), epsilon)
    return None


def number_losses(value: Value, rows: NumberRows) -> Floats | None:
    """Of numbers: the size of the error, or its square."""
    error = rows.predicted - rows.true
    if value.metric.name == "mae":
        return np.abs(error)
    return error * error if value.metric.name == "mse" else None
