"""Models that were scored, compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.comparison.result import Comparison
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.scores.base import Scores
from pingce.scores.saved import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pingce.comparison.results import MeasuredMetric


def compare_scores(
    models: Mapping[str, Scores | Document],
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
    tasks = list(dict.fromkeys(one.task for one in models.values()))
    if len(tasks) > 1:
        raise InputError(
            f"models of the tasks {' and '.join(tasks)} cannot be compared",
            f"任务 {'、'.join(tasks)} 的模型不能相互比较",
        )
    if tasks == ["ranking"]:
        measured = _of_runs(models, baseline, settings, weights or {}, at)
    else:
        measured = _of_rows(models, settings, at)
    _refuse_nothing(measured)
    return Comparison(
        task=tasks[0],
        models=tuple(models),
        baseline=baseline,
        settings=settings,
        measured={one.name: one for one in measured},
        scores={name: one for name, one in models.items() if isinstance(one, Scores)},
        notes=notes,
    )


def _of_runs(
    models: Mapping[str, Any],
    baseline: str,
    settings: ComparisonSettings,
    weights: Mapping[str, NDArray[np.float64]],
    at: Callable[[Text], None],
) -> list[MeasuredMetric]:
    from pingce.comparison.ranking import measured_runs, saved_run, scored_run

    runs = [
        saved_run(name, one) if isinstance(one, Document) else scored_run(name, one, weights.get(name))
        for name, one in models.items()
    ]
    at(Text("testing the differences", "正在检验差异"))
    return measured_runs(runs, baseline, settings)


def _refuse_nothing(measured: Sequence[MeasuredMetric]) -> None:
    """A table of dashes helps nobody."""
    if all(math.isnan(gap.p if one.is_tested else gap.value) for one in measured for gap in one.differences.values()):
        shown = Text(", ".join(one.name for one in measured), "、".join(one.name for one in measured))
        raise InputError(
            f"there is nothing to compare: no two models have defined values of {shown.en} in at least two pairs",
            f"没有可比较的内容：没有两个模型在至少两对数据上都有 {shown.zh} 的值",
        )


def _of_rows(
    models: Mapping[str, Any], settings: ComparisonSettings, at: Callable[[Text], None]
) -> list[MeasuredMetric]:
    from pingce.comparison.rows import measured_models

    saved = next((one for one in models.values() if isinstance(one, Document)), None)
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
