"""Where two curves of the scores cross."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import NO_CLASS, BinaryMetric, LabelledList
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import choice


@dataclass(frozen=True, kw_only=True)
class EqualErrorRate(BinaryMetric):
    """The rate of errors where as large a share of the negatives is taken as of the positives is missed.

    eer = FPR where FPR = FNR, on the straight lines between the points of the ROC curve                [martin1997]
    """

    name = "eer"
    aliases = ("equal_error_rate",)
    title = Text("Equal error rate", "等错误率（EER）")
    formula_zh = "eer = ROC 曲线各点连成的折线上 FPR = FNR 处的 FPR"
    needs = "thresholds"
    about = About(
        Text("How often does it err where both errors are equally frequent?", "两类错误率相等时，错多少？"),
        Text("Biometrics, speaker and fraud detection.", "生物识别、说话人确认、欺诈检测。"),
        Text(
            "It is one point of the ROC curve, and ignores what errors cost.",
            "只是 ROC 曲线上的一点，也不考虑误判的代价。",
        ),
        ("auc", "ks"),
        Text("At 0.8: FPR 1/2, FNR 1/2: 0.5", "在 0.8 处：FPR 1/2，FNR 1/2：0.5"),
        undefined=NO_CLASS,
        higher_is_better=False,
        also=("等错误率", "EER"),
    )

    interpolation: str = choice(
        Text("What is taken where no threshold makes them equal.", "没有阈值使两者相等时怎么取。"),
        line=Text("the point on the line between two thresholds", "两个阈值连线上的交点"),
        nearest=Text(
            "the mean of both rates at the threshold where they are nearest (torchmetrics)",
            "两者最接近的阈值处，两个比率的均值（torchmetrics）",
        ),
    )

    def value(self, view: BinaryView) -> float:
        table = view.thresholds
        if not table.positives or not table.negatives:
            return NAN
        return float(self.rate(table, *self.place(table)))

    def place(self, table: ThresholdEvidence) -> tuple[int, Any]:
        """The threshold (-1: above all scores), and P · N · (FPR − FNR) of all of them."""
        apart = excess(table)
        if self.interpolation == "line":
            return int(np.argmax(apart >= 0)), apart
        nearest = int(np.argmin(np.abs(apart)))
        far = abs(apart[[nearest]].tolist()[0]) >= table.positives * table.negatives
        return -1 if far else nearest, apart

    def rate(self, table: ThresholdEvidence, place: int, apart: Any) -> Fraction:
        """The rate there."""
        positives, negatives = Fraction(table.positives), Fraction(table.negatives)
        if self.interpolation == "nearest":
            fp, tp = _counts(table, place)
            return (fp / negatives + 1 - tp / positives) / 2
        (fp, _), (before, _) = _counts(table, place), _counts(table, place - 1)
        high = Fraction(apart[[place]].tolist()[0])
        low = Fraction(apart[[place - 1]].tolist()[0]) if place else -positives * negatives
        return (before + (fp - before) * -low / (high - low)) / negatives

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        nothing = np.zeros((len(stack.tp), 1))
        fpr, tpr = (
            quotients(np.concatenate([nothing, column], axis=1), total)
            for column, total in ((stack.fp, stack.negatives), (stack.tp, stack.positives))
        )
        apart, rows = fpr + tpr - 1, np.arange(len(fpr))
        if self.interpolation == "nearest":
            place = np.argmin(np.abs(apart), axis=1)
            return np.asarray((fpr[rows, place] + 1 - tpr[rows, place]) / 2)
        after = np.argmax(apart >= 0, axis=1)
        before = np.maximum(after - 1, 0)
        low, high = apart[rows, before], apart[rows, after]
        share = quotients(-low, high - low)
        return np.asarray(fpr[rows, before] + share * (fpr[rows, after] - fpr[rows, before]))

    def define(self, rows: LabelledList) -> float:
        """Along the curve, from above all scores."""
        positives, negatives = Fraction(rows.count(1)), Fraction(rows.count(0))
        if not positives or not negatives:
            return NAN
        counts = [(Fraction(cells.fp), Fraction(cells.tp)) for _, cells in rows.at_thresholds()]
        points = [(Fraction(0), Fraction(1)), *((fp / negatives, 1 - tp / positives) for fp, tp in counts)]
        if self.interpolation == "nearest":
            fpr, fnr = min(points, key=lambda point: abs(point[0] - point[1]))
            return float((fpr + fnr) / 2)
        after = next(at for at, (fpr, fnr) in enumerate(points) if fpr >= fnr)
        (x0, y0), (x1, y1) = points[after - 1], points[after]
        return float(x0 + (x1 - x0) * (y0 - x0) / ((y0 - x0) + (x1 - y1)))


def excess(table: ThresholdEvidence) -> Any:
    """P · N · (FPR − FNR) at each threshold: counts stay whole."""
    above = table.widened(table.fp) * table.positives + table.widened(table.tp) * table.negatives
    return above - table.positives * table.negatives


def _counts(table: ThresholdEvidence, place: int) -> tuple[Fraction, Fraction]:
    """FP and TP at a threshold; nothing above all scores."""
    if place < 0:
        return Fraction(0), Fraction(0)
    return Fraction(table.fp[place].item()), Fraction(table.tp[place].item())
