"""Ways to split a log: which part each row belongs to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, refuse_other
from pingce.base.json import Json
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import decoded, is_string
from pingce.protocols.hashing import Hashes, id_hashes, seeded
from pingce.protocols.interactions import Interactions, Moments, codes_of, moments_of

PARTS: Final = ("train", "validation", "test")
Parts = NDArray[np.int16]
"Of each row, the number of its part."


@dataclass(frozen=True)
class Method:
    """One way to split: what it needs to know of a row, and how parts are asked for."""

    summary: Text
    needs: tuple[str, ...]
    hashed: tuple[str, ...] = ()
    "The ids whose hash draws the part."
    counts: bool = False
    "Whether parts are asked for in rows a user instead of shares."


METHODS: Final = {
    "random": Method(
        Text("by a hash of user and item: a pair is always in one part", "按用户与条目的哈希：同一对总在同一部分"),
        ("user", "item"),
        ("user", "item"),
    ),
    "users": Method(
        Text("by a hash of the user: those of test are new to train", "按用户的哈希：测试用户在训练集中从未出现"),
        ("user",),
        ("user",),
    ),
    "items": Method(
        Text("by a hash of the item: those of test are new to train", "按条目的哈希：测试条目在训练集中从未出现"),
        ("item",),
        ("item",),
    ),
    "last": Method(
        Text("the last rows of each user, by time", "每个用户按时间的最后若干行"), ("user", "item", "time"), counts=True
    ),
    "user_time": Method(
        Text("the last share of each user's rows, by time", "每个用户按时间最后的一定比例"), ("user", "item", "time")
    ),
    "time": Method(Text("what happened from one moment on", "某一时刻之后发生的"), ("time",)),
}


@dataclass(frozen=True)
class SplitSettings:
    """How a log is split."""

    how: str
    test: float
    validation: float = 0
    folds: int | None = None
    seed: int = 0
    moments: tuple[Any, ...] = ()
    "Where test begins, or validation and test, in place of shares."

    @classmethod
    def of(
        cls, how: str, test: float | None, validation: float, *, folds: int | None, seed: int, at: Any
    ) -> SplitSettings:
        """What a caller asks for; what cannot be is refused."""
        refuse_other("how", how, METHODS)
        moments = () if at is None else tuple(at) if isinstance(at, (list, tuple)) else (at,)
        usual = 1 if METHODS[how].counts else 0.2
        settings = cls(how, usual if test is None else test, validation, folds, seed, moments)
        _refuse_combination(settings, written=test is not None)
        _refuse_sizes(settings)
        return settings

    @property
    def method(self) -> Method:
        """The way that is meant."""
        return METHODS[self.how]

    @property
    def names(self) -> tuple[str, ...]:
        """The parts."""
        if self.folds is not None:
            return tuple(f"fold_{number}" for number in range(self.folds))
        with_validation = self.validation or len(self.moments) == 2
        return PARTS if with_validation else (PARTS[0], PARTS[2])

    @property
    def shares(self) -> tuple[Fraction, Fraction]:
        """The share of test, and of test and validation, exactly as written."""
        test, validation = (Fraction(repr(share)) for share in (self.test, self.validation))
        return test, test + validation

    def to_dict(self) -> Json:
        """The settings, as plain Python."""
        sizes = {"folds": self.folds} if self.folds else {"test": self.test, "validation": self.validation}
        where = {"at": [str(moment) for moment in self.moments]} if self.moments else sizes
        return {"how": self.how, **where, **({"seed": self.seed} if self.method.hashed else {})}


def parts_of(log: Interactions, settings: SplitSettings) -> tuple[Parts, tuple[Text, ...]]:
    """The part of each row, and what is to be said of them."""
    if settings.method.hashed:
        return drawn_parts(
            seeded(settings.seed, *(id_hashes(log.ids(role)) for role in settings.method.hashed)), settings
        ), ()
    if settings.how == "time":
        return _by_moment(log, settings)
    return _by_user(log, settings)


def drawn_parts(hashes: Hashes, settings: SplitSettings) -> Parts:
    """Parts by hash: test has the smallest hashes, then validation; folds are equal ranges of hashes."""
    if settings.folds is not None:
        return ((hashes >> np.uint64(32)) * np.uint64(settings.folds) >> np.uint64(32)).astype(np.int16)
    bounds = [np.uint64(math.floor(share * (1 << 64))) for share in settings.shares]
    return _numbered([hashes < bound for bound in bounds], settings)


def _numbered(inside: Sequence[NDArray[np.bool_]], settings: SplitSettings) -> Parts:
    """Numbers of parts, of rows that are in test, and in test or validation."""
    last = len(settings.names) - 1
    return np.where(inside[0], last, np.where(inside[1], 1, 0) if last == 2 else 0).astype(np.int16)


def _by_moment(log: Interactions, settings: SplitSettings) -> tuple[Parts, tuple[Text, ...]]:
    moments = log.moments()
    if settings.moments:
        begins = [_moment(moment, log) for moment in settings.moments]
    else:
        begins = cut_moments(*np.unique(moments, return_counts=True), settings)
    inside = [moments >= begin for begin in reversed(begins)]
    return _numbered([*inside, inside[-1]][:2], settings), ()


def cut_moments(times: NDArray[Any], counts: NDArray[Any], settings: SplitSettings) -> list[Any]:
    """Where validation and test begin: as early as their shares allow, all rows of one moment on one side."""
    after = np.cumsum(counts[::-1])[::-1]
    rows, begins = int(after[0]), []
    for share in dict.fromkeys(settings.shares):
        most = math.floor(share * rows)
        at = int(np.searchsorted(-after, -most))
        if at == len(times):
            raise InputError(
                f"{int(counts[-1])} of {rows} rows have the last moment, more than the share {float(share)} of them: no moment splits the log so; "
                "say where test begins with at=… (--at)",
                f"{rows} 行中有 {int(counts[-1])} 行处在最后时刻，超过比例 {float(share)}：没有时刻能这样划分；请用 at=…（--at）指明测试集的起点",
            )
        begins.append(times[at])
    return begins[::-1]


def _moment(moment: Any, log: Interactions) -> Any:
    """A moment that a caller wrote, as the log counts time; text without a zone is in that of the column."""
    if log.ordered:
        if isinstance(moment, bool) or not isinstance(moment, int):
            raise InputError(
                f"at={moment!r}: rows stand in the order of time, so that this is the number of a row, from 0",
                f"at={moment!r}：各行按时间排列，故应为行号（从 0 起）",
            )
        return moment
    name = log.names["time"]
    column = decoded(log.table.column(name))
    try:
        return moments_of(pa.chunked_array([_like(moment, column.type)]), name, log.source)[0]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, InputError):
        example = column[0].as_py()
        raise InputError(
            f"at={moment!r} is no moment of column '{name}', whose type is {column.type}; write it as the column does, e.g. {example}",
            f"at={moment!r} 不是列 '{name}'（类型 {column.type}）中的时刻；请按该列的写法，例如 {example}",
        ) from None


def _like(moment: Any, kind: Any) -> Any:
    """A moment as a column of a type has it; numbers are no dates, and dates no numbers."""
    if is_string(kind):
        return pa.array([str(moment)])
    if not pa.types.is_temporal(kind):
        return pa.array([moment]) if isinstance(moment, (int, float)) else pa.array([moment], kind)
    if isinstance(moment, (int, float)):
        raise pa.ArrowTypeError("a number is no date")
    value = pa.array([moment])
    if is_string(value.type) and pa.types.is_timestamp(kind):
        value = value.cast(pa.timestamp("us"))
        value = compute.assume_timezone(value, kind.tz) if kind.tz else value
    return value.cast(kind)


def _by_user(log: Interactions, settings: SplitSettings) -> tuple[Parts, tuple[Text, ...]]:
    """The last rows of each user; rows of the same moment are ordered by a hash of the item, then as they stand."""
    [users], number = codes_of(log.ids("user"))
    moments, hashes = log.moments(), seeded(settings.seed, id_hashes(log.ids("item")))
    order = np.lexsort((hashes.view(np.int64), moments, users))
    sizes = np.bincount(users, minlength=number)
    end = np.cumsum(sizes)
    from_end = np.empty(len(users), np.int64)
    from_end[order] = end[users[order]] - 1 - np.arange(len(users))
    test, both = last_rows(sizes, settings)
    parts = _numbered([from_end < test[users], from_end < both[users]], settings)
    return parts, (*_short_note(sizes, both, settings), *_tie_note(parts[order], users[order], moments[order], number))


def last_rows(sizes: NDArray[np.int64], settings: SplitSettings) -> list[NDArray[np.int64]]:
    """Of users with so many rows, how many are in test, and in test or validation; one row at least stays in train."""
    if settings.method.counts:
        test, both = int(settings.test), int(settings.test + settings.validation)
        enough = sizes > both
        return [np.where(enough, test, 0), np.where(enough, both, 0)]
    return [sizes * share.numerator // share.denominator for share in settings.shares]


def _short_note(sizes: NDArray[np.int64], both: NDArray[np.int64], settings: SplitSettings) -> list[Text]:
    short = int(((both == 0) & (sizes > 0)).sum())
    if not short:
        return []
    return [
        Text(
            f"{short} of {len(sizes)} users have too few rows to give any away, and stay in train",
            f"{len(sizes)} 个用户中有 {short} 个行数太少，全部留在训练集",
        )
    ]


def _tie_note(parts: Parts, users: NDArray[np.int64], moments: Moments, number: int) -> list[Text]:
    """How many users have rows of one moment on both sides of a border."""
    border = (parts[1:] != parts[:-1]) & (users[1:] == users[:-1]) & (moments[1:] == moments[:-1])
    tied = len(np.unique(users[1:][border]))
    if not tied:
        return []
    return [
        Text(
            f"{tied} of {number} users have rows of the same moment in two parts: these are ordered by a hash of the item, those of one item as they stand",
            f"{number} 个用户中有 {tied} 个在同一时刻的行分属两部分：这些行按条目的哈希排序，同一条目的按原有顺序",
        )
    ]


def _refuse_combination(settings: SplitSettings, *, written: bool) -> None:
    how = settings.how
    if settings.folds is not None and not settings.method.hashed:
        raise InputError(
            f"folds={settings.folds}: {how} has no folds, since time has one direction; choose random, users or items",
            f"folds={settings.folds}：{how} 不能分折，因为时间只有一个方向；请用 random、users 或 items",
        )
    if settings.folds is not None and (written or settings.validation):
        raise InputError(
            "folds has parts of equal size: leave test and validation out",
            "folds 各折大小相等：请去掉 test 与 validation",
        )
    if settings.moments and (how != "time" or written or settings.validation or len(settings.moments) > 2):
        raise InputError(
            "at says where test begins (or validation and test: two moments), for how='time' and in place of test and validation",
            "at 指明测试集（或验证集与测试集：两个时刻）的起点，只用于 how='time'，并代替 test 与 validation",
        )
    if len(settings.moments) == 2 and not settings.moments[0] < settings.moments[1]:
        raise InputError(
            f"at={settings.moments!r}: validation begins before test; give the earlier moment first",
            f"at={settings.moments!r}：验证集先于测试集；请先给较早的时刻",
        )


def _refuse_sizes(settings: SplitSettings) -> None:
    folds, test, validation = settings.folds, settings.test, settings.validation
    if folds is not None and (isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= 1000):
        raise InputError(f"folds={folds!r}: a whole number from 2 to 1000", f"folds={folds!r}：应为 2 到 1000 的整数")
    numbers = all(isinstance(size, (int, float)) and not isinstance(size, bool) for size in (test, validation))
    if settings.method.counts:
        if not (numbers and test == int(test) and validation == int(validation) and test >= 1 and validation >= 0):
            raise InputError(
                f"test={test!r}, validation={validation!r}: of how='last' these are whole numbers of rows a user, e.g. test=1, validation=1",
                f"test={test!r}，validation={validation!r}：how='last' 时为每个用户的行数（整数），例如 test=1, validation=1",
            )
    elif not (numbers and 0 < test < 1 and 0 <= validation < 1 and settings.shares[1] < 1):
        raise InputError(
            f"test={test!r}, validation={validation!r}: these are shares between 0 and 1, whose sum is below 1, e.g. test=0.2, validation=0.1",
            f"test={test!r}，validation={validation!r}：应为 0 到 1 之间的比例，且其和小于 1，例如 test=0.2, validation=0.1",
        )
    if isinstance(settings.seed, bool) or not isinstance(settings.seed, int):
        raise InputError(f"seed={settings.seed!r}: a whole number", f"seed={settings.seed!r}：应为整数")
