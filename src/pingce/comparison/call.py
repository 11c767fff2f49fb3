"""`pingce.compare`: read, score each model alike, compare."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import Text
from pingce.comparison.names import named
from pingce.comparison.scored import compare_scores
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.scores.saved import Document, as_document, read_documents
from pingce.tasks import Task, checked_task
from pingce.tasks.options import no_option_here, refuse_options

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.metrics.declared import Metric
    from pingce.scores import Scores


def compare(
    truth: Any,
    models: Any,
    metrics: Iterable[str | Metric] | str | None = None,
    *,
    task: str = "ranking",
    baseline: str | None = None,
    test: str = "permutation",
    correction: str = "holm",
    confidence: float = 0.95,
    samples: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Comparison:
    """Compare several models on the same truth: values, differences to the baseline, and which of them are real.

    `models` is a dict from names to runs (rankings), scores (`task="binary"`), predicted labels or matrices of
    probabilities (`"multiclass"`), or numbers (`"regression"`); with `data=` they and `truth` are names of its columns.
    In place of runs, rankings also take documents saved with the value of each query (a path, a dict, or what
    `read_scores` gave; `truth` may be None then). Runs are matched by query id, other models by row. `options` are those of the task's evaluate call:
    policies, `convention=`, `group=`, `weight=`, `by=` and `min_n=` (slices), and how data is read.

    `test` is permutation, t, wilcoxon or sign, for means over queries; of rows each metric has its own test. `correction`
    is holm, bonferroni, bh or none. `samples` are the random draws of each kind (100,000 permutations, 10,000
    bootstrap draws of queries, 1,000 of rows); the same `seed` gives the same bits.

    >>> import pingce as pc
    >>> truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> comparison = pc.compare(truth, {"old": {"q1": ["x", "a"], "q2": ["b"], "q3": ["y", "c"]}, "new": truth}, "mrr")
    >>> gap = comparison.difference("mrr", "new")
    >>> round(gap.value, 4), gap.p, gap.wins, gap.ties, gap.losses
    (0.3333, 0.5, 2, 1, 0)
    """
    kind = checked_task(task)
    _refuse_unfit(task, options)
    settings = ComparisonSettings(test, correction, confidence, samples, seed)
    saved, notes = named(models, columns=kind.of_rows)
    saved, notes = (saved, notes) if kind.of_rows else _with_documents(saved, notes)
    chosen_baseline(baseline, list(saved))
    if options.get("by"):
        refuse_saved_slices(saved)
    documents = [model for model in saved.values() if isinstance(model, Document)]
    requests = list(documents[0].metrics) if metrics is None and documents else metrics
    reading = {name: options[name] for name in _READING if name in options}
    if not kind.of_rows:
        truth = _truth(truth, saved, reading)
    scores = {
        name: model if isinstance(model, Document) else _score(kind, truth, model, requests, options)
        for name, model in saved.items()
    }
    weights = None
    if not kind.of_rows and truth is not None and options.get("query_weight") is not None:
        from pingce.inputs import read_weights

        weights = query_weights(truth, scores, read_weights(options["query_weight"], **reading))
    scores = {name: restricted(model, metrics) for name, model in scores.items()}
    return compare_scores(scores, baseline=baseline, settings=settings, weights=weights, notes=notes)


def _refuse_unfit(task: str, options: Mapping[str, Any]) -> None:
    """Refuse options that no evaluate call has, or that a comparison does by itself or not at all."""
    from inspect import signature

    ours = [name for name in signature(compare).parameters if name not in ("truth", "models", "options")]
    place = Text(f"comparing {task}", f"比较 {task}")
    refuse_options([name for name in options if name != "ci"], place, task, ours)
    if options.get("bins") is not None:
        raise no_option_here("bins", place, task)
    if "ci" in options:
        raise InputError(
            "ci= is called confidence= here, and intervals are always there",
            "此处 ci= 应写作 confidence=；区间总会给出",
        )


def refuse_saved_slices(models: Mapping[str, Any]) -> None:
    """Refuse slices of scores that were saved: their lists and rows are not there."""
    saved = next((model for model in models.values() if isinstance(model, Document)), None)
    if saved is not None:
        raise InputError(
            f"{saved.source.en} holds saved scores, which cannot be sliced; compare the runs themselves, or leave out by= (--by)",
            f"{saved.source.zh} 是已保存的分数，无法切片；请直接比较原始预测，或去掉 by=（--by）",
        )


_READING = ("columns", "input_format", "encoding", "threads", "queries", "items")


def _score(task: Task, truth: Any, prediction: Any, metrics: Any, options: Mapping[str, Any]) -> Scores:
    """The scores of one model; a matrix is of probabilities, where the task takes them."""
    from inspect import signature

    call, more = task.load("evaluate"), dict(options)
    if len(getattr(prediction, "shape", ())) == 2 and "proba" in signature(call).parameters:
        prediction, more["proba"] = None, prediction
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        scores: Scores = call(truth, prediction, metrics, **more)
        return scores


def _truth(truth: Any, models: Mapping[str, Any], reading: Mapping[str, Any]) -> Any:
    """The truth, read once for all runs; saved documents need none."""
    if all(isinstance(model, Document) for model in models.values()):
        return None
    if truth is None:
        raise InputError(
            "runs need the truth (qrels) to be scored against; without it only saved documents can be compared",
            "评测预测需要真值（qrels）；没有真值时只能比较已保存的分数文档",
        )
    from pingce.inputs import read_truth

    return read_truth(truth, **reading)


def query_weights(truth: Any, scores: Mapping[str, Any], rows: Any) -> dict[str, Any]:
    """The weight of each query of each run."""
    from pingce.evidence.ranking.weights import QueryWeights

    weights = QueryWeights(rows, truth.source.untyped_ids)
    return {name: weights.of(model.evidence) for name, model in scores.items() if not isinstance(model, Document)}


def _with_documents(models: Mapping[str, Any], notes: tuple[Text, ...]) -> tuple[dict[str, Any], tuple[Text, ...]]:
    """Saved scores as documents; a document of several runs is several models."""
    pairs: list[tuple[str, Any]] = []
    for name, model in models.items():
        documents = read_documents(model) if is_document(model) else []
        if len(documents) < 2:
            pairs.append((name, documents[0] if documents else model))
        else:
            pairs += [(f"{name}:{each.run}", each) for each in documents]
    renamed, more = named(pairs)
    return renamed, notes + more


_HEAD, _TAIL = 1 << 16, 1 << 12


def is_document(model: Any) -> bool:
    """A dict or a JSON file with a schema version; its keys are sorted, so that it stands near the end."""
    if as_document(model) is not None:
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
    if not isinstance(scores, Document) or metrics is None:
        return scores
    from dataclasses import replace

    from pingce.metrics.grammar import parse_metrics

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
