"""Completion in shells: the script of each, and the answer to what it asks at every press of the tab key."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from pingce.checks.rules import KINDS
from pingce.cli import SHELL_ASKS

SHELLS: Final = ("bash", "zsh", "fish")
_LINE, _BREAKS = "_PINGCE_LINE", "_PINGCE_BREAKS"
_SPECIAL: Final = frozenset(" \t\"'\\$&;|<>()*?[]{}#!~`")
"What a shell would take for something else, outside quotes."
_SPECIAL_IN: Final = {"": _SPECIAL, '"': frozenset('"\\$`'), "'": frozenset()}
"What is escaped, by the quote that is open."
_NEVER_IN: Final = {"": "", '"': "!", "'": "'"}
"What cannot be escaped there: a value that has it is not offered."
_METRICS: Final = ("metrics", "metric")
_SEVERAL: Final = ("metrics", "conventions")
"Parameters whose values may be several, by comma."
_MEASURES: Final = "measures"
"Those of trec_eval."
_OPEN: Final = (*_METRICS, *KINDS, *_SEVERAL, _MEASURES)
"Those after whose value more may follow: a cut-off, a limit, a comma."
_FILES: Final = ("FILE", "QRELS", "RUN", "PREDICTIONS", "SCORES.json", "USERS", "ITEMS", "TRAIN", "TEST")
"How the help writes values that are files."


def print_script(shell: str) -> None:
    """Print what makes a shell ask."""
    sys.stdout.write((files("pingce") / "cli" / "shells" / f"pingce.{shell}").read_text(encoding="utf-8"))


def answer(group: click.Group) -> None:
    """Print what may stand where the cursor is: a kind, a text and perhaps its meaning in each line.

    plain: the text; open: the same, and more may follow it without a space; file and folder: the shell looks itself.
    """
    shell, line = os.environ[SHELL_ASKS], os.environ.get(_LINE, "")
    words, incomplete, quote = _split(line)
    items = ShellComplete(group, {}, "pingce", SHELL_ASKS).get_completions(words[1:], incomplete)
    before = _kept(incomplete, os.environ.get(_BREAKS, "")) if shell == "bash" and not quote else ""
    for item in items:
        value = item.value.removeprefix(before)
        if not value.isprintable() or (shell == "bash" and any(letter in value for letter in _NEVER_IN[quote])):
            continue
        value = _escaped(value, _SPECIAL_IN[quote]) if shell == "bash" else value
        help_text = " ".join((item.help or "").split())
        sys.stdout.write(f"{item.type}\t{value}\t{help_text}\n")


def _split(line: str) -> tuple[list[str], str, str]:
    """The words that are whole, the one that is not, and the quote that it stands in."""
    words, quote = split_arg_string(line), _open_quote(line)
    if not words or (not quote and line != line.rstrip()):
        return words, "", ""
    return words[:-1], words[-1], quote


def _open_quote(line: str) -> str:
    """The quote that has not been closed, if any."""
    quote, letters = "", iter(line)
    for letter in letters:
        if letter == "\\" and quote != "'":
            next(letters, None)
        elif letter in "\"'" and quote in ("", letter):
            quote = "" if quote else letter
    return quote


def _kept(incomplete: str, breaks: str) -> str:
    """What of the word stays as it stands: bash replaces only what follows the last of its breaks, such as =; and an @ itself."""
    last = max((incomplete.rfind(letter) for letter in breaks if not letter.isspace()), default=-1)
    return incomplete[: last + (not incomplete.startswith("@", last))]


def _escaped(text: str, special: frozenset[str]) -> str:
    return "".join(f"\\{letter}" if letter in special else letter for letter in text)


def suggest(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """What may be the value of an option or argument."""
    if isinstance(param.type, (click.Choice, click.Path)):
        items = param.type.shell_complete(context, param, incomplete)
        return [CompletionItem("", "folder") if item.type == "dir" else item for item in items]
    name, shape = str(param.name), str(param.metavar or "")
    if (kind := _kind_of_path(shape)) is not None:
        return [CompletionItem("", kind)]
    before, comma, last = incomplete.rpartition(",") if name in _SEVERAL else ("", "", incomplete)
    kind = "open" if name in _OPEN else "plain"
    choices = _choices(name, shape, context)
    return [
        CompletionItem(f"{before}{comma}{value}", kind, title) for value, title in choices if value.startswith(last)
    ]


def _choices(name: str, shape: str, context: click.Context) -> Iterator[tuple[str, str]]:
    """Values of a parameter by its name, else by how the help writes them; each with its meaning."""
    if name in (*_METRICS, "name"):
        yield from _metric_names(context.params.get("task"), _kinds_in(context))
    if name in KINDS:
        yield from ((f"{metric}=", title) for metric, title in _metric_names(None))
    if name == _MEASURES:
        yield from _measure_names(context.params.get("version"))
    if "TOOL" in shape:
        yield from _tools()
    if shape.startswith("COLUMN"):
        yield from ((column, "") for column in _columns())


def _kind_of_path(shape: str) -> str | None:
    """What the shell looks for by itself, by how the help writes the value."""
    if shape in ("DIR", "FOLDER"):
        return "folder"
    return "file" if shape.strip("[").startswith(_FILES) else None


def _kinds_in(context: click.Context) -> tuple[type[Any], ...]:
    """The kinds of metrics that a command takes."""
    if context.info_name != "sql":
        return (object,)
    from pingce.sql.call import kinds_with_query

    return kinds_with_query()


def _metric_names(task: str | None, kinds: tuple[type[Any], ...] = (object,)) -> Iterator[tuple[str, str]]:
    """Every metric of some kinds by its name and its other names, with its title."""
    from pingce.metrics.grammar import written_names
    from pingce.tasks import TASKS

    titles: dict[str, str] = {}
    for each in [task] if task else TASKS:
        for name, kind in written_names(each).items():
            if issubclass(kind, kinds):
                titles.setdefault(name, str(kind.title))
    return iter(titles.items())


def _measure_names(version: str | None) -> Iterator[tuple[str, str]]:
    """What trec_eval calls its measures and sets of them, with the title of the metric that each is."""
    from pingce.conventions.trec_catalogue import measure_names
    from pingce.conventions.trec_measures import VERSIONS
    from pingce.metrics.grammar import written_names

    kinds = written_names("ranking")
    for name, means in measure_names(version or VERSIONS[0]).items():
        kind = kinds.get(re.split("[(@]", means)[0])
        yield name, "" if kind is None else str(kind.title)


def _tools() -> Iterator[tuple[str, str]]:
    from pingce.conventions.declared import conventions

    return ((name, "") for name in conventions())


def _columns() -> list[str]:
    """The columns of the first table on the line that can be read; click forgets files before an option without a value."""
    from pingce.base.errors import PingceError
    from pingce.inputs.columns import Reading
    from pingce.inputs.predictions import column_names

    words = _split(os.environ.get(_LINE, ""))[0]
    for file in (part for word in words[2:] for part in (word, word.partition("=")[2])):
        if Path(file).is_file():
            try:
                return column_names(file, Reading())
            except (PingceError, OSError):
                continue
    return []
