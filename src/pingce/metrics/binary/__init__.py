"""Metrics of labels and scores. A metric lives in one of these files and nowhere else; importing the file makes it known."""

from pingce.metrics.binary import (
    decisions,
    algebra,
    costs,
    areas,
    cuts,
    crossing,
    grouped,
    probabilities,
    entropies,
    calibration,
    fields,
    margins,
)  # noqa: F401, I001 - listed in this order
from pingce.metrics.binary.base import BinaryMetric, LabelledList

__all__ = ["BinaryMetric", "LabelledList"]
