"""`pingce.report`: read, score, compare, and write the page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning, refuse_other
from pingce.base.records import dataclass
from pingce.base.text import LANGUAGES, Language, Text
from pingce.comparison.call import compare_scores, is_document, of_model, query_weights
from pingce.comparison.matched import RowMatching, are_tables, matched_rows, refuse_without_tables
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.comparison.settings import named as each_named
from pingce.html.material import Material, RankingLists
from pingce.html.write import report_path, write_report
from pingce.inputs.data import RankingData, RowData
from pingce.inputs.titles import short_names
from pingce.request import Intervals, Limits, Request
from pingce.run.feed import evaluate
from pingce.run.memory import refuse_larger
from pingce.run.rankings import RankingInputs
from pingce.run.score import score_rows
from pingce.run.states.fixed_tables import read_tables
from pingce.run.states.ranking import USUAL
from pingce.tasks import TASKS
from pingce.tasks.options import Keywords, no_option_here, refuse_options

if TYPE_CHECKING:
    from pingce.scores import Scores


REPORT = Text("a report", "报告")


@dataclass(frozen=True)
class ReportInputs:
    """What a report is asked about: data, models in any form, and how they are compared."""

    request: Request
    data: RowData | RankingData
    models: Any
    settings: ComparisonSettings
    baseline: str | None = None
    matching: RowMatching = RowMatching()
    "How rows belong together where each model has a table of its own."


@dataclass(frozen=True)
class ReportSettings:
    """How models are compared, with which of them, and what stands at the top of the page."""

    comparison: ComparisonSettings
    baseline: str | None = None
    title: str | None = None


def write_models(inputs: ReportInputs, path: str | os.PathLike[str], title: str | None, lang: Language | None) -> Path:
    """Read, score and compare models, and write the page."""
    request, data, models, settings = inputs.request, inputs.data, inputs.models, inputs.settings
    request.refuse_readings(REPORT)
    files = (
        models.values() if isinstance(models, Mapping) else models if isinstance(models, (list, tuple)) else [models]
    )
    table = data.data if isinstance(data, RowData) else None
    refuse_larger(request.limits.memory, (data.truth, *files, table), "report")
    output, request = report_path(path), replace(request, limits=Limits())
    of_rows = request.task.of_rows
    by_name, notes = named(models, columns=of_rows, labels=of_rows and table is None)
    with quietly():
        if isinstance(data, RowData):
            material = _predictions(request, data, by_name, inputs)
        else:
            refuse_without_tables(inputs.matching)
            request = with_intervals(request, settings, alone=len(by_name) == 1)
            material = rankings(request.with_usual(USUAL), data, by_name)
        material = replace(material, remarks=(*notes, *material.remarks))
        return write_report(compared(material, inputs.baseline, settings, title), output, lang=lang)


def with_intervals(request: Request, settings: ComparisonSettings, *, alone: bool) -> Request:
    """A request for runs with intervals of slices; one that is alone has intervals of its values, too."""
    ci = settings.confidence if alone else None
    return replace(request, intervals=Intervals(ci, settings.draws, settings.seed), slice_ci=settings.confidence)


@contextmanager
def quietly() -> Iterator[None]:
    """Warnings are not sent: the page says them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        yield


def named(models: Any, *, columns: bool = False, labels: bool = False) -> tuple[dict[str, object], tuple[Text, ...]]:
    """Models by name, and what was renamed; a single one without a name is called by its file, or `model`."""
    if isinstance(models, Mapping) and not models:
        raise InputError("there is no model to report on", "没有可写入报告的模型")
    if isinstance(models, Mapping) or _are_several(models, labels):
        return each_named(models, columns=columns)
    return {short_names([os.fspath(models)])[0] if isinstance(models, (str, os.PathLike)) else "model": models}, ()


def _are_several(models: Any, labels: bool) -> bool:
    """Whether a list has paths, columns or pairs (name, model), and is not itself a model, such as a list of labels."""
    if not isinstance(models, (list, tuple)) or not models:
        return False
    if all(isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str) for entry in models):
        return True
    return not labels and all(isinstance(entry, (str, os.PathLike)) for entry in models)


