"""Metrics of each class against all others, averaged over classes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import Cells
from pingce.metrics.declared import NAN, About
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.multiclass.base import ClassList, MulticlassMetric, average, defined_average, settle
from pingce.metrics.parameters import Number, choice, parameter

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView, MulticlassEvidence

_FOUR = ("tp", "fp", "tn", "fn")


class LabelName:
    """The name of a class, or none."""

    def accept(self, name: str, value: Any) -> str | None:
        return None if value is None else str(value)

    def describe(self) -> str:
        return "LABEL"


@dataclass(frozen=True, kw_only=True)
class PerClass(MulticlassMetric):
    """Base: a formula over the cells of one class, for one class or averaged."""

    over_classes = True
    division: ClassVar[tuple[str, str]] = ("", "")
    "Cells of a class over cells, where that is all: `tp` over `tp fp`."

    average: str = choice(
        Text("How classes make one number.", "各类如何合成一个数。"),
        macro=Text("the mean over classes: small classes count as much as large ones", "各类取平均：小类与大类同权"),
        micro=Text("all classes' cells pooled: large classes decide", "先合并各类的格子：由大类决定"),
        weighted=Text("the mean over classes, weighted by their rows", "按各类样本数加权平均"),
        none=Text("no average: one value a class", "不平均：每类一个值"),
    )
    seen: str = choice(
        Text("Which classes count in an average.", "哪些类别计入平均。"),
        union=Text("all of the label set", "标签集中的全部"),
        present=Text("only those that occur in truth or prediction", "只计真值或预测中出现的"),
    )
    label: str | None = parameter(None, LabelName(), Text("One class only.", "只看一个类别。"))

    def requests(self, request: MetricRequest, evidence: MulticlassEvidence) -> list[MetricRequest]:
        """With `average=none` one metric per class."""
        if not self.asks_each_class():
            return [request]
        metrics = [self.of_class(str(label)) for label in evidence.labels]
        spelling = request.name.split("(")[0].strip()
        return [replace(request, name=each.id.replace(self.name, spelling, 1), metric=each) for each in metrics]

    def is_within(self, evidence: MulticlassEvidence) -> bool:
        """Whether its class, if it is of one, is among those of the data."""
        return self.label is None or self.label in map(str, evidence.labels)

    def formula_of(self, cells: Any) -> Any:
        """The formula for arrays of cells: its division, unless a metric has another; NaN where the bottom is 0."""
        return _divide(*(sum(getattr(cells, name) for name in names.split()) for names in self.division))

    def by_class(self, view: ClassView) -> Floats:
        """The value of each class; NaN where it is undefined."""
        values: Floats = self.formula_of(view.confusion.cells())
        return values

    def value(self, view: ClassView) -> float:
        """One class, the pooled cells, or the average."""
        if self.label is not None:
            return float(self.by_class(view)[_place(self.label, view.labels)])
        confusion = view.confusion
        if self.average == "micro":
            cells = confusion.cells()
            return self._plain(Cells(*(getattr(cells, name).sum() for name in _FOUR)))
        counted = confusion.present if self.seen == "present" else np.ones(len(confusion), bool)
        weights = confusion.true.astype(float) if self.average == "weighted" else np.ones(len(confusion))
        values = self.by_class(view)
        if view.whole is not None:
            # By chance a draw has no value of a class that has one in the data: nothing is known of it there.
            counted = counted & ~(np.isnan(values) & ~np.isnan(self.by_class(view.whole)))
        labels = [label for label, kept in zip(view.labels, counted.tolist(), strict=True) if kept]
        return average(values[counted], weights[counted], view.policies.undefined_class, labels, self.name)

    def asks_each_class(self) -> bool:
        return self.average == "none" and self.label is None

    def of_class(self, label: str) -> PerClass:
        return replace(self, label=label, average="macro")

    def undefined_classes(self, view: ClassView) -> int:
        if self.average == "micro" or self.label is not None:
            return 0
        return int(np.count_nonzero(np.isnan(self.by_class(view))))

    def define(self, rows: ClassList) -> float:
        classes = rows.classes()
        if self.label is not None:
            return self._plain(rows.cells(classes[_place(self.label, list(classes))]))
        cells = {label: rows.cells(label) for label in classes}
        if self.average == "micro":
            return self._plain(Cells(*(sum(getattr(four, name) for four in cells.values()) for name in _FOUR)))
        kept = [each for each in classes if self.seen == "union" or cells[each].tp + cells[each].fp + cells[each].fn]
        values = [self._plain(cells[label]) for label in kept]
        weights = [rows.support(label) if self.average == "weighted" else 1.0 for label in kept]
        return defined_average(*settle(values, weights, rows.undefined_class))

    def _plain(self, cells: Cells) -> float:
        columns: list[Any] = [np.array([float(getattr(cells, name))]) for name in _FOUR]
        return float(self.formula_of(Cells(*columns))[0])


def _place(label: str, labels: list[Any]) -> int:
    names = [str(name) for name in labels]
    if label in names:
        return names.index(label)
    hint = did_you_mean(label, names)
    raise InputError(
        f"label={label}: there is no such class; there are {', '.join(names[:8])}{hint.en}",
        f"label={label}：没有这个类别；现有 {'、'.join(names[:8])}{hint.zh}",
    )


def _divide(top: Any, bottom: Any) -> Floats:
    top, bottom = np.asarray(top, float), np.asarray(bottom, float)
    shares: Floats = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom != 0)
    return shares


_NO_ROWS = Text("there is nothing to divide by in a class", "某类的分母为 0")


class Precision(PerClass):
    """Share of the rows predicted as a class that belong to it.

    P_c = n_cc / predicted_c, averaged over classes                                                    [fawcett2006]
    """

    name = "precision"
    aliases = ("p",)
    title = Text("Precision", "精确率（查准率）")
    formula_zh = "P_c = n_cc / predicted_c，再对各类取平均"
    division = ("tp", "tp fp")
    about = About(
        Text("Of those called a class, how many are?", "判为该类的有多少真是？"),
        Text("Where a false alarm is costly.", "误报代价高的场景。"),
        Text("It ignores the rows of a class that were missed.", "不管漏掉了多少。"),
        ("recall", "f"),
        Text("(3/3 + 1/2 + 1/2) / 3 = 0.666667", "(3/3 + 1/2 + 1/2) / 3 = 0.666667"),
        undefined=_NO_ROWS,
        also=("查准率",),
    )


class Recall(PerClass):
    """Share of the rows of a class that were predicted as it.

    R_c = n_cc / true_c, averaged over classes                                                         [fawcett2006]
    """

    name = "recall"
    aliases = ("r", "sensitivity", "tpr")
    title = Text("Recall", "召回率（查全率）")
    formula_zh = "R_c = n_cc / true_c，再对各类取平均"
    division = ("tp", "tp fn")
    about = About(
        Text("Of a class, how many were found?", "该类找回了多少？"),
        Text("Where a miss is costly.", "漏报代价高的场景。"),
        Text("It ignores false alarms.", "不管误报。"),
        ("precision", "f"),
        Text("(3/4 + 1/2 + 1/1) / 3 = 0.75", "(3/4 + 1/2 + 1/1) / 3 = 0.75"),
        undefined=_NO_ROWS,
        also=("查全率",),
    )


@dataclass(frozen=True, kw_only=True)
class FMeasure(PerClass):
    """Harmonic mean of a class's precision and recall, averaged over classes.

    F_c = (1 + β²) · TP_c / ((1 + β²) · TP_c + β² · FN_c + FP_c), averaged over classes          [vanrijsbergen1979]
    """

    name = "f"
    aliases = ("f1", "fbeta")
    title = Text("F measure", "F 值（F1、Fβ）")
    formula_zh = "F_c = (1 + β²) · TP_c / ((1 + β²) · TP_c + β² · FN_c + FP_c)，再对各类取平均"
    about = About(
        Text("Are all classes found precisely and completely?", "各类都又准又全吗？"),
        Text("Imbalanced classes: macro shows the small ones.", "类别不平衡：宏平均能看到小类。"),
        Text("It hides which of the two is low, and in which class.", "看不出是哪一类、哪一个低。"),
        ("precision", "recall", "accuracy"),
        Text("(6/7 + 2/4 + 2/3) / 3 = 0.674603", "(6/7 + 2/4 + 2/3) / 3 = 0.674603"),
        undefined=_NO_ROWS,
        also=("F1", "F1值", "宏平均", "微平均"),
    )

    beta: float = parameter(
        1, Number(above=0), Text("How much more recall weighs than precision.", "召回相对精确的权重，β > 1 偏重召回。")
    )
    of: str = choice(
        Text("Of what F is taken with average=macro.", "宏平均时对谁求 F。"),
        classes=Text("each class's own P and R, then the mean", "每类自己的 P、R，再求平均"),
        averages=Text("the mean P and the mean R", "平均 P 与平均 R"),
    )

    def formula_of(self, cells: Any) -> Any:
        square = float(self.beta) ** 2  # whole numbers would leave 64 bits
        return _divide((1 + square) * cells.tp, (1 + square) * cells.tp + square * cells.fn + cells.fp)

    def value(self, view: ClassView) -> float:
        if self.of == "classes" or self.average != "macro" or self.label is not None:
            return super().value(view)
        return self.of_averages(*(kind(seen=self.seen).value(view) for kind in (Precision, Recall)))

    def define(self, rows: ClassList) -> float:
        if self.of == "classes" or self.average != "macro" or self.label is not None:
            return super().define(rows)
        return self.of_averages(*(kind(seen=self.seen).define(rows) for kind in (Precision, Recall)))

    def of_averages(self, p: float, r: float) -> float:
        """The formula, of means."""
        square = self.beta * self.beta
        return (1 + square) * p * r / (square * p + r) if square * p + r else 0.0 if p == r else NAN


class Jaccard(PerClass):
    """Overlap of the predicted and the true rows of a class.

    J_c = TP_c / (TP_c + FP_c + FN_c), averaged over classes                                           [fawcett2006]
    """

    name = "jaccard"
    aliases = ("iou",)
    title = Text("Jaccard index", "杰卡德系数")
    formula_zh = "J_c = TP_c / (TP_c + FP_c + FN_c)，再对各类取平均"
    division = ("tp", "tp fp fn")
    about = About(
        Text("How much do predicted and true rows of a class overlap?", "判为该类的与真正该类的重合多少？"),
        Text("Segments and sets.", "分割、集合任务。"),
        Text("It ignores TN.", "不看 TN。"),
        ("f",),
        Text("(3/4 + 1/3 + 1/2) / 3 = 0.527778", "(3/4 + 1/3 + 1/2) / 3 = 0.527778"),
        undefined=_NO_ROWS,
        also=("交并比",),
    )


class BalancedAccuracy(MulticlassMetric):
    """Mean recall over classes.

    balanced_accuracy = mean_c (n_cc / true_c)                                                         [fawcett2006]
    """

    name = "balanced_accuracy"
    over_classes = True
    title = Text("Balanced accuracy", "平衡准确率")
    about = About(
        Text("How often right, were all classes equally frequent?", "各类一样多时，判断对了多少？"),
        Text("Imbalanced classes.", "类别不平衡时。"),
        Text("Precision may still be low.", "精确率仍可能很低。"),
        ("accuracy", "f"),
        Text("(3/4 + 1/2 + 1/1) / 3 = 0.75", "(3/4 + 1/2 + 1/1) / 3 = 0.75"),
        undefined=_NO_ROWS,
        also=("均衡准确率",),
    )

    def of_class(self, label: str) -> Recall:
        """The recall that the mean is taken of."""
        return Recall(label=label)

    def value(self, view: ClassView) -> float:
        return Recall().value(view)

    def undefined_classes(self, view: ClassView) -> int:
        return Recall().undefined_classes(view)

    def define(self, rows: ClassList) -> float:
        return Recall().define(rows)
