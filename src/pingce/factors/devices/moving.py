"""Arrays to a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray


def moved(array: NDArray[Any], device: torch.device) -> torch.Tensor:
    """An array as a tensor on a device."""
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)
