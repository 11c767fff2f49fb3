"""`pingce report`: one HTML file about one or several runs or models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pingce.base.text import Text
from pingce.cli.compare import settings_of
from pingce.cli.group import Command, files_argument
from pingce.cli.options import are_rows, complete, parameters, refuse_out_of_place
from pingce.html.material import Material

if TYPE_CHECKING:
    from pingce.cli.jobs import Job
    from pingce.comparison.settings import ComparisonSettings
    from pingce.scores import Scores


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "report",
        Text(
            "Write one HTML file about runs (QRELS RUN...) or models (tables with labels and scores, classes, or numbers): interactive, offline, at most 1 MB, in both languages.",
            "把多份排序结果（QRELS RUN...）或多个模型（含标签与分数、类别或数值的表）写成一个 HTML 文件：可交互、离线可用、不超过 1 MB、中英文皆备。",
        ),
        [files_argument("QRELS RUN... | PREDICTIONS..."), *parameters("report")],
        write,
        (
            "pingce report qrels.txt bm25.run dense.run -o report.html",
            "pingce report preds.parquet --label click --score old --score new --group user_id -o report.html",
        ),
    )


def write(files: tuple[str, ...], **options: Any) -> None:
    """Read, score, compare, write."""
    from pingce.html.write import report_path

    report_path(options["output"])
    settings = settings_of(options)
    rows = are_rows(options, "report", alone=len(files) == 1)
    refuse_out_of_place(options, "report", rows=rows)
    explicit = options["ci"] is not None
    options = complete(options) | {"files": files, "ci": settings.confidence, "out_format": "table"}
    if rows:
        _predictions(files, options, settings, explicit=explicit)
    else:
        _rankings(files, options, settings)


def _rankings(files: Sequence[str], options: Mapping[str, Any], settings: ComparisonSettings) -> None:
    if len(files) == 1:
        raise click.MissingParameter(param_type="argument", param_hint="RUN...")
    from pingce.cli.jobs import refuse_stdin_twice
    from pingce.cli.progress import Progress
    from pingce.cli.rankings import ranking_request, slicing_of
    from pingce.html.call import rankings
    from pingce.inputs.data import RankingData
    from pingce.inputs.titles import short_names
    from pingce.request import Intervals

    qrels, *runs = files
    refuse_stdin_twice([*files, options["exclude"], options["query_weight"]])
    resampling = Intervals(settings.confidence, settings.draws, settings.seed)
    request = ranking_request(options, resampling)
    data = RankingData(qrels, None, options["exclude"], options["query_weight"], slicing_of(options))
    with Progress() as progress:
        progress.at(Text(f"reading and scoring {', '.join(files)}", f"正在读取并评测 {'、'.join(files)}"))
        material = rankings(request, data, dict(zip(short_names(runs), runs, strict=True)))
        _finish(material, options, settings, progress)


def _predictions(
    files: Sequence[str], options: dict[str, Any], settings: ComparisonSettings, *, explicit: bool
) -> None:
    from pingce.cli.prediction_jobs import score_predictions
    from pingce.cli.progress import Progress

    if options["group"] and not options["by"]:
        options["by"] = ("activity",)

    def present(job: Job, _: Any, __: Any, ___: Any, *notes: Text) -> Mapping[str, Scores]:
        if len(job.models) > 1 and not explicit:  # a comparison has its own intervals; those of slices cost more
            job = replace(job, request=replace(job.request, intervals=replace(job.request.intervals, ci=None)))
        scores = job.scores()
        with Progress() as progress:
            _finish(Material(next(iter(scores.values())).task, scores, sources=files), options, settings, progress)
        return scores

    score_predictions(files, options, present)


def _finish(material: Material, options: Mapping[str, Any], settings: ComparisonSettings, progress: Any) -> None:
    from pingce.cli.notes import tell
    from pingce.html.call import compared, quietly
    from pingce.html.write import write_report

    with quietly():
        progress.at(Text("comparing", "正在比较"))
        whole = compared(material, options["baseline"], settings, options["title"])
        progress.at(Text(f"writing {options['output']}", f"正在写出 {options['output']}"))
        path = write_report(whole, options["output"])
    if not options["quiet"]:
        size = path.stat().st_size / 1000
        tell(Text(f"{path}: {size:.0f} kB; open it in a browser", f"{path}：{size:.0f} kB；请用浏览器打开"))
