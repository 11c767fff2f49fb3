"""Metrics of readers who may stop at every rank, by what they have gained (C/W/L): the gain that they have for each item they look at."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, weight_table
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, about, no_relevant, ratio
from pingce.metrics.ranking.gains import Gain, gain_below_parameter
from pingce.metrics.ranking.user_models import ScaledGainMetric, max_grade_parameter, scaled_gain_parameter

FARTHEST = 1000
"Where a reader stops at the latest, if no k is said; cwl_eval has the same limit."
_CELLS = 1 << 21
"How many ranks of how many lists are walked at a time."
_WANTED = Text(
    "T, how much the reader wants, in gains of the best item.", "T，读者想得到多少，以最好条目的增益为单位。"
)
_BLIND = Text(
    "Below the end of a short list the reader finds nothing and goes on, up to k (1000 without k).",
    "列表较短时，读者在末尾之后一无所获地继续，直到 k（不写 k 时为 1000）。",
)


@dataclass(frozen=True, kw_only=True)
class ReaderMetric(ScaledGainMetric):
    """Base of metrics of such readers: gain for each item that is looked at, as they expect it."""

    closed_form = False

    gain: Gain = scaled_gain_parameter()
    gain_below: str = gain_below_parameter()
    max: float | None = max_grade_parameter()

    def is_bounded_by_grades(self) -> bool:
        """A good item further up may end the reading before the next one."""
        return False

    @property
    def limit(self) -> int:
        """The last rank that anybody looks at."""
        return FARTHEST if self.k is None else self.k

    def going_on(self, rank: Any, gain: Any, total: Any) -> Any:
        """The chance that a reader looks at the next rank, by the gain of this one and by all gains so far."""
        raise NotImplementedError

    def gain_table(self, view: RankingView, first: int, last: int) -> Floats:
        """What the items of some lists are worth: a row a list, a column a rank."""
        begin = view.evidence.hit_begin
        hits = slice(int(begin[first]), int(begin[last]))
        query, rank, worth = view.query[hits], view.rank[hits], self.worth(view)[hits]
        within = rank <= self.limit
        table = np.zeros((last - first, self.limit))
        table[query[within] - first, rank[within] - 1] = worth[within]
        return table

    def reach(self, gains: Floats) -> Floats:
        """The share of readers who look at each rank."""
        ranks = np.arange(1, gains.shape[1])
        reach = np.ones(gains.shape)
        on = self.going_on(ranks, gains[:, :-1], np.cumsum(gains, axis=1)[:, :-1])
        np.cumprod(on, axis=1, out=reach[:, 1:])
        return reach

    def walk(self, view: RankingView) -> tuple[Floats, Floats]:
        """Per query what a reader expects to gain, and how many items to look at: sums over ranks, one after another."""
        gained, items = np.zeros(len(view)), np.zeros(len(view))
        step = max(1, _CELLS // self.limit)
        for first in range(0, len(view), step):
            last = min(first + step, len(view))
            gains = self.gain_table(view, first, last)
            reach = self.reach(gains)
            gained[first:last] = np.cumsum(reach * gains, axis=1)[:, -1]
            items[first:last] = np.cumsum(reach, axis=1)[:, -1]
        return gained, items

    def values(self, view: RankingView) -> Floats:
        return ratio(*self.walk(view), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        """Walk down rank by rank."""
        if not ranked.relevant_count():
            return NAN
        gained = items = total = 0.0
        reach = 1.0
        top = list(ranked.top(self.limit))
        for rank, grade in enumerate([*top, *[None] * (self.limit - len(top))], 1):
            gain = self.plain_worth(ranked, grade)
            total += gain
            gained += reach * gain
            items += reach
            reach *= float(self.going_on(rank, gain, total))
        return gained / items


@dataclass(frozen=True)
class Insistence:
    """(2T / (i − 1 + 2T))²: the share of readers who get to rank i while each goes on with ((i + 2T − 1) / (i + 2T))²."""

    goal: float

    def __call__(self, rank: int) -> float:
        """The share at a rank."""
        share = 2.0 * self.goal / (rank - 1 + 2.0 * self.goal)
        return share * share


def _step(rank: Any, wanted: Any) -> Any:
    """((i + w − 1) / (i + w))²: the chance to go on from rank i while w is wanted."""
    share = (rank + wanted - 1.0) / (rank + wanted)
    return share * share


@dataclass(frozen=True, kw_only=True)
class Insq(ReaderMetric):
    """Gain for each item that a reader looks at who wants T and goes on the more likely the deeper he is.

    insq(T)@k = Σ_{i≤k} V_i u_i / Σ_{i≤k} V_i,  V_i = (2T / (i − 1 + 2T))²                              [moffat2012]
    """

    name = "insq"
    closed_form = True
    title = Text("INSQ: a reader with a goal", "INSQ：有目标的读者")
    about = about(
        Text("What does a reader with such a goal find at each step?", "带着这样的目标往下看，每看一个能得到多少？"),
        Text("Search tasks for which one knows how much is wanted.", "知道用户想要多少的搜索任务。"),
        Text(
            f"The goal decides, and readers do not stop when they have what they want. {_BLIND.en}",
            f"结果取决于目标；读者得到所需后并不停下。{_BLIND.zh}",
        ),
        ("inst", "rbp"),
        Text(
            "T = 1, three ranks weigh 1, 4/9, 1/4; relevant at ranks 1 and 3: (1 + 1/4) / (61/36) = 0.737705",
            "T = 1，三个名次的权重为 1、4/9、1/4；第 1、3 位相关：(1 + 1/4) / (61/36) = 0.737705",
        ),
        typical_k="100, 1000",
        example=("insq@3", (1, 0, 1), ()),
    )

    goal: float = parameter(1, Number(least=0.5), _WANTED)

    def is_bounded_by_grades(self) -> bool:
        return super(ReaderMetric, self).is_bounded_by_grades()

    def going_on(self, rank: Any, gain: Any, total: Any) -> Any:
        return _step(rank, 2.0 * self.goal)

    def items(self) -> float:
        """How many items a reader expects to look at."""
        weights = weight_table(Insistence(float(self.goal)), self.limit)[1 : self.limit + 1]
        return float(np.cumsum(weights)[-1])

    def walk(self, view: RankingView) -> tuple[Floats, Floats]:
        """The gain of a hit is weighed by its rank alone."""
        weights = view.weight(Insistence(float(self.goal)), self.limit)
        return view.sum(self.worth(view) * weights), np.full(len(view), self.items())


@dataclass(frozen=True, kw_only=True)
class Inst(ReaderMetric):
    """Gain for each item that a reader looks at who wants T, and stops the sooner the more of it he has.

    inst(T)@k = Σ_{i≤k} V_i u_i / Σ_{i≤k} V_i,  V_i = Π_{j<i} ((j + 2T − U_j − 1) / (j + 2T − U_j))²,  U_j = Σ_{m≤j} u_m [moffat2015]
    """

    name = "inst"
    title = Text("INST: a reader with a goal who adapts", "INST：随所得调整的读者")
    about = about(
        Text(
            "What does a reader find at each step who stops once he has enough?",
            "够了就停的读者，每看一个能得到多少？",
        ),
        Text("Search tasks for which one knows how much is wanted.", "知道用户想要多少的搜索任务。"),
        Text(
            f"The goal decides; what stands below it hardly counts. {_BLIND.en}",
            f"结果取决于目标；达到目标之后的内容几乎不计。{_BLIND.zh}",
        ),
        ("insq", "rbp", "bpm"),
        Text(
            "T = 1, relevant at ranks 1 and 3 of three: reach 1, 1/4, 1/9; (1 + 1/9) / (1 + 1/4 + 1/9) = 40/49 = 0.816327",
            "T = 1，三个名次中第 1、3 位相关：到达 1、1/4、1/9；(1 + 1/9) / (1 + 1/4 + 1/9) = 40/49 = 0.816327",
        ),
        typical_k="100, 1000",
        example=("inst@3", (1, 0, 1), ()),
    )

    goal: float = parameter(1, Number(least=0.5), _WANTED)

    def going_on(self, rank: Any, gain: Any, total: Any) -> Any:
        return _step(rank, 2.0 * self.goal - total)


@dataclass(frozen=True, kw_only=True)
class NearErr(ReaderMetric):
    """Gain for each item that a reader looks at who is satisfied by an item as likely as it is good, and then stops.

    nerr@k = Σ_{i≤k} V_i u_i / Σ_{i≤k} V_i,  V_i = Π_{j<i} (1 − u_j)                                 [azzopardi2021]
    """

    name = "nerr"
    title = Text("NERR: nearly expected reciprocal rank", "NERR：近似期望倒数排名")
    about = about(
        Text(
            "What does a reader find at each step who stops at a good item?",
            "看到好条目就停的读者，每看一个能得到多少？",
        ),
        Text("Beside err, where a user model is wanted that adds up.", "与 err 一起看，需要自洽的用户模型时。"),
        Text(
            f"Such a reader of a poor list looks at all of it. {_BLIND.en}", f"列表很差时，读者会一直看完。{_BLIND.zh}"
        ),
        ("err", "inst"),
        Text(
            "max = 2, grades 1, 0, 2: u = 1/2, 0, 1; reach 1, 1/2, 1/2: (1/2 + 1/2) / 2 = 0.5",
            "max = 2，等级 1, 0, 2：u = 1/2, 0, 1；到达 1、1/2、1/2：(1/2 + 1/2) / 2 = 0.5",
        ),
        typical_k="10, 20",
        example=("nerr(max=2)@3", (1, 0, 2), ()),
    )

    form: str = choice(
        Text("How likely a reader who is not satisfied goes on from rank i.", "不满意的读者从第 i 位继续的概率。"),
        plain=Text("always (equation 8)", "总是继续（式 8）"),
        rank=Text("i / (i + 1) (equation 9)", "i / (i + 1)（式 9）"),
        patience=Text("p (equation 10)", "p（式 10）"),
        goal=Text(
            "((i + 2T − 1) / (i + 2T))², T = goal (equation 11)", "((i + 2T − 1) / (i + 2T))²，T = goal（式 11）"
        ),
    )
    p: float = parameter(
        0.9, Number(above=0, below=1), Text("The reader's patience, with form=patience.", "form=patience 时的耐心。")
    )
    goal: float = parameter(
        1, Number(least=0.5), Text("How much the reader wants, with form=goal.", "form=goal 时读者想得到多少。")
    )

    def going_on(self, rank: Any, gain: Any, total: Any) -> Any:
        left = 1.0 - gain
        if self.form == "rank":
            return rank / (rank + 1.0) * left
        if self.form == "patience":
            return self.p * left
        return _step(rank, 2.0 * self.goal) * left if self.form == "goal" else left


@dataclass(frozen=True, kw_only=True)
class BejeweledPlayer(ReaderMetric):
    """Gain for each item that a reader looks at who goes on until he has T, or has looked at k.

    bpm(T)@k = Σ_{i≤m} u_i / m,  m: the first rank with Σ_{i≤m} u_i ≥ T, at most k                      [zhang2017]
    """

    name = "bpm"
    formula_zh = "bpm(T)@k = Σ_{i≤m} u_i / m，m：首个使 Σ_{i≤m} u_i ≥ T 的名次，至多 k"
    title = Text("Bejeweled player model", "宝石玩家模型（BPM）")
    about = about(
        Text("How fast does a reader get what he wants?", "读者多快得到想要的？"),
        Text("Search tasks with a goal and a limit of effort.", "有目标、也有耐心上限的搜索任务。"),
        Text(
            f"Between two ranks at which the reader stops it jumps. {_BLIND.en}",
            f"停下的名次一变，数值就跳变。{_BLIND.zh}",
        ),
        ("inst", "precision"),
        Text(
            "T = 2, relevant at ranks 1 and 3: 2 gains in 3 items = 0.666667",
            "T = 2，第 1、3 位相关：看 3 个得 2 = 0.666667",
        ),
        typical_k="10, 20",
        example=("bpm(goal=2)@4", (1, 0, 1, 0), ()),
    )

    goal: float = parameter(1, Number(above=0), _WANTED)

    def going_on(self, rank: Any, gain: Any, total: Any) -> Any:
        return (total < self.goal) * 1.0
