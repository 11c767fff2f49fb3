"""The command line: one file a command. Results go to stdout, everything else to stderr."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 fine, 2 wrong usage or bad input, 130 Ctrl-C. A closed pipe is silent."""
    try:
        _write_anything(sys.stdout)
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED  # before anything was loaded that could say so
    except BrokenPipeError:
        code = _abandon_stdout(OK)
    except OSError as problem:
        sys.stderr.write(f"pingce: stdout: {problem.strerror or problem}\n")
        code = _abandon_stdout(BAD_INPUT)
    sys.exit(code)


def _write_anything(stream: object) -> None:
    """A character that the terminal's encoding lacks is written as an escape, never as a traceback."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _abandon_stdout(code: int) -> int:
    """Nothing more can be written: what is left in the buffer must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run(words: list[str]) -> int:
    """Run a command and return its exit code."""
    import click

    from pingce.cli.group import build, language_in, usage_problem
    from pingce.errors import PingceError, one_line
    from pingce.language import Text, use_language

    use_language(language_in(words))
    try:
        group = build()
        with group.make_context("pingce", words) as context:
            group.invoke(context)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except click.exceptions.NoArgsIsHelpError as problem:
        sys.stderr.write(problem.format_message() + "\n")
        return BAD_INPUT
    except click.ClickException as problem:
        sys.stderr.write(f"pingce: {one_line(usage_problem(problem))}\n")
        return BAD_INPUT
    except PingceError as problem:
        sys.stderr.write(f"pingce: {problem}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write(str(Text("pingce: interrupted\n", "pingce：已中断\n")))
        return INTERRUPTED
    except MemoryError:
        sys.stderr.write(str(Text("pingce: not enough memory for this input\n", "pingce：内存不足，无法处理该输入\n")))
        return BAD_INPUT
    finally:
        use_language(None)
    return OK
