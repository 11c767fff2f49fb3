"""A line on stderr for work over a second, with a bar and the time that is left where the work tells its share.

On a terminal only; gone when the work is done.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextvars import copy_context
from types import TracebackType

from pingce.base.addresses import public_text
from pingce.base.progress import Watch, doing, time_left, watched
from pingce.base.tables import width
from pingce.base.text import Text

__all__ = ["Progress", "doing"]

_WAIT = 1.0
_TICK = 0.5
_CELLS = 20
"Of the bar."
_USUAL = 80
"Columns of a terminal that does not tell."
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
            speaking = copy_context()  # a thread does not know the language that was chosen
            self._thread = threading.Thread(target=speaking.run, args=(self._show,), daemon=True)
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
        """What is being done, and how far it has come; never longer than the terminal is wide, or it could not be taken back."""
        share = self.watch.share
        left = str(time_left(seconds * (1 / share - 1))) if share >= _ENOUGH else ""
        tail = f"{_bar(share)} … {seconds:.1f} s{left}"
        return _fitted(public_text(self.watch.text), _columns() - 1 - width(tail)) + tail


def _bar(share: float) -> str:
    """The share as a bar and in per cent; nothing where nobody can say."""
    if not share:
        return ""
    done, open_ = ("━", "─") if (sys.stderr.encoding or "").lower().startswith("utf") else ("#", "-")
    filled = round(_CELLS * min(share, 1.0))
    return f" {done * filled}{open_ * (_CELLS - filled)} {min(share, 1.0):4.0%}"


def _fitted(text: str, room: int) -> str:
    """The text, or as much of its beginning as there is room for."""
    if width(text) <= room:
        return text
    while text and width(text) >= room:
        text = text[:-1]
    return f"{text}…"


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL
    except (OSError, ValueError):
        return _USUAL
