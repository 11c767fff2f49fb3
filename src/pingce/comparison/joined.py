"""Comparisons of several tasks as one: every p is corrected over all of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pingce.base.errors import InputError, PingceWarning
from pingce.comparison.call import COMPARING, compare_scores
from pingce.comparison.result import Comparison
from pingce.comparison.settings import ComparisonSettings, chosen_baseline, named
from pingce.run.task_pairs import PairRequest, evaluate_tasks
from pingce.scores import Scores


def joined_comparisons(comparisons: Mapping[str, Comparison]) -> Comparison:
    """The same models on several tasks, by the name of each; metrics are called by their task too."""
    first = next(iter(comparisons.values()))
    measured = {
        f"{task} {name}": replace(metric, name=f"{task} {name}")
        for task, comparison in comparisons.items()
        for name, metric in comparison.measured.items()
    }
    gaps = {
        f"{task} {name}": replace(gap, name=f"{task} {name}")
        for task, comparison in comparisons.items()
        for name, gap in comparison.gaps.items()
    }
    notes = dict.fromkeys(note for comparison in comparisons.values() for note in comparison.notes)
    return replace(first, measured=measured, gaps=gaps, scores={}, notes=tuple(notes))


def compare_tables(
    pair_request: PairRequest, models: Any, baseline: str | None, settings: ComparisonSettings
) -> Comparison:
    """Tables of several models, each with the same tasks."""
    pair_request.request.refuse_readings(COMPARING)
    by_name, notes = named(models)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        scores = {name: evaluate_tasks(pair_request, table) for name, table in by_name.items()}
    comparison = compare_tasks(scores, baseline, settings)
    return replace(comparison, notes=(*comparison.notes, *notes))


def compare_tasks(
    models: Mapping[str, Mapping[str, Scores]], baseline: str | None, settings: ComparisonSettings
) -> Comparison:
    """Models on the same tasks, each with its scores by task, as one comparison."""
    if len(models) < 2:
        raise InputError(
            "pairs compare tasks of several models: give a table for each of them, with the same columns and rows",
            "pairs 比较多个模型的各任务：请为每个模型给出一张表，列与行须一致",
        )
    chosen = chosen_baseline(baseline, list(models))
    tasks = next(iter(models.values()))
    return joined_comparisons(
        {
            task: compare_scores(
                {name: scores[task] for name, scores in models.items()}, baseline=chosen, settings=settings
            )
            for task in tasks
        }
    )
