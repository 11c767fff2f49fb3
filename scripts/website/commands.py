"""What a command prints, for the pages that show it: run beside the files of the demo, in the language in force."""

from __future__ import annotations

import os
import shlex
import shutil
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pingce.base.text import language, use_language
from pingce.cli import run
from website.nav import ROOT

WIDEST = 92


@cache
def _folder() -> TemporaryDirectory[str]:
    """An empty folder with the demo's files in `demo`, for as long as we run."""
    folder = TemporaryDirectory(prefix="pingce-site-")
    shutil.copytree(ROOT / "src" / "pingce" / "demo", Path(folder.name) / "demo")
    return folder


def output(command: str) -> str:
    """What the command prints, as a block; nothing where it prints nothing."""
    _, *words = shlex.split(command)
    before, lang = Path.cwd(), language()
    os.chdir(_folder().name)
    try:
        with redirect_stdout(StringIO()) as text, redirect_stderr(StringIO()) as told:
            code = run([*words, "--lang", lang])
    finally:
        os.chdir(before)
        use_language(lang)
    if code:
        raise RuntimeError(f"{command}: {told.getvalue()}")
    shown = "\n".join(map(_folded, text.getvalue().strip().splitlines()))
    return f"```text\n{shown}\n```" if shown else ""


def _folded(line: str) -> str:
    """A sentence in lines that fit; a row of a table, which has room between its columns, stays as it is."""
    if len(line) <= WIDEST // 2 or "  " in line.strip():
        return line
    return textwrap.fill(line, WIDEST // 2 if language() == "zh" else WIDEST)
