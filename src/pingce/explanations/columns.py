"""Tables by columns, and the columns that explanations of labels, classes and numbers share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Grid, Row
from pingce.explanations.excerpts import Excerpt
from pingce.explanations.numbers import whole

_EXACT = ("score", "threshold", "probability", "true", "predicted")
"Columns of what was given: different numbers must look different."
Cells: TypeAlias = "tuple[str, Text, Sequence[Cell]]"
"A column: key, title, and what stands in it."
ROWS = Text("rows", "行")
ROW_NUMBER = Text("row (from 0)", "行（从 0 起）")
WEIGHT = Text("weight w", "权重 w")


def label_cell(label: Any) -> Cell:
    """A label in a cell."""
    return (
        label if label is None or (isinstance(label, (str, int, float)) and not isinstance(label, bool)) else str(label)
    )


def table(
    key: str, title: Text, columns: Iterable[Cells], counts: Sequence[bool] | None = None, note: Text | None = None
) -> Grid:
    """A table by columns."""
    columns = list(columns)
    rows = list(zip(*(cells for _, _, cells in columns), strict=True))
    kept = counts if counts is not None else [True] * len(rows)
    heads = tuple(Column(name, heading, exact=name in _EXACT) for name, heading, _ in columns)
    return Grid(key, title, heads, tuple(Row(row, counting) for row, counting in zip(rows, kept, strict=True)), note)


def row_numbers(excerpt: Excerpt) -> Cells:
    """The column that says which rows these are."""
    return "row", ROW_NUMBER, excerpt.places.tolist()


def weight_column(excerpt: Excerpt, weight: Floats | None) -> list[Cells]:
    """The weight of each row; nothing where rows are not weighted."""
    return [] if weight is None else [("weight", WEIGHT, excerpt.of(weight))]


def weighted_terms(excerpt: Excerpt, terms: Floats, weight: Floats | None, title: str | Text) -> list[Cells]:
    """The weight, and the weighted term; nothing where rows are not weighted."""
    if weight is None:
        return []
    with np.errstate(over="ignore"):
        products = (weight[excerpt.places] * terms[excerpt.places]).tolist()
    cells = [None if math.isnan(product) else product for product in products]
    return [
        ("weight", WEIGHT, excerpt.of(weight)),
        ("weighted", Text(*(f"w · {product}" for product in whole(title))), cells),
    ]
