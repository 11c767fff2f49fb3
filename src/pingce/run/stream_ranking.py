"""Rankings that are larger than memory: the run in batches of whole queries, or, where its queries lie scattered or the
truth is large too, dealt to temporary files and scored part by part. Only evidence is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field, replace
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property, pa
from pingce.base.memory import size_of
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.background import Background
from pingce.evidence.ranking.overlap import comparable_ids, named_alike
from pingce.inputs.columns import Role, Rows
from pingce.inputs.data import RankingData
from pingce.inputs.folders import files_of
from pingce.inputs.remote import local_copy
from pingce.inputs.streams import RowStream, open_rows
from pingce.inputs.tables import streamed_formats
from pingce.request import Request
from pingce.run.memory import Excess, ListBudget, memory_of
from pingce.run.parts import PartitionedRows, number_of_parts, partition_rows, small_enough
from pingce.run.progress import DEALING, Doing, Telling, paced, silent
from pingce.run.states.fixed_tables import FixedTables, read_background, read_slices, refuse_no_truth
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_batches import RankingBatch
from pingce.run.states.ranking_pieces import no_rows_like
from pingce.run.temporary import Workspace
from pingce.run.whole import ScatteredError, kept, nbytes, whole_queries
from pingce.scores.ranking import RankingScores
from pingce.slices.queries import QueryBy

_Item = TypeVar("_Item")
_Batches: TypeAlias = "Iterator[tuple[RankingBatch, int]]"
"With the bytes of each."
_Dealing: TypeAlias = "tuple[RowStream | Rows, Callable[[Rows], Rows], Rows | None]"
"A table, how its ids are made those of the others, and a row of it."
_HEAD = 1 << 16
"Bytes of a table that show what its ids are."
_DEALT = Text("rows are dealt to temporary files by query first", "先按查询将各行分到临时文件")


@dataclass(frozen=True)
class RankingStreams:
    """What is to be scored. Streams are read more than once where that is needed."""

    run: RowStream
    truth: RowStream | Rows
    exclude: RowStream | Rows | None = None
    query_weight: Rows | None = None
    background: Background = field(default_factory=Background)

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
                place, query = scattered.place, scattered.query
                en, zh = f"query '{query}' comes again after others", f"查询 '{query}' 在其他查询之后再次出现"
                self.telling.say(Text(f"{place.en}: {en}; {_DEALT.en}", f"{place.zh}：{zh}；{_DEALT.zh}"))
            return self._by_parts_of_run(truth, exclude)
        name = next(table.name for table in (truth, exclude) if table is not None and not isinstance(table, Rows))
        if any(slicing.by == "popularity" for slicing in self.by):
            raise InputError(
                f"slices by popularity need the whole truth at once, but {name.en} is too large to be held beside the run; give more "
                "--memory (memory=), or leave popularity out",
                f"按 popularity 切片需要一次用到全部真值，而 {name.zh} 过大，无法与预测同时放在内存中；请调大 --memory（memory=），或去掉 popularity",
            )
        en, zh = "is too large to be held beside the run", "过大，无法与预测同时放在内存中"
        self.telling.say(Text(f"{name.en} {en}; {_DEALT.en}", f"{name.zh} {zh}；{_DEALT.zh}"))
        return self._by_parts_of_all()

    def _state(
        self, truth: Rows | None = None, exclude: Rows | None = None, top_grade: float | None = None
    ) -> RankingState:
        tables = FixedTables(
            truth,
            exclude,
            self.inputs.query_weight,
            tuple(self.by),
            background=self.inputs.background,
            top_grade=top_grade,
        )
        return RankingState(replace(self.request, split="never"), tables)

    def _straight(self, truth: Rows, exclude: Rows | None) -> RankingScores:
        """Batch by batch, as the queries come."""
        run = self.inputs.run
        with closing(paced(run, self.budget.chunk, self.telling.doing)) as chunks:
            truth, first = comparable_ids(truth, next(chunks))
            alike = map(partial(_run_like, truth), chain([first], chunks))
            del first

            def batches() -> _Batches:
                for batch, is_last in _with_last(whole_queries(alike, self.budget.query)):
                    yield RankingBatch(_noted(batch, run) if is_last else _without_notes(batch)), nbytes(batch)
                    del batch

            return self._feed(self._state(truth, exclude), batches())

    def _by_parts_of_run(self, truth: Rows, exclude: Rows | None) -> RankingScores:
        """The truth fits: only the run is dealt."""
        truth, head = comparable_ids(truth, _head_of(self.inputs.run))
        row = kept(truth, 0, min(1, len(truth)))
        return self._by_parts(lambda: self._state(truth, exclude), [(self.inputs.run, partial(_run_like, row), head)])

    def _by_parts_of_all(self) -> RankingScores:
        """Neither the truth nor the run fits: a part has the judgements of its own queries."""
        run, truth, exclude = self.inputs.run, self.inputs.truth, self.inputs.exclude
        truth_head, run_head = comparable_ids(_head_of(truth), _head_of(run))
        top_grade = -inf

        def like_run(rows: Rows) -> Rows:
            nonlocal top_grade
            top_grade = max(top_grade, float(rows.value.max(initial=-inf)))
            return comparable_ids(rows, run_head)[0]

        tables: list[_Dealing] = [
            (run, partial(_run_like, truth_head), run_head),
            (truth, like_run, truth_head),
            *([] if exclude is None else [(exclude, partial(_exclude_like, truth_head), None)]),
        ]
        return self._by_parts(lambda: self._state(top_grade=top_grade), tables)

    def _by_parts(self, state: Callable[[], RankingState], tables: Sequence[_Dealing]) -> RankingScores:
        """The state is made when all rows are dealt: then the top grade is known."""
        sizes = (nbytes(table) if isinstance(table, Rows) else table.estimate for table, _, _ in tables)
        parts = number_of_parts(sum(sizes), self.budget)
        with Workspace(self.request.limits.tmpdir) as space:
            dealt = [self._dealt(table, space, parts, alike) for table, alike, _ in tables]

            def batches() -> _Batches:
                name, every, done = self.inputs.run.name, self.inputs.run.rows, 0
                for group in small_enough(dealt, self.budget):
                    share = Text(f"{done:,} of {every:,} rows", f"已完成 {done:,} / {every:,} 行")
                    self.telling.doing(Text(f"scoring {name.en}: {share.en}", f"正在评测 {name.zh}：{share.zh}"))
                    advance(DEALING + (1 - DEALING) * done / max(every, 1))
                    both = zip(dealt, group, tables, strict=True)
                    rows = [_noted(each.rows(part), table, head) for each, part, (table, _, head) in both]
                    yield RankingBatch(*rows), sum(part.nbytes for part in group)  # type: ignore[arg-type]
                    del rows
                    done += group[0].rows

            return self._feed(state(), batches())

    def _feed(self, state: RankingState, batches: _Batches) -> RankingScores:
        """The scores of batches, each with its bytes: no more than a part's share of them wait to become evidence."""
        waiting = 0
        for batch, size in batches:
            state.add(batch)
            waiting += size
            if waiting > self.budget.part:
                state.settle()
                waiting = 0
            del batch
        pa.default_memory_pool().release_unused()  # metrics need the room that chunks of rows left
        return state.score()

    def _dealt(
        self, table: RowStream | Rows, space: Workspace, parts: int, alike: Callable[[Rows], Rows]
    ) -> PartitionedRows:
        def chunks(doing: Doing = silent) -> Generator[Rows]:
            if isinstance(table, Rows):
                yield alike(table)
                return
            with closing(paced(table, self.budget.chunk, doing, DEALING)) as stream:
                yield from map(alike, stream)

        return partition_rows(chunks, self.telling.doing, space.folder, self.inputs.role(table), parts)


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


