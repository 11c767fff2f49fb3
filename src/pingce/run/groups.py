"""Tables of predictions as batches of whole groups: the last group of a chunk waits for the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.base.memory import human
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Source, ids_at
from pingce.inputs.ids import Ids, changes
from pingce.inputs.predictions import vector_of
from pingce.run.id_memory import IdMemory
from pingce.run.memory import SHARE_OF_ONE_GROUP
from pingce.run.queries import ScatteredError, same_id

if TYPE_CHECKING:
    import pyarrow as pa

    Chunk = tuple[pa.Table, Source]


def ids_in(chunk: Chunk, group: str) -> Ids:
    """The groups of a chunk; a null one is refused with its place."""
    return cells.ids(vector_of(chunk[0], group, chunk[1]))


def whole_groups(chunks: Iterable[Chunk], group: str, most: int) -> Iterator[Chunk]:
    """Batches of whole groups, each group in one of them; `ScatteredError` where a group comes again.

    A group of more than `most` bytes is refused.
    """
    memory, waiting, last_id = IdMemory(), [], None
    for chunk in chunks:
        ids = ids_in(chunk, group)
        starts = changes(ids)
        goes_on = last_id is not None and same_id(last_id, 0, ids, 0)
        fresh = starts[1:] if goes_on else starts
        again = memory.add(ids.take(fresh))
        if again is not None:
            row = int(fresh[again])
            raise ScatteredError(ids_at(ids, row), chunk[1].place(row))
        if goes_on and len(starts) == 1:
            waiting.append(_kept(chunk, 0))
        else:
            last = int(starts[-1])
            closed = [*waiting, *([_before(chunk, last)] if last else [])]
            waiting, last_id = [_kept(chunk, last)], ids.take(starts[-1:])
            del chunk, ids
            if closed:
                yield joined(closed)
                closed = []
        refuse_large(last_id, waiting, most)
    if waiting:
        yield joined(waiting)


def refuse_large(group: Ids | None, chunks: Sequence[Chunk], most: int) -> None:
    """Refuse a group whose rows alone do not fit."""
    size = sum(table.nbytes for table, _ in chunks)
    if size > most and group is not None:
        rows = sum(table.num_rows for table, _ in chunks)
        name, need, has = chunks[0][1].name, human(size * SHARE_OF_ONE_GROUP), human(most * SHARE_OF_ONE_GROUP)
        title = ids_at(group, 0)
        raise InputError(
            f"{name.en}: group '{title}' alone has {rows:,} rows or more, which need at least {need} of memory, more than the "
            f"{has} allowed; give more --memory (memory=), or leave the group out",
            f"{name.zh}：仅分组 '{title}' 就有至少 {rows:,} 行，至少需要 {need} 内存，超过允许的 {has}；请调大 --memory（memory=），或去掉该分组",
        )


def _before(chunk: Chunk, end: int) -> Chunk:
    return chunk[0].slice(0, end), chunk[1]


def _kept(chunk: Chunk, begin: int) -> Chunk:
    """The last rows, copied, so that the others can be forgotten."""
    table, source = chunk
    rows = np.arange(begin, table.num_rows)
    return table.take(rows), replace(source, place=lambda row: source.place(begin + row))


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Rows of several chunks as one table."""
    if len(chunks) == 1:
        return chunks[0]
    import pyarrow as pa

    lengths = [table.num_rows for table, _ in chunks]
    ends = np.cumsum(lengths)

    def place(row: int) -> Text:
        at = int(np.searchsorted(ends, row, side="right"))
        return chunks[at][1].place(row - int(ends[at]) + lengths[at])

    # A chunk whose labels are all missing has no type of them.
    table = pa.concat_tables([table for table, _ in chunks], promote_options="permissive")
    return table, replace(chunks[0][1], place=place)
