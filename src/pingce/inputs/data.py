"""What a call is given to evaluate, before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias

from pingce.base.errors import InputError
from pingce.base.records import dataclass

Column: TypeAlias = Any
"An array, a series, a list, a tensor, or the name of a column of a table."
MOST_SLICES = 1000
"Slices by one column: more than a person reads, and a sign that the column is an id or a measurement."


@dataclass(frozen=True, eq=False)
class RowData:
    """Columns of predictions."""

    truth: Column
    prediction: Column
    "Scores, classes or numbers."
    data: Any = None
    "A path, a data frame or an Arrow table."
    weight: Column = None
    by: Any = None
    group: Column = None
    group_weight: Mapping[str, Column] | None = None
    proba: Any = None
    roles: Mapping[str, Column] = field(default_factory=dict)
    "Columns that the task declares, by role."

    def columns(self) -> tuple[Any, ...]:
        """Everything that may have rows."""
        common = self.truth, self.prediction, self.weight, self.by
        return *common, self.group, self.group_weight, self.proba, self.roles


@dataclass(frozen=True, eq=False)
class RankingData:
    """A run and what it is scored with, as the caller has them: paths, frames, dicts, lists, matrices."""

    truth: Any
    prediction: Any
    "The run."
    exclude: Any = None
    query_weight: Any = None
    by: Any = None
    train: Any = None
    "Pairs (query, item) of the past."
    catalog: Any = None
    "Items that could be shown, or their number."
    items: Any = None
    "A table of items with categories or vectors."
    reference: Any = None
    "Another run."


def one_weight(weight: Any, sample_weight: Any) -> Any:
    """How often each row counts, under either of its names: `sample_weight` is scikit-learn's."""
    if weight is not None and sample_weight is not None:
        raise InputError(
            "weight= and sample_weight= are two names for the same; give one of them",
            "weight= 与 sample_weight= 是同一参数的两个名称；请只给一个",
        )
    return sample_weight if weight is None else weight
