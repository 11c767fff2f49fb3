"""Metrics of classes. A metric lives in one of these files and nowhere else; importing the file makes it known."""

from pingce.metrics.multiclass import agreement, per_class, ranked  # noqa: F401 - listed in this order
from pingce.metrics.multiclass.base import ClassList, MulticlassMetric

__all__ = ["ClassList", "MulticlassMetric"]
