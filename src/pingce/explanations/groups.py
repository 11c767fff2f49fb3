"""Means over groups: which groups are listed, and the two sums that the mean is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.tables import MOST, Excerpt, largest, plain, quotient, real


def listed_groups(areas: Floats, weights: Floats) -> tuple[Excerpt, Text]:
    """The groups in the order of their ids where they are few, else the heaviest that count first; and the heading."""
    matters = ~np.isnan(areas) & (weights > 0)
    if len(areas) > MOST:
        heading = Text("Each group by itself, the heaviest first", "逐组计算，权重大者在前")
        return largest(np.where(matters, weights, 0.0)), heading
    return Excerpt(np.arange(len(areas)), matters.tolist(), len(areas)), Text("Each group by itself", "逐组计算")


def mean_of_groups(steps: Sequence[Step], name: str, areas: Floats, weights: Floats) -> Derivation:
    """The steps, then the weighted mean over the groups with an area."""
    counted = ~np.isnan(areas)
    top, bottom = exact_dot(areas[counted], weights[counted]), exact_sum(weights[counted])
    words = Text("the exact sum over the groups that count", "对计入的组精确求和")
    sums = [Line("top", f"Σ w · {name}", words, (), real(top)), Line("bottom", "Σ w", words, (), plain(bottom))]
    return quotient([*steps, *sums], top, bottom)
