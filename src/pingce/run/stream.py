"""Predictions that are larger than memory: chunks of rows go to an evaluator, and only evidence is kept.

Groups must be whole where they are scored. Where they lie together in the files they are; else rows are dealt to temporary
files by group, and scored part by part.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.memory import human
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.arrow import decoded
from pingce.inputs.columns import Source, ids_at
from pingce.inputs.data import RowData
from pingce.inputs.ids import Ids
from pingce.inputs.predictions import vector_of
from pingce.inputs.slices import partition_of, refuse_many
from pingce.inputs.times import in_slices_of_time
from pingce.inputs.vectors import Vector
from pingce.run.memory import MOST_PARTS, SHARE_OF_ONE_GROUP, RowBudget
from pingce.run.partition import Part, Partitioner, repartition
from pingce.run.progress import DEALING, READING, Doing, paced, silent
from pingce.run.states.base import State
from pingce.run.states.sliced import SlicedState
from pingce.run.temporary import Workspace
from pingce.run.whole import ScatteredError, Units, whole_units

if TYPE_CHECKING:
    from pingce.inputs.streams import TableStream
    from pingce.request import Request
    from pingce.tasks import Task

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


_MOST_DEALINGS = 3


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table of predictions by what they are."""

    truth: str
    prediction: str
    "Scores, classes or numbers."
    group: str | None = None
    weight: str | None = None
    more: tuple[str, ...] = ()
    "By which groups may be weighted."
    roles: Mapping[str, str] = field(default_factory=dict)
    "Those that the task declares, by role."
    by: Mapping[str, str] = field(default_factory=dict)
    "What rows are sliced by, and the column of each."

    def unit(self, task: Task) -> str | None:
        """The column whose values say which rows are one whole: groups, or what the task declares; None where each is one by itself."""
        return self.group or self.roles.get(task.columns.unit)


@dataclass
class Streaming:
    """How predictions are streamed; `doing` is told how far that has come, `say` what the reader should know."""

    budget: RowBudget
    tmpdir: str | os.PathLike[str] | None = None
    doing: Doing = silent
    say: Doing = silent
    parts: int | None = None
    "To how many files rows are dealt; by default as many as make parts of the right size."


def stream_rows(request: Request, stream: TableStream, columns: TableColumns, how: Streaming) -> Any:
    """The scores of a table that is streamed; groups must be whole where they are scored."""
    kind: type[State] = request.task.load("state")
    unit = columns.unit(request.task)
    with Workspace(how.tmpdir) as workspace:
        budget = how.budget
        if columns.by:
            budget = budget.divided(1 + sum(_slice_counts(stream, columns, how).values()))

        def make(by: str | None = None, name: str | None = None) -> State:
            share = replace(budget, table=how.budget.table) if by is None else budget
            return kind.for_stream(request, stream.name, workspace, share)

        def state() -> State:
            return SlicedState(request, make) if columns.by else make()

        try:
            with _paced(stream, how) as chunks:
                whole = chunks if unit is None else whole_groups(chunks, unit, how.budget.group)
                fed = _feed(state(), whole, columns)
        except ScatteredError as scattered:
            place, group = scattered.place, scattered.query
            how.say(
                Text(
                    f"{place.en}: group '{group}' comes again after others, so rows are dealt to temporary files by group",
                    f"{place.zh}：分组 '{group}' 在其他分组之后再次出现，因此按分组把数据行分到临时文件",
                )
            )
            fed = _feed(state(), _dealt(kind(request), stream, columns, workspace, how), columns)
        return fed.score_streamed(how.doing)


def _paced(stream: TableStream, how: Streaming, share: float = READING) -> closing[Generator[Chunk, None, None]]:
    """The rows, read by a thread that ends with the block: one that the garbage collector has to end may wait for itself."""
    return closing(paced(stream, how.budget.chunk, how.doing, share))


