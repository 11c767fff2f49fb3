"""Ctrl-C while the command line is still being loaded: exit 130 at once, without a traceback of an import."""

import _signal  # type: ignore[import-not-found]
import os
import sys


def _leave(*_: object) -> None:
    os._exit(130)


def is_command() -> bool:
    """Whether this process was started as `pingce` or `python -m pingce`, and not by somebody who imports it."""
    name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""  # noqa: PTH119 - pathlib takes long to load
    module = name in ("-m", "__main__.py") and "-m pingce" in " ".join(getattr(sys, "orig_argv", ()))
    return module or name in ("pingce", "pingce.exe")


def leave_at_once() -> None:
    """Until `raise_again`, Ctrl-C ends the process: nothing was begun that could be lost."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _leave)


def raise_again() -> None:
    """From now on Ctrl-C is a KeyboardInterrupt, as everywhere in Python."""
    if _signal.getsignal(_signal.SIGINT) is _leave:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
