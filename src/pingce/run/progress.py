"""How far a stream has come: rows, rows a second, and the share that is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.inputs.streams import Stream

_Chunk = TypeVar("_Chunk")
Doing = Callable[[Text], None]


DEALING, READING = 0.5, 0.9
"Shares of the work that are done when all rows are dealt to parts, or are read and counted, about."


def silent(text: Text) -> None:
    """Nobody looks."""


@dataclass(frozen=True)
class Telling:
    """Whom a feed tells what it does (`doing`, chunk by chunk), and how, where that is worth a line (`say`)."""

    doing: Doing = silent
    say: Doing = silent


def paced(
    stream: Stream[_Chunk], memory: int, doing: Doing = silent, share: float = READING
) -> Generator[_Chunk, None, None]:
    """The chunks of a stream; before each of them `doing` is told how far it has come. Closing it stops the reading.

    All of them are this share of the work around.
    """
    begun = time.monotonic()
    with closing(stream.chunks(memory)) as chunks:  # type: ignore[type-var]
        for chunk in chunks:
            doing(pace(stream, time.monotonic() - begun))
            advance(share * stream.done)
            yield chunk
            del chunk


def pace(stream: Stream[_Chunk], seconds: float) -> Text:
    """What is said while a stream is read."""
    speed = _short(stream.rows / max(seconds, 1e-9))
    return Text(
        f"reading {stream.name.en}: {stream.rows:,} rows, {speed} rows/s",
        f"正在读取 {stream.name.zh}：{stream.rows:,} 行，每秒 {speed} 行",
    )


def _short(count: float) -> str:
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g}{unit}"
    return f"{count:.0f}"
