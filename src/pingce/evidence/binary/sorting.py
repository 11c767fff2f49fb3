"""Sorting side by side: NumPy's sort lets go of the interpreter, so that two arrays take the time of the longer."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MANY = 1 << 16


def sort_in_place(arrays: Sequence[NDArray[Any]], threads: int) -> None:
    """Sort each array, ascending."""
    others = [array for array in arrays[1:] if threads > 1 and min(len(array), len(arrays[0])) > _MANY]
    workers = [Thread(target=array.sort) for array in others]
    for worker in workers:
        worker.start()
    for array in arrays:
        if not any(array is other for other in others):
            array.sort()
    for worker in workers:
        worker.join()
