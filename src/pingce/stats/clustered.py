"""Areas under ROC curves of rows that come in groups, such as users: groups vary, not rows."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.stats.delong import AreaDifference, score_interval, twice_shares
from pingce.stats.draws import NONE
from pingce.stats.predictions import group_codes


def _influences(evidence: BinaryEvidence, code: NDArray[np.int64]) -> tuple[float, Floats]:
    """AUC, and what each group adds to its distance from the truth: Σ (v⁺ - AUC) / P + Σ (v⁻ - AUC) / N."""
    side = evidence.rows.positive.view(bool)
    above, below = twice_shares(evidence.rows.scores[side], evidence.rows.scores[~side])
    many, few = len(above), len(below)
    area = math.fsum(above.tolist()) / (2 * many * few)
    added = np.empty(len(side))
    added[side] = (above / (2 * few) - area) / many
    added[~side] = (below / (2 * many) - area) / few
    # Sorted by group and size, so that the order of rows changes no bit.
    order = np.lexsort((added, code))
    return area, np.bincount(code[order], added[order]).astype(np.float64)


def _variance(influences: Floats) -> float:
    count = len(influences)
    return math.fsum((influences * influences).tolist()) * count / (count - 1) if count > 1 else math.nan


def _has_few(evidence: BinaryEvidence) -> bool:
    """Whether a class has fewer than two rows."""
    positives = int(np.count_nonzero(evidence.rows.positive))
    return min(positives, len(evidence.rows) - positives) < 2


def area_interval(evidence: BinaryEvidence, confidence: float) -> tuple[float, float]:
    """AUC ± z · √V, V of groups; where that leaves [0, 1], or nothing varies, the score interval of so many groups.

    V = G / (G - 1) · Σ_g u_g²                                                              [after Obuchowski 1997]
    """
    if _has_few(evidence):
        return NONE
    code = group_codes(evidence)
    area, added = _influences(evidence, code)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(_variance(added))
    low, high = area - half, area + half
    if math.isnan(half) or (half and low >= 0 and high <= 1):
        return low, high
    positive = evidence.rows.positive.view(bool)
    positives, negatives = (float(len(np.unique(code[side]))) for side in (positive, ~positive))
    return score_interval(area, (positives, negatives), confidence)


def clustered_area_difference(first: BinaryEvidence, second: BinaryEvidence) -> AreaDifference:
    """AUC of one model less that of the other, and its variance over groups."""
    if _has_few(first):
        return AreaDifference(math.nan, math.nan)
    code = group_codes(first)
    (area, added), (other_area, other_added) = _influences(first, code), _influences(second, code)
    return AreaDifference(area - other_area, _variance(added - other_added))
