"""How many cells scores are put into."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.errors import InputError

MOST_BINS = 1 << 24


def checked_bins(bins: Any) -> int | None:
    """How many cells scores are put into."""
    if bins is None:
        return None
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 2 <= bins <= MOST_BINS:
        raise InputError(
            f"bins={bins!r}: scores are put into 2 to {MOST_BINS} bins, a whole number, e.g. 1048576",
            f"bins={bins!r}：分箱数须为 2 到 {MOST_BINS} 的整数，例如 1048576",
        )
    return int(bins)


def exact_only(option: str) -> InputError:
    """What to say where cells of scores are too coarse."""
    return InputError(
        f"{option} needs every score, and bins= puts scores into cells; leave one of the two out",
        f"{option} 需要每个分数，而 bins= 会把分数归入箱中；请去掉其一",
    )
