"""Tables of labels and scores: the rows, the four cells, and the thresholds with running counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.text import Text
from pingce.explanations.columns import ROWS, Cells, label_cell, row_numbers, table, weight_column
from pingce.explanations.derivation import Cell, Grid
from pingce.explanations.excerpts import MOST, Excerpt, ends
from pingce.explanations.numbers import plain

if TYPE_CHECKING:
    from pingce.evidence.binary.evidence import BinaryView
    from pingce.evidence.binary.thresholds import ThresholdEvidence
    from pingce.inputs.binary import BinaryRows

THRESHOLDS = Text("thresholds", "个阈值")
FROM_THE_HIGHEST = Text("The rows, from the highest score", "各行，按分数从高到低")


def labels_of(rows: BinaryRows, places: NDArray[Any]) -> list[Cell]:
    """The labels of some rows, as they were given."""
    names = [label_cell(name) for name in (rows.labels.negative_name, rows.labels.positive_name)]
    return [names[side] for side in rows.positive[places].tolist()]


def decision_sentence(view: BinaryView) -> Text:
    """The rule."""
    sign = "≥" if view.policies.compare == "ge" else ">"
    limit = f"{view.threshold:.9g}"
    return Text(
        f"A row is predicted positive if its score is {sign} {limit}.", f"分数 {sign} {limit} 的行判为正，其余判为负。"
    )


def decided_rows(view: BinaryView) -> list[Grid]:
    """Each row with the cell that it falls in, from the highest score; nothing where there are many."""
    rows = view.evidence.rows
    if len(rows) > MOST:
        return []
    order = np.argsort(-rows.scores, kind="stable")
    excerpt = Excerpt(order, [True] * len(order), len(order))
    limit = rows.scores.dtype.type(view.threshold)
    decided = rows.scores >= limit if view.policies.compare == "ge" else rows.scores > limit
    cells = [[("TN", "FP"), ("FN", "TP")][y][int(p)] for y, p in zip(rows.positive[order], decided[order], strict=True)]
    columns: list[Cells] = [
        row_numbers(excerpt),
        ("score", Text("score", "分数"), excerpt.exactly(rows.scores)),
        ("label", Text("label", "标签"), labels_of(rows, order)),
        ("cell", Text("cell", "所属格"), cells),
    ]
    return [table("rows", FROM_THE_HIGHEST, [*columns, *weight_column(excerpt, rows.weight)])]


def row_grid(view: BinaryView) -> Grid:
    """Each row with its score, from the highest: all that is known of a metric that a caller declared."""
    rows = view.evidence.rows
    order = np.argsort(-rows.scores, kind="stable")
    near = ends(len(order), np.ones(len(order), bool))
    excerpt = Excerpt(order[near.places], near.counts, len(order), summed=False)
    columns: list[Cells] = [
        row_numbers(excerpt),
        ("score", Text("score", "分数"), excerpt.exactly(rows.scores)),
        ("label", Text("label", "标签"), labels_of(rows, excerpt.places)),
    ]
    if rows.group is not None:
        columns.append(
            ("group", Text("group", "组"), [label_cell(name) for name in rows.group.take(excerpt.places).to_list()])
        )
    return table("rows", FROM_THE_HIGHEST, [*columns, *weight_column(excerpt, rows.weight)], note=excerpt.note(ROWS))


def confusion_grid(view: BinaryView) -> Grid:
    """The four cells with their names."""
    cells, labels = view.cells, view.evidence.rows.labels
    named = {name: plain(getattr(cells, name)) for name in ("tp", "fn", "fp", "tn")}
    names = ["–" if name is None else str(name) for name in (labels.positive_name, labels.negative_name)]
    columns: list[Cells] = [
        ("true", Text("true \\ predicted", "真值 \\ 预测"), names),
        ("if_positive", Text("cell", "格"), ["TP", "FP"]),
        ("predicted_positive", Text(f"predicted {names[0]}", f"判为 {names[0]}"), [named["tp"], named["fp"]]),
        ("if_negative", Text("cell", "格"), ["FN", "TN"]),
        ("predicted_negative", Text(f"predicted {names[1]}", f"判为 {names[1]}"), [named["fn"], named["tn"]]),
        ("all", Text("all", "合计"), [plain(cells.positives), plain(cells.negatives)]),
    ]
    note = None
    if view.evidence.rows.weight is not None:
        note = Text("Each cell is the sum of the weights of its rows.", "各格为其中各行的权重之和。")
    return table("confusion", Text("The confusion matrix", "混淆矩阵"), columns, note=note)


More = Callable[[Excerpt], "list[Cells]"]


def threshold_grid(counts: ThresholdEvidence, excerpt: Excerpt, more: More) -> Grid:
    """Distinct scores from the highest, with running counts and what a metric adds to them."""
    columns: list[Cells] = [
        ("number", Text("#", "#"), [int(place) + 1 for place in excerpt.places]),
        ("threshold", Text("threshold", "阈值"), excerpt.exactly(counts.score)),
        ("tp", Text("TP", "TP"), excerpt.of(counts.tp)),
        ("fp", Text("FP", "FP"), excerpt.of(counts.fp)),
        *more(excerpt),
    ]
    heading = Text(
        "Distinct scores as thresholds, from the highest (predicted positive: score ≥ threshold)",
        "以互不相同的分数为阈值，从高到低（分数 ≥ 阈值即判为正）",
    )
    return table("thresholds", heading, columns, excerpt.counts, excerpt.note(THRESHOLDS))


def at_each(counts: ThresholdEvidence, excerpt: Excerpt) -> list[Cells]:
    """The positives and negatives with exactly each score."""
    positives, negatives = counts.at
    return [
        ("positives", Text("positives here", "此处正例"), excerpt.of(positives)),
        ("negatives", Text("negatives here", "此处负例"), excerpt.of(negatives)),
    ]
