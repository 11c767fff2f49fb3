"""Tables of classes: the confusion matrix, or its margins where there are many classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.tables import Cell
from pingce.base.text import Text
from pingce.explanations.derivation import Grid
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
