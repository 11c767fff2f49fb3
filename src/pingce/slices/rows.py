"""What predictions are sliced by: columns of their table, arrays, or how active a group is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.predictions import ACTIVITY
from pingce.inputs.vectors import same_length, vector
from pingce.slices.partition import Partition, coded, deciles, partition_of

if TYPE_CHECKING:
    from pingce.inputs.ids import Ids
    from pingce.inputs.vectors import Vector


def row_partitions(
    asked: Mapping[str, Any], like: Vector, group: Ids | None = None, *, batch: bool = False
) -> tuple[Partition, ...]:
    """The slice of each row, under each of the columns; None stands for the activity of groups.

    A column of one `batch` may be without any value.
    """
    found = []
    for name, column in asked.items():
        if column is None:
            found.append(_activity(group))
            continue
        values = vector(column, f"by '{name}'")
        same_length(like, values)
        found.append(partition_of(values, name, batch=batch))
    return tuple(found)


def _activity(group: Ids | None) -> Partition:
    """Deciles of the groups by their number of rows; a row goes with its group."""
    if group is None:
        raise InputError(
            "by=activity goes by the number of rows of each group: say which column or array holds the groups with group= or --group",
            "by=activity 依据每组的行数：请用 group= 或 --group 指明哪一列是分组（如用户）",
        )
    codes = coded(group)
    rows = np.bincount(codes)
    said = Text("a group's number of rows", "每组的行数")
    groups = deciles(rows.astype(np.float64), ACTIVITY, said)
    return Partition(ACTIVITY, groups.codes[codes], groups.names, groups.notes)
