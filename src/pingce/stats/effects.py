"""How large a difference is, on how many queries it shows, and what this many queries could show at all."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.stats.grid import matrix, moved
from pingce.stats.moments import moments


def cohen_d(differences: ArrayLike) -> Floats:
    """The mean difference in standard deviations of the differences, a column each.

    0 where all differences are 0; NaN where there is no spread to measure by.
    """
    return np.array(
        [
            mean / deviation if deviation else math.nan if mean else 0.0
            for _, mean, deviation in moments(matrix(differences))
        ]
    )


def win_tie_loss(differences: ArrayLike) -> NDArray[np.int64]:
    """Counts per column of differences: on how many queries the first is better, equal, worse; a tie is below 2^-37."""
    gaps = matrix(differences)
    defined, sign = ~np.isnan(gaps), np.sign(moved(gaps))
    return np.stack([np.count_nonzero(defined & (sign == side), axis=0) for side in (1, 0, -1)], axis=1).astype(
        np.int64
    )


def minimum_detectable(differences: ArrayLike, *, alpha: float = 0.05, power: float = 0.8) -> Floats:
    """The mean difference that a paired t-test at this n and spread would find with the given power.

    (t(1 - α/2) + t(power)) · s / √n, t the quantiles with n - 1 degrees of freedom; NaN for n < 2.
    """
    from scipy.special import stdtrit

    for name, value in {"alpha": alpha, "power": power}.items():
        if not 0 < value < 1:
            raise InputError(
                f"{name}={value}: it must lie between 0 and 1, such as {0.05 if name == 'alpha' else 0.8}",
                f"{name}={value}：须介于 0 与 1 之间，例如 {0.05 if name == 'alpha' else 0.8}",
            )
    sizes = []
    for count, _, deviation in moments(matrix(differences)):
        if count < 2:
            sizes.append(math.nan)
            continue
        quantiles = stdtrit(count - 1, 1 - alpha / 2) + stdtrit(count - 1, power)
        sizes.append(float(quantiles) * deviation / math.sqrt(count))
    return np.array(sizes)
