"""What trec_eval does beside the definitions of its measures."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.ideal_order import NdcgAtLevels
from pingce.metrics.ranking.interpolated import ElevenPoint, InterpolatedPrecision, needed_hits
from pingce.metrics.ranking.user_models import RankBiasedPrecision


def all_gains(metric: RankingMetric, grades: Floats) -> RankingMetric:
    """The metric with a gain for every grade: one that its table of gains does not name is its own gain."""
    table = getattr(metric, "gain", None)
    if not isinstance(table, tuple):
        return metric
    gains_by_grade = dict(table)
    levels = np.unique(grades[grades > 0]).tolist()
    if isinstance(metric, RankBiasedPrecision):
        # trec_eval scales gains above 1, such as a grade's own, by numbers that it never set.
        for level in (level for level in levels if level > 1 and level not in gains_by_grade):
            raise InputError(
                f"-m rbp: the truth has grade {level:g}, which then gains {level:g}, and trec_eval does not scale such gains soundly; give it a gain from 0 to 1, as in rbp.{level:g}=1",
                f"-m rbp：真值中有等级 {level:g}，其增益将为 {level:g}，而 trec_eval 无法正确缩放这样的增益；请给出 0 到 1 的增益，如 rbp.{level:g}=1",
            )
    else:
        _refuse_close(_MEASURES[metric.name], gains_by_grade, max(levels, default=0))
    gains = {level: level for level in levels} | gains_by_grade
    changed: RankingMetric = dataclasses.replace(metric, gain=tuple(sorted(gains.items())))  # type: ignore[call-arg]
    return changed


_MEASURES = {"g": "G", "ndcg": "ndcg", "ndcg_rel": "ndcg_rel", "r_ndcg": "Rndcg"}
"How trec_eval calls the metrics that take a table of gains."


def _refuse_close(measure: str, gains_by_grade: dict[float, float], top: float) -> None:
    """trec_eval orders gains by the whole part of their difference: closer ones have no order in its ideal list."""
    near = {whole for gain in gains_by_grade.values() for whole in (floor(gain), ceil(gain)) if whole <= top}
    for low, high in pairwise(sorted({*gains_by_grade.values(), *near.difference(gains_by_grade)})):
        if high - low < 1:
            raise InputError(
                f"-m {measure}: the gains {low:g} and {high:g} are less than 1 apart, and trec_eval does not order such gains; give others, or use pingce eval -m 'ndcg(gain={{…}})'",
                f"-m {measure}：增益 {low:g} 与 {high:g} 相差不到 1，trec_eval 无法为其排序；请改用其他增益，或用 pingce eval -m 'ndcg(gain={{…}})'",
            )


def empty_divisions(metric: RankingMetric, view: RankingView, computed: NDArray[np.bool_], *, lists: bool) -> list[int]:
    """Topics for which trec_eval divides 0 by 0: levels of gain where nothing gains but all counts as relevant (-l 0), and
    interpolated precision of an empty list, as -J may leave; `lists` says whether there may be any.

    There the precision of the whole list, 0 / 0, is taken for each recall level that needs no relevant document; the
    mean over topics then is NaN too. Topics that trec_eval does not compute have no such value.
    """
    if isinstance(metric, NdcgAtLevels):
        broken = computed & (view.relevant_count > 0) & np.isnan(metric.values(view))
        return [int(place) for place in np.flatnonzero(broken)]
    if not lists or not isinstance(metric, (InterpolatedPrecision, ElevenPoint)):
        return []
    empty = np.flatnonzero(computed & (view.evidence.returned == 0))
    share = str(metric.recall) if isinstance(metric, InterpolatedPrecision) else "0"
    counts = zip(empty.tolist(), view.relevant_count[empty].tolist(), strict=True)
    return [place for place, count in counts if not needed_hits(share, count, metric.rounding)]
