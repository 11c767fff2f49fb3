"""Areas under the curves of each label, of all cells, or of each row."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.binary.areas import Auc as BinaryAuc
from pingce.metrics.binary.areas import PrAuc as BinaryPrAuc
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import choice
from pingce.multilabel.base import Averaged, place_of
from pingce.multilabel.evidence import LabelView
from pingce.multilabel.plain import LabelList, plain_area, plain_mean, plain_precision

if TYPE_CHECKING:
    from pingce.multilabel.ranks import RankSums


@dataclass(frozen=True, kw_only=True)
class Area(Averaged):
    """Base: an area of each label, of all cells, or of each row."""

    uses = "order"
    binary: ClassVar[Any]
    "The metric of one label."

    lacking: str = choice(
        Text("A label or row without an area.", "没有面积的标签或行。"),
        skip=Text("it is left out, and counted", "不计入均值，但计数"),
        zero=Text("it counts 0", "计 0"),
        nan=Text("there is no mean then", "均值没有定义"),
    )

    @classmethod
    def undefined_words(cls, when: Text) -> Text:
        return Text(
            f"where {when.en}; in averages such a label or row counts as lacking= says, and is counted",
            f"当{when.zh}时；求平均时该标签或行按 lacking= 处理，并如实计数",
        )

    @property
    def needs_rows(self) -> bool:
        return self.average != "samples" or self.label is not None

    @property
    def reads_ranks(self) -> bool:
        return not self.needs_rows

    def policy(self, view: LabelView) -> str:
        return self.lacking

    def area(self, view: LabelView, at: int | None) -> float:
        """The area of a label, or of all cells; undefined where all hold, or none."""
        raise NotImplementedError

    def by_label(self, view: LabelView) -> Floats:
        return np.array([self.area(view, at) for at in range(len(view.labels))])

    def over_rows(self, ranks: RankSums) -> tuple[Fraction, Fraction, int]:
        """The sum over rows that have an area, their weight, and how many rows have none."""
        raise NotImplementedError

    def value(self, view: LabelView) -> float:
        if self.label is not None:
            return self.area(view, place_of(self.label, view.labels))
        if self.average == "micro":
            return self.area(view, None)
        if self.average != "samples":
            return self.mean_over_labels(view)
        top, weight, lacking = self.over_rows(view.ranks)
        weight = sum(view.ranks.amounts, Fraction(0)) if self.lacking == "zero" else weight
        return float(top / weight) if weight and not (lacking and self.lacking == "nan") else NAN

    def undefined_parts(self, view: LabelView) -> int:
        if self.label is not None or self.average == "micro":
            return 0
        if self.average == "samples":
            return self.over_rows(view.ranks)[2]
        return int(np.count_nonzero(np.isnan(self.by_label(view))))

    @staticmethod
    def plain(cells: list[tuple[int, float, Fraction]]) -> float:
        """The area of some cells, in plain Python."""
        raise NotImplementedError

    def define(self, rows: LabelList) -> float:
        names = rows.names()
        if self.label is not None:
            return self.plain(rows.column(place_of(self.label, names)))
        if self.average == "micro":
            return self.plain(rows.column(None))
        if self.average == "samples":
            each = [
                self.plain([(y, s, Fraction(1)) for y, s in zip(true, scores, strict=True)])
                for true, scores, _ in rows.rows()
            ]
            return plain_mean(each, [weight for _, _, weight in rows.rows()], self.lacking)
        return self.plain_average([self.plain(rows.column(at)) for at in range(len(names))], rows, self.lacking)


_ONE_KIND = Text("all rows of a label are of one kind", "某标签的各行都有或都没有")


class Auc(Area):
    """Area under the ROC curve of each label, averaged; equal scores count half.

    auc_l = (pairs of a row with l and one without, ordered rightly, ties ½) / (pairs), averaged over labels  [fawcett2006]
    """

    name = "auc"
    aliases = ("roc_auc", "auroc")
    chance = 0.5
    title = Text("AUC of labels", "各标签的 AUC")
    formula_zh = "auc_l = （有 l 与没有 l 的样本对中排对的数量，同分计 ½）/ 样本对数，再对各标签取平均"
    binary = BinaryAuc()
    about = About(
        Text("Do rows that have a label score higher in it than others?", "有某标签的行在该标签上得分更高吗？"),
        Text("Whether scores order rows, whatever the threshold.", "与阈值无关的排序能力。"),
        Text(
            "Labels that never occur have none; micro compares scores of different labels with each other.",
            "从未出现的标签没有 AUC；micro 会拿不同标签的分数相比。",
        ),
        ("pr_auc", "label_ranking_loss"),
        Text("labels: 1, 1/2, 1; mean 0.833333", "各标签：1、1/2、1；平均 0.833333"),
        undefined=_ONE_KIND,
        also=("ROC", "曲线下面积"),
    )

    def area(self, view: LabelView, at: int | None) -> float:
        return float(self.binary.value(view.label(at))) if all(view.is_mixed(at)) else NAN

    def over_rows(self, ranks: RankSums) -> tuple[Fraction, Fraction, int]:
        return ranks.amounts[2] - ranks.sums["half"], ranks.amounts[2], ranks.rows[0] + ranks.rows[1]

    @staticmethod
    def plain(cells: list[tuple[int, float, Fraction]]) -> float:
        return plain_area(cells)


class PrAuc(Area):
    """Area under the precision-recall curve of each label, averaged; tied scores are one step.

    pr_auc_l = Σ_n (R_n − R_{n−1}) · P_n over distinct scores of label l, averaged over labels              [manning2008]
    """

    name = "pr_auc"
    aliases = ("average_precision", "ap", "auprc")
    title = Text("Average precision of labels", "各标签的平均精度（PR 曲线下面积）")
    formula_zh = "pr_auc_l = Σ_n (R_n − R_{n−1}) · P_n，对标签 l 互不相同的分数由高到低求和，再对各标签取平均"
    binary = BinaryPrAuc()
    about = About(
        Text("How pure are the rows that score highest in a label?", "某标签得分最高的行有多准？"),
        Text('Rare labels; the "mAP" of image tagging is its macro average.', "稀有标签；图像标注的“mAP”即其宏平均。"),
        Text("It moves with how common a label is.", "随标签的常见程度变化。"),
        ("auc", "lrap"),
        Text("labels: 1, (1 + 2/3) / 2, 1; mean 0.944444", "各标签：1、(1 + 2/3) / 2、1；平均 0.944444"),
        undefined=Text("no row has the label", "没有行有该标签"),
        also=("mAP", "平均精度"),
    )

    def area(self, view: LabelView, at: int | None) -> float:
        return float(self.binary.value(view.label(at))) if view.is_mixed(at)[0] else NAN

    def over_rows(self, ranks: RankSums) -> tuple[Fraction, Fraction, int]:
        _, full, others = ranks.amounts
        return ranks.sums["precision"] + full, full + others, ranks.rows[0]

    @staticmethod
    def plain(cells: list[tuple[int, float, Fraction]]) -> float:
        return plain_precision(cells)
