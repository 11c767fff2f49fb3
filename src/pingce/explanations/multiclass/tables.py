"""Tables of classes: the confusion matrix, or its margins where there are many classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.explanations.columns import ROWS, Cells, label_cell, row_numbers, table, weight_column
from pingce.explanations.derivation import Cell, Grid
from pingce.explanations.excerpts import MOST, MOST_WRITTEN, Excerpt, ends, largest
from pingce.explanations.numbers import numbers_in, plain, whole

if TYPE_CHECKING:
    from pingce.evidence.multiclass.confusion import ConfusionEvidence
    from pingce.inputs.multiclass import ClassRows

WIDEST = 10
"Classes of a confusion matrix that is written whole."
CLASSES = Text("classes", "个类别")
CLASS = Text("class", "类别")


def names_of(labels: Sequence[Any], excerpt: Excerpt) -> list[Cell]:
    """The classes that are written."""
    return [label_cell(labels[place]) for place in excerpt.places.tolist()]


def largest_classes(confusion: ConfusionEvidence) -> Excerpt:
    """In the order of the labels where they are few, else those with most rows first."""
    if len(confusion) <= MOST_WRITTEN:
        return Excerpt(np.arange(len(confusion)), confusion.present.tolist(), len(confusion))
    excerpt = largest((confusion.true + confusion.predicted).astype(float))
    return Excerpt(excerpt.places, confusion.present[excerpt.places].tolist(), len(confusion))


def row_grid(rows: ClassRows) -> Grid:
    """Each row with its classes: all that is known of a metric that a caller declared."""
    excerpt = replace(ends(len(rows), np.ones(len(rows), bool)), summed=False)
    sides = [("true_class", Text("true class", "真实类别"), rows.truth)]
    if rows.prediction is not None:
        sides.append(("predicted_class", Text("predicted class", "预测类别"), rows.prediction))
    columns: list[Cells] = [
        (key, title, [label_cell(rows.labels[code]) for code in side.codes[excerpt.places].tolist()])
        for key, title, side in sides
    ]
    columns = [row_numbers(excerpt), *columns, *weight_column(excerpt, rows.weight)]
    return table("rows", Text("The rows", "各行"), columns, note=excerpt.note(ROWS))


def matrix_grid(confusion: ConfusionEvidence) -> Grid:
    """Rows are true classes, columns predicted ones; of many classes only what lies on the diagonal and the sums."""
    if len(confusion) > WIDEST:
        return margin_grid(confusion, largest_classes(confusion))
    names = [str(label) for label in confusion.labels]
    columns: list[Cells] = [("true_class", Text("true \\ predicted", "真值 \\ 预测"), names)]
    for place, name in enumerate(names):
        columns.append((f"predicted_{place}", whole(name), numbers_in(confusion.matrix[:, place].tolist())))
    columns.append(("all", Text("true t_c", "真值合计 t_c"), numbers_in(confusion.true.tolist())))
    sums = [f"{name} {plain(count)}" for name, count in zip(names, confusion.predicted.tolist(), strict=True)]
    note = Text(f"Predicted p_c: {', '.join(sums)}", f"预测合计 p_c：{'、'.join(sums)}")
    return table("confusion", Text("The confusion matrix", "混淆矩阵"), columns, note=note)


def margin_grid(confusion: ConfusionEvidence, excerpt: Excerpt, more: Sequence[Cells] = ()) -> Grid:
    """Each class: rows that are right, true and predicted ones."""
    columns: list[Cells] = [
        ("class", CLASS, names_of(confusion.labels, excerpt)),
        ("right", Text("right n_cc", "判对 n_cc"), excerpt.of(confusion.right)),
        ("support", Text("true t_c", "真值 t_c"), excerpt.of(confusion.true)),
        ("predicted_as", Text("predicted p_c", "预测 p_c"), excerpt.of(confusion.predicted)),
        *more,
    ]
    title = Text("Each class", "逐类统计")
    if excerpt.size > len(excerpt.places):
        title = Text(f"Each class, the {MOST} largest first", f"逐类统计，按行数取最大的 {MOST} 类")
    return table("classes", title, columns, excerpt.counts, excerpt.note(CLASSES))


def dashed(values: Sequence[float]) -> list[Cell]:
    """Values, with a dash where there is none."""
    return [None if isnan(value) else value for value in values]
