"""Columns of times, however they are written, as seconds from 1970: timestamps, dates, ISO text, numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Ints
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.inputs.vectors import Vector

Mask = NDArray[np.bool_]

DAY = 86_400
_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_LIMITS = {"s": 10**11, "ms": 10**14, "us": 10**17, "ns": 10**19}
"Numbers below each are taken for seconds, milliseconds, microseconds, nanoseconds."
_COMPACT = (1900_01_01, 2199_12_31)
"Whole numbers between are days as people write them; as seconds they would all lie in 1970."
_WHOLE, _FRACTION = r"^[+-]?\d{1,18}$", r"^[+-]?\d+\.\d*$"
_DATE, _ZONED = r"^\d{4}-\d{2}-\d{2}$", r"[T ]\d{2}.*(Z|[+-]\d{2}(:?\d{2})?)$"
_CLEANED = (("/", "-"), (r"[.,]\d+", ""), (r" ?(UTC|z)$", "Z"), (r" (Z|[+-]\d{2}:?\d{2})$", r"\1"))
"Spellings that are ISO's but for a sign; and parts of a second, which decide nothing."


@dataclass(frozen=True, eq=False)
class Moments:
    """Times as seconds from 1970, in UTC; those of `dates` are midnights of whatever zone is asked for."""

    seconds: Ints
    dates: Mask
    missing: Mask

    @classmethod
    def nothing(cls, missing: Mask) -> Moments:
        """As many times as there are rows, to be filled in."""
        return cls(np.zeros(len(missing), np.int64), np.zeros(len(missing), bool), missing)

    def put(self, rows: Ints, others: Moments) -> None:
        """Fill in the times of some rows."""
        self.seconds[rows], self.dates[rows] = others.seconds, others.dates


def moments_of(column: Vector) -> Moments:
    """The times of a column; what is none is refused with its row."""
    if column.is_array:
        return _of_numbers(column.values, column)
    values = pa.chunked_array(column.values).combine_chunks()
    kind, missing = values.type, _mask(values.is_null())
    if pa.types.is_null(kind):
        return Moments.nothing(missing)
    if pa.types.is_timestamp(kind):
        ticks = values.cast(pa.int64()).fill_null(0).to_numpy()
        return replace(Moments.nothing(missing), seconds=ticks // _A_SECOND[kind.unit])
    if pa.types.is_date(kind):
        days = values.cast(pa.date32()).cast(pa.int32()).fill_null(0).to_numpy().astype(np.int64)
        return Moments(days * DAY, ~missing, missing)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        moments = _of_numbers(values.fill_null(0).to_numpy(zero_copy_only=False), column)
        return replace(moments, missing=missing | moments.missing)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return _of_words(compute.utf8_trim_whitespace(values.cast(pa.large_string())).fill_null(""), column)
    raise _no_times(column, str(kind))


def _no_times(column: Vector, kind: str) -> InputError:
    return InputError(
        f"{column.name.en} holds {kind}; slices of time go by timestamps, dates, ISO text, or numbers of seconds, milliseconds, "
        "microseconds or nanoseconds since 1970",
        f"{column.name.zh} 的类型是 {kind}；按时间切片需要时间戳、日期、ISO 文本，或自 1970 年起的秒、毫秒、微秒、纳秒数",
    )


def _of_numbers(values: NDArray[Any], column: Vector) -> Moments:
    """Numbers by their size: days as people write them, or what is counted from 1970; NaN is no time."""
    if values.dtype.kind == "b":
        raise _no_times(column, "bool")
    moments, most = Moments.nothing(np.isnan(values)), 9.2e18
    column.refuse(
        ~moments.missing & ~((values > -most) & (values < most)),
        "{name} is {value}, which is no time; write seconds, milliseconds, microseconds or nanoseconds since 1970, or leave it empty",
        "{name} 为 {value}，不是时间；请写自 1970 年起的秒、毫秒、微秒或纳秒数，或留空",
    )
    numbers = np.where(moments.missing, 0, values)
    whole = np.floor(numbers).astype(np.int64)
    size, lower = np.abs(whole), -1
    for unit, limit in _LIMITS.items():
        rows = np.flatnonzero((size > lower) & (size < limit))
        moments.seconds[rows] = whole[rows] // _A_SECOND[unit]
        lower = limit - 1
    rows = np.flatnonzero((whole >= _COMPACT[0]) & (whole <= _COMPACT[1]) & (whole == numbers))
    moments.seconds[rows], moments.dates[rows] = _compact_days(whole[rows], column.take(rows)) * DAY, True
    return moments


def _compact_days(numbers: Ints, column: Vector) -> Ints:
    """YYYYMMDD as days from 1970."""
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    months = ((year - 1970) * 12 + np.clip(month, 1, 12) - 1).astype("M8[M]")
    days = months.astype("M8[D]") + (np.maximum(day, 1) - 1)
    column.refuse(
        (month < 1) | (month > 12) | (day < 1) | (days.astype("M8[M]") != months),
        "{name} is {value}, which looks like a day (YYYYMMDD) but is none of the calendar; correct it, or leave it empty",
        "{name} 为 {value}，形如日期（YYYYMMDD）却不在日历中；请更正或留空",
    )
    numbered: Ints = days.astype(np.int64)
    return numbered


def _of_words(words: Any, column: Vector) -> Moments:
    """Text as ISO writes times, or numbers in letters, as files without types have them; empty text is no time."""
    moments = Moments.nothing(_mask(compute.equal(words, "")))
    left = ~moments.missing
    for pattern, kind in ((_WHOLE, pa.int64()), (_FRACTION, pa.float64())):
        rows = np.flatnonzero(_mask(compute.match_substring_regex(words, pattern)))
        numbers = words.take(pa.array(rows)).cast(kind).to_numpy(zero_copy_only=False)
        moments.put(rows, _of_numbers(numbers, column.take(rows)))
        left[rows] = False
    rows = np.flatnonzero(left)
    moments.put(rows, _of_iso(words.take(pa.array(rows)), column.take(rows)))
    return moments


def _of_iso(words: Any, column: Vector) -> Moments:
    """Dates and times with or without a zone; without one they are UTC's."""
    for pattern, instead in _CLEANED:
        words = compute.replace_substring_regex(words, pattern, instead)
    moments = Moments.nothing(np.zeros(len(words), bool))
    moments.dates[:] = _mask(compute.match_substring_regex(words, _DATE))
    zoned = _mask(compute.match_substring_regex(words, _ZONED))
    for chosen, kind in ((zoned, pa.timestamp("s", tz="UTC")), (~zoned, pa.timestamp("s"))):
        rows = np.flatnonzero(chosen)
        moments.seconds[rows] = _parsed(words.take(pa.array(rows)), kind, column.take(rows))
    return moments


