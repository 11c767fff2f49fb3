"""Metrics of subtopics for a reader of some patience: NRBP, and the same over its ideal."""

from __future__ import annotations

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import geometric, intent_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, parameter
from pingce.metrics.ranking.base import NAN, RankedList, no_relevant, ratio
from pingce.metrics.ranking.intent_base import Gained, Normalized, intent_about, subtopic_count


@dataclass(frozen=True, kw_only=True)
class _Patient(Gained):
    """A reader goes on to the next item with probability β."""

    beta: float = parameter(0.5, Number(least=0, most=1), Text("The reader's patience.", "读者继续往下看的概率。"))

    def check(self) -> None:
        if self.alpha == 0 and self.beta == 1:
            raise InputError(
                f"{self.name}: with alpha=0 and beta=1 an endless list gains without end; choose another",
                f"{self.name}：alpha=0 且 beta=1 时，无穷列表的增益没有上限；请改用其他值",
            )

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        return np.asarray(gains * geometric(float(self.beta), int(ranks.max(initial=1)))[ranks - 1])

    def weight(self, rank: int) -> float:
        return float(self.beta ** (rank - 1))

    def scale(self, view: RankingView) -> Floats:
        """1 over what an endless list of items that are relevant to all subtopics gains."""
        count = np.maximum(intent_view(view).count, 1)
        return np.asarray((1 - (1 - self.alpha) * self.beta) / count)


@dataclass(frozen=True, kw_only=True)
class NRBP(_Patient):
    """Novelty- and rank-biased precision: what a reader gains who goes on with probability β.

    NRBP@k = (1 − (1 − α) β) / A · Σ_{i≤k} β^(i−1) Σ_{s∈S_i} (1 − α)^c_s                            [clarke2009]
    """

    name = "nrbp"
    title = Text("NRBP", "NRBP（兼顾新意的排名偏置精确率）")
    about = intent_about(
        Text(
            "What does a reader of this patience find of all that the query may mean?",
            "以这样的耐心往下看，各种意图能得到多少满足？",
        ),
        Text("Ambiguous queries; impatient readers have a small β.", "有歧义的查询；急躁的读者 β 较小。"),
        Text("The values of α and β decide.", "结果取决于 α 与 β。"),
        ("rbp", "nnrbp"),
        Text(
            "gains 2, 0, 1/2, 3/2: (3/4) / 3 · (2 + 1/8 + 3/16) = 37/64 = 0.578125",
            "增益 2, 0, 1/2, 3/2：(3/4) / 3 · (2 + 1/8 + 3/16) = 37/64 = 0.578125",
        ),
        example=("nrbp",),
    )

    def values(self, view: RankingView) -> Floats:
        return ratio(view.sum(self.terms(view)) * self.scale(view), np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        count = subtopic_count(ranked)
        if not count:
            return NAN
        return (1 - (1 - self.alpha) * self.beta) / count * self.plain_sum(ranked.intents(self.k))


@dataclass(frozen=True, kw_only=True)
class NormalizedNRBP(_Patient, Normalized):
    """NRBP over that of the ideal list.

    nNRBP@k = NRBP@k / ideal NRBP@k                                                                 [clarke2009]
    """

    name = "nnrbp"
    title = Text("nNRBP", "nNRBP（归一化的 NRBP）")
    about = intent_about(
        Text(
            "What does a reader of this patience find, against the best that could be?",
            "以这样的耐心往下看，得到的满足离最好还差多少？",
        ),
        Text("Ambiguous queries; impatient readers have a small β.", "有歧义的查询；急躁的读者 β 较小。"),
        Text(
            "The ideal list is found greedily and need not be the best one: values slightly above 1 are possible.",
            "理想列表由贪心得出，未必最优：数值可能略大于 1。",
        ),
        ("nrbp", "alpha_ndcg"),
        Text(
            "37/16 against the ideal 2 + 3/4 + 1/8 + 1/16 = 47/16: 37/47 = 0.787234",
            "37/16 与理想的 2 + 3/4 + 1/8 + 1/16 = 47/16 之比：37/47 = 0.787234",
        ),
        range="0 … ∞",
        example=("nnrbp",),
    )

    def values(self, view: RankingView) -> Floats:
        scale, undefined = self.scale(view), no_relevant(view)
        return ratio(view.sum(self.terms(view)) * scale, self.ideal(view) * scale, undefined)
