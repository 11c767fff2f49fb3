"""Classes: what is explained, and tables of rows and of the confusion matrix, or its margins where it is large."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.tables import Cell
from pingce.base.text import Text
from pingce.evidence.policies import BinaryPolicies, MulticlassPolicies
from pingce.explanations.derivation import Explanation, Grid
from pingce.explanations.frame import explain_rows
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.tables import (
    MOST,
    MOST_WRITTEN,
    Cells,
    Excerpt,
    label_cell,
    largest,
    numbers_in,
    plain,
    rows_in,
    table,
)
from pingce.inputs.binary import BinaryRows
from pingce.inputs.labels import TwoLabels
from pingce.inputs.multiclass import ClassRows, class_rows
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.metrics.multiclass.ranked import Auc

if TYPE_CHECKING:
    from pingce.evidence.multiclass.confusion import ConfusionEvidence
    from pingce.evidence.multiclass.evidence import ClassView
    from pingce.inputs.classes import Classes

WIDEST = 10
"Classes of a confusion matrix that is written whole."
CLASSES = Text("classes", "个类别")
CLASS = Text("class", "类别")
CORNER = Text("true \\ predicted", "真值 \\ 预测")
TRUE_CLASS = ("true_class", Text("true class", "真实类别"))
OVER_CLASSES = Text("the sum over all classes", "对全部类别求和")


def explain(inputs: ExplainInputs, request: MetricRequest, policies: MulticlassPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave, or of one class of it."""
    return explain_multiclass(inputs.once(_read_rows), request, policies, of_class=inputs.of_class)


def _read_rows(inputs: ExplainInputs) -> ClassRows:
    columns = inputs.read_columns("y_pred", ("weight",))
    return class_rows(
        columns["y_true"], columns["y_pred"], proba=inputs.proba, labels=inputs.classes, weight=columns["weight"]
    )


def explain_multiclass(
    rows: ClassRows, request: MetricRequest, policies: MulticlassPolicies, *, of_class: object = None
) -> Explanation:
    """The worked calculation of one metric of classes; `of_class` asks for that of one class."""
    metric = request.metric
    if of_class is not None:
        place = _place(rows, of_class)
        if isinstance(metric, Auc) and metric.multi == "ovr":
            return _area_of(rows, place, request, policies)
        request = _for_class(request, str(rows.labels[place]))
    elif metric.asks_each_class():
        raise InputError(
            f"{request.name} has one value for each class; choose one: of_class= (there are {_listed(rows)}), or average=macro",
            f"{request.name} 每类一个值；请选择一个类别：of_class=（现有 {_listed(rows)}），或用 average=macro",
        )
    label = getattr(request.metric, "label", None)
    en, zh = ("", "") if label is None else (f"class {label}; ", f"类别 {label}；")
    subject = Text(
        f"{en}{rows.given} rows, {len(rows.labels)} classes", f"{zh}{rows.given} 行，{len(rows.labels)} 个类别"
    )
    return explain_rows(request, policies, rows, subject, row_grid, rows.without_weight)


def _listed(rows: ClassRows) -> str:
    names = [str(label) for label in rows.labels[:8]]
    return ", ".join(names) + (" …" if len(rows.labels) > len(names) else "")


def _place(rows: ClassRows, of_class: object) -> int:
    names = [str(label) for label in rows.labels]
    if str(of_class) in names:
        return names.index(str(of_class))
    hint = did_you_mean(str(of_class), names)
    raise InputError(
        f"of_class={of_class}: there is no such class; there are {_listed(rows)}{hint.en}",
        f"of_class={of_class}：没有这个类别；现有 {_listed(rows)}{hint.zh}",
    )


def _for_class(request: MetricRequest, label: str) -> MetricRequest:
    """The metric of one class: that with label=, recall for the mean of recalls."""
    kind = request.metric.of_class(label)
    if kind is not None:
        spelled = request.name.split("(")[0].strip()
        return MetricRequest(kind.id.replace(request.metric.name, spelled, 1), kind, request.policies)
    raise InputError(
        f"{request.name} has no value of one class; leave of_class= out, or ask for precision, recall, f, jaccard or auc",
        f"{request.name} 没有单个类别的值；请去掉 of_class=，或改用 precision、recall、f、jaccard 或 auc",
    )


