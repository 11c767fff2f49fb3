"""The small examples that metrics declare: their data in words, and their value by definition."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from pingce.base.text import Text
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import parse_metric


def example_value(kind: type[Metric]) -> float:
    """The value of the declared example, by definition."""
    metric = parse_metric(kind.about.example[0], task=kind.task).metric
    value: float = metric.define(_ROWS[kind.task](kind))
    return value


def example_line(kind: type[Metric]) -> str:
    """The example as one line: the metric, its value, the data."""
    return f"{kind.about.example[0]} = {example_value(kind):.6g}    {_DATA[kind.task](kind)}"


def _ranked(kind: type[Metric]) -> Any:
    from pingce.metrics.ranking.base import RankedList

    _, grades, absent = kind.about.example
    ranked = tuple(None if isnan(grade) else grade for grade in grades)
    judged = (*(grade for grade in ranked if grade is not None), *absent)
    return RankedList(ranked, judged, 1, max(judged))


def _labelled(kind: type[Metric]) -> Any:
    from pingce.metrics.binary import LabelledList

    _, labels, scores = kind.about.example
    return LabelledList(labels, scores, groups=kind.about.groups or None)


def _classified(kind: type[Metric]) -> Any:
    from pingce.metrics.multiclass import ClassList

    _, true, predicted = kind.about.example
    if not _has_probabilities(kind):
        return ClassList(true, predicted)
    labels = tuple(sorted(set(true)))
    likely = tuple(labels[row.index(max(row))] for row in predicted)
    return ClassList(true, likely, labels, proba=predicted)


def _numbers(kind: type[Metric]) -> Any:
    from pingce.metrics.regression import NumberList

    return NumberList(*kind.about.example[1:])


_ROWS = {"ranking": _ranked, "binary": _labelled, "multiclass": _classified, "regression": _numbers}


def _has_probabilities(kind: type[Metric]) -> bool:
    return kind.uses == "probabilities"


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(f"{value:g}" if isinstance(value, (int, float)) else str(value) for value in values)


def _ranked_data(kind: type[Metric]) -> Text:
    _, grades, absent = kind.about.example
    listed = ", ".join("?" if isnan(grade) else f"{grade:g}" for grade in grades)
    said = Text(f"grades in ranked order {listed}", f"按名次的等级 {listed}")
    if not absent:
        return said
    missed = _listed(absent)
    return Text(f"{said.en}; relevant but not returned {missed}", f"{said.zh}；相关但未返回 {missed}")


def _labelled_data(kind: type[Metric]) -> Text:
    labels, scores = (_listed(column) for column in kind.about.example[1:])
    said = Text(f"labels {labels}; scores {scores}", f"标签 {labels}；分数 {scores}")
    if not kind.about.groups:
        return said
    groups = _listed(kind.about.groups)
    return Text(f"{said.en}; groups {groups}", f"{said.zh}；分组 {groups}")


def _classified_data(kind: type[Metric]) -> Text:
    _, true, predicted = kind.about.example
    if not _has_probabilities(kind):
        return Text(
            f"true {_listed(true)}; predicted {_listed(predicted)}", f"真值 {_listed(true)}；预测 {_listed(predicted)}"
        )
    labels, rows = _listed(sorted(set(true))), " | ".join(map(_listed, predicted))
    return Text(
        f"true {_listed(true)}; probabilities of {labels}, row by row: {rows}",
        f"真值 {_listed(true)}；逐行给出 {labels} 的概率：{rows}",
    )


def _number_data(kind: type[Metric]) -> Text:
    true, predicted = (_listed(column) for column in kind.about.example[1:])
    return Text(f"true y {true}; predicted ŷ {predicted}", f"真值 y {true}；预测 ŷ {predicted}")


_DATA = {
    "ranking": _ranked_data,
    "binary": _labelled_data,
    "multiclass": _classified_data,
    "regression": _number_data,
}
