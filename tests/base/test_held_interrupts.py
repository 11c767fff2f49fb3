"""A Ctrl-C while a compiled module begins: it waits, and comes when the module is there."""

from __future__ import annotations

import signal
import threading

import pytest

from pingce.base.process import HeldInterrupts


def test_an_interrupt_waits_and_comes_at_the_end() -> None:
    before, steps = signal.getsignal(signal.SIGINT), list[str]()
    with pytest.raises(KeyboardInterrupt), HeldInterrupts():
        signal.raise_signal(signal.SIGINT)
        steps.append("after")
    assert steps == ["after"]
    assert signal.getsignal(signal.SIGINT) is before


def test_without_an_interrupt_nothing_happens() -> None:
    before = signal.getsignal(signal.SIGINT)
    with HeldInterrupts():
        pass
    assert signal.getsignal(signal.SIGINT) is before


def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with HeldInterrupts():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_on_another_thread_signals_are_left_alone() -> None:
    before, problems = signal.getsignal(signal.SIGINT), list[BaseException]()

    def use() -> None:
        try:
            with HeldInterrupts():
                pass
        except BaseException as problem:
            problems.append(problem)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert problems == []
    assert signal.getsignal(signal.SIGINT) is before
