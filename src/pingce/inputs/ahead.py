"""One item ahead: a thread makes the next while the caller works on the last."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Any, TypeVar

_Item = TypeVar("_Item")


def one_ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """The same items. At most two are alive: the caller's and the next. Closing it stops the thread, also on an error."""
    maker = _Maker(items)
    maker.start()
    try:
        while True:
            item = maker.next()
            if item is _END:
                return
            yield item
            del item
    finally:
        maker.stop()


_END: Any = object()


class _Maker(threading.Thread):
    def __init__(self, items: Iterator[Any]) -> None:
        super().__init__(daemon=True)
        self._items = items
        self._made: deque[Any] = deque()
        self._problem: BaseException | None = None
        self._wanted = threading.Semaphore(1)
        self._ready = threading.Semaphore(0)
        self._stopped = False

    def next(self) -> Any:
        """The next item, or `_END`; what went wrong in the thread goes wrong here."""
        self._ready.acquire()
        item = self._made.popleft()
        if item is _END and self._problem is not None:
            raise self._problem
        self._wanted.release()
        return item

    def stop(self) -> None:
        """No more is wanted."""
        self._stopped = True
        self._wanted.release()
        self.join()

    def run(self) -> None:
        """Make one, and wait until it is taken."""
        try:
            while self._wanted.acquire() and not self._stopped:
                item = next(self._items, _END)
                ended = item is _END
                self._put(item)
                del item
                if ended:
                    break
        except BaseException as problem:
            self._problem = problem
            self._put(_END)
        finally:
            close = getattr(self._items, "close", None)
            if close is not None:
                close()

    def _put(self, item: Any) -> None:
        self._made.append(item)
        self._ready.release()
