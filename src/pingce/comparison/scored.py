"""Models that were scored, compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.comparison.result import Comparison
from pingce.comparison.results import MeasuredMetric
from pingce.comparison.rows import measured_models
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.scores.base import Scores
from pingce.scores.saved import SavedScores
from pingce.tasks import TASKS


def compare_scores(
    models: Mapping[str, Scores | SavedScores],
    *,
    baseline: str | None = None,
    settings: ComparisonSettings | None = None,
    weights: Mapping[str, NDArray[np.float64]] | None = None,
    notes: tuple[Text, ...] = (),
    at: Callable[[Text], None] = lambda text: None,
) -> Comparison:
    """Compare scores of the same truth: those of one `evaluate_…` call a model, or saved documents of rankings.

    `weights` has the weight of each query of a model where means are weighted; `at` is told what is being done.
    """
    settings = settings or ComparisonSettings()
    baseline = chosen_baseline(baseline, list(models))
    tasks = list(dict.fromkeys(model.task for model in models.values()))
    if len(tasks) > 1:
        raise InputError(
            f"models of the tasks {' and '.join(tasks)} cannot be compared",
            f"任务 {'、'.join(tasks)} 的模型不能相互比较",
        )
    if TASKS[tasks[0]].of_rows:
        measured = _measure_rows(models, settings, at)
    else:
        from pingce.comparison.ranking import measured_runs, run_of

        runs = [run_of(name, model, (weights or {}).get(name)) for name, model in models.items()]
        at(Text("testing the differences", "正在检验差异"))
        measured = measured_runs(runs, baseline, settings)
    _refuse_nothing(measured)
    return Comparison(
        task=tasks[0],
        models=tuple(models),
        baseline=baseline,
        settings=settings,
        measured={metric.name: metric for metric in measured},
        scores={name: model for name, model in models.items() if isinstance(model, Scores)},
        notes=notes,
    )


def _refuse_nothing(measured: Sequence[MeasuredMetric]) -> None:
    """A table of dashes helps nobody."""
    gaps = [(metric, gap) for metric in measured for gap in metric.differences.values()]
    if all(math.isnan(gap.p if metric.is_tested else gap.value) for metric, gap in gaps):
        names = [metric.name for metric in measured]
        raise InputError(
            f"there is nothing to compare: no two models have defined values of {', '.join(names)} in at least two pairs",
            f"没有可比较的内容：没有两个模型在至少两对数据上都有 {'、'.join(names)} 的值",
        )


def _measure_rows(
    models: Mapping[str, Any], settings: ComparisonSettings, at: Callable[[Text], None]
) -> list[MeasuredMetric]:
    saved = next((model for model in models.values() if isinstance(model, SavedScores)), None)
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
    return measured_models(models, settings, at)
