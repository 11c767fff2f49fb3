"""Metrics of decisions at a threshold, of each label or of each row, made one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.exact import Floats, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import Number, parameter
from pingce.multilabel.base import KINDS, Averaged, MultilabelMetric, mean, place_of
from pingce.multilabel.evidence import LabelView
from pingce.multilabel.plain import Four, LabelList, plain_mean

_NOTHING = Text("there is nothing to divide by", "分母为 0")


class PerLabel(Averaged):
    """Base: a division of counts, of each label, of all cells, or of each row."""

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        """What is divided by what: right, predicted, true, and all rows of a label, or labels of a row."""
        raise NotImplementedError

    def by_label(self, view: LabelView) -> Floats:
        counts = view.decisions
        return divided(*self.division(counts.tp, counts.predicted, counts.true, view.total))

    def by_row(self, view: LabelView) -> Floats:
        """The value of the rows of each pattern."""
        patterns = view.decisions.patterns
        return divided(*self.division(patterns.tp, patterns.predicted, patterns.true, len(view.labels)))

    def pooled(self, view: LabelView) -> tuple[float, float]:
        """What is divided by what, of all cells."""
        counts = view.decisions
        tp, predicted, true = (float(exact_sum(each)) for each in (counts.tp, counts.predicted, counts.true))
        top, bottom = self.division(tp, predicted, true, view.total * len(view.labels))
        return float(top), float(bottom)

    def value(self, view: LabelView) -> float:
        if self.label is not None:
            return float(self.by_label(view)[place_of(self.label, view.labels)])
        if self.average == "micro":
            top, bottom = self.pooled(view)
            return top / bottom if bottom else NAN
        if self.average == "samples":
            return mean(self.by_row(view), view.decisions.patterns.amount, self.policy(view), self.name, KINDS)
        return self.mean_over_labels(view)

    def undefined_parts(self, view: LabelView) -> int:
        if self.label is not None or self.average == "micro":
            return 0
        if self.average == "samples":
            return int(view.decisions.patterns.rows[np.isnan(self.by_row(view))].sum())
        return int(np.count_nonzero(np.isnan(self.by_label(view))))

    def define(self, rows: LabelList) -> float:
        names = rows.names()
        if self.label is not None:
            return self._plain(rows.of_label(place_of(self.label, names)))
        if self.average == "samples":
            each = rows.of_rows()
            return plain_mean(
                [self._plain(four) for four, _ in each], [weight for _, weight in each], rows.undefined_label
            )
        labels = [rows.of_label(at) for at in range(len(names))]
        if self.average == "micro":
            fields = ("tp", "predicted", "true", "total")
            return self._plain(Four(*(sum(getattr(four, name) for four in labels) for name in fields)))
        return self.plain_average([self._plain(four) for four in labels], rows, rows.undefined_label)

    def _plain(self, four: Four) -> float:
        top, bottom = self.division(four.tp, four.predicted, four.true, four.total)
        return float(top / bottom) if bottom else NAN


def divided(top: Any, bottom: Any) -> Floats:
    """A quotient for each; NaN where there is nothing to divide by."""
    top, bottom = (np.asarray(side, np.float64) for side in (top, bottom))
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    shares: Floats = np.divide(top, bottom, out=np.full(shape, np.nan), where=np.broadcast_to(bottom != 0, shape))
    return shares


class Precision(PerLabel):
    """Share of the predicted labels that hold.

    P_l = TP_l / predicted_l, averaged over labels; with average=samples |T ∩ P| / |P|, averaged over rows   [tsoumakas2010]
    """

    name = "precision"
    aliases = ("p",)
    title = Text("Precision", "精确率（查准率）")
    formula_zh = "P_l = TP_l / predicted_l，再对各标签取平均；average=samples 时为 |T ∩ P| / |P|，再对各行取平均"
    about = About(
        Text("Of the labels that are predicted, how many hold?", "预测出的标签有多少是对的？"),
        Text("Tags that people see: a wrong one is costly.", "给人看的标签：错一个代价高。"),
        Text("It ignores labels that are missed.", "不看漏掉的标签。"),
        ("recall", "f"),
        Text("labels: 2/2, 1/1, 1/2; mean 0.833333", "各标签：2/2、1/1、1/2；平均 0.833333"),
        undefined=_NOTHING,
        also=("查准率", "精度"),
    )

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        return tp, predicted


class Recall(PerLabel):
    """Share of the labels that hold that are predicted.

    R_l = TP_l / true_l, averaged over labels; with average=samples |T ∩ P| / |T|, averaged over rows        [tsoumakas2010]
    """

    name = "recall"
    aliases = ("r", "sensitivity")
    title = Text("Recall", "召回率（查全率）")
    formula_zh = "R_l = TP_l / true_l，再对各标签取平均；average=samples 时为 |T ∩ P| / |T|，再对各行取平均"
    about = About(
        Text("Of the labels that hold, how many are predicted?", "应有的标签预测出了多少？"),
        Text("A label that is missed is costly.", "漏掉标签代价高的场景。"),
        Text("It ignores labels that are predicted wrongly.", "不看多预测的标签。"),
        ("precision", "f"),
        Text("labels: 2/2, 1/2, 1/1; mean 0.833333", "各标签：2/2、1/2、1/1；平均 0.833333"),
        undefined=_NOTHING,
        also=("查全率",),
    )

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        return tp, true


@dataclass(frozen=True, kw_only=True)
class FMeasure(PerLabel):
    """Harmonic mean of precision and recall; β > 1 values recall more.

    F_l = (1 + β²) · TP_l / (β² · true_l + predicted_l), averaged over labels, or likewise over rows        [tsoumakas2010]
    """

    name = "f"
    aliases = ("f1", "fbeta")
    title = Text("F measure", "F 值（F1、Fβ）")
    formula_zh = "F_l = (1 + β²) · TP_l / (β² · true_l + predicted_l)，再对各标签（或同样地对各行）取平均"
    about = About(
        Text("Are predicted labels right, and right ones predicted?", "预测的标签既准又全吗？"),
        Text(
            "The usual number of multi-label classifiers; say which average.", "多标签分类的常用指标；请写明平均方式。"
        ),
        Text(
            "Macro, micro, weighted and samples may differ by tens of points: a bare F1 says nothing.",
            "macro、micro、weighted、samples 可能相差几十个百分点：只写 F1 等于没说。",
        ),
        ("precision", "recall", "hamming"),
        Text("labels: 1, 2/3, 2/3; mean 0.777778", "各标签：1、2/3、2/3；平均 0.777778"),
        undefined=_NOTHING,
        also=("F1", "F1值", "宏平均", "微平均"),
    )

    beta: float = parameter(1.0, Number(above=0), Text("How much more recall counts.", "召回率的相对权重。"))

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        square = self.beta**2
        square = int(square) if square == int(square) else square
        return (1 + square) * tp, square * true + predicted

    def _plain(self, four: Four) -> float:
        """From precision and recall, as people define it."""
        if not four.true + four.predicted:
            return NAN
        if not four.tp:
            return 0.0
        precision, recall = float(four.tp / four.predicted), float(four.tp / four.true)
        return (1 + self.beta**2) * precision * recall / (self.beta**2 * precision + recall)


class Jaccard(PerLabel):
    """Labels that hold and are predicted, as a share of those that hold or are predicted.

    J_l = TP_l / (true_l + predicted_l − TP_l), averaged over labels; average=samples: |T ∩ P| / |T ∪ P|    [tsoumakas2010]
    """

    name = "jaccard"
    aliases = ("iou", "jaccard_index")
    title = Text("Jaccard index", "Jaccard 系数（交并比）")
    formula_zh = "J_l = TP_l / (true_l + predicted_l − TP_l)，再对各标签取平均；average=samples 时为 |T ∩ P| / |T ∪ P|"
    about = About(
        Text("How much do predicted and true labels overlap?", "预测与真实标签重合多少？"),
        Text(
            'With average=samples: the "accuracy" of much of the literature.',
            "average=samples 时即许多文献所说的“准确率”。",
        ),
        Text("It ignores labels that are rightly not predicted.", "不看正确地没有预测的标签。"),
        ("f", "exact_match"),
        Text("labels: 2/2, 1/2, 1/2; mean 0.666667", "各标签：2/2、1/2、1/2；平均 0.666667"),
        undefined=_NOTHING,
        also=("交并比", "杰卡德"),
    )

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        return tp, true + predicted - tp


class Accuracy(PerLabel):
    """Share of the cells that are right: labels that hold and are predicted, or neither. Not scikit-learn's, which is exact_match.

    A_l = (rows right in label l) / n, averaged over labels; macro, micro and samples are 1 − hamming        [tsoumakas2010]
    """

    name = "accuracy"
    aliases = ("acc", "label_accuracy")
    title = Text("Accuracy of single labels", "单标签准确率")
    formula_zh = "A_l = 标签 l 判对的行数 / n，再对各标签取平均；macro、micro、samples 都等于 1 − hamming"
    about = About(
        Text("How many of all yes/no decisions are right?", "所有“有/无”的判断有多少是对的？"),
        Text("Labels that hold about as often as not.", "各标签有无大致各半时。"),
        Text(
            "Where labels are rare, predicting none is nearly perfect; scikit-learn's accuracy_score is another number (exact_match).",
            "标签稀少时，一个也不预测就接近满分；scikit-learn 的 accuracy_score 是另一个数（exact_match）。",
        ),
        ("hamming", "exact_match", "f"),
        Text("labels: 3/3, 2/3, 2/3; mean 0.777778", "各标签：3/3、2/3、2/3；平均 0.777778"),
        also=("准确率", "正确率"),
    )

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        return total - true - predicted + 2 * tp, total


class Specificity(PerLabel):
    """Share of the labels that do not hold that are not predicted.

    S_l = (rows without l and not predicted) / (rows without l), averaged over labels, or likewise over rows [fawcett2006]
    """

    name = "specificity"
    aliases = ("tnr",)
    title = Text("Specificity", "特异度（真负率）")
    formula_zh = "S_l = 没有标签 l 且没有预测的行数 / 没有标签 l 的行数，再对各标签（或同样地对各行）取平均"
    about = About(
        Text("Of the labels that do not hold, how many are left out?", "不该有的标签有多少没有预测？"),
        Text("Beside recall, in medicine.", "医学中与召回率并列。"),
        Text("Of many rare labels it is always near 1.", "标签又多又稀时总接近 1。"),
        ("recall", "precision"),
        Text("labels: 1/1, 1/1, 1/2; mean 0.833333", "各标签：1/1、1/1、1/2；平均 0.833333"),
        undefined=_NOTHING,
        also=("真负率", "特异性"),
    )

    def division(self, tp: Any, predicted: Any, true: Any, total: Any) -> tuple[Any, Any]:
        return total - true - predicted + tp, total - true


class Hamming(MultilabelMetric):
    """Share of all cells that are wrong: labels that are missed, or predicted without holding.

    hamming = Σ_l (true_l + predicted_l − 2 TP_l) / (n · L)                                                [schapire2000]
    """

    name = "hamming"
    aliases = ("hamming_loss",)
    title = Text("Hamming loss", "汉明损失")
    about = About(
        Text("How many of all yes/no decisions are wrong?", "所有“有/无”的判断有多少是错的？"),
        Text("The classic loss of multi-label papers.", "多标签论文中的经典损失。"),
        Text("Where labels are rare, predicting none is nearly perfect.", "标签稀少时，一个也不预测就接近满分。"),
        ("f", "exact_match"),
        Text("2 of 9 cells are wrong: 0.222222", "9 个格子中错 2 个：0.222222"),
        higher_is_better=False,
        also=("汉明距离",),
    )

    def wrong(self, view: LabelView) -> tuple[float, float]:
        """Wrong cells, and all."""
        counts = view.decisions
        wrong = float(exact_sum(counts.true + counts.predicted - 2 * counts.tp))
        return wrong, view.total * len(view.labels)

    def value(self, view: LabelView) -> float:
        wrong, cells = self.wrong(view)
        return wrong / cells if cells else NAN

    def define(self, rows: LabelList) -> float:
        cells = [
            (abs(y - rows.is_predicted(s)) * weight, weight)
            for true, scores, weight in rows.rows()
            for y, s in zip(true, scores, strict=True)
        ]
        return float(sum(wrong for wrong, _ in cells) / sum(weight for _, weight in cells))


class ExactMatch(MultilabelMetric):
    """Share of the rows whose labels are all right: none missed, none too many.

    exact_match = (rows with P = T) / n                                                                   [tsoumakas2010]
    """

    name = "exact_match"
    aliases = ("subset_accuracy", "exact_match_ratio")
    title = Text("Exact match (subset accuracy)", "完全匹配率（子集准确率）")
    formula_zh = "exact_match = 满足 P = T 的行数 / n"
    about = About(
        Text("How many rows are right in every label?", "有多少行的标签全对？"),
        Text("Where a row is of no use unless it is all right.", "一行全对才有用的场景。"),
        Text("A row with one wrong label counts as much as one that is all wrong.", "错一个标签与全错同样计 0。"),
        ("hamming", "jaccard"),
        Text("2 of 3 rows are all right: 0.666667", "3 行中 2 行全对：0.666667"),
        also=("子集准确率", "全匹配"),
    )

    def right(self, view: LabelView) -> float:
        """Rows that are all right, or Σ w."""
        patterns = view.decisions.patterns
        whole = (patterns.tp == patterns.true) & (patterns.tp == patterns.predicted)
        return float(exact_sum(patterns.amount[whole]))

    def value(self, view: LabelView) -> float:
        return self.right(view) / view.total if view.total else NAN

    def define(self, rows: LabelList) -> float:
        right = sum(
            weight
            for true, scores, weight in rows.rows()
            if all(y == rows.is_predicted(s) for y, s in zip(true, scores, strict=True))
        )
        return float(right / sum(weight for _, _, weight in rows.rows()))
