"""What a command prints, for the pages that show it: run beside the files of the demo, in the language in force."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import unicodedata
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pingce.base.text import language, use_language
from pingce.cli import run
from website.nav import ROOT

WIDEST = 86
"Columns that a window of 1280 points shows of a block."
_PIECE = re.compile(r"[!-~]+ ?|.")
"A word with the room after it, or one sign."
_POINT = re.compile(r"( *\S+(?: \S+)*  +)(\S.*[.。])")
"A label, and the sentence that stands beside it."
_CLOSING = "，。；：、）"


@cache
def _folder() -> TemporaryDirectory[str]:
    """An empty folder with the demo's files in `demo`, for as long as we run."""
    folder = TemporaryDirectory(prefix="pingce-site-")
    atexit.register(folder.cleanup)
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
    """A sentence in lines that fit, below itself where a label stands before it; a row of a table, which has room between its columns, stays as it is."""
    point = _POINT.fullmatch(line)
    label, sentence = (point[1], point[2]) if point else ("", line)
    if _width(line) <= WIDEST or (point is None and "  " in line.strip()):
        return line
    lines, most = [""], WIDEST - _width(label)
    for piece in _PIECE.findall(sentence):
        if _width(lines[-1] + piece.rstrip()) > most and piece not in _CLOSING:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return label + f"\n{' ' * _width(label)}".join(lines)


def _width(text: str) -> int:
    """How many columns a terminal needs: two for a Chinese sign."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
