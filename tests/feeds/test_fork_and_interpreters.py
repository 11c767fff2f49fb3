"""A process that forks while a thread computes, and interpreters beside the main one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pingce
from pingce.base.lazy import cached_property

SOURCES = sorted(Path(pingce.__file__).parent.rglob("*.py"))


def test_no_property_of_ours_has_a_lock() -> None:
    """That of functools waits for ever in a child that was forked while another thread was inside, up to Python 3.11."""
    locked = [
        path.name
        for path in SOURCES
        if re.search(r"^from functools import .*cached_property", path.read_text("utf-8"), re.M)
    ]
    assert not locked


class Slow:
    """A property that another thread is busy with."""

    entered, leave = threading.Event(), threading.Event()

    def __init__(self, value: int, *, slow: bool) -> None:
        self.value, self.slow = value, slow

    @cached_property
    def answer(self) -> int:
        if self.slow:
            self.entered.set()
            self.leave.wait(20)
        return self.value


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_forked_while_a_thread_computes_goes_on() -> None:
    busy = threading.Thread(target=lambda: Slow(1, slow=True).answer)
    busy.start()
    Slow.entered.wait(20)
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(Slow(7, slow=False).answer)
    status = os.waitpid(child, 0)[1]
    Slow.leave.set()
    busy.join()
    assert os.waitstatus_to_exitcode(status) == 7


def test_a_property_is_computed_once() -> None:
    one = Slow(3, slow=False)
    assert (one.answer, one.__dict__["answer"]) == (3, 3)
    one.value = 4
    assert one.answer == 3


SECOND = """
try:
    import pingce
    pingce.evaluate_binary([1, 0], [0.9, 0.2], ["auc"])
except ValueError as problem:
    print(f"refused: {problem}", flush=True)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="interpreters are made in another way")
def test_a_subinterpreter_is_refused_before_anything_waits_for_ever() -> None:
    path = f"import sys; sys.path[:] = {sys.path!r}"
    code = f"import _xxsubinterpreters as two; two.run_string(two.create(), {path + SECOND!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("refused: pingce does not run in a subinterpreter"), done.stderr
