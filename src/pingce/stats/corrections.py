"""Many comparisons at once: the more one looks at, the more will look real by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from pingce.base.errors import refuse_other
from pingce.base.exact import Floats
from pingce.base.text import Text

CORRECTIONS = {
    "holm": Text("Holm (family-wise error)", "Holm 校正（控制族错误率）"),
    "bonferroni": Text("Bonferroni (family-wise error)", "Bonferroni 校正（控制族错误率）"),
    "bh": Text("Benjamini–Hochberg (false discovery rate)", "Benjamini–Hochberg 校正（控制错误发现率）"),
    "none": Text("none", "不校正"),
}


_METHODS: dict[str, Callable[[Floats], Floats]] = {
    # The i-th smallest of m times m - i + 1, never less than the one before.
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "bonferroni": lambda p: p * len(p),
    # The i-th smallest of m times m / i, never more than the one after.
    "bh": lambda p: np.minimum.accumulate((p * (len(p) / np.arange(1, len(p) + 1)))[::-1])[::-1],
    "none": lambda p: p,
}


def corrected(p: Iterable[float], method: str) -> list[float]:
    """The p-values corrected over their family, in the order they came; NaN stays NaN and is not of the family."""
    refuse_other("correction", method, CORRECTIONS)
    values = np.array(list(p), np.float64)
    family = np.flatnonzero(~np.isnan(values))
    order = family[np.argsort(values[family], kind="stable")]
    out = np.full(len(values), np.nan)
    out[order] = np.minimum(_METHODS[method](values[order]), 1.0)
    return [float(value) for value in out]
