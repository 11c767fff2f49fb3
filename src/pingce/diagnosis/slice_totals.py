"""Totals by slice: predicted over actual positives where the whole is right and its parts are not."""

from __future__ import annotations

import math
from statistics import NormalDist

from pingce.base.errors import one_line
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.diagnosis.loss import LEVEL, TOTAL
from pingce.evidence.binary.slice_totals import SliceSums
from pingce.scores.binary import BinaryScores
from pingce.scores.slices import NONE

_NAMED = 3
"Slices that the sentence names."


@dataclass(frozen=True)
class SliceTotal:
    """One slice: how many positives were predicted, how many there are, and how far chance alone would set them apart."""

    name: Text
    predicted: float
    positives: float
    deviation: float

    @property
    def pcoc(self) -> float:
        """Predicted over actual positives."""
        return self.predicted / self.positives if self.positives else math.inf

    @property
    def distance(self) -> float:
        """How far pcoc is from 1, alike for half and for double."""
        return abs(math.log(self.pcoc)) if 0 < self.pcoc < math.inf else math.inf

    def is_off(self, limit: float) -> bool:
        """Whether pcoc is wrong by more than a share that matters, and by more than chance explains."""
        return not TOTAL[0] <= self.pcoc <= TOTAL[1] and abs(self.predicted - self.positives) > limit * self.deviation


def off_slices(scores: BinaryScores) -> list[Text]:
    """A sentence on slices that were asked for and whose pcoc is off; nothing where chance explains all of them.

    In a slice whose probabilities are right the positives vary by √Σ w² p (1 − p) around Σ w p; of many slices one is
    off at 0.01 divided by their number (Bonferroni).
    """
    evidence = scores.evidence
    if not evidence.slice_totals or not evidence.rows.are_probabilities:
        return []
    totals = [total for total in map(_total, evidence.slice_totals) if total.predicted or total.positives]
    limit = NormalDist().inv_cdf(1 - LEVEL / (2 * max(1, len(totals))))
    off = sorted((total for total in totals if total.is_off(limit)), key=lambda total: -total.distance)
    if not off:
        return []
    low, high = (_ratio(pick(total.pcoc for total in totals)) for pick in (min, max))
    named = [(total.name, _ratio(total.pcoc)) for total in off[:_NAMED]]
    en = ", ".join(f"{name.en} ({pcoc})" for name, pcoc in named) + (" …" if len(off) > _NAMED else "")
    zh = "、".join(f"{name.zh}（{pcoc}）" for name, pcoc in named) + (" 等" if len(off) > _NAMED else "")
    return [
        Text(
            f"By slice pcoc goes from {low} to {high}; {len(off)} of {len(totals)} slices are off beyond chance: {en}; calibrate "
            "there, or give the model what tells these slices apart.",
            f"各切片的 pcoc 从 {low} 到 {high}；{len(totals)} 个切片中有 {len(off)} 个的偏差超出偶然：{zh}；"
            "请在这些切片上校准，或加入能区分它们的特征。",
        )
    ]


def _ratio(pcoc: float) -> str:
    return "∞" if math.isinf(pcoc) else f"{pcoc:.3f}"


def _total(sums: SliceSums) -> SliceTotal:
    words = NONE if sums.name is None else (sums.name, sums.name)
    title = Text(*(one_line(f"{sums.by} = {word}") for word in words))
    return SliceTotal(title, float(sums.predicted), float(sums.positive), math.sqrt(float(sums.variance)))
