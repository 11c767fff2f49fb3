"""Intervals of means over queries where nothing is compared, and the sentences that say how they were made."""

from __future__ import annotations

from typing import Any

from pingce.base.text import Text
from pingce.comparison.settings import ComparisonSettings
from pingce.stats.means import METHODS, mean_intervals, method_used


def mean_interval(value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
    """The interval of a plain mean over queries; others, and weighted ones, have none."""
    if not _is_plain_mean(value):
        return None
    choice = settings or ComparisonSettings()
    low, high = mean_intervals(
        value.per_query[:, None],
        choice.resampling,
        method=_method(choice),
    )[0].tolist()
    return low, high


def _is_plain_mean(value: Any) -> bool:
    return bool(value.metric.is_mean) and not value.weighted


def _method(settings: ComparisonSettings) -> str:
    return "t" if settings.test == "t" else "bootstrap"


def mean_interval_texts(values: list[Any], settings: ComparisonSettings) -> tuple[Text, ...]:
    """Which intervals the values of one model have, or why they can have none."""
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
    method = method_used(_method(settings), queries)
    draws = Text("", "")
    if method != "t":
        draws = Text(
            f", {settings.draws:,} draws, seed {settings.seed}", f"，{settings.draws:,} 次，种子 {settings.seed}"
        )
    percent = f"{100 * settings.confidence:g} %"
    return (
        Text(f"{percent} intervals: {METHODS[method].en}{draws.en}", f"{percent} 区间：{METHODS[method].zh}{draws.zh}"),
    )
