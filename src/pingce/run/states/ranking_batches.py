"""Batches of a ranking: what they must have in common, and several as one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.ranking.truth_index import IdIndex, chosen_rows, offsets, with_places
from pingce.inputs import Ids, IntIds
from pingce.inputs.columns import HEAD, Rows, ids_at, kind_of, owned, rows_of
from pingce.inputs.ids import changes
from pingce.inputs.layouts import joined
from pingce.inputs.paths import joined_rows


class RankingBatch(NamedTuple):
    """Rows that came together: of a run, and perhaps the judgements and excluded pairs of its queries."""

    run: Rows | None = None
    truth: Rows | None = None
    exclude: Rows | None = None
    number: int = 0

    @property
    def rows(self) -> int:
        """How many rows it has on all sides."""
        return sum(len(rows) for rows in self.sides if rows is not None)

    def owned(self, memory: RowMemory | None = None) -> RankingBatch:
        """The same rows, of which nobody else has the arrays; those of the run in the memory that there is for them."""
        run, truth, exclude = self.sides
        return self._replace(
            run=run and (owned(run) if memory is None else memory.copy(run)),
            truth=truth and owned(truth),
            exclude=exclude and owned(exclude),
        )

    @property
    def sides(self) -> tuple[Rows | None, Rows | None, Rows | None]:
        """Run, truth and excluded pairs."""
        return self.run, self.truth, self.exclude


class RowMemory:
    """Memory that rows of batches are copied into: those that lie there one after another are joined already."""

    def __init__(self, rows: int) -> None:
        self._size, self._used = rows, 0
        self._columns: dict[tuple[str, np.dtype[Any]], NDArray[Any]] = {}

    def clear(self) -> None:
        """Forget all rows, so that others may be written over them."""
        self._used = 0

    def copy(self, rows: Rows) -> Rows:
        """The same rows here, or, where there is no room left, in memory of their own."""
        begin, end = self._used, self._used + len(rows)
        if end > self._size or rows.whole is not None:
            return owned(rows)
        self._used = end

        def column(name: str, values: NDArray[Any]) -> NDArray[Any]:
            key = name, values.dtype
            if key not in self._columns:
                self._columns[key] = np.empty(self._size, values.dtype)
            copy = self._columns[key][begin:end]
            copy[:] = values
            return copy

        query, item = (
            IntIds(column(name, ids.values)) if isinstance(ids, IntIds) else ids
            for name, ids in (("query", rows.query), ("item", rows.item))
        )
        return replace(rows, query=query, item=item, value=column("value", rows.value))


class Sample:
    """The first rows of all batches, and all their notes: enough for messages about ids."""

    def __init__(self) -> None:
        self._parts: list[Rows] = []
        self._kept = 0
        self._notes: dict[Text, None] = {}

    @property
    def first(self) -> Rows | None:
        """The first rows, if there were any."""
        return self._parts[0] if self._parts else None

    def add(self, rows: Rows | None) -> None:
        """See some rows."""
        if rows is None:
            return
        self._notes |= dict.fromkeys(rows.source.notes)
        if self._kept < HEAD:
            few = np.arange(min(len(rows), HEAD - self._kept))
            source = rows.source
            untied = replace(rows_of(source.name), untyped_ids=source.untyped_ids, stated=source.stated)
            self._parts.append(replace(chosen_rows(rows, few), source=untied))  # or the whole batch would stay too
            self._kept += len(few)

    def rows(self) -> Rows | None:
        """The rows that were kept, if there were any."""
        first = self.first
        if first is None:
            return None
        rows = first if len(self._parts) == 1 else joined_rows(self._parts, first.source.name)
        return replace(rows, source=replace(first.source, notes=tuple(self._notes)), shape=first.shape)


def refuse_positions(sample: Sample, run: Rows | None) -> None:
    """Queries that are known by their place in a batch cannot be told from those of another batch."""
    first = sample.first
    if run is not None and first is not None and (run.count is not None or first.count is not None):
        raise InputError(
            "queries of lists and matrices are known by their place only, so those of two batches cannot be told apart; name "
            "them: (ids, matrix), a dict, a table, or everything in one batch",
            "列表和矩阵的查询只能按位置识别，因而不同批次的查询无法区分；请指明查询：（编号，矩阵）、字典、表，或一次给出全部",
        )


_MEANINGS = {
    "given": Text("scores", "分数"),
    "rank": Text("ranks", "名次"),
    "order": Text("only rows in order", "仅有顺序"),
    "none": Text("no grades", "没有等级"),
}


def refuse_other_columns(sample: Sample, rows: Rows | None) -> None:
    """Batches have ids and numbers of the same kinds."""
    first = sample.first
    if rows is None or first is None:
        return
    name = rows.source.name
    for part in ("query", "item"):
        ours, theirs = kind_of(getattr(first, part)), kind_of(getattr(rows, part))
        if ours != theirs:
            raise InputError(
                f"{name.en}: {part} ids are {theirs.en} in this batch, but {ours.en} in the first; make the batches alike",
                f"{name.zh}：本批次的 {part} 编号是{theirs.zh}，而第一批是{ours.zh}；请统一各批次",
            )
    if first.meaning != rows.meaning:
        here, before = _MEANINGS[rows.meaning], _MEANINGS[first.meaning]
        raise InputError(
            f"{name.en}: this batch has {here.en}, the first has {before.en}; make the batches alike",
            f"{name.zh}：本批次有{here.zh}，而第一批有{before.zh}；请统一各批次",
        )


def joined_batches(batches: Sequence[RankingBatch]) -> RankingBatch:
    """Several batches as one; rows still know where they came from."""
    run, truth, exclude = (
        _joined([(batch.number, rows) for batch in batches if (rows := batch.sides[side]) is not None])
        for side in range(3)
    )
    return RankingBatch(run, truth, exclude)


def _joined(parts: Sequence[tuple[int, Rows]]) -> Rows | None:
    if len(parts) < 2:
        return parts[0][1] if parts else None
    rows = [part for _, part in parts]
    begin = np.cumsum([0, *map(len, rows)]).tolist()

    def place(row: int) -> Text:
        at = bisect_right(begin, row) - 1
        number, place = parts[at][0], rows[at].source.place(row - begin[at])
        if rows[at].source.absolute:
            return place
        return Text(f"{place.en} in batch {number}", f"第 {number} 批的{place.zh}")

    notes = tuple(dict.fromkeys(note for part in rows for note in part.source.notes))
    first = rows[0].source
    return replace(joined_rows(rows, first.name), source=replace(first, place=place, notes=notes))


def queries_of(batches: Sequence[RankingBatch]) -> tuple[Ids, Ids]:
    """Which queries there are, each once, and which of them are in more than one batch."""
    columns = [
        (place, rows.query) for place, batch in enumerate(batches) for rows in batch.sides[:2] if rows is not None
    ]
    every, batch_of = joined([ids for _, ids in columns]), np.array([place for place, _ in columns])
    begin = offsets(np.array([len(ids) for _, ids in columns]))
    rows = with_places(changes(every), begin[:-1])
    stretches = every.take(rows)
    index = IdIndex(stretches)
    if len(index) == len(stretches):
        return stretches, stretches.take(np.zeros(0, np.int64))
    distinct = stretches.take(index.first_rows())
    code, batch = index.find(stretches), batch_of[np.searchsorted(begin, rows, side="right") - 1]
    order = np.lexsort((batch, code))
    code, batch = code[order], batch[order]
    other = np.zeros(len(code), bool)
    other[1:] = (code[1:] == code[:-1]) & (batch[1:] != batch[:-1])
    _, first = np.unique(code[other], return_index=True)
    return distinct, stretches.take(np.sort(order[other][first]))


def whole_run(batches: Sequence[RankingBatch]) -> Rows | None:
    """The run of batches between which queries are split."""
    run = joined_batches(batches).run
    if run is not None and run.meaning == "rank" and len(batches) > 1 and len(queries_of(batches)[1]):
        sizes = [0 if batch.run is None else len(batch.run) for batch in batches]
        _refuse_ranks_twice(run, np.repeat(np.arange(len(batches)), sizes))
    return run


def _refuse_ranks_twice(run: Rows, batch: NDArray[np.intp]) -> None:
    """A list is ranked from 1 in each batch: its second half would be mixed with the first."""
    query = IdIndex(run.query).find(run.query)
    order = np.lexsort((batch, run.value, query))
    keys = [column[order] for column in (query, run.value)]
    same = np.all([key[1:] == key[:-1] for key in keys], axis=0) & (batch[order][1:] != batch[order][:-1])
    if same.any():
        row = int(order[1:][same].min())
        name, rank = ids_at(run.query, row), f"{-run.value[row]:g}"
        raise InputError(
            f"query '{name}' has rank {rank} in two batches; give its whole list in one batch, or scores",
            f"查询 '{name}' 在两个批次中都有名次 {rank}；请在一个批次中给出整个列表，或给出分数",
        )
