"""The page of several labels: each label's numbers, and how many labels rows have and are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pingce.base.json import Json
from pingce.base.tables import finite
from pingce.base.text import Text
from pingce.html.markup import model_name, name_of, num, row, table, text, title_cell
from pingce.html.material import Material
from pingce.html.plain import numbers, readable
from pingce.html.task import ROWS, WEIGHT, HealthCount, Section, TaskReport
from pingce.multilabel.scores import TITLES

MOST_LABELS = 400
MOST_SIZES = 30
"Numbers of labels per row in a table; larger ones are put together in the last line."
_SIZES = (
    Text("labels", "标签数"),
    Text("rows that have so many", "实有该数的行"),
    Text("rows predicted to", "预测为该数的行"),
    Text("all right", "全对"),
)


def label_data(material: Material) -> Json:
    """The numbers of each label by model, the most frequent first."""
    return {"models": [_labels(scores) for scores in material.scores.values()]}


def _labels(scores: Any) -> Json:
    columns = finite(scores.label_columns())
    order = sorted(range(len(columns["label"])), key=lambda at: (-columns["support"][at], at))[:MOST_LABELS]
    names = [readable(columns["label"][at]) for at in order]
    kept = {name: numbers([column[at] for at in order]) for name, column in columns.items() if name != "label"}
    return {"labels": names, "columns": kept, "all": len(columns["label"])}


def size_data(material: Material) -> Json:
    """How many rows have how many labels, are given how many, and are all right, by model."""
    return {"models": [_sizes(scores) for scores in material.scores.values()]}


def _sizes(scores: Any) -> list[list[float]]:
    patterns = scores.view.decisions.patterns
    most = min(MOST_SIZES, len(scores.labels)) + 1
    right = (patterns.tp == patterns.true) & (patterns.tp == patterns.predicted)
    columns = [
        np.bincount(np.minimum(sizes, most - 1), patterns.rows * chosen, most)
        for sizes, chosen in (
            (patterns.true, np.ones(len(right), bool)),
            (patterns.predicted, np.ones(len(right), bool)),
            (patterns.true, right),
        )
    ]
    used = np.flatnonzero(columns[0] + columns[1])
    return [numbers([int(at), *(int(column[at]) for column in columns)]) for at in used]


def draw_labels(data: Json) -> str:
    """A table of the labels of each model."""

    def lines(model: Json) -> Iterable[str]:
        columns = model["columns"].values()
        return (
            row(title_cell(name_of(label)), *(num(column[at]) for column in columns))
            for at, label in enumerate(model["labels"])
        )

    heads = [text(TITLES[name]) for name in ("label", *data["multilabel_labels"]["models"][0]["columns"])]
    return _tables("labels", data, "multilabel_labels", heads, lines)


def draw_sizes(data: Json) -> str:
    """A table of the numbers of labels of each model."""

    def lines(sizes: Any) -> Iterable[str]:
        return (row(title_cell(str(int(each[0]))), *map(num, each[1:])) for each in sizes)

    return _tables("sizes", data, "multilabel_sizes", [text(words) for words in _SIZES], lines)


def _tables(key: str, data: Json, section: str, heads: list[str], lines: Any) -> str:
    models = zip(data["models"], data[section]["models"], strict=True)
    return "".join(
        table(f"{key}-{at}", heads, lines(model), caption=model_name(name, at))
        for at, (name, model) in enumerate(models)
    )


class MultilabelReport(TaskReport):
    """Several labels per row: the report of each label."""

    kind = Text("multi-label", "多标签")
    counts = (
        ROWS,
        WEIGHT,
        HealthCount(Text("labels", "标签"), "labels"),
        HealthCount(Text("labels a row", "平均每行标签数"), "labels_per_row"),
        HealthCount(Text("labels predicted a row", "平均每行预测数"), "predicted_per_row"),
        HealthCount(Text("rows without a label", "没有标签的行"), "without_labels"),
        HealthCount(Text("labels that never occur", "从未出现的标签"), "never_true", "undefined_label"),
        HealthCount(Text("labels that are never predicted", "从未被预测的标签"), "never_predicted", "undefined_label"),
    )
    sections = (("multilabel_labels", label_data), ("multilabel_sizes", size_data))
    pages = (
        Section(
            "multilabel_labels",
            Text("Each label", "各标签"),
            Text(
                "Precision, recall and F1 of each label, the most frequent first.",
                "各标签的精确率、召回率与 F1，最常见的在前。",
            ),
            draw_labels,
        ),
        Section(
            "multilabel_sizes",
            Text("Labels per row", "每行的标签数"),
            Text(
                "How many rows have how many labels, and how many are predicted.",
                "各有多少行有几个标签，又预测了几个。",
            ),
            draw_sizes,
        ),
    )
