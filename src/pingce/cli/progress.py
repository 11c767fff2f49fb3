"""A line on stderr for work over a second, on a terminal only; gone when the work is done."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from pingce.base.progress import Watch, doing, time_left, watched
from pingce.base.text import Text

__all__ = ["Progress", "doing"]

_WAIT = 1.0
_TICK = 0.5
_ENOUGH = 0.05
"Share of the work from which on the time that is left can be told."


class Progress:
    """Says what is being done, for how long, and how long it will take where the work tells its share."""

    def __init__(self) -> None:
        self.watch = Watch()
        self._looked_at = watched(self.watch)
        self._finished = threading.Event()
        self._thread: threading.Thread | None = None

    def at(self, text: Text) -> None:
        """What is being done now."""
        self.watch.text = str(text)

    def __enter__(self) -> Progress:
        self._looked_at.__enter__()
        if sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._looked_at.__exit__(None, None, None)
        self._finished.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        begun = time.monotonic()
        pause = _WAIT
        while not self._finished.wait(pause):
            pause = _TICK
            sys.stderr.write(f"\r\x1b[2K{self._line(time.monotonic() - begun)}")
            sys.stderr.flush()
        if pause == _TICK:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()

    def _line(self, seconds: float) -> str:
        share = self.watch.share
        left = str(time_left(seconds * (1 / share - 1))) if share >= _ENOUGH else ""
        return f"{self.watch.text} … {seconds:.1f} s{left}"
