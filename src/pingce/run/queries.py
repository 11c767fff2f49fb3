"""Rows of rankings by whole queries: some of them, several chunks of them, and how much memory they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.memory import human
from pingce.inputs.columns import Rows, Source, ids_at
from pingce.inputs.ids import Ids, IntIds, StringIds, changes
from pingce.inputs.layouts import CodedIds, JoinedIds, ViewIds, joined
from pingce.inputs.paths import joined_rows
from pingce.run.memory import SHARE_OF_ONE_QUERY
from pingce.run.whole import Units, same_id, whole_units


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
