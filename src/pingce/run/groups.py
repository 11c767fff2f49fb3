"""Tables of predictions by whole groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.memory import human
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Source, ids_at
from pingce.inputs.ids import Ids
from pingce.inputs.predictions import vector_of
from pingce.run.memory import SHARE_OF_ONE_GROUP
from pingce.run.whole import Units, whole_units

if TYPE_CHECKING:
    Chunk = tuple[pa.Table, Source]


def ids_in(chunk: Chunk, group: str) -> Ids:
    """The groups of a chunk; a null one is refused with its place."""
    return cells.ids(vector_of(chunk[0], group, chunk[1]))


def whole_groups(chunks: Iterable[Chunk], group: str, most: int) -> Iterator[Chunk]:
    """Batches of whole groups; a group of more than `most` bytes is refused."""
    units = Units["Chunk"](
        ids=lambda chunk: ids_in(chunk, group),
        place=lambda chunk, row: chunk[1].place(row),
        before=lambda chunk, end: (chunk[0].slice(0, end), chunk[1]),
        after=_kept,
        join=joined,
        nbytes=lambda chunk: int(chunk[0].nbytes),
        too_large=lambda waiting, size, rest: too_large(ids_in(waiting[0], group), waiting, most),
    )
    return whole_units(chunks, units, most)


def too_large(group: Ids, chunks: Sequence[Chunk], most: int) -> InputError:
    """What to say of a group whose rows alone do not fit."""
    rows, size = sum(table.num_rows for table, _ in chunks), sum(table.nbytes for table, _ in chunks)
    name, need, has = chunks[0][1].name, human(size * SHARE_OF_ONE_GROUP), human(most * SHARE_OF_ONE_GROUP)
    title = ids_at(group, 0)
    return InputError(
        f"{name.en}: group '{title}' alone has {rows:,} rows or more, which need at least {need} of memory, more than the "
        f"{has} allowed; give more --memory (memory=), or leave the group out",
        f"{name.zh}：仅分组 '{title}' 就有至少 {rows:,} 行，至少需要 {need} 内存，超过允许的 {has}；请调大 --memory（memory=），或去掉该分组",
    )


def _kept(chunk: Chunk, begin: int) -> Chunk:
    """The last rows, copied, so that the others can be forgotten."""
    table, source = chunk
    rows = np.arange(begin, table.num_rows)
    return table.take(rows), replace(source, place=lambda row: source.place(begin + row))


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Rows of several chunks as one table."""
    if len(chunks) == 1:
        return chunks[0]
    lengths = [table.num_rows for table, _ in chunks]
    ends = np.cumsum(lengths)

    def place(row: int) -> Text:
        at = int(np.searchsorted(ends, row, side="right"))
        return chunks[at][1].place(row - int(ends[at]) + lengths[at])

    # A chunk whose labels are all missing has no type of them.
    table = pa.concat_tables([table for table, _ in chunks], promote_options="permissive")
    return table, replace(chunks[0][1], place=place)
