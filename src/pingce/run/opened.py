"""Rankings in files: read at once where they fit into memory, and as streams where they do not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pingce.base.memory import size_of
from pingce.base.text import Text
from pingce.inputs.columns import Role, Rows
from pingce.inputs.data import RankingData
from pingce.inputs.folders import files_of
from pingce.inputs.streams import RowStream, open_rows
from pingce.inputs.tables import streamed_formats
from pingce.request import Request
from pingce.run.memory import Excess, ListBudget, memory_of
from pingce.run.progress import Telling
from pingce.run.states.fixed_tables import read_slices
from pingce.run.stream_ranking import RankingStreams, StreamedRanking
from pingce.scores.ranking import RankingScores
from pingce.slices.queries import QueryBy


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
    _tables: RankingStreams | None = field(default=None, init=False, repr=False)

    def score(self, request: Request, run: str, telling: Telling = Telling()) -> RankingScores:  # noqa: B008 - frozen
        """The scores of one run; warnings stay with them."""
        by = read_slices(request, self.data.by) if self.slices is None else self.slices
        return StreamedRanking(request, replace(self._read(), run=self.runs[run]), self.budget, by, telling).score()

    def _read(self) -> RankingStreams:
        """The tables beside the runs, read once."""
        if self._tables is None:
            data, weights = self.data, None
            if data.query_weight is not None:
                weights = self.request.reading.read(data.query_weight, "weights")
            exclude = None if data.exclude is None else self._table(data.exclude, "exclude")
            first = next(iter(self.runs.values()))
            self._tables = RankingStreams(first, self._table(data.truth, "truth"), exclude, weights)
        return self._tables

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
    files = files_of(Path(name))
    return not files if files is not None else name != "-" and not Path(name).exists()


def _stream(request: Request, data: Any, role: Role, most: int | None = None) -> RowStream | None:
    """What is no path, and what cannot be streamed, is read at once: whatever is wrong with it is said then."""
    if not isinstance(data, (str, os.PathLike)) or data == "-":
        return None
    return open_rows(data, role, request.reading, most)
