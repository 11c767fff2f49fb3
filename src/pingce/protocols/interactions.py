"""A log of interactions: who met what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import decoded, ids_of, is_string
from pingce.inputs.columns import Reading, Source, Wanted
from pingce.inputs.names import GIVEN_ORDER, ITEM, QUERY, listed, match, refuse_absent
from pingce.inputs.predictions import column_names, read_table

TIME = ("timestamp", "time", "ts", "datetime", "event_time", "date")
_GUESSES = {"user": QUERY, "item": ITEM, "time": TIME}
_WORDS = {"user": Text("user", "用户"), "item": Text("item", "条目"), "time": Text("time", "时间")}
Moments = NDArray[np.int64] | NDArray[np.float64]
_UNITS_APART = 100
"How many times as large numbers of time are that cannot be of one unit."


@dataclass(frozen=True)
class Naming:
    """Which columns are the user, the item and the time; None = by the names that people use for them."""

    user: str | None = None
    item: str | None = None
    time: str | None = None
    "`order` where rows stand in the order of time."

    def columns(self, present: list[str], where: Text, needed: tuple[str, ...]) -> dict[str, str]:
        """The column of each role that a table has; a role that is needed and not there is asked for."""
        names = {}
        for role, guesses in _GUESSES.items():
            name = getattr(self, role)
            if role == "time" and name == GIVEN_ORDER:
                continue
            if name is not None:
                refuse_absent([name], present, where)
            name = name or match(present, guesses)
            if name is not None:
                names[role] = name
            elif role in needed:
                raise _missing(role, present, where)
        return names


@dataclass(frozen=True, eq=False)
class Interactions:
    """Rows of a log, with the columns that are its user, item and time."""

    table: pa.Table
    source: Source
    names: dict[str, str] = field(default_factory=dict)
    ordered: bool = False
    "Whether rows stand in the order of time."

    def ids(self, role: str) -> Any:
        """The ids of the users or items, as a column of Arrow; null and empty ones are refused."""
        name = self.names[role]
        column = self.table.column(name)
        ids_of(column, name, self.source)
        return decoded(column)

    @property
    def has_time(self) -> bool:
        """Whether it is known which row came before which."""
        return self.ordered or "time" in self.names

    def moments(self) -> Moments:
        """When each row happened, as numbers that rise with time."""
        if self.ordered:
            return np.arange(self.table.num_rows)
        name = self.names["time"]
        return moments_of(self.table.column(name), name, self.source)

    @property
    def note(self) -> Text:
        """Which columns were taken for what."""
        roles = [f"{role}={name}" for role, name in self.names.items()] + ["time=order"] * self.ordered
        name = self.source.name
        return Text(f"{name.en}: {', '.join(roles)}", f"{name.zh}：{'，'.join(roles)}")


def read_interactions(
    data: Any, naming: Naming, reading: Reading, needed: tuple[str, ...], *, whole: bool = False
) -> Interactions:
    """The log that something holds: its three columns, or all of them."""
    present = column_names(data, reading)
    names = naming.columns(present, Text("the log", "日志"), needed)
    wanted = tuple(present if whole else dict.fromkeys(names.values()))
    texts = tuple(dict.fromkeys(names[role] for role in ("user", "item") if role in names))
    table, source = read_table(data, Wanted(wanted, texts=texts), reading)
    return Interactions(table, source, names, naming.time == GIVEN_ORDER)


def moments_of(column: Any, name: str, source: Source) -> Moments:
    """The times of a column as numbers: of timestamps and dates, of numbers, or of text as ISO 8601 writes it.

    `inputs.moments` reads times as whole seconds, to cut days out of them; here they keep the unit that they have, since rows
    are put in order by it, and a row without a time is refused: it could go to either side of a split.
    """
    column, kind = decoded(column), decoded(column).type
    if is_string(kind):
        column, kind = _parsed(column, name, source), pa.timestamp("us")
    if column.null_count:
        row = int(np.flatnonzero(~column.is_valid().to_numpy(zero_copy_only=False))[0])
        place = source.place(row)
        raise InputError(
            f"{place.en}: the time in column '{name}' is empty; fill it in, or remove the row",
            f"{place.zh}：列 '{name}' 的时间为空；请补上或删除该行",
        )
    if pa.types.is_floating(kind):
        return _numbers(column.cast(pa.float64()).to_numpy(), name, source)
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        column, kind = column.cast(pa.int32()), pa.int32()
    if pa.types.is_integer(kind) or pa.types.is_temporal(kind):
        moments: Moments = column.cast(pa.int64()).to_numpy()
        return moments
    raise InputError(
        f"{source.name.en}: column '{name}' has type {kind}, which is no time; give timestamps, dates, numbers, or text such as "
        "2026-01-31T08:00:00",
        f"{source.name.zh}：列 '{name}' 的类型是 {kind}，不是时间；请给出时间戳、日期、数，或形如 2026-01-31T08:00:00 的文本",
    )


def _parsed(column: Any, name: str, source: Source) -> Any:
    """Text as times; numbers in text are not taken for any."""
    try:
        return column.cast(pa.timestamp("us"))
    except pa.ArrowInvalid:
        for row, text in enumerate(column):
            try:
                text.cast(pa.timestamp("us"))
            except pa.ArrowInvalid:
                place, value = source.place(row), text.as_py()
                raise InputError(
                    f"{place.en}: {value!r} in column '{name}' is no time; write it as 2026-01-31 or 2026-01-31T08:00:00, or give a column of "
                    "numbers",
                    f"{place.zh}：列 '{name}' 的 {value!r} 不是时间；请写成 2026-01-31 或 2026-01-31T08:00:00，或给出数值列",
                ) from None
        raise


def _numbers(values: NDArray[np.float64], name: str, source: Source) -> NDArray[np.float64]:
    wrong = np.flatnonzero(np.isnan(values))
    if len(wrong):
        place = source.place(int(wrong[0]))
        raise InputError(
            f"{place.en}: the time in column '{name}' is not a number; fill it in, or remove the row",
            f"{place.zh}：列 '{name}' 的时间不是数；请补上或删除该行",
        )
    return values


def comparable_moments(logs: Sequence[Interactions]) -> list[Moments]:
    """When the rows of several logs happened, in one unit; refused where the logs do not count time alike."""
    columns = [decoded(log.table.column(log.names["time"])) for log in logs]
    dated = [is_string(column.type) or pa.types.is_temporal(column.type) for column in columns]
    if any(dated) and not all(dated):
        kinds = ", ".join(f"{log.source.name.en}: {column.type}" for log, column in zip(logs, columns, strict=True))
        raise InputError(
            f"one table has dates and the other numbers for times ({kinds}); write both alike",
            f"一张表的时间是日期，另一张是数（{kinds}）；请统一写法",
        )
    moments = [
        moments_of(_microseconds(column, log) if all(dated) else column, log.names["time"], log.source)
        for log, column in zip(logs, columns, strict=True)
    ]
    sizes = [float(np.median(np.abs(each))) for each in moments]
    if not any(dated) and max(sizes) > _UNITS_APART * max(min(sizes), 1.0):
        words = " / ".join(f"{size:.4g}" for size in sizes)
        raise InputError(
            f"the times of the two tables are of different sizes (about {words}): seconds and milliseconds? give both in one unit",
            f"两张表的时间量级不同（约 {words}）：是否一为秒、一为毫秒？请统一单位",
        )
    return moments


def _microseconds(column: Any, log: Interactions) -> Any:
    """Dates and times of any unit and zone in microseconds since 1970; those without a zone are taken for UTC."""
    if is_string(column.type):
        return _parsed(column, log.names["time"], log.source)
    zone = column.type.tz if pa.types.is_timestamp(column.type) else None
    return column.cast(pa.timestamp("us", zone), safe=False)


def codes_of(*columns: Any) -> tuple[list[NDArray[np.int64]], int]:
    """Ids of several columns as numbers from 0, the same id by the same number, and how many there are."""
    kinds = {str(column.type) for column in columns}
    texts = [
        column.cast(pa.large_string()) if len(kinds) > 1 or is_string(column.type) else column for column in columns
    ]
    chunks = [
        chunk for column in texts for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column])
    ]
    coded = compute.dictionary_encode(pa.chunked_array(chunks, texts[0].type)).combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    ends = np.cumsum([len(column) for column in columns])
    return np.split(codes, ends[:-1]), len(coded.dictionary)


def _missing(role: str, present: list[str], where: Text) -> InputError:
    word, order = _WORDS[role], Text("", "")
    if role == "time":
        order = Text(", or time='order' if rows stand in the order of time", "；若各行已按时间排列，则写 time='order'")
    return InputError(
        f"{where.en} has no column that is known to be the {word.en}; it has {listed(present)}; say which one it is: {role}='…' "
        f"(--{role} …){order.en}",
        f"{where.zh}中找不到{word.zh}列；现有 {listed(present)}；请用 {role}='…'（--{role} …）指明{order.zh}",
    )