def compared(
    material: Material, baseline: str | None, settings: ComparisonSettings, title: str | None = None
) -> Material:
    """Material with every model against every other, where there are several."""
    material = replace(material, title=title if title is not None else material.title, settings=settings)
    if not material.are_rivals or (len(material.scores) < 2 and baseline in (None, *material.scores)):
        return material
    lists, weights = material.lists, None
    if lists is not None and lists.query_weight is not None:
        weights = query_weights(lists.truth, material.scores, lists.query_weight)
    baseline = chosen_baseline(baseline, material.models)
    try:
        comparison = compare_scores(material.scores, baseline=baseline, settings=settings, weights=weights)
    except InputError as problem:  # such as a single query: the values are worth showing all the same
        return replace(material, remarks=(*material.remarks, problem.text))
    return replace(material, comparison=comparison)


def refuse_unfit(task: str, lang: str | None, options: Keywords, caller: Any) -> None:
    """Refuse a task or a language that is not there, and options that no evaluate call has or a report cannot follow."""
    refuse_other("task", task, TASKS)
    if lang is not None:
        refuse_other("lang", lang, LANGUAGES)
    place = Text(f"a report of {task}", f"{task} 报告")
    refuse_options(options, place, task, caller)
    if options.get("tmpdir") is not None:
        raise no_option_here("tmpdir", place, task)


def rankings(request: Request, data: RankingData, models: Mapping[str, object]) -> Material:
    """Runs that are read and scored; their rows stay, for the lists."""
    if data.truth is None:
        raise InputError(
            "a report shows lists beside their truth: give qrels (evaluate_ranking and pingce eval have metrics of items without them)",
            "报告将列表与真值对照展示：请给出 qrels（没有 qrels 时，evaluate_ranking 与 pingce eval 可计算看条目的指标）",
        )
    for name, run in models.items():
        if is_document(run):
            raise InputError(
                f"'{name}' has saved scores, and a report shows the lists behind them: give the run itself "
                "(saved scores can be compared with pingce compare)",
                f"'{name}' 是已保存的分数，而报告要展示其背后的列表：请给出排序结果本身（已保存的分数可用 pingce compare 比较）",
            )
    tables = read_tables(request, data)
    runs = {name: request.reading.read(run, "run") for name, run in models.items()}
    truth: Any = tables.truth
    scores: dict[str, Scores] = {
        name: score_rows(
            request,
            RankingInputs(truth, run, tables.exclude, tables.query_weight, by=tables.by, background=tables.background),
        )
        for name, run in runs.items()
    }
    files: list[Any] = [data.truth, *models.values()]
    sources = list(map(os.fspath, files)) if all(isinstance(file, (str, os.PathLike)) for file in files) else []
    lists = RankingLists(truth, runs, tables.exclude, tables.query_weight, tables.background)
    return Material(request.task.name, scores, lists=lists, sources=sources)


def _predictions(request: Request, data: RowData, models: Mapping[str, object], inputs: ReportInputs) -> Material:
    """Of a single model the intervals come with its scores, of several with their comparison."""
    settings = inputs.settings
    ci = settings.confidence if request.intervals.ci is None and len(models) == 1 else request.intervals.ci
    request = replace(request, intervals=Intervals(ci, settings.cell_draws, settings.seed))
    if data.by is None and data.group is not None and request.task.load("state").has_groups:
        data = replace(data, by="activity")
    notes: tuple[Text, ...] = ()
    if are_tables(models):
        rows, notes = matched_rows(request, data, models, inputs.matching)
    else:
        refuse_without_tables(inputs.matching)
        rows = {
            name: replace(of_model(data, request, name, models), prediction=model) for name, model in models.items()
        }
    scores = {name: evaluate(request, each) for name, each in rows.items()}
    sources = [os.fspath(data.data)] if isinstance(data.data, (str, os.PathLike)) else []
    return Material(request.task.name, scores, sources=sources, remarks=notes)
