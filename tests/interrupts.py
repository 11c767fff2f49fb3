"""Ctrl-C in the middle of a call."""

from __future__ import annotations

import _thread
import gc
import threading
from collections.abc import Callable

import pytest


def interrupt(call: Callable[[], object]) -> None:
    """Call it again and again until Ctrl-C, 20 ms from now, ends it.

    Nothing is collected meanwhile: an interrupt that falls into somebody's callback of the collector is lost there.
    """
    timer = threading.Timer(0.02, _thread.interrupt_main)
    gc.disable()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(10_000):
                call()
    finally:
        timer.join()
        gc.enable()
