"""`pingce eval QRELS RUN…`: runs against the truth."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.eval import POLICY_HELP

if TYPE_CHECKING:
    from pingce.evidence import Policies
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores import Scores
    from pingce.scores.ranking import RankingScores


def score_runs(
    files: tuple[str, ...], options: dict[str, Any], present: Callable[..., Mapping[str, Scores]] | None = None
) -> Mapping[str, Scores]:
    """Read, score, write; `present` may do something else with what was read."""
    qrels, *runs = files
    from pingce.base.prefetch import begin
    from pingce.inputs.tables import COLUMNAR
    from pingce.run.memory import may_exceed

    refuse_stdin_twice([*files, options["exclude"], options["query_weight"]])
    may_stream = may_exceed(options.get("memory"), *files, options["exclude"])
    if not may_stream:
        begin(runs[0], COLUMNAR)
    from pingce.cli.jobs import Job, definitions
    from pingce.cli.present import present_job, style_of
    from pingce.cli.progress import Progress
    from pingce.evaluate import DEFAULT_METRICS, evaluate_rows
    from pingce.evidence import Policies
    from pingce.inputs import read_excluded, read_run, read_truth, read_weights
    from pingce.inputs.titles import short_names

    style = style_of(options)
    define = definitions(Policies, options, (*POLICY_HELP, "relevant", "judged_only"))
    given, k = options["metrics"], options["k"]
    asked = define.asked(given, default_k=k) if given else define.defaults(DEFAULT_METRICS, default_k=k)
    reading = {"columns": columns_given(options["columns"])} | {
        name: options[name] for name in ("input_format", "encoding", "threads")
    }
    names = short_names(runs)
    sliced = slicing(options, reading["columns"]) if options["by"] else {}
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(Text(f"reading {qrels}", f"正在读取 {qrels}"))
        if may_stream:
            from pingce.cli.streaming_ranking import streamed_job

            job = streamed_job(files, options, define, asked, reading=reading, sliced=sliced)
            if job is not None:
                return (present or present_job)(job, options, style, caught)
        truth = read_truth(qrels, **reading)
        more = {
            "exclude": read_excluded(options["exclude"], **reading) if options["exclude"] else None,
            "query_weight": read_weights(options["query_weight"], **reading) if options["query_weight"] else None,
            **sliced,
        }

        def score_of(run: str) -> Any:
            def score(asked: list[MetricRequest], policies: Policies) -> RankingScores:
                if run not in read:
                    progress.at(Text(f"reading {run}", f"正在读取 {run}"))
                    read.clear()
                    read[run] = read_run(run, **reading)
                progress.at(Text(f"scoring {run}", f"正在评测 {run}"))
                return evaluate_rows(truth, read[run], asked, policies, threads=options["threads"], **more)

            return score

        read: dict[str, Any] = {}
        "One run at a time is held in memory."
        job = Job(define, asked, {name: score_of(run) for name, run in zip(names, runs, strict=True)})
        return (present or present_job)(job, options, style, caught)


def slicing(options: Mapping[str, Any], columns: Mapping[str, str | int] | None) -> dict[str, Any]:
    """What `--by` says of queries: FILE:COLUMN, a whole FILE, activity or popularity."""
    from pingce.slices.queries import BUILT_IN, read_query_slices

    asked: list[Any] = []
    for text in options["by"]:
        file, colon, names = text.rpartition(":")
        if text in BUILT_IN or not colon:
            asked.append(text)
        else:
            asked.append((file, *(name.strip() for name in names.split(",") if name.strip())))
    found = read_query_slices(asked, columns=columns, encoding=options["encoding"])
    return {"by": found, "min_n": options["min_n"], **options.get("drawn", {})}


def refuse_stdin_twice(files: Sequence[str | None]) -> None:
    """Standard input can be read once."""
    if files.count("-") > 1:
        raise InputError(
            "- stands twice, but standard input can be read only once; write one of the two to a file",
            "- 出现了两次，而标准输入只能读取一次；请将其中之一写入文件",
        )


def columns_given(given: tuple[str, ...]) -> dict[str, str] | None:
    """What `--columns` says, by role."""
    found: dict[str, str] = {}
    for piece in (piece for text in given for piece in text.split(",") if piece.strip()):
        role, separator, name = piece.partition("=")
        if not separator or not name:
            raise InputError(
                f"--columns {piece}: write ROLE=NAME, e.g. query=uid,item=iid",
                f"--columns {piece}：应写作 角色=列名，例如 query=uid,item=iid",
            )
        found[role.strip()] = name.strip()
    return found or None
