"""One item ahead: a thread makes the next while the caller works on the last."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_END: Any = object()


def one_ahead(items: Generator[_Item, None, None]) -> Iterator[_Item]:
    """The same items. At most two are alive: the caller's and the next. Closing it stops the thread, also on an error."""
    try:
        with ThreadPoolExecutor(1) as thread:
            coming = thread.submit(next, items, _END)
            while (item := coming.result()) is not _END:
                coming = thread.submit(next, items, _END)
                yield item
                del item
    finally:
        items.close()
