"""Rankings that are larger than memory: the run in batches of whole queries, or, where its queries lie scattered or the
truth is large too, dealt to temporary files and scored part by part. Only evidence is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeVar

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.ranking.overlap import comparable_ids, named_alike
from pingce.inputs.columns import Rows
from pingce.inputs.streams import RowStream
from pingce.request import Request
from pingce.run.memory import ListBudget
from pingce.run.partition import Part
from pingce.run.parts import PartitionedRows, number_of_parts, partition_rows, small_enough
from pingce.run.progress import Doing, Telling, paced, silent
from pingce.run.queries import kept, nbytes, whole_queries
from pingce.run.states.fixed_tables import FixedTables
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_batches import RankingBatch
from pingce.run.temporary import Workspace
from pingce.run.whole import ScatteredError
from pingce.scores.ranking import RankingScores
from pingce.slices.queries import QueryBy

_Item = TypeVar("_Item")
_HEAD = 1 << 16
"Bytes of a table that show what its ids are."


@dataclass(frozen=True)
class RankingStreams:
    """What is to be scored. Streams are read more than once where that is needed."""

    run: RowStream
    truth: RowStream | Rows
    exclude: RowStream | Rows | None = None
    query_weight: Rows | None = None

    def role(self, table: RowStream | Rows) -> str:
        """What a table is, for the names of files."""
        return "run" if table is self.run else "truth" if table is self.truth else "exclude"


@dataclass(frozen=True)
class StreamedRanking:
    """How a ranking is scored whose rows do not fit into memory."""

    request: Request
    inputs: RankingStreams
    budget: ListBudget
    by: Sequence[QueryBy] = ()
    telling: Telling = Telling()

    def score(self) -> RankingScores:
        """The scores of all rows, as if they had been read at once; warnings stay with them."""
        truth, exclude = self.inputs.truth, self.inputs.exclude
        if isinstance(truth, Rows) and (exclude is None or isinstance(exclude, Rows)):
            try:
                return self._straight(truth, exclude)
            except ScatteredError as scattered:
                self.telling.say(_dealt_because(scattered))
            return self._by_parts_of_run(truth, exclude)
        large = next(table for table in (truth, exclude) if table is not None and not isinstance(table, Rows))
        if any(slicing.by == "popularity" for slicing in self.by):
            raise _popularity_of_large(large.name)
        self.telling.say(_dealt_since_large(large.name))
        return self._by_parts_of_all()

    def _state(self, truth: Rows | None = None, exclude: Rows | None = None) -> RankingState:
        tables = FixedTables(truth, exclude, self.inputs.query_weight, tuple(self.by))
        return RankingState(replace(self.request, split="never"), tables)

    def _straight(self, truth: Rows, exclude: Rows | None) -> RankingScores:
        """Batch by batch, as the queries come."""
        run = self.inputs.run
        with closing(paced(run, self.budget.chunk, self.telling.doing)) as chunks:  # type: ignore[type-var]
            truth, first = comparable_ids(truth, next(chunks))
            state = self._state(truth, exclude)
            alike = map(partial(_run_like, truth), chain([first], chunks))
            del first
            waiting = 0
            for batch, is_last in _with_last(whole_queries(alike, self.budget.query)):
                state.add(RankingBatch(_noted(batch, run) if is_last else _without_notes(batch)))
                waiting = self._flush(state, waiting + nbytes(batch))
                del batch
        return _scored(state)

    def _by_parts_of_run(self, truth: Rows, exclude: Rows | None) -> RankingScores:
        """The truth fits: only the run is dealt."""
        run = self.inputs.run
        truth, head = comparable_ids(truth, _head_of(run))
        row = kept(truth, 0, 1)
        with Workspace(self.request.limits.tmpdir) as space:
            parts = number_of_parts(run.estimate, self.budget)
            dealt = self._dealt(run, space, parts, partial(_run_like, row))
            state = self._state(truth, exclude)
            waiting = 0
            for (part,) in self._parts([dealt]):
                if part.rows:
                    state.add(RankingBatch(_noted(dealt.rows(part), run, head)))
                    waiting = self._flush(state, waiting + part.nbytes)
            return _scored(state)

    def _by_parts_of_all(self) -> RankingScores:
        """Neither the truth nor the run fits: a part has the judgements of its own queries."""
        run, truth, exclude = self.inputs.run, self.inputs.truth, self.inputs.exclude
        truth_head, run_head = comparable_ids(_head_of(truth), _head_of(run))
        tables = [run, truth, *([exclude] if exclude is not None else [])]
        alike: list[Callable[[Rows], Rows]] = [
            partial(_run_like, truth_head),
            lambda rows: comparable_ids(rows, run_head)[0],
            lambda rows: _named_as(truth_head, rows),
        ]
        sizes = (nbytes(table) if isinstance(table, Rows) else table.estimate for table in tables)
        parts = number_of_parts(sum(sizes), self.budget)
        with Workspace(self.request.limits.tmpdir) as space:
            dealt = [self._dealt(table, space, parts, like) for table, like in zip(tables, alike, strict=False)]
            state = self._state()
            waiting = 0
            for group in self._parts(dealt):
                rows = [
                    _noted(each.rows(part), table, head)
                    for each, part, table, head in zip(dealt, group, tables, (run_head, truth_head, None), strict=False)
                ]
                state.add(RankingBatch(*rows))  # type: ignore[arg-type]
                del rows
                waiting = self._flush(state, waiting + sum(part.nbytes for part in group))
            return _scored(state)

    def _flush(self, state: RankingState, waiting: int) -> int:
        """How many bytes of rows still wait to become evidence: more than a part's share never do."""
        if waiting <= self.budget.part:
            return waiting
        state.settle()
        return 0

    def _dealt(
        self, table: RowStream | Rows, space: Workspace, parts: int, alike: Callable[[Rows], Rows]
    ) -> PartitionedRows:
        def chunks(doing: Doing = silent) -> Generator[Rows]:
            if isinstance(table, Rows):
                yield alike(table)
                return
            with closing(paced(table, self.budget.chunk, doing)) as stream:  # type: ignore[type-var]
                yield from map(alike, stream)

        return partition_rows(chunks, self.telling.doing, space.folder, self.inputs.role(table), parts)

    def _parts(self, tables: list[PartitionedRows]) -> Iterator[list[Part]]:
        name, rows = self.inputs.run.name, self.inputs.run.rows
        done = 0
        for parts in small_enough(tables, self.budget):
            share = Text(f"{done:,} of {rows:,} rows", f"已完成 {done:,} / {rows:,} 行")
            self.telling.doing(Text(f"scoring {name.en}: {share.en}", f"正在评测 {name.zh}：{share.zh}"))
            yield parts
            done += parts[0].rows


