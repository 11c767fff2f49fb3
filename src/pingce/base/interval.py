"""The two ends between which a value lies."""

from __future__ import annotations

import math
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]
NO_INTERVAL: Interval = (math.nan, math.nan)
