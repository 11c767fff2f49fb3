"""The last rows that an evaluator has seen: batches that slide out of a window are forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pingce.base.errors import InputError, is_whole
from pingce.base.text import Text

_Rows = TypeVar("_Rows")


def checked_window(window: Any) -> int | None:
    """How many rows a window has; None where there is no window."""
    if window is not None and not is_whole(window, 1):
        raise InputError(
            f"window={window!r}: it is how many of the last rows count, a whole number from 1 up such as 1_000_000; leave it out for all",
            f"window={window!r}：应为计入的最后若干行的行数，即不小于 1 的整数，例如 1_000_000；若要全部，请去掉",
        )
    return None if window is None else int(window)


def slide(
    batches: list[_Rows],
    excess: int,
    size_of: Callable[[_Rows], int],
    last: Callable[[_Rows, int], _Rows],
    *,
    exact: bool,
) -> int:
    """Forget so many of the first rows, and say how many were; unless it must be `exact`, no batch is cut for a few of them."""
    gone, whole = 0, 0
    while gone < excess and gone + size_of(batches[whole]) <= excess:
        gone += size_of(batches[whole])
        whole += 1
    del batches[:whole]
    if gone < excess:
        size, left = size_of(batches[0]), excess - gone
        if exact or 2 * left > size:
            batches[0] = last(batches[0], size - left)
            gone += left
    return gone


def window_notes(window: int | None, rows: int) -> tuple[Text, ...]:
    """What to say of a window that is not full."""
    if window is None or rows >= window:
        return ()
    return (
        Text(
            f"window={window}: no more than {rows} rows were seen, and all of them count",
            f"window={window}：目前只有 {rows} 行，全部计入",
        ),
    )
