"""A page about several tasks of one table, or of a table per model: no task is better than another."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Language
from pingce.comparison.joined import compare_tasks
from pingce.comparison.settings import chosen_baseline
from pingce.html.call import REPORT, ReportSettings, named, quietly
from pingce.html.material import Material
from pingce.html.write import report_path, write_report
from pingce.inputs.predictions import ACTIVITY
from pingce.request import Intervals
from pingce.run.task_pairs import PairRequest, evaluate_tasks
from pingce.scores import Scores
from pingce.tasks.binary import BINARY


def write_tasks(
    pair_request: PairRequest,
    models: Any,
    settings: ReportSettings,
    path: str | os.PathLike[str],
    lang: Language | None = None,
) -> Path:
    """Read and score the tasks of a table, or of a table per model, and write the page."""
    request, columns, how = pair_request.request, pair_request.columns, settings.comparison
    request.refuse_readings(REPORT)
    output = report_path(path)
    names = {name for pair in pair_request.pairs for name in pair.columns}
    is_table = isinstance(models, Mapping) and names <= {str(name) for name in models}
    by_name, notes = ({"model": models}, ()) if is_table else named(models)
    ci = how.confidence if request.intervals.ci is None and len(by_name) == 1 else request.intervals.ci
    request = replace(request, intervals=Intervals(ci, how.cell_draws, how.seed))
    if not columns.by and columns.group is not None:
        columns = replace(columns, by={ACTIVITY: None})
    asked = replace(pair_request, request=request, columns=columns)
    with quietly():
        scores = {name: evaluate_tasks(asked, table) for name, table in by_name.items()}
        material = task_material(scores, settings)
        return write_report(replace(material, remarks=(*notes, *material.remarks)), output, lang=lang)


def task_material(models: Mapping[str, Mapping[str, Scores]], settings: ReportSettings) -> Material:
    """What the page is written from: every task of every model as a column, and models compared task by task."""
    scores = {
        task if len(models) == 1 else f"{model} {task}": values
        for model, tasks in models.items()
        for task, values in tasks.items()
    }
    how = settings.comparison
    material = Material(BINARY.name, scores, title=settings.title, settings=how, are_rivals=False)
    if len(models) == 1 and settings.baseline in (None, *models):
        return material
    chosen_baseline(settings.baseline, list(models))
    try:
        return replace(material, joined=compare_tasks(models, settings.baseline, how))
    except InputError as problem:  # such as a single row: the values are worth showing all the same
        return replace(material, remarks=(problem.text,))
