"""Metrics of what was shown besides the relevant items: the judged share, and the wrong ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio


class Judged(RankingMetric):
    """Share of the top k that has been judged at all: how far the other numbers can be trusted.

    judged@k = |judged ∩ top k| / min(n, k)                                                            [buckley2004]
    """

    name = "judged"
    follows_grades = True
    title = Text("Judged", "标注覆盖")
    about = about(
        Text("How much of what was shown do we know anything about?", "展示的内容中有多少是标注过的？"),
        Text("Beside every number on incomplete judgements.", "标注不全时，与其他指标一起看。"),
        Text("It says nothing about quality.", "与好坏无关。"),
        ("bpref", "ndcg"),
        Text("2 of the top 4 are judged: 2 / 4 = 0.5", "前 4 个中有 2 个标注过：2 / 4 = 0.5"),
        typical_k="10, 100",
        example=("judged@4", (1, NAN, 0, NAN), ()),
        undefined=Text("", ""),
        higher_is_better=None,
        also=("覆盖", "未标注"),
    )

    def values(self, view: RankingView) -> Floats:
        """Hits with a grade of 0 or more; a negative grade was pooled but not judged."""
        judged = view.sum(view.share_within(self.k) * (view.grade >= 0))
        return ratio(judged, view.depth(self.k), np.zeros(len(view), bool))

    def define(self, ranked: RankedList) -> float:
        top = ranked.top(self.k)
        return divide(sum(grade is not None and grade >= 0 for grade in top), len(top))


@dataclass(frozen=True, kw_only=True)
class Fallout(RankingMetric):
    """Share of all non-relevant items of the catalogue that the top k shows.

    fallout@k = (min(n, k) − h_k) / (catalog − R)                                                      [manning2008]
    """

    name = "fallout"
    follows_grades = True
    title = Text("Fall-out", "误检率")
    about = about(
        Text("How much of what is wrong was shown?", "不该给的给了多少？"),
        Text("The false-positive rate of retrieval, for ROC-like reasoning.", "检索的假正例率，与 ROC 的思路一致。"),
        Text("Tiny for any large catalogue; ignores order.", "条目总数大时数值极小；不管顺序。"),
        ("recall",),
        Text(
            "2 wrong of 4 shown, 103 items of which 3 relevant: 2 / 100 = 0.02",
            "展示 4 个，错 2 个；共 103 个条目，相关 3 个：2 / 100 = 0.02",
        ),
        typical_k="10, 100",
        example=("fallout(catalog=103)@4",),
        higher_is_better=False,
    )

    catalog: float | None = parameter(
        None,
        Number(least=1, optional=True),
        Text("Number of items that could be returned; required.", "可返回的条目总数；必填。"),
    )

    def check(self) -> None:
        """The size of the catalogue cannot be guessed."""
        if self.catalog is None:
            raise InputError(
                "fallout needs the number of items in the catalogue, e.g. fallout(catalog=10000)@10",
                "fallout 需要条目总数，例如 fallout(catalog=10000)@10",
            )

    def values(self, view: RankingView) -> Floats:
        wrong = float(self.catalog or 0) - view.relevant_count
        self._refuse_smaller(view, wrong)
        return ratio(view.depth(self.k) - view.hits_within(self.k), wrong, no_relevant(view))

    def _refuse_smaller(self, view: RankingView, wrong: NDArray[Any]) -> None:
        """The catalogue holds all that was judged or shown, and something that is wrong."""
        e = view.evidence
        items = view.returned + np.diff(e.judged_begin) - np.diff(e.hit_begin)
        small = np.flatnonzero((wrong <= 0) | (items > float(self.catalog or 0)))
        if len(small):
            query, count = e.queries.take(small[:1]).to_list()[0], int(items[small[0]])
            raise InputError(
                f"catalog={self.catalog}: query '{query}' has {count} items that were judged or returned, "
                f"{int(view.relevant_count[small[0]])} of them relevant; catalog= is the number of all items that could be returned",
                f"catalog={self.catalog}：查询 '{query}' 有 {count} 个已标注或已返回的条目，其中相关 "
                f"{int(view.relevant_count[small[0]])} 个；catalog= 应为可返回的条目总数",
            )

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        return (len(ranked.top(self.k)) - ranked.hits(self.k)) / (float(self.catalog or 0) - total) if total else NAN
