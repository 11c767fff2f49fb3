"""Metrics of numbers. A metric lives in one of these files and nowhere else; importing the file makes it known."""

from pingce.metrics.regression import errors, totals, deviances, explained, pairs, grouped  # noqa: F401, I001 - listed in this order
from pingce.metrics.regression.base import NumberList, RegressionMetric

__all__ = ["NumberList", "RegressionMetric"]
