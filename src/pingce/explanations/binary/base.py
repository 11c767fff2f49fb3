"""Labels and scores: pairs, thresholds, cells, groups and contributions, down to the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence.policies import BinaryPolicies
from pingce.explanations.binary.tables import row_grid
from pingce.explanations.derivation import Derivation, Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.parts import explained, silently, weight_note
from pingce.explanations.registry import derive
from pingce.metrics.grammar import MetricRequest
from pingce.run.score import score_metric

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows
    from pingce.inputs.vectors import Vector


def explain(inputs: ExplainInputs, request: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave, or of the rows of one group of it."""
    explanation = explain_binary(_read_rows(inputs, request), request, policies)
    if inputs.of_group is None:
        return explanation
    subject, group = explanation.subject, inputs.of_group
    words = Text(f"group '{group}': {subject.en}", f"分组 '{group}'：{subject.zh}")
    return replace(explanation, subject=words)


def _read_rows(inputs: ExplainInputs, request: MetricRequest) -> BinaryRows:
    from pingce.inputs.binary import binary_rows

    more = dict(inputs.group_weight or {})
    named = [name for name in request.metric.needed_columns() if name not in more]
    columns = inputs.read_columns("y_score", {"group": inputs.group} | {f"by.{name}": name for name in named})
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


def _rows_of_group(
    wanted: Any, columns: Mapping[str, Any], more: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
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
    names = _names(vectors["group"])
    rows = np.array([at for at, name in enumerate(names) if str(name) == str(wanted)], dtype=np.intp)
    if not len(rows):
        hint = did_you_mean(str(wanted), dict.fromkeys(map(str, names[:10_000])))
        raise InputError(f"there is no group '{wanted}'{hint.en}", f"没有分组 '{wanted}'{hint.zh}")

    def taken(some: Mapping[str, Vector]) -> dict[str, Any]:
        return {name: column.take(rows) for name, column in some.items()}

    return {**columns, **taken(vectors)}, taken(others)


def _names(groups: Vector) -> list[Any]:
    values = groups.values
    names: list[Any] = values.tolist() if groups.is_array else values.to_pylist()
    return names


def explain_binary(rows: BinaryRows, request: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The worked calculation of one metric of labels and scores."""
    with silently():
        scores = score_metric(request, policies, rows)
    view = scores.evidence.view(request.under(policies))
    metric = request.metric
    derivation = derive(metric, lambda: Derivation([row_grid(view)], "", (), metric.value(view)), view)
    return explained(request, scores, _subject(rows), replace(derivation, notes=weight_note(rows.weight is not None)))


def _subject(rows: BinaryRows) -> Text:
    size, positives = len(rows), rows.labels.count
    weighted = Text(", weighted", "，已加权") if rows.weight is not None else Text("", "")
    return Text(
        f"{size} rows: {positives} positive, {size - positives} negative{weighted.en}",
        f"{size} 行：正例 {positives}，负例 {size - positives}{weighted.zh}",
    )
