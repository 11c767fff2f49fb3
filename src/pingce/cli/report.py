"""`pingce report`: one HTML file about one or several runs or models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pingce.base.progress import part
from pingce.base.text import Text
from pingce.cli.compare import settings_of
from pingce.cli.jobs import refuse_stdin_twice
from pingce.cli.options import are_rows, complete, refuse_out_of_place
from pingce.cli.output import tell
from pingce.cli.prediction_jobs import open_predictions
from pingce.cli.progress import Progress, doing
from pingce.cli.rankings import TABLES, ranking_data, ranking_request
from pingce.comparison.settings import ComparisonSettings
from pingce.html.call import REPORT, compared, quietly, rankings, with_intervals
from pingce.html.material import Material
from pingce.html.write import report_path, write_report
from pingce.inputs.titles import short_names
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.scores import Scores


def write(files: tuple[str, ...], **options: Any) -> None:
    """Read, score, compare, write."""
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
    qrels, *runs = files
    data = ranking_data(qrels, options)
    refuse_stdin_twice([*files, *(options[name] for name in TABLES)])
    request = with_intervals(ranking_request(options), settings, alone=len(runs) == 1)
    request.refuse_readings(REPORT)
    with Progress():
        doing(Text(f"reading and scoring {', '.join(files)}", f"正在读取并评测 {'、'.join(files)}"))
        with part(0, 0.1):
            material = rankings(request, data, dict(zip(short_names(runs), runs, strict=True)))
        with part(0.1, 1):
            _finish(material, options, settings)


def _predictions(
    files: Sequence[str], options: dict[str, Any], settings: ComparisonSettings, *, explicit: bool
) -> None:
    if options["group"] and not options["by"] and _counts_activity(options):
        options["by"] = ("activity",)
    with open_predictions(files, options) as job:
        request = job.request
        request.refuse_readings(REPORT)
        if (
            len(job.models) > 1 and job.are_rivals and not explicit
        ):  # a comparison has its own intervals; those of slices cost more
            request = replace(request, intervals=replace(request.intervals, ci=None))
        with part(0, 0.4):
            scores = replace(job, request=request).scores()
        material = Material(request.task.name, scores, sources=files)
        if options["pair"]:
            material = _tasks(files, scores, options, settings)
        with part(0.4, 1):
            _finish(material, options, settings)


def _tasks(
    files: Sequence[str], scores: Mapping[str, Scores], options: Mapping[str, Any], settings: ComparisonSettings
) -> Material:
    """Several tasks (--pair) of each file: scores stand file after file, each in the order of the tasks."""
    from pingce.html.call import ReportSettings
    from pingce.html.task_pairs import task_material

    tasks, values = dict.fromkeys(options["pair"]), iter(scores.values())
    models = {name: {task: next(values) for task in tasks} for name in short_names(files)}
    material = task_material(models, ReportSettings(settings, options["baseline"], options["title"]))
    return replace(material, sources=files)


def _finish(material: Material, options: Mapping[str, Any], settings: ComparisonSettings) -> None:
    with quietly():
        doing(Text("comparing", "正在比较"))
        with part(0, 0.6):
            whole = compared(material, options["baseline"], settings, options["title"])
        doing(Text(f"writing {options['output']}", f"正在写出 {options['output']}"))
        with part(0.6, 1):
            path = write_report(whole, options["output"])
    if not options["quiet"]:
        size = path.stat().st_size / 1000
        tell(Text(f"{path}: {size:.0f} kB; open it in a browser", f"{path}：{size:.0f} kB；请用浏览器打开"))


def _counts_activity(options: Mapping[str, Any]) -> bool:
    """Whether rows of the task that is meant may be sliced by the activity of their groups."""
    if options["task"] is None:
        return not (options["true"] or options["pred"])
    counts: bool = TASKS[options["task"]].load("state").has_groups
    return counts
