"""erfc with the same bits on every machine: C libraries compile theirs with fused multiplication where the processor has it.

Method and constants of fdlibm, in the order in which glibc adds them up. Copyright (C) 1993 by Sun Microsystems, Inc. All
rights reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice
is preserved.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

_AT_ONE = 8.45062911510467529297e-01
"erf(1), rounded so that its lower half is 0."
_FAR = 28.0
"From here on it is smaller than any double."
_SMALL = (
    (1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03,
     -2.37630166566501626084e-05),
    (1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
     1.32494738004321644526e-04, -3.96022827877536812320e-06),
)  # fmt: skip
_NEAR_ONE = (
    (-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
     -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03),
    (1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
     1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02),
)  # fmt: skip
_MIDDLE = (
    (-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
     -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00),
    (1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02,
     4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02),
)  # fmt: skip
_LARGE = (
    (-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
     -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02),
    (1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03,
     2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01),
)  # fmt: skip


def erfc(x: float) -> float:
    """2/√π · ∫ exp(-t²) dt from x up, for x of at least 0: the two-sided p of a normal z = √2 · x."""
    if math.isnan(x) or x >= _FAR:
        return x if math.isnan(x) else 0.0
    if x < 0.84375:
        share = _ratio(x * x, _SMALL)
        return 1.0 - (x + x * share) if x < 0.25 else 0.5 - (x * share + (x - 0.5))
    if x < 1.25:
        return (1.0 - _AT_ONE) - _ratio(x - 1.0, _NEAR_ONE)
    ratio = _ratio(1.0 / (x * x), _MIDDLE if _cut(x) < _cut(1 / 0.35) else _LARGE)
    z = _cut(x)
    return math.exp(-z * z - 0.5625) * math.exp((z - x) * (z + x) + ratio) / x


def _ratio(x: float, polynomials: tuple[Sequence[float], Sequence[float]]) -> float:
    above, below = (_polynomial(x, coefficients) for coefficients in polynomials)
    return above / below


def _polynomial(x: float, coefficients: Sequence[float]) -> float:
    """Pairs of coefficients, each times its power of x², from the first on."""
    square = x * x
    fourth = square * square
    powers = (1.0, square, fourth, fourth * square, fourth * fourth)
    pairs = [*coefficients, 0.0]
    total = coefficients[0] + x * coefficients[1]
    for power, at in zip(powers[1:], range(2, len(coefficients), 2), strict=False):
        total += power * (pairs[at] + x * pairs[at + 1])
    return total


def _cut(x: float) -> float:
    """The number whose lower 32 bits are 0."""
    bits: int = struct.unpack("<Q", struct.pack("<d", x))[0]
    cut: float = struct.unpack("<d", struct.pack("<Q", bits & ~0xFFFFFFFF))[0]
    return cut