def _exclude_like(truth: Rows, exclude: Rows) -> Rows:
    return replace(exclude, query=named_alike(exclude, "query", truth.query, untyped=truth.source.untyped_ids))


def _no_truth(request: Request, run: RowStream) -> Rows:
    """A truth without rows, where no metric looks at relevance."""
    refuse_no_truth(request.metrics)
    return no_rows_like(_head_of(run))


@dataclass
class OpenedRanking:
    """Runs that are streamed; what fits beside them is read once for all of them."""

    request: Request
    data: RankingData
    "Truth, pairs to exclude and weights, for all runs."
    runs: Mapping[str, RowStream]
    budget: ListBudget
    reason: Text
    "Why they are streamed."
    slices: tuple[QueryBy, ...] | None = None
    "What queries are sliced by, where that was read before."

    def score(self, request: Request, run: str, telling: Telling = Telling()) -> RankingScores:  # noqa: B008 - frozen
        """The scores of one run; warnings stay with them."""
        by = read_slices(request, self.data.by) if self.slices is None else self.slices
        return StreamedRanking(request, replace(self._tables, run=self.runs[run]), self.budget, by, telling).score()

    @cached_property
    def _tables(self) -> RankingStreams:
        """The tables beside the runs, read once."""
        data, reading = self.data, self.request.reading
        weights = None if data.query_weight is None else reading.read(data.query_weight, "weights")
        exclude = None if data.exclude is None else self._table(data.exclude, "exclude")
        run, background = next(iter(self.runs.values())), read_background(self.request, data)
        truth = _no_truth(self.request, run) if data.truth is None else self._table(data.truth, "truth")
        return RankingStreams(run, truth, exclude, weights, background)

    def _table(self, data: Any, role: Role) -> RowStream | Rows:
        stream = _stream(self.request, data, role)
        if stream is not None and stream.estimate > self.budget.whole:
            return stream
        return self.request.reading.read(data, role)