def _slice_counts(stream: TableStream, columns: TableColumns, how: Streaming) -> dict[str, int]:
    """How many slices there are by each column, by a look at these alone: each has a share of the memory."""
    names: dict[str, set[str]] = {by: set() for by in columns.by}
    how.doing(Text("counting slices", "正在统计切片"))
    with closing(stream.chunks(how.budget.chunk)) as chunks:  # type: ignore[type-var]
        for table, source in chunks:
            for by, column in columns.by.items():
                values = in_slices_of_time(by, vector_of(table, column, source))
                names[by].update(partition_of(values, by, batch=True).names)
                refuse_many(by, len(names[by]))
    return {by: 1 + len(slices) for by, slices in names.items()}


def _feed(state: State, chunks: Iterator[Chunk], columns: TableColumns) -> State:
    with closing(chunks):  # type: ignore[type-var]
        for chunk in chunks:
            state.add(state.read(_row_data(chunk, columns)))
            del chunk
    return state


def _row_data(chunk: Chunk, columns: TableColumns) -> RowData:
    def column(name: str | None) -> Vector | None:
        return None if name is None else vector_of(chunk[0], name, chunk[1])

    return RowData(
        column(columns.truth),
        column(columns.prediction),
        group=column(columns.group),
        weight=column(columns.weight),
        group_weight={name: column(name) for name in columns.more} or None,
        roles={role: column(name) for role, name in columns.roles.items()},
        by={name: column(of) for name, of in columns.by.items()} or None,
    )


def _dealt(
    reader: State, stream: TableStream, columns: TableColumns, workspace: Workspace, how: Streaming
) -> Iterator[Chunk]:
    """All rows of a part at once, one part after another. A row that cannot be used is refused where it stands."""
    group = str(columns.unit(reader.request.task))
    count = how.parts or min(MOST_PARTS, max(2, -(-2 * stream.estimate // how.budget.part)))
    with Partitioner(workspace.folder, "rows", count) as partitioner, _paced(stream, how, DEALING) as chunks:
        for chunk in chunks:
            rows = reader.read(_row_data(chunk, columns))
            ids = ids_in(chunk, group)
            partitioner.add(ids, {name: decoded(chunk[0].column(name)) for name in chunk[0].column_names})
            del chunk, rows, ids
        parts = partitioner.finish()
    source = Source(stream.name, lambda _: stream.name)
    for at, part in enumerate(parts, 1):
        how.doing(Text(f"scoring part {at} of {count}", f"正在评测第 {at} 部分，共 {count} 部分"))
        advance(DEALING + (1 - DEALING) * (at - 1) / count)
        for small in _small_enough(part, group, source, how.budget, _MOST_DEALINGS):
            if small.rows:
                yield small.table(), source
            small.remove()


def _small_enough(part: Part, group: str, source: Source, budget: RowBudget, left: int) -> Iterator[Part]:
    """The part itself, or what it is dealt to where it is too large; one group that is too large is refused."""
    if part.nbytes > 2 * budget.part and left:
        for smaller in repartition(part, group, min(64, max(2, -(-part.nbytes // budget.part)))):
            yield from _small_enough(smaller, group, source, budget, left - 1)
        return
    if part.nbytes > 2 * budget.part:  # it holds one large group, or it would have been divided
        first, table = pa.Table.from_batches([next(part.batches())]), part.table()
        if table.nbytes > budget.group:
            raise too_large(ids_in((first, source), group), [(table, source)], budget.group)
        del table
    yield part


def all_probabilities(stream: TableStream, column: str, chunk: int) -> bool:
    """Whether all scores lie within [0, 1], by a look at them alone; what is no number at all is refused later."""
    from pyarrow import compute

    with closing(stream.chunks(chunk)) as chunks:  # type: ignore[type-var]
        for table, _ in chunks:
            values = table.column(column)
            if not (pa.types.is_floating(values.type) or pa.types.is_integer(values.type)):
                return False
            ends = compute.min_max(values).as_py()
            if ends["min"] is None or not (ends["min"] >= 0 and ends["max"] <= 1):
                return False
    return True
