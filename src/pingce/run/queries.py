"""Chunks of rows as batches of whole queries: the last query of a chunk waits for the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.base.memory import human
from pingce.base.text import Text
from pingce.inputs.columns import Rows, Source, ids_at
from pingce.inputs.ids import Ids, IntIds, StringIds, changes
from pingce.inputs.layouts import CodedIds, JoinedIds, ViewIds, joined
from pingce.inputs.paths import joined_rows
from pingce.run.id_memory import IdMemory
from pingce.run.memory import SHARE_OF_ONE_QUERY

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ScatteredError(Exception):
    """A query came again after others: its rows do not lie together."""

    def __init__(self, query: str, place: Text) -> None:
        super().__init__(f"{place.en}: query '{query}'")
        self.query = query
        self.place = place


def whole_queries(chunks: Iterable[Rows], most: int) -> Iterator[Rows]:
    """Batches of whole queries, each query in one of them; `ScatteredError` where a query comes again.

    A query of more than `most` bytes is refused.
    """
    memory = IdMemory()
    waiting: list[Rows] = []
    size = 0
    rest = iter(chunks)
    for chunk in rest:
        starts = changes(chunk.query)
        goes_on = bool(waiting) and same_id(waiting[0].query, 0, chunk.query, 0)
        fresh = starts[1:] if goes_on else starts
        again = memory.add(chunk.query.take(fresh))
        if again is not None:
            row = int(fresh[again])
            raise ScatteredError(ids_at(chunk.query, row), chunk.source.place(row))
        if goes_on and len(starts) == 1:
            waiting.append(kept(chunk, 0, len(chunk)))
            size += nbytes(waiting[-1])
        else:
            last = int(starts[-1])
            closed = [*waiting, *([between(chunk, 0, last)] if last else [])]
            waiting = [kept(chunk, last, len(chunk))]
            size = nbytes(waiting[0])
            if closed:
                batch = side_by_side(closed)
                del chunk, closed  # the next chunk must not have to wait for their memory
                yield batch
                del batch
        if size > most:
            raise too_large(waiting[0], *_counted(waiting, size, rest), most)
    if waiting:
        yield side_by_side(waiting)


def _counted(waiting: list[Rows], size: int, rest: Iterable[Rows]) -> tuple[int, int]:
    """Rows and bytes of the query that waits, to its end."""
    rows = sum(map(len, waiting))
    for chunk in rest:
        starts = changes(chunk.query)
        if not same_id(waiting[0].query, 0, chunk.query, 0):
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


def same_id(ours: Ids, row: int, theirs: Ids, other: int) -> bool:
    """Whether two rows have one id."""
    first, second = ours.take(np.array([row])), theirs.take(np.array([other]))
    if isinstance(first, IntIds) and isinstance(second, IntIds):
        return int(first.values[0]) == int(second.values[0])
    return (
        isinstance(first, StringIds) and isinstance(second, StringIds) and first.to_bytes_of(0) == second.to_bytes_of(0)
    )


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
