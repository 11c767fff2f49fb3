"""QRELS RUN… on the command line: runs against the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.prefetch import forget
from pingce.base.text import Text
from pingce.cli.jobs import Job, at_work, refuse_stdin_twice, request_of
from pingce.cli.output import Style
from pingce.cli.progress import doing
from pingce.inputs.early import begin_run
from pingce.request import Intervals, Request
from pingce.run.memory import may_exceed
from pingce.tasks.ranking import BACKGROUND, RANKING

if TYPE_CHECKING:
    from pingce.inputs.data import RankingData
    from pingce.run.rankings import RankingInputs
    from pingce.scores.ranking import RankingScores
    from pingce.slices.queries import QueryBy


@contextmanager
def open_runs(files: tuple[str, ...], options: dict[str, Any], slices: Intervals | None = None) -> Iterator[Job]:
    """The runs against the truth, read one at a time, or streamed; `slices` where only these have intervals."""
    qrels, *runs = files
    refuse_stdin_twice([*files, *(options[name] for name in TABLES)])
    may_stream = may_exceed(options.get("memory"), *files, options["exclude"])
    if may_stream:
        forget()
    else:
        begin_run(runs[0], options.get("threads"))
    style, request = Style.of(options), ranking_request(options, slices)
    with at_work(Text(f"reading {qrels}", f"正在读取 {qrels}")) as caught:
        job = (_streamed(request, files, options) if may_stream else None) or _read(request, files, options)
        yield replace(job, style=style, caught=caught)


def ranking_request(options: Mapping[str, Any], slices: Intervals | None = None) -> Request:
    """What the options ask of runs, with the usual metrics where none is named."""
    from pingce.run.states.ranking import USUAL

    request = request_of(RANKING.name, options)
    if slices is not None:
        request = replace(request, intervals=replace(slices, ci=None), slice_ci=slices.ci or request.slice_ci)
    return request.with_usual(USUAL, default_k=options["k"])


def _read(request: Request, files: tuple[str, ...], options: Mapping[str, Any]) -> Job:
    """Runs that are read one at a time, against a truth that is read once."""
    from pingce.inputs.titles import short_names
    from pingce.run.score import score_rows
    from pingce.run.states.fixed_tables import read_tables, refuse_no_truth

    (qrels, *runs), reading = files, request.reading
    data = ranking_data(qrels, options)
    if data.truth is None:
        refuse_no_truth(request.metrics)
    tables = read_tables(request, data)
    held: dict[str, RankingInputs] = {}
    "One run at a time is held in memory."

    def score(run: str, variant: Request) -> RankingScores:
        if run not in held:
            doing(Text(f"reading {run}", f"正在读取 {run}"))
            held.clear()
            held[run] = tables.inputs(reading.read(run, "run"))
        doing(Text(f"scoring {run}", f"正在评测 {run}"))
        scores: RankingScores = score_rows(variant, held[run])
        return scores

    return Job(request, {name: partial(score, run) for name, run in zip(short_names(runs), runs, strict=True)})


def _streamed(request: Request, files: tuple[str, ...], options: Mapping[str, Any]) -> Job | None:
    """The runs as streams; None where everything fits into memory, or is of a kind that is read at once."""
    from pingce.inputs.titles import short_names
    from pingce.run.progress import Telling
    from pingce.run.stream_ranking import open_ranking

    qrels, *runs = files
    opened = open_ranking(request, replace(ranking_data(qrels, options), by=None), runs)
    if opened is None:
        return None
    notes = [opened.reason]
    ranking, telling = replace(opened, slices=read_slicing(request, options)), Telling(doing, notes.append)

    def score(run: str, variant: Request) -> RankingScores:
        return ranking.score(variant, run, telling)

    return Job(request, {name: partial(score, run) for name, run in zip(short_names(runs), runs, strict=True)}, notes)


TABLES = ("exclude", "query_weight", *BACKGROUND)
"Options that name files beside the runs."
NO_TRUTH = "none"
"Said instead of QRELS where no metric looks at relevance."


def _file_or_count(catalog: str | None) -> str | int | None:
    """The catalogue as `--catalog` says it: a file, or else a number of items."""
    from pathlib import Path

    if catalog is None or Path(catalog).exists():
        return catalog
    if catalog.isdecimal():
        return int(catalog)
    try:
        float(catalog)
    except ValueError:
        return catalog
    raise InputError(
        f"--catalog {catalog}: a catalogue is a file, or a whole number of items above 0",
        f"--catalog {catalog}：目录应为文件，或大于 0 的整数（条目数）",
    )


def ranking_data(qrels: str, options: Mapping[str, Any]) -> RankingData:
    """The tables beside the runs, as the options name them; a catalogue may be a number, and QRELS the word none."""
    from pathlib import Path

    from pingce.inputs.data import RankingData

    tables = {name: options[name] or None for name in TABLES}
    tables["catalog"] = _file_or_count(tables["catalog"])
    truth = None if qrels == NO_TRUTH and not Path(qrels).exists() else qrels
    return RankingData(truth, None, by=slicing_of(options), **tables)


def read_slicing(request: Request, options: Mapping[str, Any]) -> tuple[QueryBy, ...]:
    """What `--by` says of queries, read."""
    from pingce.run.states.fixed_tables import read_slices

    return read_slices(request, slicing_of(options))


def slicing_of(options: Mapping[str, Any]) -> list[Any] | None:
    """What `--by` says of queries: FILE:COLUMN, which may be of times (FILE:COLUMN:1d), a whole FILE, activity or popularity."""
    if not options["by"]:
        return None
    from pingce.inputs.times import time_slicing
    from pingce.slices.queries import BUILT_IN

    parts: list[Any] = []
    for text in options["by"]:
        slicing = time_slicing(text)
        of_time = "" if slicing is None or ":" not in slicing.column else text.removeprefix(slicing.column)
        file, colon, names = text.removesuffix(of_time).rpartition(":")
        names += of_time
        columns = (name.strip() for name in names.split(",") if name.strip())
        parts.append(text if text in BUILT_IN or not colon else (file, *columns))
    return parts
