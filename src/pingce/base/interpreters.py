"""Interpreters beside the main one: NumPy, Arrow and the core wait for each other there for ever."""

from __future__ import annotations


def refuse_subinterpreter() -> None:
    """Refuse to run anywhere but in the main interpreter of a process."""
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
