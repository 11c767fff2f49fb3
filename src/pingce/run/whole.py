"""Chunks of rows as batches of whole units, queries or groups: the last unit of a chunk waits for the next one.

And rows of rankings by whole queries: some of them, several chunks of them, and how much memory they take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.memory import human
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Rows, Source, ids_at
from pingce.inputs.ids import Ids, IntIds, StringIds, changes, hashes
from pingce.inputs.layouts import CodedIds, JoinedIds, ViewIds, joined
from pingce.inputs.paths import joined_rows
from pingce.run.memory import SHARE_OF_ONE_QUERY

_Chunk = TypeVar("_Chunk")


class ScatteredError(Exception):
    """A query or group came again after others: its rows do not lie together."""

    def __init__(self, query: str, place: Text) -> None:
        super().__init__(f"{place.en}: query '{query}'")
        self.query = query
        self.place = place


@dataclass(frozen=True)
class Units(Generic[_Chunk]):
    """How chunks are divided at the ids of their units."""

    ids: Callable[[_Chunk], Ids]
    place: Callable[[_Chunk, int], Text]
    "Where a row stands."
    before: Callable[[_Chunk, int], _Chunk]
    "The first rows, up to one."
    after: Callable[[_Chunk, int], _Chunk]
    "The last rows, from one on, copied so that the others can be forgotten."
    join: Callable[[list[_Chunk]], _Chunk]
    nbytes: Callable[[_Chunk], int]
    too_large: Callable[[list[_Chunk], int, Iterator[_Chunk]], InputError]
    "What to say of a unit that does not fit: the chunks that wait, their bytes, and the chunks to come."


def whole_units(chunks: Iterable[_Chunk], units: Units[_Chunk], most: int) -> Iterator[_Chunk]:
    """Batches of whole units, each unit in one of them; `ScatteredError` where a unit comes again.

    A unit of more than `most` bytes is refused.
    """
    memory, last_id, size = IdMemory(), None, 0
    waiting: list[_Chunk] = []
    rest = iter(chunks)
    for chunk in rest:
        ids = units.ids(chunk)
        starts = changes(ids)
        goes_on = last_id is not None and same_id(last_id, ids)
        fresh = starts[1:] if goes_on else starts
        again = memory.add(ids.take(fresh))
        if again is not None:
            row = int(fresh[again])
            raise ScatteredError(ids_at(ids, row), units.place(chunk, row))
        if goes_on and len(starts) == 1:
            waiting.append(units.after(chunk, 0))
            size += units.nbytes(waiting[-1])
        else:
            last = int(starts[-1])
            closed = [*waiting, *([units.before(chunk, last)] if last else [])]
            waiting, last_id = [units.after(chunk, last)], ids.take(starts[-1:])
            size = units.nbytes(waiting[0])
            if closed:
                batch = units.join(closed)
                del chunk, ids, closed  # the next chunk must not have to wait for their memory
                yield batch
                del batch
        if size > most:
            raise units.too_large(waiting, size, rest)
    if waiting:
        yield units.join(waiting)


def same_id(ours: Ids, theirs: Ids) -> bool:
    """Whether the first rows of both have one id."""
    first, second = ours.take(np.zeros(1, np.intp)), theirs.take(np.zeros(1, np.intp))
    if isinstance(first, IntIds) and isinstance(second, IntIds):
        return int(first.values[0]) == int(second.values[0])
    if isinstance(first, StringIds) and isinstance(second, StringIds):
        return first.to_bytes_of(0) == second.to_bytes_of(0)
    return False


class IdMemory:
    """Remembers ids, and notices when one comes again.

    It never misses one. Two ids with one hash look like one that came again: whoever asks must then do the safe thing.
    """

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []
        "Sorted, each at least twice as long as the next."

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def add(self, ids: Ids) -> int | None:
        """The place of the first id that was seen before, here or earlier; else None, and all of them are known now."""
        fresh = hashes(ids)
        order = np.argsort(fresh, kind="stable")
        fresh = fresh[order]
        repeated = np.concatenate([[False], fresh[1:] == fresh[:-1]]) if len(fresh) else np.zeros(0, bool)
        for level in self._levels:
            repeated |= level[np.minimum(np.searchsorted(level, fresh), len(level) - 1)] == fresh
        if repeated.any():
            return int(order[repeated].min())
        self._push(fresh)
        return None

    def _push(self, fresh: NDArray[np.uint64]) -> None:
        """Lengths double from level to level: n ids in any batches are sorted in n log n."""
        while self._levels and len(self._levels[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._levels.pop(), fresh]), kind="stable")
        if len(fresh):
            self._levels.append(fresh)


def whole_queries(chunks: Iterable[Rows], most: int) -> Iterator[Rows]:
    """Batches of whole queries; a query of more than `most` bytes is refused."""
    units = Units[Rows](
        ids=lambda rows: rows.query,
        place=lambda rows, row: rows.source.place(row),
        before=lambda rows, end: between(rows, 0, end),
        after=lambda rows, begin: kept(rows, begin, len(rows)),
        join=side_by_side,
        nbytes=nbytes,
        too_large=lambda waiting, size, rest: too_large(waiting[0], *_counted(waiting, size, rest), most),
    )
    return whole_units(chunks, units, most)


def _counted(waiting: list[Rows], size: int, rest: Iterable[Rows]) -> tuple[int, int]:
    """Rows and bytes of the query that waits, to its end."""
    rows = sum(map(len, waiting))
    for chunk in rest:
        starts = changes(chunk.query)
        if not same_id(waiting[0].query, chunk.query):
            break
        more = int(starts[1]) if len(starts) > 1 else len(chunk)
        rows, size = rows + more, size + nbytes(chunk) * more // len(chunk)
        if len(starts) > 1:
            break
    return rows, size


def too_large(rows: Rows, count: int, size: int, most: int) -> InputError:
    """What to say of a query that does not fit into memory; the first of the rows is one of its."""
    query, share = ids_at(rows.query, 0), SHARE_OF_ONE_QUERY
    name, need, has = rows.source.name, human(size * share), human(most * share)
    wanted = f"{-(-size * share // 10**6)}MB"
    return InputError(
        f"{name.en}: query '{query}' alone has {count:,} rows, which need about {need} of memory, more than the {has} allowed; "
        f"give --memory {wanted} (memory=), or shorten its list",
        f"{name.zh}：仅查询 '{query}' 就有 {count:,} 行，约需 {need} 内存，超过允许的 {has}；请用 --memory {wanted}（memory=），或截短其列表",
    )


def side_by_side(parts: list[Rows]) -> Rows:
    """Rows of several chunks as one table, without what was to be said of each."""
    first = parts[0]
    if len(parts) == 1:
        return first
    rows = joined_rows(parts, first.source.name)
    source = Source(
        first.source.name, rows.source.place, first.source.notes, first.source.untyped_ids, stated=first.source.stated
    )
    return replace(rows, source=source, value=as_given(len(rows)) if first.meaning == "order" else rows.value)


def as_given(count: int) -> NDArray[np.float64]:
    """What stands for the scores of rows that are ranked as they come."""
    return -np.arange(count, dtype=np.float64)


def between(rows: Rows, begin: int, end: int) -> Rows:
    """Some rows, looked at where they lie."""
    place = rows.source.place
    return replace(
        rows,
        query=ids_between(rows.query, begin, end),
        item=ids_between(rows.item, begin, end),
        value=rows.value[begin:end],
        whole=None if rows.whole is None else rows.whole[begin:end],
        subtopic=None if rows.subtopic is None else ids_between(rows.subtopic, begin, end),
        weight=None if rows.weight is None else rows.weight[begin:end],
        source=replace(rows.source, place=(lambda row: place(begin + row)) if begin else place),
    )


def kept(rows: Rows, begin: int, end: int) -> Rows:
    """Some rows, copied, so that the others can be forgotten."""
    some, places = between(rows, begin, end), np.arange(begin, end)
    return replace(
        some,
        query=rows.query.take(places),
        item=rows.item.take(places),
        value=some.value.copy(),
        whole=None if some.whole is None else some.whole.copy(),
        subtopic=None if rows.subtopic is None else rows.subtopic.take(places),
        weight=None if some.weight is None else some.weight.copy(),
    )


def ids_between(ids: Ids, begin: int, end: int) -> Ids:
    """Some ids, looked at where they lie."""
    if isinstance(ids, IntIds):
        return IntIds(ids.values[begin:end])
    if isinstance(ids, StringIds):
        return StringIds(ids.data, ids.starts[begin:end], ids.ends[begin:end])
    if isinstance(ids, ViewIds):
        return ViewIds(ids.views[begin:end], ids.buffers)
    if isinstance(ids, CodedIds):
        return CodedIds(ids.codes[begin:end], ids.dictionary)
    pieces, at = [], 0
    for part in ids.parts if isinstance(ids, JoinedIds) else ():
        low, high = max(begin - at, 0), min(end - at, len(part))
        if low < high:
            pieces.append(ids_between(part, low, high))
        at += len(part)
    return joined(pieces)


def nbytes(rows: Rows) -> int:
    """About how much memory the rows take when they are on their own."""
    return 8 * len(rows) + sum(_ids_bytes(ids) for ids in (rows.query, rows.item))


def _ids_bytes(ids: Ids) -> int:
    if isinstance(ids, JoinedIds):
        return sum(map(_ids_bytes, ids.parts))
    if isinstance(ids, StringIds):
        return 16 * len(ids) + int((ids.ends - ids.starts).sum())
    if isinstance(ids, ViewIds):
        return 16 * len(ids) + int(ids.views[:, 0].astype(np.int64).sum())
    if isinstance(ids, CodedIds):
        return 4 * len(ids) + (_ids_bytes(ids.dictionary) // max(1, len(ids.dictionary))) * len(ids)
    return 8 * len(ids)
