"""The command line: one file a command. Results go to stdout, everything else to stderr."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pingce.base.process import LostInterrupts, raise_again

if TYPE_CHECKING:
    import click

_OF_RUNS = ("eval", "compare", "report", "check", "trec_eval")
_LIMITS = ("--threads", "--memory", "--engine", "--master")
"What says how a run is to be read, or where."
SHELL_ASKS = "_PINGCE_COMPLETE"
"The variable of the environment that names a shell which asks what may stand at its cursor."
OK, CHECK_FAILED, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 70, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 fine, 2 wrong usage or bad input, 70 a defect of pingce, 130 Ctrl-C.

    A closed pipe is silent.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with LostInterrupts():
            _open_streams()
            if arguments is None:
                _begin(words)
            code = run(words)
            sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done: Ctrl-C while Python tidies up changes nothing
    except KeyboardInterrupt:
        code = INTERRUPTED  # before anything was loaded that could say so
    except BrokenPipeError:
        code = _abandon_stdout(OK)
    except OSError as problem:
        what = problem.filename if problem.filename is not None else _failing_stream()
        from pingce.base.addresses import public_text

        sys.stderr.write(public_text(f"pingce: {f'{what}: ' if what else ''}{problem.strerror or problem}\n"))
        code = _abandon_stdout(BAD_INPUT) if what == "stdout" else BAD_INPUT
    except Exception as problem:
        # Python wraps a Ctrl-C that comes while a class is made.
        code = INTERRUPTED if isinstance(problem.__cause__, KeyboardInterrupt) else _admit(problem, words)
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _begin(words: list[str]) -> None:
    """Start on the run of `eval QRELS RUN`, if it is large, before anything is loaded that knows what else is written."""
    gc.set_threshold(100_000)  # most of what a command makes is modules, in which there is nothing to collect
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's threads would wait for work that pingce never has
    if len(words) < 3 or words[0] not in _OF_RUNS or any(word.startswith("-") for word in words[1:3]):
        return
    if any(word.startswith(_LIMITS) for word in words):
        return
    from pingce.inputs.early import begin_run

    begin_run(words[2])


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


def _failing_stream() -> str | None:
    """Stdout, if it is what cannot be written to: what is left in its buffer then fails again."""
    try:
        sys.stdout.flush()
    except OSError:
        return "stdout"
    return None


def _admit(problem: Exception, words: Sequence[str]) -> int:
    """Say that pingce itself is at fault, in one sentence; PINGCE_TRACEBACK=1 shows where."""
    from pingce.base.errors import first_words, sentence
    from pingce.base.text import Text, use_language

    if os.environ.get("PINGCE_TRACEBACK", "0") not in ("", "0"):
        import traceback

        traceback.print_exception(problem)
    with suppress(Exception):
        from pingce.cli.group import language_in

        use_language(language_in(words))
    kind, what = type(problem).__name__, first_words(problem)
    text = Text(
        f"pingce: unexpected {kind}: {what}; this is a defect of pingce: please report it with what PINGCE_TRACEBACK=1 shows",
        f"pingce：意外的 {kind}：{what}；这是 pingce 的缺陷：请设置 PINGCE_TRACEBACK=1 重新运行，并附上所示内容报告",
    )
    sys.stderr.write(sentence(str(text)) + "\n")
    use_language(None)
    return DEFECT


def _abandon_stdout(code: int) -> int:
    """Nothing more can be written: what is left in the buffer must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run(words: list[str]) -> int:
    """Run a command and return its exit code."""
    import click

    from pingce.base.errors import PingceError
    from pingce.base.text import use_language
    from pingce.cli.group import build, language_in

    asked = os.environ.get(SHELL_ASKS)
    use_language(language_in(os.environ.get("_PINGCE_LINE", "").split() if asked else words))
    try:
        group = build()
        raise_again()
        if asked:
            return _answer_shell(group)
        with group.make_context("pingce", words) as context:
            group.invoke(context)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (click.ClickException, PingceError, KeyboardInterrupt, MemoryError) as problem:
        sys.stderr.write(_last_words(problem) + "\n")
        if isinstance(problem, PingceError):
            return problem.exit_code
        return INTERRUPTED if isinstance(problem, KeyboardInterrupt) else BAD_INPUT
    finally:
        if "pingce.base.prefetch" in sys.modules:  # help needs none of it
            sys.modules["pingce.base.prefetch"].forget()
        use_language(None)
    return OK


def _answer_shell(group: click.Group) -> int:
    """Tell a shell what may stand at its cursor; where that cannot be told, nothing."""
    from pingce.cli.completion import answer

    with suppress(Exception):
        answer(group)
    return OK


def _last_words(problem: BaseException) -> str:
    """What went wrong, in one sentence."""
    import click

    from pingce.base.addresses import public_text
    from pingce.base.errors import one_line
    from pingce.base.text import Text
    from pingce.cli.group import usage_problem

    if isinstance(problem, click.ClickException):
        return f"pingce: {one_line(public_text(usage_problem(problem)))}"
    if isinstance(problem, KeyboardInterrupt):
        return str(Text("pingce: interrupted", "pingce：已中断"))
    if isinstance(problem, MemoryError):
        return str(Text("pingce: not enough memory for this input", "pingce：内存不足，无法处理该输入"))
    return f"pingce: {problem}"
