"""Metrics of the probabilities of classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_sum
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.losses import row_losses
from pingce.evidence.binary.thresholds import Pairs
from pingce.metrics.declared import NAN, About, RowTerms
from pingce.metrics.multiclass.base import ClassList, MulticlassMetric, average, defined_average, settle
from pingce.metrics.parameters import Number, choice, parameter

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView


class ProbabilityMetric(MulticlassMetric):
    """Base of the metrics that need probabilities."""

    needs = "proba"
    needs_rows = True
    uses = "probabilities"
    example_data = (("a", "b", "c"), ((0.7, 0.2, 0.1), (0.4, 0.35, 0.25), (0.2, 0.5, 0.3)))
    "True labels, and the probabilities of a, b and c."
    symbols = Text(
        "p_c: probability of class c · p_true: that of the true class · AUC(i|j): rows of class i against rows of class j, by p_i",
        "p_c：c 类的概率 · p_true：真实类别的概率 · AUC(i|j)：按 p_i 比较 i 类与 j 类的行",
    )


class TopKAccuracy(ProbabilityMetric):
    """Share of rows whose true class is among the k most probable; equal ones stand in the order of the labels.

    top_k_accuracy@k = share of rows whose true class is among the k most probable                     [fawcett2006]
    """

    name = "top_k_accuracy"
    aliases = ("topk", "top_k")
    title = Text("Top-k accuracy", "Top-k 准确率")
    needs_rows = False
    formula_zh = "top_k_accuracy@k = 真实类别位于概率最大的 k 个类别之中的行数占比"
    takes: ClassVar[str] = "k"
    about = About(
        Text("Is the right class among the first k?", "正确的类别在前 k 个里吗？"),
        Text("Many classes, several suggestions shown.", "类别很多、可给出多个候选时。"),
        Text("It ignores the place within k.", "不看在前 k 中的位置。"),
        ("accuracy", "logloss"),
        Text("a is first, b second, c second: 3 / 3 = 1", "a 排第一，b 排第二，c 排第二：3 / 3 = 1"),
        example=("top_k_accuracy@2",),
        also=("TopK准确率", "Top-5"),
    )

    def check(self) -> None:
        """Without k the first class alone counts."""
        if self.k is None:
            object.__setattr__(self, "k", 1)

    def sums(self) -> tuple[str, Any]:
        return "among", int(self.k or 1)

    def value(self, view: ClassView) -> float:
        evidence = view.evidence
        return float(evidence.among(int(self.k or 1)) / evidence.weight)

    def right_rows(self, view: ClassView) -> NDArray[np.bool_]:
        return view.evidence.places() < int(self.k or 1)

    def define(self, rows: ClassList) -> float:
        right = 0.0
        for place, likely, weight in rows.probabilities():
            before = [p > likely[place] or (p == likely[place] and i < place) for i, p in enumerate(likely)]
            right += weight * (sum(before) < (self.k or 1))
        return right / rows.total()


@dataclass(frozen=True, kw_only=True)
class LogLoss(ProbabilityMetric):
    """Mean negative logarithm of the probability of the true class.

    logloss = −mean(ln p_true), p kept within [ε, 1 − ε]                                                    [he2014]
    """

    name = "logloss"
    aliases = ("log_loss", "cross_entropy")
    paired_test = "permutation"
    takes_logarithm = True
    title = Text("Log loss (cross entropy)", "对数损失（交叉熵）")
    needs_rows = False
    formula_zh = "logloss = −mean(ln p_true)，p 限制在 [ε, 1 − ε] 内"
    about = About(
        Text("How surprised is the model by the true class?", "真实类别出乎模型意料吗？"),
        Text("Probabilities that are used as such.", "直接使用概率的场景。"),
        Text("One confident error can dominate it.", "一个过于自信的错误就可能主导它。"),
        ("accuracy", "auc"),
        Text("−(ln 0.7 + ln 0.35 + ln 0.3) / 3 = 0.870157", "−(ln 0.7 + ln 0.35 + ln 0.3) / 3 = 0.870157"),
        range="0 … ∞",
        higher_is_better=False,
        also=("交叉熵",),
    )

    eps: float | None = parameter(
        None,
        Number(above=0, below=0.5, optional=True),
        Text(
            "p is kept within [ε, 1 − ε]; by default the machine epsilon of the probabilities' type.",
            "p 限制在 [ε, 1 − ε] 内；默认取概率类型的机器精度。",
        ),
    )

    def sums(self) -> tuple[str, Any]:
        return "losses", self.eps

    def value(self, view: ClassView) -> float:
        sums = view.evidence.losses(self.eps)
        return float(sums.loss / sums.rows)

    def row_losses(self, view: ClassView) -> Floats:
        """−ln of the probability of the true class."""
        proba, rows = view.evidence.proba, view.evidence.rows
        likely = proba[np.arange(len(rows)), rows.truth.codes]
        epsilon = float(np.finfo(proba.dtype).eps) if self.eps is None else self.eps
        return row_losses(likely, np.ones(len(likely), np.uint8), epsilon)

    def define(self, rows: ClassList) -> float:
        epsilon, total = rows.epsilon if self.eps is None else self.eps, 0.0
        for place, probabilities, weight in rows.probabilities():
            total -= weight * log(min(max(probabilities[place], epsilon), 1 - epsilon))
        return total / rows.total()


def area(pairs: Pairs) -> float:
    """The share of concordant pairs; NaN where there are none."""
    bottom = 2 * pairs.positives * pairs.negatives
    return min(1.0, pairs.twice_concordant / bottom) if bottom else NAN  # sums of weights are rounded


@dataclass(frozen=True, kw_only=True)
class Auc(ProbabilityMetric):
    """AUC of each class against the rest, or of each pair of classes, averaged.

    auc = mean_c AUC(p_c; c against the rest); ovo: mean_{i<j} (AUC(i|j) + AUC(j|i)) / 2                  [hand2001]
    """

    name = "auc"
    aliases = ("roc_auc", "auroc")
    title = Text("AUC of several classes", "多分类 AUC")
    over_classes = True
    formula_zh = "auc = mean_c AUC(p_c；c 类对其余)；ovo：mean_{i<j} (AUC(i|j) + AUC(j|i)) / 2"
    about = About(
        Text("Does a row of a class get a higher probability of it than others?", "属于某类的样本，该类的概率更高吗？"),
        Text("The order of probabilities, class by class.", "逐类看概率的排序能力。"),
        Text("It ignores the probabilities themselves.", "不看概率本身是否准确。"),
        ("logloss", "accuracy"),
        Text("a: 1, b: 0.5, c: 1; (1 + 0.5 + 1) / 3 = 0.833333", "a：1，b：0.5，c：1；(1 + 0.5 + 1) / 3 = 0.833333"),
        undefined=Text("a class does not occur, or no other does", "某类没有出现，或只出现该类"),
        also=("多类AUC",),
    )

    multi: str = choice(
        Text("What is compared.", "如何比较。"),
        ovr=Text("each class against all others", "每类对其余"),
        ovo=Text("each pair of classes (Hand & Till)", "两两比较（Hand & Till）"),
    )
    average: str = choice(
        Text("How classes or pairs make one number.", "各类（或各对）如何合成一个数。"),
        macro=Text("the mean", "取平均"),
        weighted=Text("weighted by their rows", "按样本数加权"),
    )

    def value(self, view: ClassView) -> float:
        """From the pairs of each comparison; one that lacks rows of a class is left out, and counted."""
        areas, rows = self.areas(view)
        weights = np.array(rows if self.average == "weighted" else [1.0] * len(areas))
        values, policy = np.array(areas), left_out(view.policies.undefined_class)
        if view.whole is not None:
            kept = ~np.isnan(values) | np.isnan(self.areas(view.whole)[0])
            values, weights = values[kept], weights[kept]
        return average(values, weights, policy, view.labels, self.name)

    def areas(self, view: ClassView) -> tuple[list[float], list[float]]:
        """Of each comparison, and how many rows it has."""
        evidence = view.evidence
        return self._compared(lambda i, j: area(evidence.pairs(i, j)), evidence.supports())

    def row_terms(self, view: ClassView) -> RowTerms:
        """What each row moves the mean of the areas by, and with `average=weighted` the rows that they are weighted by."""
        rows, value = view.evidence.rows, self.value(view)
        codes, weights = rows.truth.codes, np.ones(len(rows)) if rows.weight is None else rows.weight
        areas, counts = (np.array(column) for column in self.areas(view))
        is_weighted, defined = self.average == "weighted", ~np.isnan(areas)
        shares = np.where(defined, counts if is_weighted else 1.0, 0.0)
        shares = shares / shares.sum()
        moved, total = np.zeros(len(rows)), float(exact_sum(weights))
        for place in np.flatnonzero(defined).tolist():
            sides = self._sides(len(view.labels))[place]
            inside = np.isin(codes, sides) if len(sides) > 1 else np.ones(len(rows), bool)
            for at in sides:
                each = placements(view.evidence.proba[inside, at], codes[inside] == at, weights[inside])
                moved[inside] += shares[place] / len(sides) * total * each
            if is_weighted:
                moved[np.isin(codes, sides)] += (areas[place] - value) * total / float(counts[defined].sum())
        return RowTerms(moved, value=value)

    def _sides(self, count: int) -> list[tuple[int, ...]]:
        """The classes of each comparison: one against the rest, or two."""
        return [(c,) for c in range(count)] if self.multi == "ovr" else [*combinations(range(count), 2)]

    def _compared(
        self, area_of: Callable[[int, int | None], float], support: list[float]
    ) -> tuple[list[float], list[float]]:
        """The area and the rows of each class against the rest, or of each pair of classes."""
        if self.multi == "ovr":
            return [area_of(c, None) for c in range(len(support))], support
        both = list(combinations(range(len(support)), 2))
        return [(area_of(i, j) + area_of(j, i)) / 2 for i, j in both], [support[i] + support[j] for i, j in both]

    def undefined_classes(self, view: ClassView) -> int:
        return int(np.count_nonzero(np.isnan(self.areas(view)[0])))

    def define(self, rows: ClassList) -> float:
        support = [rows.support(label) for label in rows.classes()]
        areas, counts = self._compared(partial(_defined_area, rows), support)
        weights = counts if self.average == "weighted" else [1.0] * len(areas)
        return defined_average(*settle(areas, weights, left_out(rows.undefined_class)))


def placements(scores: NDArray[Any], positive: NDArray[np.bool_], weights: Floats) -> Floats:
    """The weight of the other side that each row stands right to, less the area, over the weight of its side."""
    values, place = np.unique(scores, return_inverse=True)
    place = place.reshape(-1)
    sides = [sums_by_place(weights * side, place, len(values)) for side in (~positive, positive)]
    below, above = np.cumsum(sides[0]) - sides[0] / 2, np.cumsum(sides[1][::-1])[::-1] - sides[1] / 2
    negatives, positives = (float(side.sum()) for side in sides)
    right = np.where(positive, below[place] / negatives, above[place] / positives)
    area = float((sides[1] * below).sum()) / (positives * negatives)
    out: Floats = (right - area) / np.where(positive, positives, negatives)
    return out


def left_out(policy: str) -> str:
    """An area of rows that are not there is no 0: by default it is left out."""
    return "skip" if policy == "zero" else policy


def _defined_area(rows: ClassList, positive: int, negative: int | None) -> float:
    won, total = 0.0, 0.0
    each = [(place, weight, probabilities[positive]) for place, probabilities, weight in rows.probabilities()]
    for a, v, p in each:
        for b, w, q in each:
            if a == positive and b != positive and negative in (None, b):
                won += v * w * (1.0 if p > q else 0.5 if p == q else 0.0)
                total += v * w
    return won / total if total else NAN
