"""Ctrl-C in the middle of a call."""

from __future__ import annotations

import _thread
import gc
import signal
import threading
import time
from collections.abc import Callable

import pytest


def interrupt(call: Callable[[], object]) -> None:
    """Call it again and again until Ctrl-C, 20 ms from now, ends it; who ignored Ctrl-C before ignores it afterwards.

    Nothing is collected meanwhile: an interrupt that falls into somebody's callback of the collector is lost there.
    """
    timer = threading.Timer(0.02, _thread.interrupt_main)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    end = time.monotonic() + 30
    gc.disable()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while time.monotonic() < end:
                call()
    finally:
        timer.join()
        gc.enable()
        signal.signal(signal.SIGINT, before)
