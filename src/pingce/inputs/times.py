"""Slices by time: moments become the starts of the hours, days or weeks that they lie in, by the clock of a zone."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Ints
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.data import MOST_SLICES, Column
from pingce.inputs.moments import DAY, moments_of
from pingce.inputs.vectors import Vector, vector

_NAME = re.compile(r"(.+):([1-9]\d{0,5})(s|min|h|d|w)(?:@(\S+))?", re.DOTALL)
_LIKE = re.compile(r".+:\d+[A-Za-z]+(@\S*)?", re.DOTALL)
_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": DAY, "w": 7 * DAY}
_MONDAY = 4 * DAY
"1970-01-05, from which widths are counted: weeks begin on Mondays."
_FIRST, _END = -62_135_596_800, 253_402_300_800
"The years 1 to 9999, in seconds from 1970."
_OFFSETS = 1 << 18
"More than there are seconds by which clocks differ from UTC."


@dataclass(frozen=True)
class TimeSlicing:
    """A column of times, how many seconds a slice is long, and whose clock tells when it begins."""

    name: str
    column: str
    width: int
    zone: str = "UTC"

    @property
    def note(self) -> Text:
        """What readers of the slices should know."""
        return Text(
            f"{self.name}: slices of time, each named by its start, by the clock of {self.zone}",
            f"{self.name}：按时间切片，以起始时刻命名，时区为 {self.zone}",
        )

    def starts(self, data: Column) -> Vector:
        """The start of the slice of each row, as ISO writes it; null where there is no time."""
        column = vector(data, f"by '{self.name}'")
        moments = moments_of(column)
        column.refuse(
            ~moments.missing & ((moments.seconds < _FIRST) | (moments.seconds >= _END)),
            "{name} is {value}, which as a time lies outside the years 1 to 9999; correct it, or leave it empty",
            "{name} 为 {value}，作为时间超出公元 1 年至 9999 年；请更正或留空",
        )
        clock = moments.seconds if moments.dates.all() else self._clock(moments.seconds)
        clock = np.where(moments.dates, moments.seconds, clock)
        begins = (clock - _MONDAY) // self.width * self.width + _MONDAY
        twice = self._comes_twice(begins) & ~moments.dates & ~moments.missing
        keys = begins * _OFFSETS + np.where(twice, clock - moments.seconds + DAY, 0)
        encoded = pa.array(keys, mask=moments.missing).dictionary_encode()
        self._refuse_many(column.name, len(encoded.dictionary))
        names = pa.array(self._written(encoded.dictionary.to_numpy()), pa.string())
        return replace(column, values=pa.chunked_array([names.take(encoded.indices)]))

    def _clock(self, seconds: Ints) -> Ints:
        """What the clock of the zone shows, as seconds."""
        if self.zone == "UTC":
            return seconds
        try:
            stamps = pa.array(seconds).cast(pa.timestamp("s", tz=self.zone))
            clock: Ints = compute.local_timestamp(stamps).cast(pa.int64()).to_numpy()
        except pa.ArrowInvalid:
            raise InputError(
                f"by='{self.name}': there is no time zone '{self.zone}' here; write one as Asia/Shanghai, UTC or +08:00",
                f"by='{self.name}'：此处没有时区 '{self.zone}'；请写作 Asia/Shanghai、UTC 或 +08:00",
            ) from None
        return clock

    def _comes_twice(self, begins: Ints) -> NDArray[np.bool_]:
        """Which slices the clock shows twice from their start to their end, as it does where it is set back by an hour."""
        if self.zone == "UTC" or self.width >= DAY:
            return np.zeros(len(begins), bool)
        distinct, place = np.unique(begins, return_inverse=True)
        twice = np.ones(len(distinct), bool)
        for edge in (distinct, distinct + self.width - 1):
            clock = pa.array(edge).cast(pa.timestamp("s"))
            first, second = (
                compute.assume_timezone(clock, self.zone, ambiguous=which, nonexistent="earliest")
                for which in ("earliest", "latest")
            )
            twice &= compute.not_equal(first, second).to_numpy(zero_copy_only=False)
        return np.asarray(twice[place.reshape(-1)])

    def _written(self, keys: Ints) -> list[str]:
        """The starts of slices; one that comes twice is told from the other by how far it is from UTC."""
        begins, offsets = np.divmod(keys, _OFFSETS)
        unit = "D" if not self.width % DAY else "m" if not self.width % 60 else "s"
        words: list[str] = begins.astype("M8[s]").astype(f"M8[{unit}]").astype(str).tolist()
        return [word + _offset(each) for word, each in zip(words, offsets.tolist(), strict=True)]

    def _refuse_many(self, name: Text, count: int) -> None:
        if count > MOST_SLICES:
            raise InputError(
                f"{name.en}: there are {count} slices of time, too many to read (at most {MOST_SLICES}); make them longer, e.g. "
                f"{self.column}:1d or {self.column}:1w",
                f"{name.zh}：按时间有 {count} 个切片，过多（至多 {MOST_SLICES} 个）；请取更长的时段，如 {self.column}:1d 或 {self.column}:1w",
            )


def _offset(number: int) -> str:
    """How far the clock is from UTC, as ISO writes it; nothing where it does not matter."""
    if not number:
        return ""
    minutes = (number - DAY) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def time_slicing(name: str) -> TimeSlicing | None:
    """What a name such as `time:1d`, `time:6h` or `time:1w@Asia/Shanghai` says; None for a plain name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    column, count, unit, zone = match.groups()
    return TimeSlicing(name, column, int(count) * _SECONDS[unit], zone or "UTC")


def sliced_column(name: str) -> str:
    """The column that a name to slice by means."""
    slicing = time_slicing(name)
    if slicing is not None:
        return slicing.column
    if _LIKE.fullmatch(name):
        column, width = name.rsplit(":", 1)
        raise InputError(
            f"by='{name}': '{width}' is no width of time; write a whole number from 1 up and s, min, h, d or w, e.g. {column}:1d, "
            f"and where it is not UTC the zone, {column}:1d@Asia/Shanghai",
            f"by='{name}'：'{width}' 不是时段；请写不小于 1 的整数加 s、min、h、d 或 w，如 {column}:1d；"
            f"若非 UTC，请加时区，如 {column}:1d@Asia/Shanghai",
        )
    return name


def in_slices_of_time(name: str, column: Column) -> Column:
    """The starts of slices where a name says that a column is of times; else the column as it is."""
    slicing = None if column is None else time_slicing(name)
    return column if slicing is None else slicing.starts(column)
