"""A run in TREC's text is parsed while Python still imports what will ask for it. NumPy is not needed for that.

Nor is anything else that takes long to import: the sooner it begins, the sooner it ends.
"""

from __future__ import annotations

from typing import Final

from pingce.base.prefetch import NO_PLACES, Places, begin

RUN_PLACES: Final[Places] = (0, 2, 4, 6, False)


def begin_run(path: str, threads: int | None = None) -> None:
    """Start to read a run, and to parse it if its first line looks like TREC's.

    What begins like a file by columns is left alone: only some of them are wanted.
    """
    begin(path, _places, threads)


def _places(first: bytes) -> Places | None:
    if b"\0" not in first and len(first.partition(b"\n")[0].split()) == RUN_PLACES[3]:
        return RUN_PLACES
    from pingce.inputs.tables import COLUMNAR

    return None if first.startswith(COLUMNAR) else NO_PLACES
