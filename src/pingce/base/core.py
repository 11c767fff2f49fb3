"""The native core, where it is installed, and how many threads it may use."""

from __future__ import annotations

import os
import warnings
from functools import cache
from typing import TYPE_CHECKING

from pingce.base.errors import InputError, PingceWarning
from pingce.base.process import HeldInterrupts, refuse_subinterpreter
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce._core import Core

_MOST_THREADS = 1024

TURNED_OFF = Text(
    "native core: turned off by PINGCE_NATIVE=0; same numbers, slower",
    "原生内核：已由 PINGCE_NATIVE=0 关闭；结果相同，但较慢",
)
MISSING = Text(
    "pingce runs without its native core: same numbers, slower; pingce doctor says how to build it",
    "pingce 未能载入原生内核：结果相同，但较慢；pingce doctor 会说明如何编译",
)


def turned_off() -> bool:
    """Whether the environment asks for the reference instead of the core."""
    return os.environ.get("PINGCE_NATIVE", "1") == "0"


@cache
def native_core() -> Core | None:
    """The compiled module, or None where this install has none or PINGCE_NATIVE=0 turns it off."""
    refuse_subinterpreter()
    if turned_off():
        return None
    try:
        with HeldInterrupts():
            from pingce import _core
    except ImportError as problem:
        if os.environ.get("PINGCE_REQUIRE_NATIVE", "0") not in ("", "0"):
            raise ImportError("PINGCE_REQUIRE_NATIVE is set, but the native core cannot be loaded") from problem
        warnings.warn(PingceWarning(str(MISSING)), stacklevel=2)
        return None
    return _core


def core_ahead() -> Core | None:
    """The same without a word, on any thread: for what is begun before anybody asks for it."""
    if turned_off():
        return None
    try:
        with HeldInterrupts():
            from pingce import _core
    except ImportError:
        return None
    return _core


def thread_count(threads: int | None = None) -> int:
    """How many threads a call may use: the argument, else PINGCE_THREADS, else every core of this process."""
    wanted: int | str | None = threads if threads is not None else os.environ.get("PINGCE_THREADS") or None
    if wanted is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = int(wanted)
    except (TypeError, ValueError, OverflowError):
        count = 0
    if not 1 <= count <= _MOST_THREADS or isinstance(wanted, (bool, float)):
        raise InputError(
            f"threads must be a whole number from 1 to {_MOST_THREADS}, not {wanted!r}",
            f"线程数须为 1 到 {_MOST_THREADS} 的整数，而不是 {wanted!r}",
        )
    return count
