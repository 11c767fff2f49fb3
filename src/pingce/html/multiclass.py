"""Classes: the report of each class, and the confusion matrix of each model."""

from __future__ import annotations

from typing import Any

from pingce.base.json import Json
from pingce.base.tables import finite
from pingce.base.text import Text
from pingce.html.markup import cell, decimal, model_names, name_of, num, row, table, tag, text, title_cell
from pingce.html.material import Material
from pingce.html.plain import numbers, readable
from pingce.html.task import ROWS, WEIGHT, HealthCount, TaskReport
from pingce.html.words import WORDS

MOST_CLASSES = 40
"In a confusion matrix; of more, the classes with most rows."
MOST_REPORTED = 400


def class_data(material: Material) -> Json:
    """The numbers of each class by model, and the matrix of the largest classes."""
    return {
        "labels": [readable(label) for label in material.first.labels[:MOST_REPORTED]],
        "all": len(material.first.labels),
        "models": [_model(scores) for scores in material.scores.values()],
    }


def _model(scores: Any) -> Json:
    columns = finite(scores.unit_columns())
    labels = [readable(label) for label in columns.pop("class")]
    matrix = scores.confusion.matrix
    support = matrix.sum(axis=1)
    kept = sorted(sorted(range(len(labels)), key=lambda at: (-float(support[at]), at))[:MOST_CLASSES])
    return {
        "labels": labels[:MOST_REPORTED],
        "columns": {name: numbers(column[:MOST_REPORTED]) for name, column in columns.items()},
        "shown": [labels[at] for at in kept],
        "matrix": [numbers(matrix[at][kept]) for at in kept],
        "support": numbers(support[kept]),
    }


def draw_classes(data: Json) -> str:
    """The report of each class and the confusion matrix, a model after another."""
    models = zip(model_names(data), data["classes"]["models"], strict=True)
    return "".join(
        tag("h3", model)
        + tag("div", tag("div", _class_report(classes, at)) + tag("div", _matrix(classes, at)), class_="two")
        for at, (model, classes) in enumerate(models)
    )


def _class_report(classes: Json, at: int) -> str:
    titles = {"support": Text("support", "样本数"), "predicted": Text("predicted", "预测数")}
    heads = [text(Text("class", "类别")), *(text(titles.get(name) or WORDS[name]) for name in classes["columns"])]
    rows = [
        row(title_cell(name_of(label)), *(num(column[place]) for column in classes["columns"].values()))
        for place, label in enumerate(classes["labels"])
    ]
    return table(f"classes-{at}", heads, rows)


def _matrix(classes: Json, at: int) -> str:
    """The matrix; shares of a row decide how dark a cell is."""

    def heat(count: float, place: int, column: int) -> str:
        whole = classes["support"][place]
        kind = f"heat h{round(9 * count / whole) if whole else 0}" + (" own" if column == place else "")
        return cell(decimal(count) if count else "·", count, kind)

    titles = [text(Text("true \\ predicted", "真值 \\ 预测")), *map(name_of, classes["shown"])]
    rows = [
        row(title_cell(name_of(label)), *(heat(count, place, to) for to, count in enumerate(classes["matrix"][place])))
        for place, label in enumerate(classes["shown"])
    ]
    caption = text(WORDS["matrix"])
    return table(f"matrix-{at}", titles, rows, labels=len(titles), caption=caption, class_="heatmap")


class MulticlassReport(TaskReport):
    """Classes: the report of each class."""

    kind = Text("classes", "多分类")
    sections = (("classes", class_data),)
    counts = (
        ROWS,
        WEIGHT,
        HealthCount(Text("classes", "类别"), "classes"),
        HealthCount(Text("rows predicted rightly", "预测正确的行"), "right"),
        HealthCount(Text("classes that never occur", "从未出现的类别"), "never_true", "undefined_class"),
        HealthCount(Text("classes that are never predicted", "从未被预测的类别"), "never_predicted", "undefined_class"),
    )
    undefined_unit = "classes"
