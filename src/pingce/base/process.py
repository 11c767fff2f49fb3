"""The process at its start: Ctrl-C while the command line is still being loaded, and interpreters beside the main one."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import os
import sys
import time


def _leave(*_: object) -> None:
    """Exit 130 at once, without a traceback of an import."""
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


class LostInterrupts:
    """Within it, a Ctrl-C that falls into a callback, where Python would print and forget it, comes again a moment later.

    Callbacks of weak references, finalizers and much of what libraries call back cannot raise, and the hook that is told of
    it cannot either: a thread sends it, which gets its turn when the hook has ended.
    """

    def __enter__(self) -> None:
        self._before, sys.unraisablehook = sys.unraisablehook, self._send_again

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook = self._before

    def _send_again(self, lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(_interrupt_later, (_thread.get_ident(),))
        else:
            self._before(lost)


def _interrupt_later(thread: int) -> None:
    """Interrupt a thread when it runs or waits again: one that is just about to wait would not be woken by it."""
    time.sleep(0.01)
    if hasattr(_signal, "pthread_kill"):  # not on Windows
        _signal.pthread_kill(thread, _signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_main_thread() -> bool:
    """Whether signals may be set here; `threading` is not loaded for it."""
    try:
        _signal.signal(_signal.SIGINT, _signal.getsignal(_signal.SIGINT))
    except (ValueError, TypeError):  # another thread, or a handler that Python does not know
        return False
    return True


class HeldInterrupts:
    """Within it a Ctrl-C waits: what runs cannot be left in the middle, such as the beginning of a compiled module, which would end the process."""

    def __enter__(self) -> None:
        self._waiting = False
        self._before: object = None
        if _is_main_thread() and callable(before := _signal.getsignal(_signal.SIGINT)):
            self._before = before
            _signal.signal(_signal.SIGINT, self._hold)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            _signal.signal(_signal.SIGINT, self._before)
            if self._waiting:
                _signal.raise_signal(_signal.SIGINT)

    def _hold(self, *_: object) -> None:
        self._waiting = True


def refuse_subinterpreter() -> None:
    """Refuse to run beside the main interpreter: NumPy, Arrow and the core wait for each other there for ever."""
    try:
        import _xxsubinterpreters as interpreters  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            import _interpreters as interpreters  # type: ignore[import-not-found, no-redef, unused-ignore]
        except ImportError:
            return
    if interpreters.get_current() == interpreters.get_main():
        return
    from pingce.base.errors import InputError

    raise InputError(
        "pingce does not run in a subinterpreter, since NumPy and Arrow do not; start a process instead, e.g. with multiprocessing",
        "pingce 不能在子解释器中运行，因为 NumPy 与 Arrow 都不支持；请改用进程，例如 multiprocessing",
    )
