"""Which way of counting is taken: the core where there is one, else the reference; a device where it was asked for."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.factors.counting import Counter
from pingce.factors.model import Factors
from pingce.factors.native import NativeCounter
from pingce.factors.reference import ReferenceCounter


def make_counter(factors: Factors, threads: int | None = None, device: Any = None) -> Counter:
    """The counter of some factors."""
    core = native_core()
    exact: Counter = ReferenceCounter(factors) if core is None else NativeCounter(core, factors, threads)
    if device is None or str(device) == "cpu":
        return exact
    _refuse_absent(str(device))
    from pingce.factors.device import DeviceCounter

    return DeviceCounter(factors, exact, device)


def _refuse_absent(device: str) -> None:
    """Refuse a device that torch cannot use here."""
    if find_spec("torch") is None:
        raise InputError(
            f"device={device!r}: there is no such device here; leave it out, or say device='cpu' (torch, which counts on devices, is not installed)",
            f"device={device!r}：这里没有该设备；请不要给出，或写 device='cpu'（在设备上计数所需的 torch 尚未安装）",
        )
    import torch

    try:
        torch.zeros(1, device=device).cpu()
    except (RuntimeError, AssertionError, NotImplementedError):
        raise InputError(
            f"device={device!r}: there is no such device here; leave it out, or say device='cpu'",
            f"device={device!r}：这里没有该设备；请不要给出，或写 device='cpu'",
        ) from None
