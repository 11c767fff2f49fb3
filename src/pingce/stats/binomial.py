"""Counts of positives: how far they lie from what was predicted, tails of lopsided sums, and a line through the log odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints

FAR = 10.0
"Standard deviations, as many or more, beyond which a count is never on the other side."
STRAIGHT = 1e-3
"Skewness below which a sum is taken for normal."
MOST_LOPSIDED = 2.0
"That of the gamma distribution with shape 1, the exponential one."


def distance_moments(rows: Ints, share: Floats, centre: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean, the variance and the third central moment of |K - centre|, K of the binomial distribution.

    E [K (K-1) … (K-j+1); K ≤ c] = n (n-1) … (n-j+1) · qʲ · P(K' ≤ c - j), K' of n - j rows: below the centre the signs turn.
    """
    from scipy.special import bdtr

    below = np.floor(np.minimum(centre, rows))
    factor, everywhere, beneath = np.ones(np.broadcast(rows, share).shape), [], []
    for order in range(4):
        left = np.maximum(rows - order, 0)
        reached = np.clip(below - order, 0, left)
        chance = np.where(reached >= left, 1.0, bdtr(reached, left, share))
        everywhere.append(factor)
        beneath.append(factor * np.where(below >= order, chance, 0.0))
        factor = factor * left * share
    whole, lower = _from_centre(everywhere, centre), _from_centre(beneath, centre)
    mean, square, cube = whole[0] - 2 * lower[0], whole[1], whole[2] - 2 * lower[2]
    variance = np.maximum(square - mean * mean, 0.0)
    third = cube - 3 * mean * square + 2 * mean**3
    # Far from the centre no sign turns, and large numbers that nearly cancel would leave their rounding.
    spread, away = rows * share * (1 - share), rows * share - centre
    far = (np.abs(away) > FAR * np.sqrt(spread)) & (spread > FAR**2)
    plain = np.abs(away), spread, np.sign(away) * spread * (1 - 2 * share)
    mean, variance, third = (np.where(far, *pair) for pair in zip(plain, (mean, variance, third), strict=True))
    return mean, variance, third


def _from_centre(factorial: list[Floats], centre: Floats) -> tuple[Floats, Floats, Floats]:
    """E (K - c), E (K - c)² and E (K - c)³ by the factorial moments of K."""
    none, first, second, third = factorial
    square, cube = second + first, third + 3 * second + first
    return (
        first - centre * none,
        square - 2 * centre * first + centre**2 * none,
        cube - 3 * centre * square + 3 * centre**2 * first - centre**3 * none,
    )


def tails(distance: Floats, skewness: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(X ≥ x) and P(X ≤ x), x so many standard deviations beyond the mean: X of the gamma distribution of that skewness."""
    from scipy.special import gammainc, gammaincc, ndtr

    lopsided = np.abs(skewness) > STRAIGHT
    turned = np.where(skewness < 0, -distance, distance)
    shape = 4 / np.square(np.clip(np.abs(skewness), STRAIGHT, MOST_LOPSIDED))
    place = np.maximum(shape + np.sqrt(shape) * turned, 0.0)
    far, near = gammaincc(shape, place), gammainc(shape, place)
    above, below = np.where(skewness < 0, near, far), np.where(skewness < 0, far, near)
    return np.where(lopsided, above, ndtr(-distance)), np.where(lopsided, below, ndtr(distance))


def recalibrated(mean: Floats, share: Floats, rows: Ints) -> Floats:
    """Shares of positives on a line through the log odds of the mean probabilities, most likely ones.        [Platt 1999]

    Each bin has one more row that agrees with its probability: no line is steep beyond measure then.
    """
    from scipy.special import expit, logit

    inside = np.clip(mean, 1e-9, 1 - 1e-9)
    odds, count = logit(inside), rows + 1.0
    positives = rows * share + inside
    level, slope = 0.0, 1.0
    for _ in range(50):
        fit = expit(level + slope * odds)
        weight, left = count * fit * (1 - fit), positives - count * fit
        sums = [float((weight * odds**power).sum()) for power in range(3)]
        pulls = [float((left * odds**power).sum()) for power in range(2)]
        determinant = sums[0] * sums[2] - sums[1] ** 2
        if determinant <= 1e-12 * sums[0] * sums[2]:
            steps = pulls[0] / sums[0] if sums[0] else 0.0, 0.0
        else:
            steps = (
                (sums[2] * pulls[0] - sums[1] * pulls[1]) / determinant,
                (sums[0] * pulls[1] - sums[1] * pulls[0]) / determinant,
            )
        longest = max(abs(step) for step in steps)
        scale = min(1.0, 2.0 / longest) if longest else 1.0
        level, slope = level + scale * steps[0], slope + scale * steps[1]
        if longest < 1e-9:
            break
    line: Floats = expit(level + slope * odds)
    return line
