"""Confidence intervals of several labels: whole rows are drawn anew, with all of their labels."""

from __future__ import annotations

from collections.abc import Mapping

from pingce.multilabel.evidence import MultilabelEvidence
from pingce.multilabel.predictions import LabelPredictions
from pingce.scores.values import Value
from pingce.stats.blocks import block_intervals
from pingce.stats.resampling import Resampling


def label_intervals(
    values: Mapping[str, Value], evidence: MultilabelEvidence, resampling: Resampling
) -> dict[str, Value]:
    """The values with their intervals; scores of areas are drawn in blocks."""
    return block_intervals(values, LabelPredictions(evidence), resampling)
