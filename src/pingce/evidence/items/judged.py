"""Which items a truth has judged, for whatever query: what is shown beyond them nobody ever looked at."""

from __future__ import annotations

import numpy as np

from pingce.evidence.items.directory import Directory
from pingce.inputs.columns import Rows


def judged_items(truth: Rows) -> Directory:
    """The items that any query has judged; a negative grade is no judgement."""
    rows = np.flatnonzero(truth.value >= 0)
    return Directory(truth.item if len(rows) == len(truth) else truth.item.take(rows))