def _area_of(rows: ClassRows, place: int, request: MetricRequest, policies: MulticlassPolicies) -> Explanation:
    """The AUC of a class against the rest is that of two labels, by the probability of the class."""
    from pingce.evidence.multiclass.evidence import MulticlassEvidence
    from pingce.explanations.binary.base import explain_binary

    scores = MulticlassEvidence(rows).proba[:, place]
    wide = np.ascontiguousarray(scores.astype(np.float32) if scores.dtype == np.float16 else scores)
    mask = np.ascontiguousarray(rows.truth.codes == place)
    others = [str(label) for at, label in enumerate(rows.labels) if at != place]
    label = rows.labels[place]
    labels = TwoLabels(
        mask.view(np.uint8), int(np.count_nonzero(mask)), label, others[0] if len(others) == 1 else f"≠ {label}"
    )
    two = BinaryRows(labels, wide, scores.dtype, rows.weight, notes=rows.notes)
    under = request.under(policies)
    explanation = explain_binary(two, parse_metric("auc", task="binary"), BinaryPolicies(undefined=under.undefined))
    en, zh = explanation.subject
    subject = Text(
        f"class {label} against the rest, by its probability; {en}", f"类别 {label} 与其余各类，按该类的概率；{zh}"
    )
    return replace(explanation, subject=subject)


def largest_classes(confusion: ConfusionEvidence) -> Excerpt:
    """In the order of the labels where they are few, else those with most rows first."""
    if len(confusion) <= MOST_WRITTEN:
        return Excerpt(np.arange(len(confusion)), confusion.present.tolist(), len(confusion))
    excerpt = largest((confusion.true + confusion.predicted).astype(float))
    return replace(excerpt, counts=confusion.present[excerpt.places].tolist())


def classes_of(side: Classes, excerpt: Excerpt) -> list[Cell]:
    """The class of each row that is written."""
    return [label_cell(side.names[code]) for code in side.codes[excerpt.places].tolist()]


def row_grid(view: ClassView) -> Grid:
    """Each row with its classes: all that is known of a metric that a caller declared."""
    rows = view.evidence.rows
    excerpt = rows_in(np.arange(len(rows)))
    columns: list[Cells] = [excerpt.row, (*TRUE_CLASS, classes_of(rows.truth, excerpt))]
    if rows.prediction is not None:
        title = Text("predicted class", "预测类别")
        columns.append(("predicted_class", title, classes_of(rows.prediction, excerpt)))
    return excerpt.table("rows", Text("The rows", "各行"), [*columns, *excerpt.weight(rows.weight)])


def matrix_grid(confusion: ConfusionEvidence) -> Grid:
    """Rows are true classes, columns predicted ones; of many classes only what lies on the diagonal and the sums."""
    if len(confusion) > WIDEST:
        return margin_grid(confusion, largest_classes(confusion))
    names = [str(label) for label in confusion.labels]
    columns: list[Cells] = [("true_class", CORNER, names)]
    columns += [(f"predicted_{at}", name, numbers_in(confusion.matrix[:, at])) for at, name in enumerate(names)]
    columns.append(("all", Text("true t_c", "真值合计 t_c"), numbers_in(confusion.true)))
    sums = [f"{name} {plain(count)}" for name, count in zip(names, confusion.predicted, strict=True)]
    note = Text(f"Predicted p_c: {', '.join(sums)}", f"预测合计 p_c：{'、'.join(sums)}")
    return table("confusion", Text("The confusion matrix", "混淆矩阵"), columns, note=note)


def margin_grid(confusion: ConfusionEvidence, excerpt: Excerpt, more: Iterable[Cells] = ()) -> Grid:
    """Each class: rows that are right, true and predicted ones."""
    columns: list[Cells] = [
        ("class", CLASS, excerpt.labels(confusion.labels)),
        ("right", Text("right n_cc", "判对 n_cc"), excerpt.of(confusion.right)),
        ("support", Text("true t_c", "真值 t_c"), excerpt.of(confusion.true)),
        ("predicted_as", Text("predicted p_c", "预测 p_c"), excerpt.of(confusion.predicted)),
        *more,
    ]
    title = Text("Each class", "逐类统计")
    if excerpt.size > len(excerpt.places):
        title = Text(f"Each class, the {MOST} largest first", f"逐类统计，按行数取最大的 {MOST} 类")
    return excerpt.table("classes", title, columns, CLASSES)
