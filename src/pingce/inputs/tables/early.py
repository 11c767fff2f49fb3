"""A run in TREC's text is parsed while Python still imports what will ask for it. NumPy is not needed for that."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from pingce.base.core import core_ahead, thread_count
from pingce.base.prefetch import begin
from pingce.inputs.tables import COLUMNAR

RUN_PLACES: Final = (0, 2, 4, 6, False)
"The query, the item and the score of a line, how many fields it has, and whether more are refused."
_LONGEST: Final = 1 << 12
"Of a first line, in bytes."


def begin_run(path: str, threads: int | None = None) -> None:
    """Start to read a run, and to parse it if its first line looks like TREC's."""
    begin(path, COLUMNAR, partial(_parse, threads=threads))


def _parse(content: Any, threads: int | None) -> Any:
    fields = content[:_LONGEST].partition(b"\n")[0].split()
    core = core_ahead() if len(fields) == RUN_PLACES[3] else None
    return None if core is None else core.EarlyText(content, *RUN_PLACES, thread_count(threads))
