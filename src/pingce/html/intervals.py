"""Intervals where nothing is compared, and the sentences that say how they were made or why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.material import Material


def mean_interval(value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
    """Of a plain mean over queries; others, and weighted ones, have none."""
    from pingce.comparison.settings import ComparisonSettings
    from pingce.stats.means import mean_intervals

    if not _is_plain_mean(value):
        return None
    own = settings or ComparisonSettings()
    ends = mean_intervals(
        value.per_query[:, None],
        confidence=own.confidence,
        samples=own.draws,
        seed=own.seed,
        method=_asked_method(own),
    )
    low, high = ends[0].tolist()
    return low, high


def _is_plain_mean(value: Any) -> bool:
    return bool(value.metric.is_mean) and not value.weighted


def _asked_method(settings: ComparisonSettings) -> str:
    return "t" if settings.test == "t" else "bootstrap"


def how_alone(material: Material) -> tuple[Text, ...]:
    """Of one model: which intervals stand there, or why none can."""
    if len(material.scores) > 1 or material.settings is None:
        return ()
    return _of_queries(material, material.settings) if material.task == "ranking" else _of_rows(material)


def _of_queries(material: Material, settings: ComparisonSettings) -> tuple[Text, ...]:
    from pingce.stats.means import METHODS, method_used

    values = [material.first.find(name) for name in material.metrics]
    means = [value for value in values if _is_plain_mean(value)]
    if not means:
        return ()
    queries = len(means[0].per_query)
    if queries < 2:
        return (
            Text(
                "there is a single query: an interval needs at least two, so the values have none",
                "只有一个查询：区间至少需要两个查询，因此各值没有区间",
            ),
        )
    method = method_used(_asked_method(settings), queries)
    drawn = Text("", "")
    if method != "t":
        drawn = Text(
            f", {settings.draws:,} draws, seed {settings.seed}", f"，{settings.draws:,} 次，种子 {settings.seed}"
        )
    percent = f"{100 * settings.confidence:g} %"
    return (
        Text(f"{percent} intervals: {METHODS[method].en}{drawn.en}", f"{percent} 区间：{METHODS[method].zh}{drawn.zh}"),
    )


def _of_rows(material: Material) -> tuple[Text, ...]:
    confidence = material.first.confidence
    if confidence is None:
        return ()
    percent = f"{100 * confidence:g} %"
    area = Text("", "")
    if material.task == "binary":
        area = Text("AUC of unweighted rows by DeLong, others by ", "无权重时 AUC 用 DeLong 方法，其余用")
    return (Text(f"{percent} intervals: {area.en}percentile bootstrap", f"{percent} 区间：{area.zh}百分位自助法"),)
