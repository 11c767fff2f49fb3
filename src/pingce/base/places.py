"""Sums of what rows add at places, which do not depend on the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats


def sums_by_place(added: Floats, place: NDArray[Any], count: int) -> Floats:
    """Σ of what rows add at each place, by whole numbers in two halves: those add up exactly, in any order."""
    exponent = int(np.frexp(np.abs(added).max(initial=0.0))[1])
    bits = 52 - len(added).bit_length()
    left, sums = np.ldexp(added, -exponent), np.zeros(count)
    for half in (1, 2):
        whole = np.rint(np.ldexp(left, bits))
        left = np.ldexp(left, bits) - whole
        sums += np.ldexp(np.bincount(place, whole, minlength=count), -half * bits)
    return np.ldexp(sums, exponent)