def _scored(state: RankingState) -> RankingScores:
    """The scores; what the chunks of rows left in Arrow's buckets is given back before, since metrics need room too."""
    pa.default_memory_pool().release_unused()
    return state.score()


def _dealt_because(problem: ScatteredError) -> Text:
    return Text(
        f"{problem.place.en}: query '{problem.query}' comes again after others; rows are dealt to temporary files by query first",
        f"{problem.place.zh}：查询 '{problem.query}' 在其他查询之后再次出现；先按查询将各行分到临时文件",
    )


def _dealt_since_large(name: Text) -> Text:
    return Text(
        f"{name.en} is too large to be held beside the run; rows are dealt to temporary files by query first",
        f"{name.zh} 过大，无法与预测同时放在内存中；先按查询将各行分到临时文件",
    )


def _popularity_of_large(name: Text) -> InputError:
    return InputError(
        f"slices by popularity need the whole truth at once, but {name.en} is too large to be held beside the run; give more "
        "--memory (memory=), or leave popularity out",
        f"按 popularity 切片需要一次用到全部真值，而 {name.zh} 过大，无法与预测同时放在内存中；请调大 --memory（memory=），或去掉 popularity",
    )


def _with_last(items: Iterable[_Item]) -> Iterator[tuple[_Item, bool]]:
    """Each item, and whether it is the last."""
    rest = iter(items)
    held = [next(rest)]
    for item in rest:
        held.append(item)
        del item
        yield held.pop(0), False
    yield held.pop(), True


def _without_notes(rows: Rows) -> Rows:
    return replace(rows, source=replace(rows.source, notes=(), absolute=True))


def _noted(rows: Rows, table: RowStream | Rows, head: Rows | None = None) -> Rows:
    """Rows with all that is to be said of their table; what a head was read as, the table was."""
    notes = table.source.notes if isinstance(table, Rows) else table.notes
    more = (rows if head is None else head).source.notes
    return replace(rows, source=replace(rows.source, notes=notes + more, absolute=True))


def _head_of(table: RowStream | Rows) -> Rows:
    """One row, by which the ids of the others are known."""
    if isinstance(table, Rows):
        return _without_notes(kept(table, 0, 1))
    with closing(table.chunks(_HEAD)) as chunks:  # type: ignore[type-var]
        return kept(next(chunks), 0, 1)


def _run_like(truth: Rows, run: Rows) -> Rows:
    return comparable_ids(truth, run)[1]


def _named_as(truth: Rows, exclude: Rows) -> Rows:
    return replace(exclude, query=named_alike(exclude, "query", truth.query, untyped=truth.source.untyped_ids))
