"""Drops of values that are no means over queries: tested by the intervals that were saved with them."""

from __future__ import annotations

import math
from statistics import NormalDist

from pingce.base.text import Text
from pingce.checks.result import UnjudgedError
from pingce.scores.saved import SavedMetric, SavedScores

Side = tuple[SavedScores, SavedMetric]


def unpaired(candidate: Side, baseline: Side, alpha: float, *, better: bool) -> tuple[float, Text]:
    """p of the drop as if both were of other rows, which on the same rows is too large, and how it was reached.

    The standard error of each is that of its interval, on the side of the other; where only the baseline has one, it
    stands for both, as of so many rows.
    """
    new, old = candidate[1], baseline[1]
    before, alone = _error(old, below=better), False
    now = _error(new, below=not better)
    if math.isnan(before) and math.isnan(now):
        raise _unsaved(baseline)
    if math.isnan(now):
        alone, now = True, before * math.sqrt(old.n / new.n) if new.n else before
    elif math.isnan(before):
        alone, before = True, now * math.sqrt(new.n / old.n) if old.n else now
    error = math.hypot(now, before)
    if not error:
        raise UnjudgedError(
            "the drop cannot be tested: the saved intervals have no width", "无法检验下降：保存的区间宽度为零"
        )
    p = math.erfc(abs(new.value - old.value) / error / math.sqrt(2))
    word = Text("significant", "显著") if p <= alpha else Text("not significant", "不显著")
    which = (
        Text("one saved interval for both", "以一份保存的区间代表两者")
        if alone
        else Text("saved intervals", "保存的区间")
    )
    return p, Text(
        f"the drop is {word.en}: p = {p:.4g} against {alpha:g} (unpaired z test by {which.en}: cautious where both are of "
        "the same rows; pingce compare pairs them)",
        f"下降{word.zh}：p = {p:.4g}，界限 {alpha:g}（按{which.zh}做不配对 z 检验：两者来自相同的行时偏保守；pingce compare 会配对）",
    )


def _error(metric: SavedMetric, *, below: bool) -> float:
    """The standard error that an interval stands for, from the value to one of its ends; NaN without an interval."""
    if metric.interval is None or not metric.confidence or math.isnan(metric.interval[0]):
        return math.nan
    low, high = metric.interval
    half = metric.value - low if below else high - metric.value
    return half / NormalDist().inv_cdf((1 + metric.confidence) / 2)


def _unsaved(baseline: Side) -> UnjudgedError:
    from pingce.metrics.grammar import parse_metric

    document, metric = baseline
    reason = parse_metric(metric.id, task=document.task).metric.no_interval
    if reason is not None:
        return UnjudgedError(
            f"whether the drop is significant cannot be tested: {metric.name} has no confidence interval ({reason.en}); use "
            "--max-drop alone",
            f"无法检验下降是否显著：{metric.name} 没有置信区间（{reason.zh}）；请只用 --max-drop",
        )
    return UnjudgedError(
        f"whether the drop of {metric.name} is significant cannot be tested: {document.source.en} has no confidence interval; save "
        "the baseline with pingce eval --ci 0.95 -f json (in Python ci=0.95, then to_json()), or use --max-drop alone",
        f"无法检验 {metric.name} 的下降是否显著：{document.source.zh} 没有置信区间；请用 pingce eval --ci 0.95 -f json 保存基线"
        "（Python 中为 ci=0.95 再 to_json()），或只用 --max-drop",
    )
