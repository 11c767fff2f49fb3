"""What will go, said two versions ahead: `@deprecated(since="0.2.0", removed="0.4.0", instead=…)` on a function or a class."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from pingce.base.errors import warn_user
from pingce.base.text import Text

Marked = TypeVar("Marked", bound=Callable[..., Any])
VERSIONS_AHEAD = 2
"Minor versions for which something deprecated stays, at least."


class PingceDeprecationWarning(FutureWarning):
    """Something still works and will be gone in a later version; a FutureWarning, which Python shows by default."""


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version: of 0.3.0rc1 these are 0 and 3."""
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def is_overdue(removed: str, version: str) -> bool:
    """Whether what was to be removed in one version must be gone in another."""
    return release(version) >= release(removed)


def deprecated(*, since: str, removed: str, instead: Text) -> Callable[[Marked], Marked]:
    """Mark a function or a class: whoever calls it is warned at their own line, with both versions and the way out.

    It stays for two minor versions at least, or until the next major one: less is refused here.
    """
    first, last = release(since), release(removed)
    if last < (first[0] + 1, 0) and last < (first[0], first[1] + VERSIONS_AHEAD):
        raise ValueError(
            f"removed={removed!r}: what is deprecated in {since} stays for {VERSIONS_AHEAD} minor versions"
        )

    def mark(target: Marked) -> Marked:
        name = target.__qualname__
        message = Text(
            f"{name} is deprecated since pingce {since} and will be removed in {removed}; {instead.en}",
            f"{name} 自 pingce {since} 起弃用，将在 {removed} 中移除；{instead.zh}",
        )
        target.__deprecated__ = message.en  # type: ignore[attr-defined]
        if isinstance(target, type):
            target.__init__ = _warning(target.__init__, message)  # type: ignore[misc]
            return target
        return _warning(target, message)

    return mark


def _warning(target: Marked, message: Text) -> Marked:
    """The same call, with the warning before it."""

    @functools.wraps(target)
    def call(*args: Any, **keywords: Any) -> Any:
        warn_user(message, PingceDeprecationWarning)
        return target(*args, **keywords)

    return call  # type: ignore[return-value]
