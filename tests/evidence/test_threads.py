"""Every threaded function of the core gives the same bits with one thread and with several; ThreadSanitizer runs these."""

from __future__ import annotations

import threading

import pytest

from core_calls import CALLS, core, plain
from interrupts import interrupt

pytestmark = pytest.mark.skipif(core is None, reason="THE NATIVE CORE IS NOT INSTALLED: there are no threads")


@pytest.mark.parametrize("name", CALLS)
def test_the_same_bits_with_any_number_of_threads(name: str) -> None:
    one = plain(CALLS[name](1))
    assert one == plain(CALLS[name](4))
    assert one == plain(CALLS[name](7))


def test_calls_side_by_side_do_not_meet() -> None:
    expected, results = plain(CALLS["ranking_evidence"](1)), []
    callers = [threading.Thread(target=lambda: results.append(plain(CALLS["ranking_evidence"](2)))) for _ in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert results == [expected] * 3


@pytest.mark.parametrize("name", ["probability_sums", "ranking_evidence", "parse_text"])
def test_ctrl_c_ends_the_work_of_every_thread(name: str) -> None:
    interrupt(lambda: CALLS[name](4))
