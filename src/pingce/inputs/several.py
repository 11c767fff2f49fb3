"""Rows of several files, one after another, as one table; nothing is copied but the numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import LARGEST_EXACT, Meaning, Rows, Source, kind_of
from pingce.inputs.layouts import joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LARGEST = 2**63 - 1


def joined_rows(parts: list[Rows], name: Text, empty: int = 0) -> Rows:
    """One table of the tables of several files; they must hold the same kind of ids and of numbers."""
    first = parts[0]
    for part in parts[1:]:
        refuse_unlike(first, part)
    begin = np.cumsum([0, *map(len, parts)]).tolist()

    def place(row: int) -> Text:
        at = bisect_right(begin, row) - 1
        return parts[at].source.place(row - begin[at])

    notes = joined_notes([part.source for part in parts], name, empty)
    source = Source(name, place, notes, first.source.untyped_ids, stated=first.source.stated)
    return Rows(
        joined([part.query for part in parts]),
        joined([part.item for part in parts]),
        _values(parts, begin),
        source,
        first.meaning,
        _whole(parts),
    )


def joined_notes(sources: Sequence[Source], name: Text, empty: int = 0) -> tuple[Text, ...]:
    """What is to be said of the files: once where it is the same of several, with the first one's name; and how many."""
    alike: dict[str, list[Text]] = {}
    for source in sources:
        for note in source.notes:
            alike.setdefault(note.en.replace(source.name.en, "…"), []).append(note)
    bare = Text(f", and {empty} without rows", f"，另有 {empty} 个没有数据行") if empty else Text("", "")
    files = Text(f"{name.en}: {len(sources)} files{bare.en}", f"{name.zh}：{len(sources)} 个文件{bare.zh}")
    each = [
        Text(f"{notes[0].en} (and {len(notes) - 1} more)", f"{notes[0].zh}（另有 {len(notes) - 1} 个文件相同）")
        if len(notes) > 1
        else notes[0]
        for notes in alike.values()
    ]
    return (*each, files)


def _values(parts: list[Rows], begin: list[int]) -> NDArray[np.float64]:
    """The numbers; an order as given goes on from file to file."""
    if parts[0].meaning != "order":
        return np.concatenate([part.value for part in parts])
    return np.concatenate([part.value - before for part, before in zip(parts, begin[:-1], strict=True)])


_MEANINGS: dict[Meaning, Text] = {
    "given": Text("scores or grades", "分数或等级"),
    "rank": Text("ranks", "名次"),
    "order": Text("only rows in order", "仅有顺序"),
    "none": Text("no grades", "没有等级"),
    "third": Text("ranks or scores in a third column", "第三列的名次或分数"),
}


def refuse_unlike(first: Rows, part: Rows) -> None:
    """Refuse rows with other ids or other numbers than those of the first file."""
    for column in ("query", "item"):
        ours, theirs = kind_of(getattr(first, column)), kind_of(getattr(part, column))
        if ours != theirs:
            raise _differ(first, part, Text(f"{column} ids are {ours.en}", f"{column} 编号是{ours.zh}"), theirs)
    if first.meaning != part.meaning:
        ours, theirs = _MEANINGS[first.meaning], _MEANINGS[part.meaning]
        raise _differ(first, part, Text(f"there are {ours.en}", f"有{ours.zh}"), theirs)


def _differ(first: Rows, part: Rows, ours: Text, theirs: Text) -> InputError:
    name, other = first.source.name, part.source.name
    return InputError(
        f"{other.en} does not go with {name.en}: in the first file {ours.en}, here {theirs.en}; make the files alike",
        f"{other.zh} 与 {name.zh} 不一致：前者{ours.zh}，后者为{theirs.zh}；请统一各文件",
    )


def _whole(parts: list[Rows]) -> NDArray[Any] | None:
    """Integer scores beyond 2^53 where any file has them; then every file must have integers."""
    if all(part.whole is None for part in parts):
        return None
    columns = [_integers(part) for part in parts]
    low = min(int(column.min()) for column in columns)
    high = max(int(column.max()) for column in columns)
    kind: Any = np.int64 if high <= _LARGEST else np.uint64 if low >= 0 else object
    return np.concatenate([column.astype(kind) for column in columns])


def _integers(part: Rows) -> NDArray[Any]:
    if part.whole is not None:
        return part.whole
    value = np.nan_to_num(part.value, nan=0.0)
    if not ((np.abs(value) <= LARGEST_EXACT) & (value % 1 == 0)).all():
        name = part.source.name
        raise InputError(
            f"{name.en} has fractions as scores, another file integers beyond 2^53; make the files alike",
            f"{name.zh} 的分数是小数，而另一文件是超过 2^53 的整数；请统一各文件",
        )
    return value.astype(np.int64)
