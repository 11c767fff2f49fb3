"""Classes: the report of each class, and the confusion matrix of each model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.base.tables import finite
from pingce.html.plain import numbers, readable

if TYPE_CHECKING:
    from pingce.html.material import Material

MOST_CLASSES = 40
"In a confusion matrix; of more, the classes with most rows."
MOST_REPORTED = 400


def class_data(material: Material) -> Json:
    """Per model: a column a number, a row a class; and the matrix of the largest classes."""
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
