"""Rankings in files: read at once where they fit into memory, and as streams where they do not."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.memory import human, size_of
from pingce.base.text import Text
from pingce.engines.ranking import Inputs, StreamedRanking
from pingce.engines.shares import Shares
from pingce.evaluate import DEFAULT_METRICS
from pingce.evaluate.definitions import Definitions
from pingce.evidence import Policies
from pingce.inputs import read_excluded, read_run, read_truth, read_weights
from pingce.inputs.columns import Reading, Rows
from pingce.inputs.folders import files_of
from pingce.inputs.sizes import unpacked_sizes
from pingce.inputs.stream_files import open_rows
from pingce.inputs.streams import RowStream
from pingce.inputs.tables import streamed_formats

if TYPE_CHECKING:
    from pingce.inputs.columns import Role
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores.ranking import RankingScores
    from pingce.slices.queries import QueryBy

_COPIES = 2
"What scoring rows at once takes, as a multiple of the rows themselves."


@dataclass
class OpenedRanking:
    """Runs that are streamed; what fits beside them is read once for all of them."""

    qrels: Any
    runs: Mapping[str, RowStream]
    exclude: Any
    query_weight: Any
    shares: Shares
    reading: Mapping[str, Any]
    reason: Text
    "Why they are streamed."
    _read: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def scores(
        self, run: str, asked: list[MetricRequest], policies: Policies, *, above: int = 1, **how: Any
    ) -> RankingScores:
        """The scores of one run; `how` is what `StreamedRanking` takes beside. Warnings point so many calls above."""
        threads = self.reading.get("threads")
        work = StreamedRanking(self.inputs(run), asked, policies, self.shares, threads=threads, above=above + 1, **how)
        return work.scores()

    def inputs(self, run: str) -> Inputs:
        """One run, and what it is to be scored with."""
        if not self._read:
            self._read = {
                "truth": self._table(self.qrels, "truth"),
                "exclude": None if self.exclude is None else self._table(self.exclude, "exclude"),
                "query_weight": None if self.query_weight is None else read_weights(self.query_weight, **self.reading),
            }
        return Inputs(self.runs[run], **self._read)

    def _table(self, data: Any, role: Role) -> RowStream | Rows:
        stream = _stream(data, role, self.reading)
        if stream is not None and stream.estimate > self.shares.whole:
            return stream
        return (read_truth if role == "truth" else read_excluded)(data, **self.reading)


def open_ranking(
    qrels: Any,
    runs: Sequence[Any],
    *,
    memory: str | float | None = None,
    exclude: Any = None,
    query_weight: Any = None,
    reading: Mapping[str, Any],
) -> OpenedRanking | None:
    """What would take more than the memory allowed, as streams; None where it is read at once.

    What is of a kind that cannot be streamed is refused where a limit was named, and read at once with a warning where not.
    """
    most = size_of(memory)
    named = None if memory is None else most
    streams = {str(run): _stream(run, "run", reading, named) for run in runs}
    beside = [(qrels, _stream(qrels, "truth", reading, named)), (exclude, _stream(exclude, "exclude", reading, named))]
    largest = max(_size(run, streams[str(run)]) for run in runs)
    size = _COPIES * (largest + sum(_size(data, stream) for data, stream in beside))
    if size <= most:
        return None
    limit = Text(f"a quarter of the memory ({human(most)})", f"内存的四分之一（{human(most)}）")
    limit = limit if memory is None else Text(f"--memory {memory}", f"--memory {memory}")
    reason = Text(f"{human(size)} would exceed {limit.en}", f"{human(size)} 会超出 {limit.zh}")
    found = {name: stream for name, stream in streams.items() if stream is not None}
    if len(found) < len(streams):
        unable = next(name for name in streams if name not in found)
        if _is_absent(unable):
            read_run(unable, **reading)  # which says so
        _refuse_whole(unable, reason, limited=memory is not None)
        return None
    reason = Text(f"streamed: {reason.en}", f"流式读取：{reason.zh}")
    return OpenedRanking(qrels, found, exclude, query_weight, Shares.of(most), reading, reason)


def _size(data: Any, stream: RowStream | None) -> int:
    """Bytes of memory that a table takes, about; what is no file is there already."""
    if stream is not None:
        return stream.estimate
    if not isinstance(data, (str, os.PathLike)):
        return 0
    return unpacked_sizes(path for path in files_of(Path(data)) or [Path(data)] if path.is_file())


def _is_absent(name: str) -> bool:
    """Whether there is no such file, or not one in a folder or of a pattern."""
    found = files_of(Path(name))
    return not found if found is not None else name != "-" and not Path(name).exists()


def _refuse_whole(run: str, reason: Text, *, limited: bool) -> None:
    streamed = streamed_formats()
    unable = Text(f"{run} cannot be streamed ({streamed.en} can)", f"{run} 不能流式读取（{streamed.zh}可以）")
    if limited:
        raise InputError(
            f"{reason.en}, and {unable.en}; give more --memory, or leave it out to have everything read at once",
            f"{reason.zh}，而 {unable.zh}；请调大 --memory，或不给该选项以一次读入全部数据",
        )
    text = Text(
        f"{unable.en}: all of it is read at once, although {reason.en}", f"{unable.zh}：一次读入全部，尽管 {reason.zh}"
    )
    warnings.warn(PingceWarning(str(text)), stacklevel=3)


def _stream(data: Any, role: Role, reading: Mapping[str, Any], most: int | None = None) -> RowStream | None:
    """What is no path, and what cannot be streamed, is read at once: whatever is wrong with it is said then."""
    if not isinstance(data, (str, os.PathLike)) or data == "-":
        return None
    return open_rows(data, role, Reading(**reading), most)


def evaluate_streamed(
    qrels: Any,
    run: Any,
    metrics: Any,
    convention: str | None,
    given: Mapping[str, Any],
    *,
    reading: Mapping[str, Any],
    memory: str | float | None,
    tmpdir: str | os.PathLike[str] | None,
    exclude: Any,
    query_weight: Any,
    by: Any,
    min_n: int,
) -> RankingScores | None:
    """`evaluate_ranking` of files that would take too much memory; None where they are read at once."""
    beside = {"exclude": exclude, "query_weight": query_weight}
    opened = open_ranking(qrels, [run], memory=memory, reading=reading, **beside)
    if opened is None:
        return None
    define = Definitions(Policies, convention, given)
    asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
    slices: Sequence[QueryBy] = ()
    if by is not None:
        from pingce.slices.queries import read_query_slices

        slices = read_query_slices(by, columns=reading["columns"], encoding=reading["encoding"])
    return opened.scores(str(run), asked, define.policies, above=3, by=slices, min_n=min_n, tmpdir=tmpdir)
