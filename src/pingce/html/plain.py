"""Numbers and texts as the page takes them: plain JSON, both languages side by side, nothing that breaks out of a script."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Iterable
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point

_BREAKING = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_SAFE = str.maketrans(_BREAKING)


def both(text: str | Text) -> list[str]:
    """A text in English and in Chinese."""
    return [readable(text.en), readable(text.zh)] if isinstance(text, Text) else [readable(text)] * 2


def plain_points(points: Iterable[Point]) -> list[list[list[str]]]:
    """Points, each with its label and its sentence in both languages."""
    return [[both(point.label), both(point.text)] for point in points]


def readable(text: Any) -> str:
    """An id or a label as text that UTF-8 can hold."""
    letters = str(text)
    return letters if letters.isascii() else letters.encode("utf-8", "backslashreplace").decode()


def number(value: Any) -> Any:
    """A number as JSON can say it; None where it is undefined or infinite."""
    plain = value.item() if type(value) not in (float, int) and hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def ends(interval: Any) -> list[Any] | None:
    """The ends of an interval; None where there is none, or an end is undefined."""
    plain = None if interval is None else [number(float(end)) for end in interval]
    return None if plain is None or None in plain else plain


def entries(of: Any, *names: str) -> Json:
    """Some attributes by name: texts in both languages, intervals as their ends, numbers."""

    def plain(value: Any) -> Any:
        return (
            both(value) if isinstance(value, Text) else number(value) if not hasattr(value, "__len__") else ends(value)
        )

    return {name: plain(getattr(of, name)) for name in names}


def each_once(texts: Iterable[str | Text]) -> list[list[str]]:
    """Texts in both languages, without repetitions."""
    return [list(pair) for pair in dict.fromkeys(tuple(both(text)) for text in texts)]


def numbers(values: Any) -> list[Any]:
    """A column of them."""
    return [number(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]


def written(data: Any) -> str:
    """JSON on one line; numbers with every digit they have."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def for_script(data: Any) -> str:
    """JSON that may stand inside a script element."""
    return written(data).translate(_SAFE)


def packed(data: Any) -> str:
    """JSON, compressed, as letters: the same bytes for the same data."""
    squeezed = gzip.compress(written(data).encode("utf-8"), compresslevel=6, mtime=0)
    return base64.b64encode(squeezed).decode("ascii")


def unpacked(letters: str) -> Any:
    """What `packed` wrote."""
    return json.loads(gzip.decompress(base64.b64decode(letters)))
