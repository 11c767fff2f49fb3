"""Metrics of each class: the table of classes, then one class, the pooled cells, or the mean."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import Cells as FourCells
from pingce.explanations.binary.decisions import PRECISION_AND_RECALL, division, f_division, rate_lines
from pingce.explanations.derivation import Derivation, Grid, Line, Number, Step, summed
from pingce.explanations.frame import explains
from pingce.explanations.multiclass.base import CLASS, CLASSES, CORNER, OVER_CLASSES, largest_classes
from pingce.explanations.tables import Cells, Excerpt, dashed, numbers_in, plain, table
from pingce.metrics.binary import decisions
from pingce.metrics.multiclass.base import average
from pingce.metrics.multiclass.per_class import BalancedAccuracy, FMeasure, Jaccard, PerClass, Precision, Recall

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView

_DIVISIONS = {Precision: decisions.Precision, Recall: decisions.Recall, Jaccard: decisions.Jaccard}


@explains(PerClass)
def per_class(metric: PerClass, view: ClassView) -> Derivation:
    """One class, or all of them made one number."""
    if metric.label is not None:
        return _one_class(metric, view)
    if metric.average == "micro":
        return _pooled(metric, view)
    confusion, weighted = view.confusion, metric.average == "weighted"
    counted = confusion.present if metric.seen == "present" else np.ones(len(confusion), bool)
    of_averages = isinstance(metric, FMeasure) and metric.of == "averages" and metric.average == "macro"
    steps: list[Step] = [_class_grid(metric, view, counted, weighted=weighted)]
    if absent := int(np.count_nonzero(~counted)):
        en = f"{absent} classes that occur neither in truth nor in prediction are left out (seen=present)."
        steps.append(Text(en, f"真值与预测中都没有出现的 {absent} 个类别不计入（seen=present）。"))
    if isinstance(metric, FMeasure) and of_averages:
        return _of_averages(metric, view, counted, steps)
    weights = confusion.true.astype(float) if weighted else np.ones(len(confusion))
    return worked_mean(_mean_over(metric, view, counted, weights), steps)


@explains(BalancedAccuracy)
def balanced(metric: BalancedAccuracy, view: ClassView) -> Derivation:
    """Macro recall."""
    return per_class(Recall(), view)


def _class_grid(metric: PerClass, view: ClassView, counted: NDArray[np.bool_], *, weighted: bool = False) -> Grid:
    confusion = view.confusion
    excerpt = largest_classes(confusion)
    excerpt = replace(excerpt, counts=counted[excerpt.places].tolist())
    cells = confusion.cells()
    columns: list[Cells] = [("class", CLASS, excerpt.labels(confusion.labels))]
    columns += [(name, name.upper(), excerpt.of(getattr(cells, name))) for name in ("tp", "fp", "fn")]
    columns.append(("support", Text("support", "样本数"), excerpt.of(confusion.true)))
    columns += _rates(metric, view, excerpt)
    if weighted:
        products = (metric.by_class(view) * confusion.true.astype(float))[excerpt.places]
        columns.append(("weighted", Text("support · value", "样本数 · 值"), dashed(products)))
    return excerpt.table("classes", Text("Each class against all others", "每一类与其余各类"), columns, CLASSES)


def _rates(metric: PerClass, view: ClassView, excerpt: Excerpt) -> list[Cells]:
    """Precision and recall of each class, and the metric itself where it is another."""
    kinds: list[tuple[str, str, PerClass]] = [
        ("precision", "P = TP / (TP + FP)", Precision()),
        ("recall", "R = TP / (TP + FN)", Recall()),
    ]
    if isinstance(metric, FMeasure):
        kinds.append(("f", "F" if metric.beta == 1 else f"F_β, β = {metric.beta:g}", metric))
    elif isinstance(metric, Jaccard):
        kinds = [("jaccard", "J = TP / (TP + FP + FN)", metric)]
    else:
        kinds = [entry for entry in kinds if isinstance(metric, type(entry[2]))]
    return [(key, title, dashed(kind.by_class(view)[excerpt.places])) for key, title, kind in kinds]


@dataclass(frozen=True)
class Mean:
    """What a mean over classes is taken of, and what a value that is not defined does to it."""

    name: str
    values: Floats
    weights: Floats
    policy: str
    labels: list[Any]


def _mean_over(metric: PerClass, view: ClassView, counted: NDArray[np.bool_], weights: Floats) -> Mean:
    """The mean of the classes that count."""
    labels = [label for label, kept in zip(view.labels, counted.tolist(), strict=True) if kept]
    return Mean(metric.name, metric.by_class(view)[counted], weights[counted], view.policies.undefined_class, labels)


_FATES = {
    "zero": ("counts 0", "计 0"),
    "one": ("counts 1", "计 1"),
    "skip": ("is left out", "不计入"),
    "nan": ("leaves no mean", "使平均没有定义"),
}


def worked_mean(mean: Mean, steps: list[Step]) -> Derivation:
    """Σ w v / Σ w, and a sentence on the values that are not defined."""
    values, weights, policy = mean.values, mean.weights, mean.policy
    value = average(values, weights, policy, mean.labels, mean.name)
    undefined = np.isnan(values)
    if count := int(undefined.sum()):
        en, zh = _FATES[policy]
        words = Text(
            f"{count} values are not defined (nothing to divide by): each {en} (undefined_class={policy}).",
            f"有 {count} 个值没有定义（分母为 0）：各{zh}（undefined_class={policy}）。",
        )
        steps = [*steps, words]
        if policy == "skip":
            values, weights = values[~undefined], weights[~undefined]
        values = np.nan_to_num(values, nan=float(policy == "one"))
    if isnan(value):
        return Derivation(steps)
    if (weights == 1).all():
        terms, numbers = summed(values.tolist())
        return Derivation(steps, f"({terms}) / {{}}", (*numbers, len(values)), value)
    products: list[Number] = (values * weights).tolist()
    total, bottom = sum(products), plain(sum(weights.tolist()))
    steps = [
        *steps,
        Line("top", Text("Σ w · value", "Σ w · 值"), *summed(products), total),
        Line("bottom", "Σ w", *summed(numbers_in(weights)), bottom),
    ]
    return Derivation(steps, "{} / {}", (total, bottom), value)


def _formula(metric: PerClass, cells: FourCells) -> tuple[str, tuple[Number, ...]]:
    """The division of one class, or of the pooled cells."""
    if isinstance(metric, FMeasure):
        return f_division(metric.beta, cells)
    binary = next((alike for kind, alike in _DIVISIONS.items() if isinstance(metric, kind)), None)
    return ("", ()) if binary is None else division(binary, cells)


def _pooled(metric: PerClass, view: ClassView) -> Derivation:
    """The cells of all classes added up, then the formula."""
    cells = vars(view.confusion.cells())
    pooled = FourCells(**{name: np.array([float(column.sum())]) for name, column in cells.items()})
    sums = FourCells(**{name: plain(column[0]) for name, column in vars(pooled).items()})
    steps: list[Step] = [_class_grid(metric, view, np.ones(len(view.labels), bool))]
    for name in ("tp", "fp", "fn"):
        steps.append(Line(f"all_{name}", f"Σ {name.upper()}", OVER_CLASSES, (), getattr(sums, name)))
    return Derivation(steps, *_formula(metric, sums), float(metric.formula_of(pooled)[0]))


def _one_class(metric: PerClass, view: ClassView) -> Derivation:
    """The four cells of the class, named, and the division."""
    name = str(metric.label)
    place = [str(label) for label in view.labels].index(name)
    cells = FourCells(**{cell: plain(column[place]) for cell, column in vars(view.confusion.cells()).items()})
    columns: list[Cells] = [
        ("true_class", CORNER, [name, f"≠ {name}"]),
        ("if_class", Text("cell", "格"), ["TP", "FP"]),
        ("predicted_class", Text(f"predicted {name}", f"判为 {name}"), [cells.tp, cells.fp]),
        ("if_other", Text("cell", "格"), ["FN", "TN"]),
        ("predicted_other", Text("predicted another", "判为其他"), [cells.fn, cells.tn]),
    ]
    title = Text(f"Class {name} against all others", f"类别 {name} 与其余各类")
    rates = rate_lines(cells, *PRECISION_AND_RECALL) if isinstance(metric, FMeasure) else []
    return Derivation([table("confusion", title, columns), *rates], *_formula(metric, cells), metric.value(view))


def _of_averages(metric: FMeasure, view: ClassView, counted: NDArray[np.bool_], steps: list[Step]) -> Derivation:
    """F of the mean precision and the mean recall."""
    means = []
    for kind, heading in ((Precision, Text("mean P", "平均 P")), (Recall, Text("mean R", "平均 R"))):
        rate = kind(seen=metric.seen)
        worked = worked_mean(_mean_over(rate, view, counted, np.ones(len(counted))), [])
        mean = None if isnan(worked.value) else worked.value
        steps += [*worked.steps, Line(f"mean_{rate.name}", heading, worked.template, worked.numbers, mean)]
        means.append(worked.value)
    p, r = means
    value = metric.of_averages(p, r)
    if not p and not r:
        return Derivation(steps, "0", (), value)
    if metric.beta == 1:
        return Derivation(steps, "2 · {} · {} / ({} + {})", (p, r, p, r), value)
    b = plain(metric.beta)
    return Derivation(steps, "(1 + {}²) · {} · {} / ({}² · {} + {})", (b, p, r, b, p, r), value)
