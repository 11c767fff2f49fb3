"""`pingce.compare`: read, score each model alike, compare; and comparisons of what was scored."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pingce.base.addresses import public_path
from pingce.base.errors import InputError, PingceWarning
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.comparison.gaps import in_order, measured_gaps, saved_gaps
from pingce.comparison.matched import RowMatching, are_tables, matched_rows, refuse_without_tables
from pingce.comparison.ranking import measured_runs, run_of
from pingce.comparison.result import Comparison
from pingce.comparison.rows import measured_models
from pingce.comparison.settings import ComparisonSettings, Model, Models, chosen_baseline, named
from pingce.evidence.ranking.weights import QueryWeights
from pingce.inputs import Rows
from pingce.inputs.data import RankingData, RowData
from pingce.inputs.remote import local_copy
from pingce.metrics.grammar import parse_metrics
from pingce.request import Request, refuse_readings
from pingce.run.feed import evaluate
from pingce.scores.base import RowScores, Scores
from pingce.scores.read import read_documents
from pingce.scores.saved import SavedScores
from pingce.tasks import TASKS, Task
from pingce.tasks.options import Keywords, no_option_here, refuse_options

COMPARING = Text("a comparison of models", "模型的比较")


def refuse_unfit(task: Task, options: Keywords, caller: Any) -> None:
    """Refuse options that no evaluate call has, or that a comparison does by itself or not at all."""
    place = Text(f"comparing {task.name}", f"比较 {task.name}")
    refuse_options([name for name in options if name != "ci"], place, task.name, caller)
    if options.get("bins") is not None:
        raise no_option_here("bins", place, task.name)
    if "ci" in options:
        raise InputError(
            "ci= is called confidence= here, and intervals are always there",
            "此处 ci= 应写作 confidence=；区间总会给出",
        )


@dataclass(frozen=True)
class ComparisonInputs:
    """What is compared: models in any form, against which of them, how, and how rows of several tables belong together."""

    models: Any
    baseline: str | None = None
    settings: ComparisonSettings = ComparisonSettings()
    matching: RowMatching = RowMatching()


def compare_models(request: Request, data: RowData | RankingData, inputs: ComparisonInputs) -> Comparison:
    """Score each model alike, and compare them; a ranking may also be a document of saved scores."""
    request.refuse_readings(COMPARING)
    baseline, settings = inputs.baseline, inputs.settings
    by_name, notes = named(inputs.models, columns=request.task.of_rows)
    if isinstance(data, RowData) and are_tables(by_name):
        chosen_baseline(baseline, list(by_name))
        rows, matched = matched_rows(request, data, by_name, inputs.matching)
        tables = {name: _score(request, each, each.prediction) for name, each in rows.items()}
        return compare_scores(tables, baseline=baseline, settings=settings, notes=(*notes, *matched))
    refuse_without_tables(inputs.matching)
    if isinstance(data, RankingData):
        by_name, renamed = _with_documents(by_name)
        notes += renamed
    chosen_baseline(baseline, list(by_name))
    if data.by:
        refuse_saved_slices(by_name)
    wanted = None if request.metrics is None else list(request.metrics)
    documents = [model for model in by_name.values() if isinstance(model, SavedScores)]
    if wanted is None and 0 < len(documents) < len(by_name):
        request = replace(request, metrics=tuple(request.parse(list(documents[0].metrics))))
    if isinstance(data, RankingData):
        data = replace(data, truth=_truth(request, data, by_name))
    scores = {
        name: model
        if isinstance(model, SavedScores)
        else _score(request, of_model(data, request, name, by_name), model)
        for name, model in by_name.items()
    }
    weights = None
    if isinstance(data, RankingData) and data.truth is not None and data.query_weight is not None:
        weights = query_weights(data.truth, scores, request.reading.read(data.query_weight, "weights"))
    scores = {name: restricted(model, wanted) for name, model in scores.items()}
    return compare_scores(scores, baseline=baseline, settings=settings, weights=weights, notes=notes)


def refuse_saved_slices(models: Mapping[str, object]) -> None:
    """Refuse slices of scores that were saved: their lists and rows are not there."""
    saved = _first_saved(models)
    if saved is not None:
        raise InputError(
            f"{saved.source.en} holds saved scores, which cannot be sliced; compare the runs themselves, or leave out by= (--by)",
            f"{saved.source.zh} 是已保存的分数，无法切片；请直接比较原始预测，或去掉 by=（--by）",
        )


def _first_saved(models: Mapping[str, object]) -> SavedScores | None:
    return next((model for model in models.values() if isinstance(model, SavedScores)), None)


_Data = TypeVar("_Data", bound=RowData | RankingData)


def of_model(data: _Data, request: Request, model: str, models: Mapping[str, object]) -> _Data:
    """The data of one of several models, with the columns that are its own."""
    if isinstance(data, RankingData):
        return data
    return replace(data, roles=request.task.columns.of_model(data.roles, model, models))


def _score(request: Request, data: RowData | RankingData, model: Any) -> Scores:
    """The scores of one model; a matrix is of probabilities, where the task takes them."""
    is_matrix = len(getattr(model, "shape", ())) == 2 and "proba" in request.task.marks
    data = replace(data, prediction=None, proba=model) if is_matrix else replace(data, prediction=model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        scores: Scores = evaluate(request, data)
        return scores


def _truth(request: Request, data: RankingData, models: Mapping[str, object]) -> Any:
    """The truth, read once for all runs; saved documents need none."""
    if all(isinstance(model, SavedScores) for model in models.values()):
        return None
    if data.truth is None:
        raise InputError(
            "runs need the truth (qrels) to be scored against; without it only saved documents can be compared",
            "评测预测需要真值（qrels）；没有真值时只能比较已保存的分数文档",
        )
    return request.reading.read(data.truth, "truth")


def query_weights(truth: Rows, scores: Mapping[str, Model], rows: Rows) -> dict[str, Floats]:
    """The weight of each query of each run."""
    weights = QueryWeights(rows, truth.source.untyped_ids)
    return {name: weights.of(model.facts) for name, model in scores.items() if not isinstance(model, SavedScores)}


def _with_documents(models: Models) -> tuple[Models, tuple[Text, ...]]:
    """Saved scores as documents; a document of several runs is several models."""
    pairs: list[tuple[str, object]] = []
    for name, model in models.items():
        documents = read_documents(model) if is_document(model) else []
        if len(documents) < 2:
            pairs.append((name, documents[0] if documents else model))
        else:
            pairs += [(f"{name}:{each.run}", each) for each in documents]
    return named(pairs)


_HEAD, _TAIL = 1 << 16, 1 << 12


def is_document(model: Any) -> bool:
    """A dict or a JSON file with a schema version; its keys are sorted, so that it stands near the end."""
    if isinstance(model, SavedScores):
        return True
    if isinstance(model, Mapping):
        return "schema_version" in model
    if not isinstance(model, (str, os.PathLike)) or Path(public_path(model)).suffix.lower() != ".json":
        return False
    path = Path(local_copy(model))
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            return b'"schema_version"' in head or b'"schema_version"' in file.read()
    except OSError:
        return False  # whoever reads it as a run says what is wrong


def restricted(scores: Any, metrics: Any) -> Any:
    """A document with the metrics that were named; scores as they are."""
    if not isinstance(scores, SavedScores) or metrics is None:
        return scores
    metrics_by_name = {}
    for request in parse_metrics(metrics, task="ranking"):
        metric = scores.find(request.name)
        if metric is None:
            raise InputError(
                f"{scores.source.en} has no {request.name}; it has {', '.join(scores.metrics)}",
                f"{scores.source.zh} 没有 {request.name}；现有 {'、'.join(scores.metrics)}",
            )
        metrics_by_name[request.name] = metric
    return replace(scores, metrics=metrics_by_name)


def compare_scores(
    models: Mapping[str, Scores | SavedScores],
    *,
    baseline: str | None = None,
    settings: ComparisonSettings | None = None,
    weights: Mapping[str, Floats] | None = None,
    notes: tuple[Text, ...] = (),
    at: Callable[[Text], None] = lambda text: None,
) -> Comparison:
    """Compare scores of the same truth: those of one `evaluate_…` call a model, or saved documents of rankings.

    `weights` has the weight of each query of a model where means are weighted; `at` is told what is being done.
    """
    settings = settings or ComparisonSettings()
    scored = [model for model in models.values() if isinstance(model, Scores)]
    readings = [value for each in scored for value in each.values_by_name.values() if value.metric.is_reading]
    refuse_readings([value.name for value in readings if not value.metric.of_slices], COMPARING)
    baseline = chosen_baseline(baseline, list(models))
    tasks = list(dict.fromkeys(model.task for model in models.values()))
    if len(tasks) > 1:
        raise InputError(
            f"models of the tasks {' and '.join(tasks)} cannot be compared",
            f"任务 {'、'.join(tasks)} 的模型不能相互比较",
        )
    if TASKS[tasks[0]].of_rows:
        _refuse_without_rows(models, settings)
        rows = {name: model for name, model in models.items() if isinstance(model, RowScores)}
        measured = measured_models(rows, settings, at)
    else:
        runs = [run_of(name, model, (weights or {}).get(name)) for name, model in models.items()]
        at(Text("testing the differences", "正在检验差异"))
        measured = measured_runs(runs, baseline, settings)
    gaps_by_name, notes = measured_gaps(models, measured, baseline, settings), (*notes, *saved_gaps(models))
    measured = in_order([*measured, *(metric for metric, _ in gaps_by_name.values())], models[baseline])
    gaps = [(metric, gap) for metric in measured for gap in metric.differences.values()]
    if all(
        math.isnan(gap.p if metric.is_tested else gap.value) for metric, gap in gaps
    ):  # a table of dashes helps nobody
        names = [metric.name for metric in measured]
        raise InputError(
            f"there is nothing to compare: no two models have defined values of {', '.join(names)} in at least two pairs",
            f"没有可比较的内容：没有两个模型在至少两对数据上都有 {'、'.join(names)} 的值",
        )
    return Comparison(
        task=tasks[0],
        models=tuple(models),
        baseline=baseline,
        settings=settings,
        measured={metric.name: metric for metric in measured},
        gaps={name: gap for name, (_, gap) in gaps_by_name.items()},
        scores={name: model for name, model in models.items() if isinstance(model, Scores)},
        notes=notes,
    )


def _refuse_without_rows(models: Mapping[str, object], settings: ComparisonSettings) -> None:
    """Refuse saved scores, and a test that is of queries."""
    saved = _first_saved(models)
    if saved is not None:
        raise InputError(
            f"{saved.source.en} holds scores of {saved.task} predictions, without the rows that a paired comparison needs; "
            "compare the predictions themselves",
            f"{saved.source.zh} 是{saved.task}预测的分数，不含配对比较所需的逐行数据；请直接比较预测",
        )
    if settings.test != "permutation":
        raise InputError(
            f"test={settings.test!r} is for means over queries; of rows each metric has its own test (auc: DeLong, accuracy: "
            "McNemar, losses: permutation, others: bootstrap), so leave it out",
            f"test={settings.test!r} 用于对查询求均值的指标；按行的指标各有其检验（auc：DeLong，accuracy：McNemar，损失：置换，其余：自助抽样），请不要给出",
        )
