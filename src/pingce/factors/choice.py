"""Which way of counting is taken: the core where there is one, else the reference; a device where it was asked for."""

from __future__ import annotations

from typing import Any

from pingce.base.errors import InputError
from pingce.factors.counting import Counter
from pingce.factors.model import Factors
from pingce.factors.reference import ReferenceCounter


def make_counter(factors: Factors, threads: int | None = None, device: Any = None) -> Counter:
    """The counter of some factors."""
    if device is not None and str(device) != "cpu":
        raise InputError(
            f"device={str(device)!r}: there is no such device here; leave it out, or say device='cpu'",
            f"device={str(device)!r}：这里没有该设备；请不要给出，或写 device='cpu'",
        )
    return ReferenceCounter(factors)
