"""Estimates of what a target policy would have earned per row, by importance weights alone; and what the log itself earned."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, RowTerms
from pingce.offpolicy.base import WEIGHTLESS, OffpolicyMetric, WeightedMetric, about
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.plain import LoggedRow, LogList
from pingce.offpolicy.rows import OffpolicyRows


def _reward(row: LoggedRow) -> Fraction:
    return row.reward


class LoggedValue(OffpolicyMetric):
    """Mean reward of the log: what the logging policy earned.

    logged_value = mean r                                                                             [saito2021]
    """

    name = "logged_value"
    aliases = ("on_policy", "behavior_value")
    title = Text("Mean reward of the log", "日志策略的平均回报")
    about = about(
        Text("What did the policy that wrote the log earn per row?", "写日志的策略平均每行得到多少？"),
        Text("What every estimate is compared with.", "各种估计的比较对象。"),
        Text("It says nothing of the target policy.", "与目标策略无关。"),
        ("ips", "snips", "dr"),
        Text("(1 + 0 + 1 + 0) / 4 = 0.5", "(1 + 0 + 1 + 0) / 4 = 0.5"),
        also=("线上均值", "基线"),
    )

    def sums(self) -> tuple[str, ...]:
        return "reward", "count"

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total("reward"), evidence.total("count"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms:
        return RowTerms(view.reward)

    def define(self, rows: LogList) -> float:
        return float(rows.mean(_reward))


@dataclass(frozen=True, kw_only=True)
class InversePropensity(WeightedMetric):
    """Inverse propensity score (IPS, IPW): rewards count as often as the target policy would have done the same.

    ips = mean w r                                                                                    [horvitz1952]
    """

    name = "ips"
    aliases = ("ipw", "inverse_propensity_score")
    title = Text("Inverse propensity score (IPS)", "逆倾向加权（IPS）")
    about = about(
        Text("What would the target policy have earned per row?", "若换成目标策略，平均每行会得到多少？"),
        Text(
            "Logs of a policy that chose at random with known probabilities; without bias where those are right.",
            "日志策略按已知概率随机选择时；概率正确则无偏。",
        ),
        Text(
            "A few rows of great weight decide it: of rewards 0 and 1 it may say 1.55. Look at ess and max_weight; what was never logged it cannot see.",
            "少数权重很大的行就能决定它：回报为 0 与 1 时也可能得到 1.55。请同时看 ess 与 max_weight；从未记录过的动作它看不到。",
        ),
        ("snips", "dr", "ess", "max_weight"),
        Text(
            "w = 1.2, 0.4, 5, 0.4: (1.2 · 1 + 0.4 · 0 + 5 · 1 + 0.4 · 0) / 4 = 1.55",
            "w = 1.2、0.4、5、0.4：(1.2 · 1 + 0.4 · 0 + 5 · 1 + 0.4 · 0) / 4 = 1.55",
        ),
        also=("IPS", "IPW", "逆概率加权", "反事实评估"),
    )

    def sums(self) -> tuple[str, ...]:
        return self.named("reward"), "count"

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total(self.named("reward")), evidence.total("count"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms:
        return RowTerms(self.ratios(view) * view.reward)

    def define(self, rows: LogList) -> float:
        return float(rows.weighted(self.shape, _reward) / rows.count())


@dataclass(frozen=True, kw_only=True)
class SelfNormalized(WeightedMetric):
    """Self-normalised inverse propensity score (SNIPS): the mean reward, weighted by importance weights.

    snips = Σ w r / Σ w                                                                               [swaminathan2015]
    """

    name = "snips"
    aliases = ("snipw", "self_normalized_ips", "ncis")
    title = Text("Self-normalised IPS (SNIPS)", "自归一化 IPS（SNIPS）")
    about = about(
        Text(
            "The same, with weights that sum to one: what would the target policy have earned?",
            "同上，但权重之和归一：目标策略会得到多少？",
        ),
        Text(
            "In place of ips nearly always: it stays within the range of the rewards, and a shift of all rewards shifts it as much.",
            "几乎总可代替 ips：不会超出回报的范围，回报整体平移时它同样平移。",
        ),
        Text(
            "It has a bias that shrinks with the rows; with few effective rows (ess) it is an average of a handful of them.",
            "有随行数减小的偏差；有效样本（ess）少时，它只是寥寥几行的平均。",
        ),
        ("ips", "dr", "ess"),
        Text("w = 1.2, 0.4, 5, 0.4: 6.2 / 7 = 0.885714", "w = 1.2、0.4、5、0.4：6.2 / 7 = 0.885714"),
        undefined=WEIGHTLESS,
        also=("SNIPS", "NCIS", "归一化加权"),
    )

    def sums(self) -> tuple[str, ...]:
        return self.named("reward"), self.named("one")

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total(self.named("reward")), evidence.total(self.named("one")))

    def row_terms(self, view: OffpolicyRows) -> RowTerms:
        ratios = self.ratios(view)
        return RowTerms(ratios * view.reward, ratios)

    def define(self, rows: LogList) -> float:
        bottom = rows.weight_sum(self.shape)
        return float(rows.weighted(self.shape, _reward) / bottom) if bottom else NAN


class Replay(OffpolicyMetric):
    """Replay: the mean reward of the rows that a target policy without chance would have had too.

    replay_method = Σ 1[target = 1] r / Σ 1[target = 1]                                                      [li2011]
    """

    name = "replay_method"
    aliases = ("rejection_sampling",)
    title = Text("Replay", "回放（Replay）")
    about = about(
        Text("What did those rows earn on which both policies agree?", "两个策略一致的那些行得到了多少？"),
        Text(
            "A target policy that chooses one action for certain, on a log that chose uniformly at random.",
            "目标策略是确定性的，而日志策略均匀随机选择时。",
        ),
        Text(
            "It is wrong where the log did not choose uniformly: snips of the same rows puts that right.",
            "日志不是均匀随机时它是错的：对同样的行用 snips 可以纠正。",
        ),
        ("snips", "ips"),
        Text(
            "The two rows with target 1 have rewards 1 and 0: 1 / 2 = 0.5",
            "目标概率为 1 的两行回报为 1 与 0：1 / 2 = 0.5",
        ),
        example=("", (1, 0, 1, 0), (1, 1, 0, 0), (0.5, 0.5, 0.5, 0.5), (0.5, 0.2, 0.4, 0.1), (0.5, 0.3, 0.5, 0.2)),
        undefined=Text("no row has a target propensity of 1", "没有目标概率为 1 的行"),
        also=("重放", "拒绝采样"),
    )

    def sums(self) -> tuple[str, ...]:
        return "match|reward", "match"

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total("match|reward"), evidence.total("match"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms:
        matches = (view.target == 1).astype(np.float64)
        return RowTerms(matches * view.reward, matches)

    def define(self, rows: LogList) -> float:
        matches = rows.total(lambda row: Fraction(int(row.target == 1)))
        return float(rows.total(lambda row: row.reward * (row.target == 1)) / matches) if matches else NAN
