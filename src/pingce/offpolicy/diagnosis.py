"""Reading off-policy values: what the target policy would earn beside the log, and whether the weights let anybody believe it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from pingce.base.exact import root
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import finite
from pingce.base.text import Text
from pingce.diagnosis.points import Point, as_document
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.metrics import by_weights, with_model

if TYPE_CHECKING:
    from pingce.offpolicy.scores import OffpolicyScores

FEW, SOME = 30, 300
"Effective rows below which values are not to be believed, and below which they are rough."
HEAVY, LARGE = 0.2, 0.05
"Shares of all weight of a single row from which on the same holds."
APART = 4.0
"Standard errors by which the mean weight may differ from 1 before it is worth a word."


@dataclass(frozen=True)
class WeightFigures:
    """What the importance weights of a log say."""

    ess: float
    share: float
    "The effective sample size over all rows."
    largest: float
    largest_share: float
    mean: float
    error: float
    "The standard error of the mean."
    zeros: float
    "The share of rows that the target policy would never have."

    @staticmethod
    def of(evidence: OffpolicyEvidence) -> WeightFigures:
        """The figures; NaN where all weights are 0."""
        count, total, squares = (evidence.total(name) for name in ("count", "raw|one", "raw|weight"))
        mean, ess = total / count, total**2 / squares if squares else None
        return WeightFigures(
            math.nan if ess is None else float(ess),
            math.nan if ess is None else float(ess / count),
            evidence.largest,
            float(Fraction(evidence.largest) / total) if total else math.nan,
            float(mean),
            root(max(squares / count - mean * mean, Fraction(0)), count),
            float(evidence.total("zero") / count),
        )

    @property
    def verdict(self) -> str:
        """Whether values are to be believed: good, rough or none."""
        if math.isnan(self.ess) or self.ess < FEW or self.largest_share > HEAVY:
            return "none"
        return "rough" if self.ess < SOME or self.largest_share > LARGE else "good"

    @property
    def is_apart(self) -> bool:
        """Whether the mean weight is not 1, beyond chance."""
        return self.error > 0 and abs(self.mean - 1) > APART * self.error


_VERDICTS = {
    "good": Text("The weights are even enough to believe the intervals.", "权重足够均匀，区间可信。"),
    "rough": Text(
        "Take the values as rough: few rows carry them. Clip the weights (clip=), take snips or dr, or log for longer.",
        "结果较粗：由少数行决定。请截断权重（clip=），改用 snips 或 dr，或积累更多日志。",
    ),
    "none": Text(
        "Do not believe the values, nor their intervals: a handful of rows decides them. The target policy is too far from the one that wrote "
        "the log; try it on some traffic, or log with more exploration.",
        "不要相信这些值及其区间：它们由寥寥几行决定。目标策略与日志策略相差太远；请放一小部分流量实验，或加大日志策略的探索。",
    ),
}


def read(scores: OffpolicyScores) -> Json:
    """The value beside that of the log, effective rows, the largest weight, the mean weight, and a verdict."""
    evidence = scores.evidence
    weights, count, total = WeightFigures.of(evidence), evidence.total("count"), evidence.total("raw|one")
    logged, ips = (float(evidence.total(name) / count) for name in ("reward", "raw|reward"))
    snips = float(evidence.total("raw|reward") / total) if total else math.nan
    points = [Point("value", _value_words(snips, logged))]
    points += [Point("weights", text) for text in _weight_words(scores, weights)]
    points += [Point("log", text) for text in _trouble(scores, weights)]
    return {
        "logged_value": logged,
        "ips": ips,
        "snips": finite(snips),
        "ess": finite(weights.ess),
        "ess_share": finite(weights.share),
        "max_weight": weights.largest,
        "max_weight_share": finite(weights.largest_share),
        "mean_weight": weights.mean,
        "zero_weight_share": weights.zeros,
        "verdict": weights.verdict,
        **as_document([*points, Point("trust", _VERDICTS[weights.verdict])]),
    }


def _value_words(snips: float, logged: float) -> Text:
    if math.isnan(snips):
        return Text(f"The log earned {logged:.6g} per row.", f"日志平均每行得到 {logged:.6g}。")
    return Text(
        f"By snips the target policy would have earned {snips:.6g} per row, where the log earned {logged:.6g} ({snips - logged:+.6g}).",
        f"按 snips，目标策略平均每行可得 {snips:.6g}，日志为 {logged:.6g}（{snips - logged:+.6g}）。",
    )


def _weight_words(scores: OffpolicyScores, weights: WeightFigures) -> list[Text]:
    if math.isnan(weights.ess):
        return []
    rows = scores.evidence.count
    return [
        Text(
            f"After weighting, {rows} rows say as much as {weights.ess:.4g} ({weights.share:.2%}); the largest weight is {weights.largest:.4g}, "
            f"{weights.largest_share:.2%} of all.",
            f"加权后 {rows} 行相当于 {weights.ess:.4g} 行（{weights.share:.2%}）；最大权重 {weights.largest:.4g}，占全部的 {weights.largest_share:.2%}。",
        )
    ]


def _trouble(scores: OffpolicyScores, weights: WeightFigures) -> list[Text]:
    """What is wrong with the log, or with a value."""
    evidence, texts = scores.evidence, []
    if math.isnan(weights.ess):
        texts.append(
            Text(
                "All importance weights are 0: the target policy never does what was logged, so that the log says nothing of it.",
                "重要性权重全为 0：目标策略从不选日志中的动作，日志说明不了它。",
            )
        )
    elif weights.is_apart:
        low = weights.mean < 1
        why = Text(
            "it does things that the log never has"
            if low
            else "rows are missing, or were logged more often than they say",
            "目标策略会选日志中从未出现的动作" if low else "缺少某些行，或实际记录的概率高于所写的",
        )
        texts.append(
            Text(
                f"The weights average to {weights.mean:.4g} and not to 1 (standard error {weights.error:.2g}): propensities of either policy are wrong, or {why.en}.",
                f"权重平均为 {weights.mean:.4g} 而不是 1（标准误 {weights.error:.2g}）：某一策略的概率有误，或{why.zh}。",
            )
        )
    ips = float(evidence.total("raw|reward") / evidence.total("count"))
    if evidence.ends is not None and not evidence.ends[0] <= ips <= evidence.ends[1] and not math.isnan(weights.ess):
        low_end, high_end = (f"{end:g}" for end in evidence.ends)
        texts.append(
            Text(
                f"ips is {ips:.6g}, but no reward of the log lies outside {low_end} to {high_end}: take snips, which cannot leave that range.",
                f"ips 为 {ips:.6g}，而日志中的回报都在 {low_end} 到 {high_end} 之间：请用 snips，它不会超出这个范围。",
            )
        )
    return texts


def cautions(scores: OffpolicyScores) -> tuple[Text, ...]:
    """What makes weighted values worth nothing; nothing where none was asked for."""
    weighted = (by_weights.InversePropensity, by_weights.SelfNormalized, with_model.DoublyRobust)
    if not any(isinstance(value.metric, weighted) for value in scores.values_by_name.values()):
        return ()
    weights = WeightFigures.of(scores.evidence)
    words = _trouble(scores, weights)
    if weights.verdict == "none" and not math.isnan(weights.ess):
        words.append(
            Text(
                f"{scores.evidence.count} rows say as much as {weights.ess:.3g} after weighting, and one row has {weights.largest_share:.1%} of all weight: "
                "do not believe values by weights, nor their intervals",
                f"加权后 {scores.evidence.count} 行只相当于 {weights.ess:.3g} 行，单独一行占全部权重的 {weights.largest_share:.1%}：不要相信加权得到的值及其区间",
            )
        )
    return tuple(words)
