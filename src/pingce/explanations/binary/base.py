"""Labels and scores: pairs, thresholds, cells, groups and contributions, down to the value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence.policies import BinaryPolicies
from pingce.explanations.binary.tables import row_grid
from pingce.explanations.derivation import Explanation
from pingce.explanations.frame import explain_rows
from pingce.explanations.inputs import ExplainInputs
from pingce.inputs.predictions import Columns
from pingce.metrics.grammar import MetricRequest

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows


def explain(inputs: ExplainInputs, request: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave, or of the rows of one group of it."""
    explanation = explain_binary(_read_rows(inputs, request), request, policies)
    if inputs.of_group is None:
        return explanation
    (en, zh), group = explanation.subject, inputs.of_group
    return replace(explanation, subject=Text(f"group '{group}': {en}", f"分组 '{group}'：{zh}"))


def _read_rows(inputs: ExplainInputs, request: MetricRequest) -> BinaryRows:
    from pingce.inputs.binary import binary_rows

    more = dict(inputs.group_weight or {})
    named = [name for name in request.metric.needed_columns() if name not in more]
    columns = inputs.read_columns(
        "y_score", ("y_score", "weight"), group=inputs.group, **{f"by.{name}": name for name in named}
    )
    if inputs.of_group is not None:
        columns, more = _rows_of_group(inputs.of_group, columns, more)
    return binary_rows(
        columns["y_true"],
        columns["y_score"],
        group=columns["group"],
        weight=columns["weight"],
        positive=inputs.positive,
        group_weight=more | {name: columns[f"by.{name}"] for name in named if f"by.{name}" in columns},
    )


def _rows_of_group(wanted: Any, columns: Columns, more: Columns) -> tuple[Columns, Columns]:
    """The columns at the rows of one group."""
    import numpy as np

    from pingce.inputs.vectors import same_length, vector

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
