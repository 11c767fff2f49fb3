"""The command line: one file a command. Results go to stdout, everything else to stderr."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 fine, 2 wrong usage or bad input, 130 Ctrl-C. A closed pipe is silent."""
    try:
        _open_streams()
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done: Ctrl-C while Python tidies up changes nothing
    except KeyboardInterrupt:
        code = INTERRUPTED  # before anything was loaded that could say so
    except BrokenPipeError:
        code = _abandon_stdout(OK)
    except OSError as problem:
        sys.stderr.write(f"pingce: stdout: {problem.strerror or problem}\n")
        code = _abandon_stdout(BAD_INPUT)
    except RuntimeError as problem:
        if not isinstance(problem.__cause__, KeyboardInterrupt):
            raise
        code = INTERRUPTED  # Python wraps a Ctrl-C that comes while a class is made
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """End the process that was started for this command, without taking its modules down one by one.

    That would cost a tenth of a second, and threads of libraries may not survive it.
    """
    import atexit

    with suppress(OSError, ValueError):
        sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(code)


def _open_streams() -> None:
    """A character that the terminal's encoding lacks is written as an escape; a closed stream swallows what it gets."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _abandon_stdout(code: int) -> int:
    """Nothing more can be written: what is left in the buffer must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run(words: list[str]) -> int:
    """Run a command and return its exit code."""
    import click

    from pingce.cli.group import build, language_in
    from pingce.errors import PingceError
    from pingce.interrupts import raise_again
    from pingce.language import use_language

    use_language(language_in(words))
    try:
        group = build()
        raise_again()
        with group.make_context("pingce", words) as context:
            group.invoke(context)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (click.ClickException, PingceError, KeyboardInterrupt, MemoryError) as problem:
        sys.stderr.write(_last_words(problem) + "\n")
        return INTERRUPTED if isinstance(problem, KeyboardInterrupt) else BAD_INPUT
    finally:
        use_language(None)
    return OK


def _last_words(problem: BaseException) -> str:
    """What went wrong, in one sentence; a command line without words gets the help."""
    import click

    from pingce.cli.group import usage_problem
    from pingce.errors import one_line
    from pingce.language import Text

    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        return problem.format_message()
    if isinstance(problem, click.ClickException):
        return f"pingce: {one_line(usage_problem(problem))}"
    if isinstance(problem, KeyboardInterrupt):
        return str(Text("pingce: interrupted", "pingce：已中断"))
    if isinstance(problem, MemoryError):
        return str(Text("pingce: not enough memory for this input", "pingce：内存不足，无法处理该输入"))
    return f"pingce: {problem}"
