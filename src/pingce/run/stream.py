"""Predictions that are larger than memory: chunks of rows go to an evaluator, and only evidence is kept.

Groups must be whole where they are scored. Where they lie together in the files they are; else rows are dealt to temporary
files by group, and scored part by part.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.arrow import decoded
from pingce.inputs.columns import Source
from pingce.inputs.data import RowData
from pingce.inputs.predictions import vector_of
from pingce.inputs.vectors import Vector
from pingce.run.groups import ids_in, too_large, whole_groups
from pingce.run.memory import MOST_PARTS, RowBudget
from pingce.run.partition import Part, Partitioner, repartition
from pingce.run.progress import Doing, paced, silent, time_left
from pingce.run.states.base import State
from pingce.run.temporary import Workspace
from pingce.run.whole import ScatteredError

if TYPE_CHECKING:
    from pingce.inputs.streams import TableStream
    from pingce.request import Request

    Chunk = tuple[pa.Table, Source]

_MOST_DEALINGS = 3


def held(stream: TableStream) -> int:
    """Bytes that all rows would take if they were read and scored at once: they are copied once."""
    return 2 * stream.estimate


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


@dataclass
class Streaming:
    """How predictions are streamed; `doing` is told how far that has come, `say` what the reader should know."""

    budget: RowBudget
    tmpdir: str | os.PathLike[str] | None = None
    doing: Doing = silent
    say: Doing = silent
    parts: int | None = field(default=None)
    "To how many files rows are dealt; by default as many as make parts of the right size."


def stream_rows(request: Request, stream: TableStream, columns: TableColumns, how: Streaming) -> Any:
    """The scores of a table that is streamed; groups must be whole where they are scored."""
    kind: type[State] = request.task.load("state")
    with Workspace(how.tmpdir) as workspace:

        def state() -> State:
            return kind.for_stream(request, stream.name, workspace, how.budget)

        try:
            chunks = paced(stream, how.budget.chunk, how.doing)
            whole = chunks if columns.group is None else whole_groups(chunks, columns.group, how.budget.group)
            fed = _feed(state(), whole, columns)
        except ScatteredError as scattered:
            how.say(_scattered(scattered))
            fed = _feed(state(), _dealt(stream, columns, workspace, how), columns)
        return fed.score_streamed(how.doing)


def _scattered(problem: ScatteredError) -> Text:
    return Text(
        f"{problem.place.en}: group '{problem.query}' comes again after others, so rows are dealt to temporary files by group",
        f"{problem.place.zh}：分组 '{problem.query}' 在其他分组之后再次出现，因此按分组把数据行分到临时文件",
    )


def _feed(state: State, chunks: Iterator[Chunk], columns: TableColumns) -> State:
    with closing(chunks):  # type: ignore[type-var]
        for chunk in chunks:
            state.add(state.read(_row_data(chunk, columns)))
            del chunk
    return state


def _row_data(chunk: Chunk, columns: TableColumns) -> RowData:
    read = _vectors(chunk, columns)
    return RowData(
        read[columns.truth],
        read[columns.prediction],
        group=read[columns.group] if columns.group else None,
        weight=read[columns.weight] if columns.weight else None,
        group_weight={name: read[name] for name in columns.more} or None,
    )


def _vectors(chunk: Chunk, columns: TableColumns) -> dict[str, Vector]:
    names = (columns.truth, columns.prediction, columns.group, columns.weight, *columns.more)
    return {name: vector_of(chunk[0], name, chunk[1]) for name in names if name is not None}


def _dealt(stream: TableStream, columns: TableColumns, workspace: Workspace, how: Streaming) -> Iterator[Chunk]:
    """All rows of a part at once, one part after another. A row that cannot be used is refused where it stands."""
    from pingce.inputs.binary import binary_rows

    group = str(columns.group)
    count = how.parts or min(MOST_PARTS, max(2, -(-2 * stream.estimate // how.budget.part)))
    with Partitioner(workspace.folder, "rows", count) as partitioner:
        for chunk in paced(stream, how.budget.chunk, how.doing):
            read = _vectors(chunk, columns)
            weight = read[columns.weight] if columns.weight else None
            binary_rows(read[columns.truth], read[columns.prediction], weight=weight, batch=True)
            ids = ids_in(chunk, group)
            partitioner.add(ids, {name: decoded(chunk[0].column(name)) for name in chunk[0].column_names})
            del chunk, read, ids
        parts = partitioner.finish()
    source, begun = Source(stream.name, lambda _: stream.name), time.monotonic()
    for number, part in enumerate(parts):
        how.doing(_scoring(number, len(parts), time.monotonic() - begun))
        for small in _small_enough(part, group, source, how.budget, _MOST_DEALINGS):
            if small.rows:
                yield small.table(), source
            small.remove()


def _scoring(number: int, count: int, seconds: float) -> Text:
    rest = time_left(seconds / number * (count - number)) if number else Text("", "")
    return Text(
        f"scoring part {number + 1} of {count}{rest.en}", f"正在评测第 {number + 1} 部分，共 {count} 部分{rest.zh}"
    )


def _small_enough(part: Part, group: str, source: Source, budget: RowBudget, left: int) -> Iterator[Part]:
    """The part itself, or what it is dealt to where it is too large; one group that is too large is refused."""
    if part.nbytes <= 2 * budget.part:
        yield part
        return
    if not left:
        _refuse_large_group(part, group, source, budget.group)
        yield part
        return
    for smaller in repartition(part, group, min(64, max(2, -(-part.nbytes // budget.part)))):
        yield from _small_enough(smaller, group, source, budget, left - 1)


def _refuse_large_group(part: Part, group: str, source: Source, most: int) -> None:
    """Refuse what could not be divided into smaller parts where it holds one large group."""
    first, table = pa.Table.from_batches([next(part.batches())]), part.table()
    if table.nbytes > most:
        raise too_large(ids_in((first, source), group), [(table, source)], most)


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
