"""Losses of scores that are no probabilities: on which side of 0 they lie, and how far."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.exact import Floats, exact_dot
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import BinaryMetric, LabelledList
from pingce.metrics.declared import About


class Hinge(BinaryMetric):
    """How far scores are from being on the right side of 0 by 1.

    hinge = mean(max(0, 1 − t · s)), t = 1 for a positive row and −1 for a negative one                 [cortes1995]
    """

    name = "hinge"
    aliases = ("hinge_loss",)
    title = Text("Hinge loss", "合页损失（hinge）")
    formula_zh = "hinge = mean(max(0, 1 − t · s))，正例 t = 1，负例 t = −1"
    needs = "thresholds"
    uses = "scores"
    paired_test = "permutation"
    log_scale = True
    about = About(
        Text("Are scores on the right side, with room to spare?", "分数在正确的一侧，且留有余地吗？"),
        Text("Support vector machines: scores of any size, 0 is the border.", "支持向量机：分数大小不限，以 0 为界。"),
        Text("It means nothing for probabilities: those lie above 0 all.", "对概率没有意义：概率都在 0 以上。"),
        ("auc", "accuracy"),
        Text("(0.1 + 1.8 + 0.3 + 1.1) / 4 = 0.825", "(0.1 + 1.8 + 0.3 + 1.1) / 4 = 0.825"),
        range="0 … ∞",
        higher_is_better=False,
        also=("合页损失", "铰链损失"),
    )

    def value(self, view: BinaryView) -> float:
        rows, total = view.evidence.totals[0], Fraction(0)
        for table in view.ranges():
            score = table.score.astype(np.float64)
            for side, count in zip((-score, score), table.at, strict=True):
                total += exact_dot(np.maximum(0.0, 1 + side), count.astype(np.float64))
        return float(total / rows)

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        score = stack.score.astype(np.float64)
        top = stack.positive @ np.maximum(0.0, 1 - score) + stack.negative @ np.maximum(0.0, 1 + score)
        return quotients(top, (stack.positives + stack.negatives)[:, 0])

    def rows_for_interval(self) -> int:
        """It is a mean over rows."""
        return 0

    def row_losses(self, view: BinaryView) -> Floats:
        rows = view.evidence.rows
        score = rows.scores.astype(np.float64)
        return np.asarray(np.maximum(0.0, 1 + np.where(rows.positive.view(bool), -score, score)))

    def define(self, rows: LabelledList) -> float:
        total = sum(
            Fraction(weight) * Fraction(max(0.0, 1 - (score if y else -score))) for y, score, weight in rows.rows()
        )
        return float(total / Fraction(rows.count(0) + rows.count(1)))
