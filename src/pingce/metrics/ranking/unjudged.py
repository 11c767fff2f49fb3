"""How much of a list nobody has judged, and how far a value could change by it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, ratio
from pingce.metrics.ranking.user_models import Patience


def _one(rank: int) -> float:
    """1: all places count alike."""
    return 1.0


@dataclass(frozen=True, kw_only=True)
class Unjudged(RankingMetric):
    """Share of the top k that has not been judged: how much of it counts as wrong only because nobody looked.

    unjudged@k = |top k without judgement| / k                                                          [thakur2021]
    """

    name = "unjudged"
    follows_grades = True
    aliases = ("unj",)
    title = Text("Unjudged", "未标注占比")
    formula_zh = "unjudged@k = |前 k 中没有标注的条目| / k"
    about = about(
        Text("How much of what was shown has nobody looked at?", "展示的内容中有多少没人看过？"),
        Text(
            "A red flag beside every number of a new kind of system on old judgements.",
            "用旧标注评测新系统时的警示，与其他指标一起看。",
        ),
        Text("It says nothing about quality.", "与好坏无关。"),
        ("judged", "rbp_residual"),
        Text("2 of the top 4 are not judged: 2 / 4 = 0.5", "前 4 个中有 2 个没有标注：2 / 4 = 0.5"),
        typical_k="5, 10, 20",
        example=("unjudged@4", (1, NAN, 0, NAN), ()),
        undefined=Text("", ""),
        higher_is_better=None,
        also=("空洞率", "Hole"),
    )

    of: str = choice(
        Text("Whose judgements count.", "谁的标注算数。"),
        query=Text("those of the query itself (trec_eval 10)", "该查询自己的标注（trec_eval 10）"),
        any=Text(
            "those of any query: what is left nobody ever looked at (Hole of BEIR)",
            "任一查询的标注：余下的从未有人看过（BEIR 的 Hole）",
        ),
    )
    over: str = choice(
        Text("What the number is divided by.", "除以什么。"),
        k=Text("k, also when fewer were returned (trec_eval 10)", "k，返回不足 k 个时也是（trec_eval 10）"),
        list=Text("min(n, k): what was shown", "min(n, k)：实际展示的个数"),
    )

    @property
    def of_items(self) -> bool:
        return self.of == "any"

    @property
    def needs_judged_items(self) -> bool:
        return self.of == "any"

    def count(self, view: RankingView) -> Floats:
        """Items of the top k that have no grade, or a negative one."""
        if self.of == "query":
            return view.depth(self.k) - view.sum(view.share_within(self.k) * (view.grade >= 0))
        display = item_view(view)
        places, shares = display.places(self.k), self.shares(view)
        return view.depth(self.k) - display.per_list(places, shares * display.is_judged[places.item])

    def shares(self, view: RankingView) -> Floats:
        """How much of each place lies within the top k: all of it, unless a tie is cut there whose order is not fixed."""
        return item_view(view).weights(self.k, _one)

    def length(self, view: RankingView) -> NDArray[np.int64]:
        """What their number is divided by."""
        return view.cutoff(self.k) if self.over == "k" else view.depth(self.k)

    def values(self, view: RankingView) -> Floats:
        return ratio(self.count(view), self.length(view), np.zeros(len(view), bool))

    def define(self, ranked: RankedList) -> float:
        top = ranked.top(self.k)
        count = sum(not judged for judged in ranked.top_judged(self.k, anywhere=self.of == "any"))
        return divide(count, len(top) if self.over == "list" or self.k is None else self.k)


@dataclass(frozen=True, kw_only=True)
class RankBiasedResidual(RankingMetric):
    """How far rank-biased precision could still rise, were every unjudged item relevant.

    RBP_residual(p)@k = p^d + (1 − p) Σ_{unjudged i≤k} p^(i−1),  d = min(n, k)                          [moffat2008]
    """

    name = "rbp_residual"
    follows_grades = True
    aliases = ("rbp_resid",)
    title = Text("Residual of rank-biased precision", "RBP 残差")
    formula_zh = "RBP_residual(p)@k = p^d + (1 − p) Σ_{未标注的 i≤k} p^(i−1)，d = min(n, k)"
    about = about(
        Text("How much of the reader's attention is not accounted for?", "读者的注意力有多少没有着落？"),
        Text(
            "Beside rbp with the same p: the truth lies between rbp and their sum.",
            "与 p 相同的 rbp 一起看：真值在 rbp 与两者之和之间。",
        ),
        Text("It says nothing about quality, and the value of p decides.", "与好坏无关；结果取决于 p。"),
        ("rbp", "unjudged"),
        Text(
            "p = 0.8, ranks 2 and 4 of four not judged: 0.8⁴ + 0.2 · (0.8 + 0.512) = 0.672",
            "p = 0.8，四个条目中第 2、4 位没有标注：0.8⁴ + 0.2 · (0.8 + 0.512) = 0.672",
        ),
        example=("rbp_residual", (1, NAN, 0, NAN), ()),
        undefined=Text("", ""),
        higher_is_better=None,
    )

    p: float = parameter(0.8, Number(above=0, below=1), Text("The reader's patience.", "读者继续往下看的概率。"))
    complete: str = choice(
        Text("What is left where every item of the top k is judged.", "前 k 全部标注时还剩多少。"),
        rest=Text("p^d, the share of readers who go further", "p^d，继续往下看的读者所占的份额"),
        zero=Text("nothing (trec_eval 10)", "0（trec_eval 10）"),
    )

    def knows_expected(self) -> bool:
        """Whether all of the top k is judged may depend on the order."""
        return self.complete == "rest" or self.k is None

    def leaves_rest(self, view: RankingView) -> NDArray[np.bool_]:
        """Queries with something left."""
        judged = view.sum(view.share_within(self.k) * (view.grade >= 0))
        return np.full(len(view), self.complete == "rest") | (judged < view.depth(self.k))

    def values(self, view: RankingView) -> Floats:
        """All weights together are 1: what judged items have not is left."""
        judged = view.sum(view.weight(Patience(float(self.p)), self.k) * (view.grade >= 0))
        return np.where(self.leaves_rest(view), 1.0 - (1.0 - self.p) * judged, 0.0)

    def define(self, ranked: RankedList) -> float:
        top = ranked.top(self.k)
        places = [place for place, grade in enumerate(top) if grade is None or grade < 0]
        if not places and self.complete == "zero":
            return 0.0
        return float(self.p ** len(top) + (1 - self.p) * sum(self.p**place for place in places))
