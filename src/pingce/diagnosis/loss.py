"""Reading the log loss: how much of it recalibration could remove, whether that is more than chance, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.diagnosis.points import Point
from pingce.diagnosis.slope import recalibration
from pingce.evidence.binary.score_tables import pooled_loss
from pingce.metrics.binary.probabilities import base_loss

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

OFF = 0.05
"The share of the log loss that recalibration could remove before probabilities are called off."
LEVEL = 0.01
"Probabilities are called off only where a test of calibration rejects them at this level."
TOTAL = (0.95, 1.05)
_SLOPE = (0.9, 1.1)
"Between these, pcoc and the calibration slope are called right."
RARE = 0.2
"Below this share of positives a low loss, or a high AUC, is easy to get."


@dataclass(frozen=True)
class LossReading:
    """L0 of the base rate, L itself, L* after the best monotone recalibration, and how far off the probabilities are."""

    base: float
    loss: float
    recalibrated: float
    pcoc: float
    slope: float | None
    p: float
    "How likely probabilities that are right would look as far off."

    @property
    def removable(self) -> float:
        """The share of the loss that recalibration could remove."""
        return (self.loss - self.recalibrated) / self.loss if self.loss else 0.0

    @property
    def verdict(self) -> str:
        """Worse than a constant, off, or good."""
        off = self.removable > OFF and self.rejected
        return "worse_than_constant" if self.loss >= self.base else "off" if off else "good"

    @property
    def ne(self) -> float:
        """The loss over that of the base rate."""
        return self.loss / self.base

    @property
    def figures(self) -> Json:
        """What a document says of it."""
        names = ("base", "loss", "recalibrated", "removable", "ne", "pcoc", "slope", "verdict")
        return {name: getattr(self, name) for name in names}

    @property
    def rejected(self) -> bool:
        """Whether the test of calibration rejects."""
        return self.p < LEVEL

    @property
    def total_is_right(self) -> bool:
        """Whether as many positives were predicted as there are."""
        return TOTAL[0] <= self.pcoc <= TOTAL[1]

    @property
    def is_right(self) -> bool:
        """Whether total and slope are."""
        return self.total_is_right and (self.slope is None or _SLOPE[0] <= self.slope <= _SLOPE[1])


def loss_reading(scores: BinaryScores) -> LossReading | None:
    """The reading of the loss; None for other than probabilities.

    L* is fitted on these very rows, so that of a few hundred it removes more than 5 % by chance: probabilities are off
    only where, besides, the likelihood ratio test of logistic recalibration rejects.
    """
    evidence = scores.evidence
    if not evidence.rows.are_probabilities:
        return None
    sums = evidence.probability(None)
    if not 0 < sums.positives < sums.rows:
        return None
    best = pooled_loss(evidence.thresholds)
    fit = recalibration(evidence.thresholds, sums.epsilon, best * float(sums.rows))
    constant, pcoc = base_loss(sums.positives, sums.rows), float(sums.predicted / sums.positives)
    return LossReading(constant, float(sums.loss / sums.rows), best, pcoc, fit.slope, fit.p(evidence.dispersion))


def loss_points(order: str, loss: LossReading, base_rate: float, off_slices: Sequence[Text] = ()) -> list[Point]:
    """The three losses, the case of order (its verdict) and loss, and the slices whose totals are off."""
    good = loss.verdict == "good"
    case = _fitting(order, loss, base_rate, uneven=bool(off_slices)) if good else _off(order, loss)
    of_slices = (Point("slices", text) for text in off_slices)
    return [Point("loss", _losses(loss)), Point("probabilities", case), *of_slices]


def _losses(reading: LossReading) -> Text:
    loss, base, best = (f"{number:.4f}" for number in (reading.loss, reading.base, reading.recalibrated))
    return Text(
        f"Log loss {loss}; always predicting the base rate gives {base}; after the best monotone recalibration {best} (a lower "
        "bound: it is fitted on this very data).",
        f"对数损失 {loss}；若一律预估为正例占比，损失为 {base}；经最优单调校准后，损失为 {best}（这是下界：就在本数据上拟合）。",
    )


def _direction(loss: LossReading) -> Text:
    """Which way totals and shape are off, and whether chance explains it."""
    en, zh = _total_words(loss.pcoc)
    if (shape := _shape_words(loss)) is not None:
        en, zh = f"{en}, {shape.en}", f"{zh}，{shape.zh}"
    if loss.rejected or loss.is_right:
        return Text(en, zh)
    return Text(
        f"on these rows {en}, no further off than chance explains (test of calibration: p = {loss.p:.2g})",
        f"在这些行上{zh}，偏差可由偶然解释（校准检验 p = {loss.p:.2g}）",
    )


def _total_words(pcoc: float) -> Text:
    en, zh = "the total is right", "总量大致正确"
    if pcoc > TOTAL[1]:
        en, zh = "it over-estimates", "整体高估"
    elif pcoc < TOTAL[0]:
        en, zh = "it under-estimates", "整体低估"
    return Text(f"{en} (pcoc {pcoc:.3f})", f"{zh}（pcoc {pcoc:.3f}）")


def _shape_words(loss: LossReading) -> Text | None:
    """What the slope says; nothing where there is none, and no verdict on it where chance explains it."""
    slope = loss.slope
    if slope is None or slope <= 0:
        return None
    if not loss.rejected or _SLOPE[0] <= slope <= _SLOPE[1]:
        return Text(f"slope {slope:.2f}", f"斜率 {slope:.2f}")
    en, zh = ("extreme", "极端") if slope < _SLOPE[0] else ("timid", "保守")
    return Text(f"probabilities are too {en} (slope {slope:.2f})", f"概率过于{zh}（斜率 {slope:.2f}）")


def _fitting(order: str, loss: LossReading, base_rate: float, *, uneven: bool) -> Text:
    """The probabilities are right, or as near as these rows can tell."""
    direction, off = _with_rest(loss), f"{100 * loss.removable:.1f} %"
    if order == "good":
        if loss.rejected and not loss.total_is_right:
            return Text(
                f"The order is good, and recalibration could remove only {off} of the loss; yet {direction.en}: where the "
                "numbers themselves are used, e.g. for bids, recalibrate.",
                f"排序是好的，校准也只能去掉 {off} 的损失；但{direction.zh}：若直接使用概率（如出价），仍应校准。",
            )
        if uneven:
            return Text(
                f"The order is good; the probabilities fit as a whole ({direction.en}), but not in every slice.",
                f"排序是好的；概率总体上与实际相符（{direction.zh}），但并非每个切片都如此。",
            )
        return Text(f"Order and probabilities are both good: {direction.en}.", f"排序与概率都好：{direction.zh}。")
    if base_rate >= RARE:
        where = Text(" as a whole", "总体上") if uneven else Text("", "")
        return Text(
            f"The probabilities fit{where.en}, but the order is not good: {direction.en}; work on features, data and labels.",
            f"概率{where.zh}与实际相符，但排序不好：{direction.zh}；请改进特征、数据与标签。",
        )
    return Text(
        f"The loss looks low, but the order is not good: with a base rate of {base_rate:.4f} a low loss is "
        f"easy to get; look at ne, which is {loss.ne:.4f}.",
        f"损失看似不大，但排序不好：正例占比只有 {base_rate:.4f}，损失小并不难；请看 ne，为 {loss.ne:.4f}。",
    )


def _with_rest(loss: LossReading) -> Text:
    """The direction; where much of the loss could be removed on these rows by chance alone, that too."""
    direction = _direction(loss)
    if loss.rejected or loss.removable <= OFF:
        return direction
    off = f"{100 * loss.removable:.1f} %"
    if not loss.is_right:
        return Text(
            f"{direction.en}, nor is the {off} of the loss that recalibration removes there",
            f"{direction.zh}，校准由此去掉的 {off} 损失亦然",
        )
    return Text(
        f"{direction.en}; the {off} of the loss that recalibration removes on these rows is no more than chance "
        f"explains (test of calibration: p = {loss.p:.2g})",
        f"{direction.zh}；校准在这些行上去掉的 {off} 损失可由偶然解释（校准检验 p = {loss.p:.2g}）",
    )


def _off(order: str, loss: LossReading) -> Text:
    """The probabilities are off, or no better than a constant."""
    direction, off = _direction(loss), f"{100 * loss.removable:.1f} %"
    en, zh = ("", "")
    if loss.is_right and loss.slope is not None:
        en, zh = " (less on other data: total and slope are right)", "（在其他数据上会少一些：总量与斜率是对的）"
    verdict = Text("The probabilities are no better than a constant", "概率并不比一个常数好")
    if loss.verdict != "worse_than_constant":
        verdict = Text(
            f"The probabilities are off: recalibration could remove {off} of the loss{en}",
            f"概率不准：校准可去掉 {off} 的损失{zh}",
        )
    advice = _advice(order, loss.rejected)
    return Text(f"{verdict.en}; {direction.en}; {advice.en}.", f"{verdict.zh}；{direction.zh}；{advice.zh}。")


def _advice(order: str, rejected: bool) -> Text:
    """Recalibrate where the test rejects; work on the order where that is not good."""
    if order not in ("good", "weak"):
        return Text("and the order is bad too: look at features, data and labels", "排序也不好：请检查特征、数据与标签")
    if not rejected:
        return Text(
            "these rows do not show that recalibration would help: look at more data, features and labels",
            "这些行看不出校准会有帮助：请看更多数据，并检查特征与标签",
        )
    if order == "good":
        return Text("the order is good, so recalibrate", "排序是好的，应做校准")
    return Text(
        "recalibrate, but the order needs work too: features, data, labels",
        "应做校准，但排序也要改进：特征、数据、标签",
    )
