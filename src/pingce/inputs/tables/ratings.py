"""Ratings as `user item rating time`, which have as many columns as qrels (`query 0 item grade`) and mean others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.errors import InputError

if TYPE_CHECKING:
    from pingce.inputs.files import File

_LOOKED_AT = 1 << 14
"Bytes by which a file is known."
_FIELDS = 4
_FILLERS = {b"0", b"Q0"}
_BEST_RATING, _EARLIEST = 10, 100_000_000
"The highest rating that is usual, and a time in seconds (1973) that no grade reaches."


def refuse_ratings(file: File) -> None:
    """Ask which columns are meant where the third field looks like a rating, or the fourth like a time."""
    at = file.first_at
    lines = file.content[at : at + _LOOKED_AT].tobytes().split(b"\n")
    lines = lines[:-1] if at + _LOOKED_AT < len(file.content) else lines
    rows = [line.split() for line in lines if not line.lstrip().startswith(b"#")]
    rows = [row for row in rows if len(row) == _FIELDS]
    items = {row[1] for row in rows}
    if not rows or items <= _FILLERS:
        return
    ratings = {row[2] for row in rows}
    if not (
        all(map(_is_time, {row[3] for row in rows}))
        or (len(items) > len(ratings) > 1 and all(map(_is_rating, ratings)))
    ):
        return
    text = b" ".join(rows[0]).decode("utf-8", "backslashreplace")
    raise InputError(
        f"{file.path}: qrels, or ratings? Its rows ({text}) look like user item rating time, not like query 0 item grade; say "
        "columns={'truth.item': 2, 'truth.grade': 3} (--columns truth.item=2,truth.grade=3), or truth.item=3,truth.grade=4 if they "
        "are qrels",
        f"{file.path}：是真值（qrels）还是评分？其数据行（{text}）像是“用户 条目 评分 时间”，而不是“query 0 item grade”；请用 "
        "columns={'truth.item': 2, 'truth.grade': 3}（--columns truth.item=2,truth.grade=3）指明；若确为真值，请用 truth.item=3,truth.grade=4",
    )


def _is_rating(word: bytes) -> bool:
    number = _number(word)
    return number is not None and 0 <= number <= _BEST_RATING


def _is_time(word: bytes) -> bool:
    number = _number(word)
    return number is not None and number >= _EARLIEST


def _number(word: bytes) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
