"""Sums of each slice of labels and probabilities: how many positives were predicted, how many there are, and how they vary."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.exact import exact_sum
from pingce.base.records import dataclass
from pingce.inputs.binary import BinaryRows


@dataclass(frozen=True)
class SliceSums:
    """Of one slice Σ w p, Σ w y and Σ w² p (1 − p), exact but for the products."""

    by: str
    name: str | None
    predicted: Fraction
    positive: Fraction
    variance: Fraction


def predicted_sums(rows: BinaryRows, places: Any = ...) -> tuple[Fraction, Fraction]:
    """Σ w p and Σ w² p (1 − p) of some rows; of other numbers than probabilities there are none."""
    if not rows.are_probabilities:
        return Fraction(0), Fraction(0)
    p = rows.scores[places].astype(np.float64)
    weight = np.ones(len(p)) if rows.weight is None else rows.weight[places]
    return exact_sum(weight * p), exact_sum(weight * weight * p * (1 - p))


def slice_sums(rows: BinaryRows) -> Iterator[SliceSums]:
    """The sums of every slice of every column."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    positive = weight * rows.positive
    for partition in rows.by:
        for name, _, places in partition.parts():
            predicted, variance = predicted_sums(rows, places)
            yield SliceSums(partition.by, name, predicted, exact_sum(positive[places]), variance)
