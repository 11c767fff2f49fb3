"""Rankings in files: read at once where they fit into memory, and as streams where they do not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pingce.base.errors import InputError, warn_user
from pingce.base.memory import human, size_of
from pingce.base.text import Text
from pingce.inputs.columns import Role, Rows
from pingce.inputs.data import RankingData
from pingce.inputs.folders import files_of
from pingce.inputs.streams import RowStream, open_rows
from pingce.inputs.tables import streamed_formats, unpacked_sizes
from pingce.request import Request
from pingce.run.memory import ListBudget
from pingce.run.progress import Telling
from pingce.run.states.fixed_tables import read_slices
from pingce.run.stream_ranking import RankingStreams, StreamedRanking
from pingce.scores.ranking import RankingScores
from pingce.slices.queries import QueryBy

_COPIES = 2
"What scoring rows at once takes, as a multiple of the rows themselves."


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
    largest = max(_size(run, streams[str(run)]) for run in runs)
    size = _COPIES * (largest + sum(_size(table, _stream(request, table, role, named)) for table, role in tables))
    if size <= most:
        return None
    limit = Text(f"a quarter of the memory ({human(most)})", f"内存的四分之一（{human(most)}）")
    limit = limit if memory is None else Text(f"--memory {memory}", f"--memory {memory}")
    reason = Text(f"{human(size)} would exceed {limit.en}", f"{human(size)} 会超出 {limit.zh}")
    opened = {name: stream for name, stream in streams.items() if stream is not None}
    if len(opened) < len(streams):
        unable = next(name for name in streams if name not in opened)
        if _is_absent(unable):
            request.reading.read(unable, "run")  # which says so
        _refuse_whole(unable, reason, limited=memory is not None)
        return None
    reason = Text(f"streamed: {reason.en}", f"流式读取：{reason.zh}")
    return OpenedRanking(request, data, opened, ListBudget.of(most), reason)


def _size(data: Any, stream: RowStream | None) -> int:
    """Bytes of memory that a table takes, about; what is no file is there already."""
    if stream is not None:
        return stream.estimate
    if not isinstance(data, (str, os.PathLike)):
        return 0
    return unpacked_sizes(path for path in files_of(Path(data)) or [Path(data)] if path.is_file())


def _is_absent(name: str) -> bool:
    """Whether there is no such file, or not one in a folder or of a pattern."""
    files = files_of(Path(name))
    return not files if files is not None else name != "-" and not Path(name).exists()


def _refuse_whole(run: str, reason: Text, *, limited: bool) -> None:
    formats = streamed_formats()
    unable = Text(f"{run} cannot be streamed ({formats.en} can)", f"{run} 不能流式读取（{formats.zh}可以）")
    if limited:
        raise InputError(
            f"{reason.en}, and {unable.en}; give more --memory, or leave it out to have everything read at once",
            f"{reason.zh}，而 {unable.zh}；请调大 --memory，或不给该选项以一次读入全部数据",
        )
    text = Text(
        f"{unable.en}: all of it is read at once, although {reason.en}", f"{unable.zh}：一次读入全部，尽管 {reason.zh}"
    )
    warn_user(text)


def _stream(request: Request, data: Any, role: Role, most: int | None = None) -> RowStream | None:
    """What is no path, and what cannot be streamed, is read at once: whatever is wrong with it is said then."""
    if not isinstance(data, (str, os.PathLike)) or data == "-":
        return None
    return open_rows(data, role, request.reading, most)
