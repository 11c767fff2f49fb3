"""The command line: one file a command. Results go to stdout, everything else to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 fine, 2 wrong usage or bad input, 130 Ctrl-C. A closed pipe is silent."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = OK
    sys.exit(code)


def run(words: list[str]) -> int:
    """Run a command and return its exit code."""
    import click

    from pingce.cli.group import build, language_in
    from pingce.errors import PingceError
    from pingce.language import Text, use_language

    use_language(language_in(words))
    try:
        build().main(words, prog_name="pingce", standalone_mode=False)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except click.ClickException as problem:
        problem.show(sys.stderr)
        return BAD_INPUT
    except PingceError as problem:
        click.echo(f"pingce: {problem}", err=True)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        click.echo(Text("pingce: interrupted", "pingce：已中断"), err=True)
        return INTERRUPTED
    except MemoryError:
        click.echo(Text("pingce: not enough memory for this input", "pingce：内存不足，无法处理该输入"), err=True)
        return BAD_INPUT
    finally:
        use_language(None)
    return OK