def open_ranking(request: Request, data: RankingData, runs: Sequence[Any]) -> OpenedRanking | None:
    """What would take more than the memory allowed, as streams; None where it is read at once.

    What is of a kind that cannot be streamed is refused where a limit was named, and read at once with a warning where not.
    """
    memory = request.limits.memory
    most = size_of(memory)
    named = None if memory is None else most
    streams = {str(run): _stream(request, run, "run", named) for run in runs}
    tables: list[tuple[Any, Role]] = [(data.truth, "truth"), (data.exclude, "exclude")]
    largest = max(memory_of(run, streams[str(run)]) for run in runs)
    beside = sum(memory_of(table, _stream(request, table, role, named)) for table, role in tables)
    excess = Excess(largest + beside, memory)
    if excess.size <= most:
        return None
    opened = {name: stream for name, stream in streams.items() if stream is not None}
    unable = next((name for name in streams if name not in opened), None)
    if unable is None:
        reason = Text(f"streamed: {excess.reason.en}", f"流式读取：{excess.reason.zh}")
        return OpenedRanking(request, data, opened, ListBudget.of(most), reason)
    if _is_absent(unable):
        request.reading.read(unable, "run")  # which says so
    able = streamed_formats()
    excess.refuse(Text(f"{unable} cannot be streamed ({able.en} can)", f"{unable} 不能流式读取（{able.zh}可以）"))
    return None


def _is_absent(name: str) -> bool:
    """Whether there is no such file, or not one in a folder or of a pattern."""
    path = Path(local_copy(name))
    files = files_of(path)
    return not files if files is not None else name != "-" and not path.exists()


def _stream(request: Request, data: Any, role: Role, most: int | None = None) -> RowStream | None:
    """What is no path, and what cannot be streamed, is read at once: whatever is wrong with it is said then."""
    if not isinstance(data, (str, os.PathLike)) or data == "-":
        return None
    return open_rows(data, role, request.reading, most)
