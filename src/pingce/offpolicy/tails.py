"""Rows by the size of their importance weights: whether many decide a value, or a few of great weight."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from pingce.base.exact import weighted_dot, weighted_sum
from pingce.base.records import dataclass
from pingce.offpolicy.evidence import OffpolicyEvidence

EDGES = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, math.inf)
"Upper ends of the bands; the first has weights of 0."


@dataclass(frozen=True)
class WeightBand:
    """Rows whose weights lie above the one end and up to the other."""

    above: float
    upto: float
    rows: int
    share: float
    "Of the sum of all importance weights."
    added: float
    "What the rows add to ips."


def bands_of(evidence: OffpolicyEvidence) -> list[WeightBand]:
    """The bands that have rows, the lightest first."""
    rows = evidence.data.counted()
    total, count = evidence.total("raw|one"), evidence.total("count")
    bands = []
    for above, upto in zip((-math.inf, *EDGES[:-1]), EDGES, strict=True):
        inside = rows.select(np.flatnonzero((rows.ratio > above) & (rows.ratio <= upto)))
        if len(inside):
            weight = weighted_sum(inside.ratio, inside.weight)
            added = weighted_dot(inside.ratio, inside.reward, inside.weight) / count
            share = weight / total if total else Fraction(0)
            bands.append(WeightBand(max(above, 0.0), upto, len(inside), float(share), float(added)))
    return bands
