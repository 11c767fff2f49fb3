"""Labels and scores: what is explained, and tables of rows, of the four cells, and of thresholds with running counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence.policies import BinaryPolicies
from pingce.explanations.derivation import Explanation, Grid
from pingce.explanations.frame import explain_rows
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.tables import MOST, Cells, Excerpt, label_cell, numbers_in, rows_in, table
from pingce.inputs.binary import BinaryRows, binary_rows
from pingce.inputs.predictions import Columns
from pingce.inputs.vectors import same_length, vector
from pingce.metrics.grammar import MetricRequest

if TYPE_CHECKING:
    from pingce.evidence.binary.evidence import BinaryView
    from pingce.evidence.binary.thresholds import ThresholdEvidence


def explain(inputs: ExplainInputs, request: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave, or of the rows of one group of it."""
    explanation = explain_binary(_read_rows(inputs, request), request, policies)
    if inputs.of_group is None:
        return explanation
    (en, zh), group = explanation.subject, inputs.of_group
    return replace(explanation, subject=Text(f"group '{group}': {en}", f"分组 '{group}'：{zh}"))


def _read_rows(inputs: ExplainInputs, request: MetricRequest) -> BinaryRows:
    more = dict(inputs.group_weight or {})
    fields = request.metric.field_columns()
    named = {
        f"{'field' if name in fields else 'by'}.{name}": name
        for name in request.metric.needed_columns()
        if name not in more
    }
    columns = inputs.read_columns("y_score", ("y_score", "weight"), group=inputs.group, **named)
    if inputs.of_group is not None:
        columns, more = _rows_of_group(inputs.of_group, columns, more)
    return binary_rows(
        columns["y_true"],
        columns["y_score"],
        group=columns["group"],
        weight=columns["weight"],
        positive=inputs.positive,
        group_weight=more | {name: columns[role] for role, name in named.items() if role in columns},
        fields=fields,
    )


def _rows_of_group(wanted: Any, columns: Columns, more: Columns) -> tuple[Columns, Columns]:
    """The columns at the rows of one group."""
    if columns["group"] is None:
        raise InputError(
            "of_group= needs the groups: give group= or --group too", "of_group= 需要分组：请同时给出 group= 或 --group"
        )
    vectors = {name: vector(column, name) for name, column in columns.items() if column is not None}
    others = {name: vector(column, name) for name, column in more.items()}
    same_length(*vectors.values(), *others.values())
    groups = vectors["group"]
    names = groups.values.tolist() if groups.is_array else groups.values.to_pylist()
    rows = np.array([at for at, name in enumerate(names) if str(name) == str(wanted)], dtype=np.intp)
    if not len(rows):
        hint = did_you_mean(str(wanted), dict.fromkeys(map(str, names[:10_000])))
        raise InputError(f"there is no group '{wanted}'{hint.en}", f"没有分组 '{wanted}'{hint.zh}")
    taken, more_taken = ({name: column.take(rows) for name, column in some.items()} for some in (vectors, others))
    return {**columns, **taken}, more_taken


