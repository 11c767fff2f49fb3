"""Metrics in a torch training loop: `pingce.torch.Metric`, a metric of torchmetrics that is the same on one process and on eight."""

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.torch.metric import Metric

__all__ = ["Metric"]

__getattr__ = importer(__name__, {"Metric": "metric"})
