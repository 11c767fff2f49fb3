"""A line on stderr for work over a second, on a terminal only; gone when the work is done."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from pingce.base.text import Text

_WAIT = 1.0
_TICK = 0.5


_shown: list[Progress] = []
"Those at work, the innermost last."


def doing(text: Text) -> None:
    """What is being done now, where progress is shown at all."""
    if _shown:
        _shown[-1].at(text)


class Progress:
    """Says what is being done, and for how long."""

    def __init__(self) -> None:
        self._doing = ""
        self._finished = threading.Event()
        self._thread: threading.Thread | None = None

    def at(self, text: Text) -> None:
        """What is being done now."""
        self._doing = str(text)

    def __enter__(self) -> Progress:
        _shown.append(self)
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        _shown.remove(self)
        self._finished.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        begun = time.monotonic()
        pause = _WAIT
        while not self._finished.wait(pause):
            pause = _TICK
            sys.stderr.write(f"\r\x1b[2K{self._doing} … {time.monotonic() - begun:.1f} s")
            sys.stderr.flush()
        if pause == _TICK:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
