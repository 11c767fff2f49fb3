"""Areas under the ROC curve of a list: how often a relevant item stands above another one."""

from __future__ import annotations

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, no_relevant, ratio
from pingce.metrics.ranking.tied import tie_blocks


@dataclass(frozen=True, kw_only=True)
class ListArea(RankingMetric):
    """Share of pairs of a relevant and another item of the top k in which the relevant one stands higher.

    list_auc@k = 1 − Σ_{i≤k} rel_i · (i − h_i) / (h_k · (min(n, k) − h_k))                                [rendle2009]
    """

    name = "list_auc"
    of_rank = True
    title = Text("Area under the ROC curve of a list", "列表内 AUC")
    about = about(
        Text("Does what is relevant stand above the rest of the list?", "相关的是否排在列表中其他条目之前？"),
        Text(
            "Lists that hold all candidates, as re-ranking and Cornac have them.",
            "包含全部候选的列表，如重排序与 Cornac。",
        ),
        Text(
            "It does not see what was not returned, and an error at the top weighs as much as one at the end.",
            "看不到没有返回的条目；顶部的错误与末尾的同样计算。",
        ),
        ("catalog_auc", "partial_auc", "ndcg"),
        Text(
            "relevant at ranks 1 and 3 of 4, of 2 · 2 pairs one is wrong: 1 − 1/4 = 0.75",
            "4 个中第 1、3 位相关，2 · 2 对中有 1 对错：1 − 1/4 = 0.75",
        ),
        typical_k="10, 100",
        example=("list_auc@4",),
        undefined=Text(
            "R = 0, or the top k has no relevant item or no other (single=ends: 0 and 1)",
            "R = 0，或前 k 中没有相关条目、或全部相关（single=ends 时为 0 与 1）",
        ),
        also=("AUC", "pairwise accuracy", "成对准确率"),
    )

    single: str = choice(
        Text(
            "A list of one kind: nothing relevant, or nothing else.", "只有一类的列表：没有相关条目，或没有其他条目。"
        ),
        undefined=Text("has no value", "没有定义"),
        ends=Text("0 without a relevant item, 1 without another", "没有相关条目为 0，没有其他条目为 1"),
    )

    def knows_expected(self) -> bool:
        """How many relevant items are in the top k must not depend on the order."""
        return self.k is None

    def is_bounded_by_grades(self) -> bool:
        """A relevant item that enters the top k at its end has others above it."""
        return self.k is None

    def pairs(self, view: RankingView) -> tuple[Floats, Floats, Floats]:
        """Per query the relevant items of the top k, the others, and the pairs in the wrong order."""
        if view.expected:
            hits, blocks = view.count(view.relevant), tie_blocks(view)
            wrong = blocks.sum(blocks.each(wrong_pairs))
        else:
            within = view.relevant if self.k is None else view.relevant & (view.rank <= self.k)
            hits, wrong = view.count(within), view.sum(others_above(view) * within)
        return hits.astype(np.float64), (view.depth(self.k) - hits).astype(np.float64), wrong

    def values(self, view: RankingView) -> Floats:
        hits, others, wrong = self.pairs(view)
        pairs = hits * others
        values = ratio(pairs - wrong, pairs, (pairs == 0) | no_relevant(view))
        if self.single == "undefined":
            return values
        ends = (pairs == 0) & ~no_relevant(view)
        return np.where(ends, (hits > 0).astype(np.float64), values)

    def define(self, ranked: RankedList) -> float:
        flags = [ranked.is_relevant(grade) for grade in ranked.top(self.k)]
        if not ranked.relevant_count():
            return NAN
        if all(flags) or not any(flags):
            return NAN if self.single == "undefined" else float(any(flags))
        right = [above and not below for place, above in enumerate(flags) for below in flags[place + 1 :]]
        return sum(right) / (sum(flags) * (len(flags) - sum(flags)))


def others_above(view: RankingView) -> Floats:
    """How many items that are not relevant stand above each relevant hit."""
    return (view.rank - view.running(view.relevant)).astype(np.float64)


def wrong_pairs(above: int, size: int, hits: int, before: int) -> float:
    """Mean number of pairs in the wrong order that the relevant items of a block have, over all its orders."""
    return hits * (above - before) + hits * (size - hits) / 2


@dataclass(frozen=True, kw_only=True)
class PartialArea(RankingMetric):
    """Share of pairs of a relevant item and one of the first wrong items in which the relevant one stands higher.

    partial_auc(w) = Σ_i rel_i · max(w − (i − h_i), 0) / (w · R),  w: wrong                          [budhiraja2020]
    """

    name = "partial_auc"
    follows_grades = True
    closed_form = False
    takes = ""
    title = Text("Partial area under the ROC curve", "部分 AUC（pAUC、pAp）")
    formula_zh = "partial_auc(w) = Σ_i rel_i · max(w − (i − h_i), 0) / (w · R)，w 即 wrong"
    about = about(
        Text("Do relevant items stand above the first wrong ones?", "相关条目是否排在最靠前的错误条目之前？"),
        Text("Recommendation, where only the top of the list counts (RecTools).", "只看列表顶部的推荐（RecTools）。"),
        Text(
            "Lists must reach down to that many wrong items; where they are shorter the value is too low.",
            "列表须长到包含这么多错误条目；较短时数值偏低。",
        ),
        ("list_auc", "recall"),
        Text(
            "w = 2, R = 3, relevant at ranks 2 and 4 with 1 and 2 wrong above: (2 − 1) / (2 · 3) = 0.166667",
            "w = 2，R = 3，第 2、4 位相关，之前各有 1、2 个错的：(2 − 1) / (2 · 3) = 0.166667",
        ),
        example=("partial_auc(wrong=2)", (0, 1, 0, 1, 0), (1,)),
        also=("pAUC", "pAp"),
    )

    wrong: int = parameter(10, Number(least=1), Text("How many wrong items are looked at.", "看多少个错误条目。"))
    of: str = choice(
        Text("Which relevant items count.", "哪些相关条目计入。"),
        all=Text("all of them (pAUC)", "全部（pAUC）"),
        first=Text("the first ones, as many as wrong items: ÷ min(R, w) (pAp)", "靠前的至多 w 个：÷ min(R, w)（pAp）"),
    )

    def check(self) -> None:
        """Items are counted."""
        if not isinstance(self.wrong, int):
            raise InputError(f"wrong={self.wrong}: must be a whole number", f"wrong={self.wrong}：须为整数")

    def gains(self, view: RankingView) -> Floats:
        """How many of the first wrong items stand below each relevant hit."""
        counts = view.relevant if self.of == "all" else view.relevant & (view.running(view.relevant) <= self.wrong)
        gains: Floats = np.maximum(self.wrong - others_above(view), 0.0) * counts
        return gains

    def most(self, view: RankingView) -> Floats:
        """All pairs."""
        counts = view.relevant_count if self.of == "all" else np.minimum(view.relevant_count, self.wrong)
        most: Floats = counts.astype(np.float64) * self.wrong
        return most

    def values(self, view: RankingView) -> Floats:
        return ratio(view.sum(self.gains(view)), self.most(view), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total, wrong, right, hits = ranked.relevant_count(), 0, 0, 0
        for grade in ranked.grades:
            if not ranked.is_relevant(grade):
                wrong += 1
            elif self.of == "all" or hits < self.wrong:
                hits += 1
                right += max(self.wrong - wrong, 0)
        return right / (self.wrong * (total if self.of == "all" else min(total, self.wrong))) if total else NAN
