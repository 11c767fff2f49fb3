"""How far long work has come: told by whoever does it, looked at by whoever shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pingce.base.records import dataclass
from pingce.base.text import Text

_Item = TypeVar("_Item")


@dataclass
class Watch:
    """What is being done, and which share of all the work is done; 0 where nobody can say."""

    text: str = ""
    share: float = 0.0
    span: tuple[float, float] | None = None
    "From where to where the share goes while the present part is done."


_watches: list[Watch] = []
"Those that are looked at, the innermost last."


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Whoever works meanwhile tells this watch."""
    _watches.append(watch)
    try:
        yield
    finally:
        _watches.remove(watch)


def doing(text: Text) -> None:
    """Say what is being done now."""
    if _watches:
        _watches[-1].text = str(text)


def advance(share: float) -> None:
    """Say which share of the present part is done; without a part nobody knows what it is a share of."""
    watch = _watches[-1] if _watches else None
    if watch is not None and watch.span is not None:
        low, high = watch.span
        watch.share = max(watch.share, low + share * (high - low))


@contextmanager
def part(low: float, high: float) -> Iterator[None]:
    """What is done meanwhile takes the share of the work around it from `low` to `high`, about."""
    if not _watches:
        yield
        return
    watch = _watches[-1]
    outer = watch.span
    first, last = outer or (0.0, 1.0)
    watch.span = first + low * (last - first), first + high * (last - first)
    try:
        yield
        advance(1.0)
    finally:
        watch.span = outer


def stepwise(items: Iterable[_Item]) -> Iterator[_Item]:
    """Items one after another; what is done with each takes an equal share of the work around it, about."""
    every = list(items)
    for at, item in enumerate(every):
        with part(at / len(every), (at + 1) / len(every)):
            yield item


def time_left(seconds: float) -> Text:
    """The end of what is said."""
    if seconds < 90:
        return Text(f", {seconds:.0f} s left", f"，还需 {seconds:.0f} 秒")
    return Text(f", {seconds / 60:.0f} min left", f"，还需 {seconds / 60:.0f} 分钟")
