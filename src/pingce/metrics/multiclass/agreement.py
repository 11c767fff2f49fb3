"""Agreement of true and predicted classes over the whole confusion matrix."""

from __future__ import annotations

from fractions import Fraction
from math import copysign
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.exact import Floats, root
from pingce.base.text import Text
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.metrics.declared import NAN, About
from pingce.metrics.multiclass.base import ClassList, MulticlassMetric

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView


class Accuracy(MulticlassMetric):
    """Share of rows whose class was predicted.

    accuracy = Σ_c n_cc / n                                                                            [fawcett2006]
    """

    name = "accuracy"
    aliases = ("acc",)
    title = Text("Accuracy", "准确率")
    paired_test = "mcnemar"
    about = About(
        Text("How often is the class right?", "判对了多少？"),
        Text("Classes of similar size.", "各类样本数相近时。"),
        Text("Large classes decide it; small ones may fail unseen.", "由大类决定；小类全错也看不出来。"),
        ("f", "balanced_accuracy"),
        Text("3 a, 1 b and 1 c of 7 rows: 5 / 7 = 0.714286", "7 行中 a 对 3、b 对 1、c 对 1：5 / 7 = 0.714286"),
        also=("正确率", "精度"),
    )

    def value(self, view: ClassView) -> float:
        return view.confusion.all_right / view.confusion.total

    def row_losses(self, view: ClassView) -> Floats | None:
        """Whether the predicted class is right."""
        rows = view.evidence.rows
        right = None if rows.prediction is None else rows.prediction.codes == rows.truth.codes
        return None if right is None else np.asarray(right, np.float64)

    def define(self, rows: ClassList) -> float:
        return sum(weight for true, predicted, weight in rows.rows() if true == predicted) / rows.total()


class Kappa(MulticlassMetric):
    """Agreement beyond chance.

    κ = (p_o − p_e) / (1 − p_e), p_o = accuracy, p_e = Σ_c true_c · predicted_c / n²                     [cohen1960]
    """

    name = "kappa"
    aliases = ("cohen_kappa",)
    title = Text("Cohen's kappa", "Kappa 系数")
    formula_zh = "κ = (p_o − p_e) / (1 − p_e)，p_o = 准确率，p_e = Σ_c true_c · predicted_c / n²"
    about = About(
        Text("How much better than chance?", "比碰运气好多少？"),
        Text("Agreement of two judges, or of model and label.", "两位标注者之间，或模型与标注的一致性。"),
        Text("It depends on how frequent the classes are.", "受类别频率影响。"),
        ("mcc", "accuracy"),
        Text(
            "p_o = 5/7, p_e = (4·3 + 2·2 + 1·2) / 49: (35 − 18) / (49 − 18) = 0.548387",
            "p_o = 5/7，p_e = (4·3 + 2·2 + 1·2) / 49：(35 − 18) / (49 − 18) = 0.548387",
        ),
        range="−1 … 1",
        undefined=Text("p_e = 1: only one class in truth and prediction", "p_e = 1：真值与预测都只有同一类"),
        also=("一致性", "科恩"),
    )

    def value(self, view: ClassView) -> float:
        """(n · diagonal − c) / (n² − c), so that counts are divided once."""
        confusion = view.confusion
        if np.count_nonzero(confusion.present) == 1:
            return NAN
        n, right, true, predicted = margins(confusion)
        chance = sum(t * p for t, p in zip(true, predicted, strict=True))
        return float((n * right - chance) / (n * n - chance))

    def define(self, rows: ClassList) -> float:
        if len(rows.occurring()) == 1:
            return NAN
        n = rows.total()
        observed = Accuracy().define(rows)
        sums = ((rows.cells(label), rows.support(label)) for label in rows.classes())
        expected: float = sum((cells.tp + cells.fp) * support for cells, support in sums) / (n * n)
        return (observed - expected) / (1 - expected)


class Matthews(MulticlassMetric):
    """Correlation of true and predicted class.

    mcc = (n · Σ_c n_cc − Σ_c t_c · p_c) / √((n² − Σ_c p_c²)(n² − Σ_c t_c²)); 0 if the root is 0      [matthews1975]
    """

    name = "mcc"
    aliases = ("matthews",)
    title = Text("Matthews correlation", "马修斯相关系数（MCC）")
    formula_zh = "mcc = (n · Σ_c n_cc − Σ_c t_c · p_c) / √((n² − Σ_c p_c²)(n² − Σ_c t_c²))；根式为 0 时取 0"
    about = About(
        Text("Do prediction and truth go together?", "预测与真值一致吗？"),
        Text("Imbalanced classes, one number.", "类别不平衡，用一个数概括。"),
        Text("It hides which classes are confused.", "看不出哪些类混淆。"),
        ("kappa", "f"),
        Text("(7·5 − 18) / √((49 − 17)(49 − 21)) = 0.56793", "(7·5 − 18) / √((49 − 17)(49 − 21)) = 0.56793"),
        range="−1 … 1",
        also=("马修斯",),
    )

    def value(self, view: ClassView) -> float:
        return correlation(*margins(view.confusion))

    def define(self, rows: ClassList) -> float:
        cells = [rows.cells(label) for label in rows.classes()]
        true, predicted = [column.tp + column.fn for column in cells], [column.tp + column.fp for column in cells]
        right, n = (sum(map(Fraction, side), Fraction(0)) for side in ([column.tp for column in cells], true))
        return correlation(n, right, [*map(Fraction, true)], [*map(Fraction, predicted)])


def margins(confusion: ConfusionEvidence) -> tuple[Fraction, Fraction, list[Fraction], list[Fraction]]:
    """All rows, the right ones, and the margins, as fractions: differences of their products lose nothing."""
    true, predicted = ([Fraction(count) for count in side.tolist()] for side in (confusion.true, confusion.predicted))
    return sum(true, Fraction(0)), sum(map(Fraction, confusion.right.tolist()), Fraction(0)), true, predicted


def correlation(n: Fraction, right: Fraction, true: list[Fraction], predicted: list[Fraction]) -> float:
    """The formula of mcc."""
    if any(sum(count > 0 for count in side) < 2 for side in (true, predicted)):
        return 0.0
    together = n * right - sum(t * p for t, p in zip(true, predicted, strict=True))
    bottom = [n * n - sum(count * count for count in side) for side in (predicted, true)]
    return min(1.0, copysign(root(together**2, bottom[0] * bottom[1]), together))  # margins of weights are rounded
