"""One batch of labels and scores, as an evaluator keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.batches import joined_vectors
from pingce.inputs.ids import IntIds
from pingce.inputs.labelled import BinaryRows, binary_rows
from pingce.inputs.predictions import asked_slices, chosen, slice_columns, slice_roles
from pingce.inputs.vectors import Vector, same_length, vector

if TYPE_CHECKING:
    from pingce.evaluators.batches import Naming
    from pingce.metrics.grammar import MetricRequest

MOST_BINS = 1 << 24


@dataclass(frozen=True)
class Batch:
    """Rows as they came: of their labels the larger stands for the positive one until all are known."""

    rows: BinaryRows
    by: Mapping[str, Vector | None]
    "What they are sliced by; None stands for the activity of groups."
    label: Text = Text("y_true", "y_true")
    "What messages call the column of labels."

    def owned(self, *, groups: bool = True) -> Batch:
        """The same in memory of its own: the caller may write the next batch into his. Groups that are counted at once
        are not kept.
        """
        rows, column, group = self.rows, self.rows.score_column, self.rows.group
        scores = rows.scores.copy()
        rows = replace(
            rows,
            scores=scores,
            score_column=None if column is None else replace(column, values=scores),
            group=IntIds(group.values.copy()) if groups and isinstance(group, IntIds) else group,
        )
        by = {
            name: replace(one, values=one.values.copy()) if one is not None and one.is_array else one
            for name, one in self.by.items()
        }
        return replace(self, rows=rows, by=by)


def read_batch(
    y_true: Any,
    y_score: Any,
    asked: Iterable[MetricRequest],
    *,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    group_weight: Mapping[str, Any] | None = None,
    by: Any = None,
    input_format: str | None = None,
    encoding: str | None = None,
    named: Naming | None = None,
) -> Batch:
    """A batch from columns as `evaluate_binary` takes them; `named` says what messages call its rows."""
    wanted = {"y_true": y_true, "y_score": y_score, "group": group, "weight": weight}
    if group_weight is not None and not isinstance(group_weight, Mapping):
        raise InputError(
            f"group_weight is {type(group_weight).__name__}; give a dict with a column a name, which gauc(by=name) then takes",
            f"group_weight 是 {type(group_weight).__name__}；请给出名称到列的字典，供 gauc(by=名称) 使用",
        )
    more = dict(group_weight or {})
    columns_named = (name for metric in asked for name in metric.metric.needed_columns())
    needed = list(dict.fromkeys(name for name in columns_named if name not in more))
    slices = asked_slices(by, named=data is not None)
    wanted |= {f"by.{name}": name for name in needed} | slice_roles(slices)
    columns, notes = chosen(data, wanted, input_format=input_format, encoding=encoding)
    columns = columns if named is None else named(columns, data)
    truth = vector(columns.pop("y_true"), "y_true")
    rows = binary_rows(
        truth,
        columns.pop("y_score"),
        group=columns.pop("group"),
        weight=columns.pop("weight"),
        group_weight=more | {name: columns[f"by.{name}"] for name in needed if f"by.{name}" in columns},
        notes=notes,
        batch=True,
    )
    cut = {
        name: None if column is None else vector(column, f"by '{name}'")
        for name, column in slice_columns(slices, columns).items()
    }
    same_length(truth, *cut.values())
    return Batch(rows, cut, truth.name)


def joined_slices(batches: Sequence[Batch]) -> dict[str, Vector | None]:
    """What the rows of all batches are sliced by."""
    found: dict[str, Vector | None] = {}
    for name in batches[0].by:
        columns = [batch.by[name] for batch in batches]
        given = [column for column in columns if column is not None]
        found[name] = joined_vectors(given) if given else None
    return found


def checked_bins(bins: Any) -> int | None:
    """How many cells scores are put into."""
    if bins is None:
        return None
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 2 <= bins <= MOST_BINS:
        raise InputError(
            f"bins={bins!r}: scores are put into 2 to {MOST_BINS} bins, a whole number, e.g. 1048576",
            f"bins={bins!r}：分箱数须为 2 到 {MOST_BINS} 的整数，例如 1048576",
        )
    return int(bins)


def exact_only(option: str) -> InputError:
    """What to say where cells of scores are too coarse."""
    return InputError(
        f"{option} needs every score, and bins= puts scores into cells; leave one of the two out",
        f"{option} 需要每个分数，而 bins= 会把分数归入箱中；请去掉其一",
    )
