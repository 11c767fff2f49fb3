"""Confidence intervals of uplift: rows are drawn anew within each arm."""

from __future__ import annotations

from collections.abc import Mapping

from pingce.scores.values import Value
from pingce.stats.blocks import block_intervals
from pingce.stats.resampling import Resampling
from pingce.uplift.evidence import UpliftEvidence
from pingce.uplift.predictions import UpliftPredictions


def uplift_intervals(values: Mapping[str, Value], evidence: UpliftEvidence, resampling: Resampling) -> dict[str, Value]:
    """The values with their intervals; curves of many steps are drawn in blocks."""
    counted = UpliftEvidence.of(evidence.data.counted(), evidence.threads)
    return block_intervals(values, UpliftPredictions(counted), resampling)
