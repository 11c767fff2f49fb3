"""The logarithmic loss of each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats
from pingce.evidence.binary import reference


def row_losses(scores: NDArray[Any], positive: NDArray[np.uint8], epsilon: float) -> Floats:
    """-ln p of each positive row, -ln(1 - p) of each negative one, p kept within [ε, 1 - ε]."""
    core = native_core()
    if core is None or scores.dtype not in (np.float32, np.float64):
        return reference.losses(scores, positive, epsilon)
    return core.row_losses(positive, np.ascontiguousarray(scores), epsilon, thread_count())
