"""`pingce doctor`: what this installation has, and what to do about what it lacks."""

from __future__ import annotations

import platform
import sys
import warnings
from importlib import metadata

import click

from pingce.cli.group import Command, lang_option
from pingce.language import Text, language

_PARTS = ("numpy", "scipy", "pyarrow", "narwhals", "click", "rich", "pandas", "polars")


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "doctor",
        params=[lang_option()],
        callback=examine,
        help=str(Text("Say what this installation has and lacks.", "检查安装情况。")),
    )


def examine() -> None:
    """Print the findings; a missing core is no error."""
    from pingce import __version__
    from pingce.core import MISSING, TURNED_OFF, native_core, thread_count, turned_off

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        core = native_core()
    found = Text("native core: loaded", "原生内核：已载入")
    lines = [
        f"pingce {__version__}",
        f"Python {platform.python_version()} ({platform.system()} {platform.machine()})",
        str(found if core is not None else TURNED_OFF if turned_off() else MISSING),
        str(Text(f"threads: {thread_count()}", f"线程数：{thread_count()}")),
        str(Text(f"language: {language()}", f"语言：{language()}")),
        *(f"{part} {_version(part)}" for part in _PARTS),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _version(part: str) -> str:
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return str(Text("not installed", "未安装"))