def explain_binary(rows: BinaryRows, request: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The worked calculation of one metric of labels and scores."""
    size, positives = len(rows), rows.labels.count
    subject = Text(
        f"{size} rows: {positives} positive, {size - positives} negative",
        f"{size} 行：正例 {positives}，负例 {size - positives}",
    )
    return explain_rows(request, policies, rows, subject, row_grid)


def label_column(rows: BinaryRows, excerpt: Excerpt) -> Cells:
    """The labels of some rows, as they were given."""
    names = [label_cell(name) for name in (rows.labels.negative_name, rows.labels.positive_name)]
    return "label", Text("label", "标签"), [names[side] for side in rows.positive[excerpt.places].tolist()]


def decision_sentence(view: BinaryView) -> Text:
    """The rule."""
    rule = f"{'≥' if view.policies.compare == 'ge' else '>'} {view.threshold:.9g}"
    return Text(f"A row is predicted positive if its score is {rule}.", f"分数 {rule} 的行判为正，其余判为负。")


def _from_the_highest(rows: BinaryRows) -> Excerpt:
    return rows_in(np.argsort(-rows.scores, kind="stable"))


def _row_table(rows: BinaryRows, excerpt: Excerpt, *more: Cells) -> Grid:
    score: Cells = ("score", Text("score", "分数"), rows.scores)
    columns = [excerpt.row, score, label_column(rows, excerpt), *more, *excerpt.weight(rows.weight)]
    return excerpt.table("rows", Text("The rows, from the highest score", "各行，按分数从高到低"), columns)


def decided_rows(view: BinaryView) -> list[Grid]:
    """Each row with the cell that it falls in, from the highest score; nothing where there are many."""
    rows = view.evidence.rows
    if len(rows) > MOST:
        return []
    limit = rows.scores.dtype.type(view.threshold)
    decided = rows.scores >= limit if view.policies.compare == "ge" else rows.scores > limit
    cells = np.array([["TN", "FP"], ["FN", "TP"]])[rows.positive.astype(int), decided.astype(int)]
    return [_row_table(rows, _from_the_highest(rows), ("cell", Text("cell", "所属格"), cells))]


def row_grid(view: BinaryView) -> Grid:
    """Each row with its score, from the highest: all that is known of a metric that a caller declared."""
    rows = view.evidence.rows
    excerpt = _from_the_highest(rows)
    if rows.group is None:
        return _row_table(rows, excerpt)
    groups = [label_cell(name) for name in rows.group.take(excerpt.places).to_list()]
    return _row_table(rows, excerpt, ("group", Text("group", "组"), groups))


def confusion_grid(view: BinaryView) -> Grid:
    """The four cells with their names."""
    cells, labels = view.cells, view.evidence.rows.labels
    names = ["–" if name is None else str(name) for name in (labels.positive_name, labels.negative_name)]
    columns: list[Cells] = [
        ("true", Text("true \\ predicted", "真值 \\ 预测"), names),
        ("if_positive", Text("cell", "格"), ["TP", "FP"]),
        ("predicted_positive", Text(f"predicted {names[0]}", f"判为 {names[0]}"), numbers_in((cells.tp, cells.fp))),
        ("if_negative", Text("cell", "格"), ["FN", "TN"]),
        ("predicted_negative", Text(f"predicted {names[1]}", f"判为 {names[1]}"), numbers_in((cells.fn, cells.tn))),
        ("all", Text("all", "合计"), numbers_in((cells.positives, cells.negatives))),
    ]
    note = Text("Each cell is the sum of the weights of its rows.", "各格为其中各行的权重之和。")
    weighted = view.evidence.rows.weight is not None
    return table("confusion", Text("The confusion matrix", "混淆矩阵"), columns, note=note if weighted else None)


def threshold_grid(counts: ThresholdEvidence, excerpt: Excerpt, *more: Cells) -> Grid:
    """Distinct scores from the highest, with running counts and what a metric adds to them."""
    columns: list[Cells] = [
        ("number", "#", (excerpt.places + 1).tolist()),
        ("threshold", Text("threshold", "阈值"), counts.score),
        ("tp", "TP", excerpt.of(counts.tp)),
        ("fp", "FP", excerpt.of(counts.fp)),
        *more,
    ]
    heading = Text(
        "Distinct scores as thresholds, from the highest (predicted positive: score ≥ threshold)",
        "以互不相同的分数为阈值，从高到低（分数 ≥ 阈值即判为正）",
    )
    return excerpt.table("thresholds", heading, columns, Text("thresholds", "个阈值"))


def at_each(counts: ThresholdEvidence, excerpt: Excerpt) -> list[Cells]:
    """The positives and negatives with exactly each score."""
    positives, negatives = (excerpt.of(column) for column in counts.at)
    return [
        ("positives", Text("positives here", "此处正例"), positives),
        ("negatives", Text("negatives here", "此处负例"), negatives),
    ]