def _parsed(words: Any, kind: Any, column: Vector) -> Ints:
    try:
        seconds: Ints = words.cast(kind).cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        row = _first_odd(words, kind)
        place, value = column.place(row), str(column.values[row])
        raise InputError(
            f"{place.en}: {column.name.en} is '{value}', which cannot be read as a time; write dates or times as ISO does (2026-11-17, "
            "2026-11-17T08:30:00+08:00), days as 20261117, or seconds, milliseconds, microseconds or nanoseconds since 1970; or leave it empty",
            f"{place.zh}：{column.name.zh} 为 '{value}'，无法读作时间；请按 ISO 书写日期或时间（2026-11-17、2026-11-17T08:30:00+08:00），"
            "或写 20261117 这样的日期，或自 1970 年起的秒、毫秒、微秒、纳秒数；或留空",
        ) from None
    return seconds


def _first_odd(words: Any, kind: Any) -> int:
    """The first text that is no time; it is known that there is one."""
    low, high = 0, len(words)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            words.slice(low, middle - low).cast(kind)
        except pa.ArrowInvalid:
            high = middle
        else:
            low = middle
    return low


def _mask(booleans: Any) -> Mask:
    """A mask as NumPy has it."""
    return np.asarray(booleans.to_numpy(zero_copy_only=False), bool)
