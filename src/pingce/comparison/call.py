"""`pingce.compare`: read, score each model alike, compare."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import Text
from pingce.comparison.names import named
from pingce.comparison.result import Comparison
from pingce.comparison.scored import compare_scores
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.inputs.data import RankingData, RowData
from pingce.metrics.grammar import parse_metrics
from pingce.request import Request
from pingce.run.feed import evaluate
from pingce.scores import Scores
from pingce.scores.read import read_documents
from pingce.scores.saved import SavedScores
from pingce.tasks import Task
from pingce.tasks.options import Keywords, no_option_here, refuse_options


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


def compare_models(
    request: Request, data: RowData | RankingData, models: Any, baseline: str | None, settings: ComparisonSettings
) -> Comparison:
    """Score each model alike, and compare them; a ranking may also be a document of saved scores."""
    by_name, notes = named(models, columns=request.task.of_rows)
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
        name: model if isinstance(model, SavedScores) else _score(request, data, model)
        for name, model in by_name.items()
    }
    weights = None
    if isinstance(data, RankingData) and data.truth is not None and data.query_weight is not None:
        weights = query_weights(data.truth, scores, request.reading.read(data.query_weight, "weights"))
    scores = {name: restricted(model, wanted) for name, model in scores.items()}
    return compare_scores(scores, baseline=baseline, settings=settings, weights=weights, notes=notes)


def refuse_saved_slices(models: Mapping[str, Any]) -> None:
    """Refuse slices of scores that were saved: their lists and rows are not there."""
    saved = next((model for model in models.values() if isinstance(model, SavedScores)), None)
    if saved is not None:
        raise InputError(
            f"{saved.source.en} holds saved scores, which cannot be sliced; compare the runs themselves, or leave out by= (--by)",
            f"{saved.source.zh} 是已保存的分数，无法切片；请直接比较原始预测，或去掉 by=（--by）",
        )


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


def query_weights(truth: Any, scores: Mapping[str, Any], rows: Any) -> dict[str, Any]:
    """The weight of each query of each run."""
    from pingce.evidence.ranking.weights import QueryWeights

    weights = QueryWeights(rows, truth.source.untyped_ids)
    return {name: weights.of(model.facts) for name, model in scores.items() if not isinstance(model, SavedScores)}


def _with_documents(models: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Text, ...]]:
    """Saved scores as documents; a document of several runs is several models."""
    pairs: list[tuple[str, Any]] = []
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
    if not isinstance(model, (str, os.PathLike)) or Path(model).suffix.lower() != ".json" or not Path(model).is_file():
        return False
    try:
        with Path(model).open("rb") as file:
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
