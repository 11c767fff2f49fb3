"""Metrics of each class: the table of classes, then one class, the pooled cells, or the mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import Cells as FourCells
from pingce.explanations.columns import Cells, table
from pingce.explanations.derivation import Derivation, Grid, Line, Step, summed
from pingce.explanations.excerpts import Excerpt
from pingce.explanations.multiclass.tables import CLASS, CLASSES, dashed, largest_classes, names_of
from pingce.explanations.numbers import Number, numbers_in, plain
from pingce.explanations.registry import explains
from pingce.metrics.multiclass.base import average
from pingce.metrics.multiclass.per_class import BalancedAccuracy, FMeasure, Jaccard, PerClass, Precision, Recall

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView

_FOUR = ("tp", "fp", "tn", "fn")


@explains(PerClass)
def per_class(metric: PerClass, view: ClassView) -> Derivation:
    """One class, or all of them made one number."""
    if metric.label is not None:
        return _one_class(metric, view)
    if metric.average == "micro":
        return _pooled(metric, view)
    if isinstance(metric, FMeasure) and metric.of == "averages" and metric.average == "macro":
        return _of_averages(metric, view)
    values = metric.by_class(view)
    counted, weights = _counted(metric, view)
    grid = _class_grid(metric, view, weights if metric.average == "weighted" else None, counted)
    return worked_mean(Mean.over(metric.name, values, weights, counted, view), [grid, *_left(view, counted)])


@explains(BalancedAccuracy)
def balanced(metric: BalancedAccuracy, view: ClassView) -> Derivation:
    """Macro recall."""
    return per_class(Recall(), view)


def _counted(metric: PerClass, view: ClassView) -> tuple[NDArray[np.bool_], Floats]:
    """Which classes count in the average, and what each weighs."""
    confusion = view.confusion
    counted = confusion.present if metric.seen == "present" else np.ones(len(confusion), bool)
    return counted, confusion.true.astype(float) if metric.average == "weighted" else np.ones(len(confusion))


def _left(view: ClassView, counted: NDArray[np.bool_]) -> list[Step]:
    absent = int(np.count_nonzero(~counted))
    if not absent:
        return []
    return [
        Text(
            f"{absent} classes that occur neither in truth nor in prediction are left out (seen=present).",
            f"真值与预测中都没有出现的 {absent} 个类别不计入（seen=present）。",
        )
    ]


def _class_grid(metric: PerClass, view: ClassView, weights: Floats | None, counted: NDArray[np.bool_]) -> Grid:
    confusion = view.confusion
    chosen = largest_classes(confusion)
    excerpt = Excerpt(chosen.places, counted[chosen.places].tolist(), chosen.size)
    cells = confusion.cells()
    columns: list[Cells] = [("class", CLASS, names_of(confusion.labels, excerpt))]
    columns += [
        (name, Text(name.upper(), name.upper()), excerpt.of(getattr(cells, name))) for name in ("tp", "fp", "fn")
    ]
    columns.append(("support", Text("support", "样本数"), excerpt.of(confusion.true)))
    columns += _rates(metric, view, excerpt)
    if weights is not None:
        products = (metric.by_class(view) * weights)[excerpt.places]
        columns.append(("weighted", Text("support · value", "样本数 · 值"), dashed(products.tolist())))
    title = Text("Each class against all others", "每一类与其余各类")
    return table("classes", title, columns, excerpt.counts, excerpt.note(CLASSES))


def _rates(metric: PerClass, view: ClassView, excerpt: Excerpt) -> list[Cells]:
    """Precision and recall of each class, and the metric itself where it is another."""
    kinds: list[tuple[str, Text, PerClass]] = [
        ("precision", Text("P = TP / (TP + FP)", "P = TP / (TP + FP)"), Precision()),
        ("recall", Text("R = TP / (TP + FN)", "R = TP / (TP + FN)"), Recall()),
    ]
    if isinstance(metric, FMeasure):
        name = "F" if metric.beta == 1 else f"F_β, β = {metric.beta:g}"
        kinds.append(("f", Text(name, name), metric))
    elif isinstance(metric, Jaccard):
        kinds = [("jaccard", Text("J = TP / (TP + FP + FN)", "J = TP / (TP + FP + FN)"), metric)]
    else:
        kinds = [entry for entry in kinds if isinstance(metric, type(entry[2]))]
    return [(key, title, dashed(kind.by_class(view)[excerpt.places].tolist())) for key, title, kind in kinds]


@dataclass(frozen=True)
class Mean:
    """What a mean over classes is taken of, and what a value that is not defined does to it."""

    name: str
    values: Floats
    weights: Floats
    policy: str
    labels: list[Any]

    @staticmethod
    def over(name: str, values: Floats, weights: Floats, counted: NDArray[np.bool_], view: ClassView) -> Mean:
        """Of the classes that count."""
        labels = [label for label, kept in zip(view.labels, counted.tolist(), strict=True) if kept]
        return Mean(name, values[counted], weights[counted], view.policies.undefined_class, labels)


def worked_mean(mean: Mean, steps: list[Step]) -> Derivation:
    """Σ w v / Σ w, and a sentence on the values that are not defined."""
    values, weights, policy = mean.values, mean.weights, mean.policy
    value = average(values, weights, policy, mean.labels, mean.name)
    undefined = np.isnan(values)
    if undefined.any():
        steps = [*steps, _undefined(int(undefined.sum()), policy)]
        values = values if policy == "skip" else np.where(undefined, float(policy == "one"), values)
        values, weights = (column[~undefined] if policy == "skip" else column for column in (values, weights))
    if isnan(value):
        return Derivation(steps, "", (), value)
    if (weights == 1).all():
        terms, numbers = summed(values.tolist())
        return Derivation(steps, f"({terms}) / {{}}", (*numbers, len(values)), value)
    products: list[Number] = (values * weights).tolist()
    bottom = sum(weights.tolist())
    total = sum(products)
    steps = [
        *steps,
        Line("top", Text("Σ w · value", "Σ w · 值"), *summed(products), total),
        Line("bottom", "Σ w", *summed(numbers_in(weights.tolist())), plain(bottom)),
    ]
    return Derivation(steps, "{} / {}", (total, plain(bottom)), value)


def _undefined(count: int, policy: str) -> Text:
    en, zh = {
        "zero": ("counts 0", "计 0"),
        "one": ("counts 1", "计 1"),
        "skip": ("is left out", "不计入"),
        "nan": ("leaves no mean", "使平均没有定义"),
    }[policy]
    return Text(
        f"{count} values are not defined (nothing to divide by): each {en} (undefined_class={policy}).",
        f"有 {count} 个值没有定义（分母为 0）：各{zh}（undefined_class={policy}）。",
    )


def _pooled(metric: PerClass, view: ClassView) -> Derivation:
    """The cells of all classes added up, then the formula."""
    counted = np.ones(len(view.labels), bool)
    cells = view.confusion.cells()
    pooled = {name: np.array([float(getattr(cells, name).sum())]) for name in _FOUR}
    value = float(metric.formula_of(FourCells(**pooled))[0])
    sums = {name: plain(pooled[name][0]) for name in ("tp", "fp", "fn")}
    words = Text("the sum over all classes", "对全部类别求和")
    steps: list[Step] = [_class_grid(metric, view, None, counted)]
    steps += [Line(f"all_{name}", f"Σ {name.upper()}", words, (), sums[name]) for name in sums]
    return Derivation(steps, *_formula(metric, sums), value)


def _formula(metric: PerClass, cells: dict[str, Number]) -> tuple[str, tuple[Number, ...]]:
    """The division of one class, or of the pooled cells."""
    tp, fp, fn = cells["tp"], cells["fp"], cells["fn"]
    if isinstance(metric, Precision):
        return "{} / ({} + {})", (tp, tp, fp)
    if isinstance(metric, Recall):
        return "{} / ({} + {})", (tp, tp, fn)
    if isinstance(metric, Jaccard):
        return "{} / ({} + {} + {})", (tp, tp, fp, fn)
    if not isinstance(metric, FMeasure):
        return "", ()
    beta = plain(metric.beta)
    if beta == 1:
        return "2 · {} / (2 · {} + {} + {})", (tp, tp, fn, fp)
    return "(1 + {}²) · {} / ((1 + {}²) · {} + {}² · {} + {})", (beta, tp, beta, tp, beta, fn, fp)


def _one_class(metric: PerClass, view: ClassView) -> Derivation:
    """The four cells of the class, named, and the division."""
    value = metric.value(view)
    place = [str(label) for label in view.labels].index(str(metric.label))
    cells = view.confusion.cells()
    counts = {name: plain(getattr(cells, name)[place]) for name in _FOUR}
    name = str(metric.label)
    columns: list[Cells] = [
        ("true_class", Text("true \\ predicted", "真值 \\ 预测"), [name, f"≠ {name}"]),
        ("if_class", Text("cell", "格"), ["TP", "FP"]),
        ("predicted_class", Text(f"predicted {name}", f"判为 {name}"), [counts["tp"], counts["fp"]]),
        ("if_other", Text("cell", "格"), ["FN", "TN"]),
        ("predicted_other", Text("predicted another", "判为其他"), [counts["fn"], counts["tn"]]),
    ]
    title = Text(f"Class {name} against all others", f"类别 {name} 与其余各类")
    steps: list[Step] = [table("confusion", title, columns)]
    if isinstance(metric, FMeasure):
        for kind, heading in ((Precision(), Text("precision P", "精确率 P")), (Recall(), Text("recall R", "召回率 R"))):
            rate = float(kind.by_class(view)[place])
            steps.append(Line(kind.name, heading, *_formula(kind, counts), None if isnan(rate) else rate))
    return Derivation(steps, *_formula(metric, counts), value)


def _of_averages(metric: FMeasure, view: ClassView) -> Derivation:
    """F of the mean precision and the mean recall."""
    counted, _ = _counted(metric, view)
    steps: list[Step] = [_class_grid(metric, view, None, counted), *_left(view, counted)]
    means = []
    for kind, heading in ((Precision, Text("mean P", "平均 P")), (Recall, Text("mean R", "平均 R"))):
        rate = kind(seen=metric.seen)
        values = rate.by_class(view)
        worked = worked_mean(Mean.over(rate.name, values, np.ones(len(values)), counted, view), [])
        steps += worked.steps
        mean = None if isnan(worked.value) else worked.value
        steps.append(Line(f"mean_{rate.name}", heading, worked.template, worked.numbers, mean))
        means.append(worked.value)
    p, r = means
    value = metric.of_averages(p, r)
    if not p and not r:
        return Derivation(steps, "0", (), value)
    if metric.beta == 1:
        return Derivation(steps, "2 · {} · {} / ({} + {})", (p, r, p, r), value)
    b = plain(metric.beta)
    return Derivation(steps, "(1 + {}²) · {} · {} / ({}² · {} + {})", (b, p, r, b, p, r), value)
