"""How batches are counted, and what messages call the rows of one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pingce.base.errors import EmptyInputError, InputError, did_you_mean
from pingce.base.text import Text
from pingce.inputs.predictions import Columns
from pingce.inputs.vectors import Vector, vector
from pingce.run.data import RowData

_NAMED = ("y_true", "y_score", "y_pred", "group", "weight")
_SPLITS = ("allowed", "never")


class Batches:
    """Counts batches. Once there are two, messages say of which one a row is."""

    def __init__(self) -> None:
        self.count = 0

    def next(self, columns: Columns, data: Any) -> Columns:
        """The columns of the next batch; lines of files, and columns that an engine has read, say themselves what they are."""
        if isinstance(data, (str, os.PathLike)):
            return columns
        number = self.count + 1
        named = {
            name: self._named(vector(column, name), number)
            for name in _NAMED
            if (column := columns.get(name)) is not None and (data is not None or not isinstance(column, Vector))
        }
        return columns | named

    def _named(self, column: Vector, number: int) -> Vector:
        row_place = column.place

        def place(row: int) -> Text:
            text = row_place(row)
            if max(number, self.count) == 1:
                return text
            space = " " if text.zh[:1].isascii() else ""
            return Text(f"{text.en} in batch {number}", f"第 {number} 批的{space}{text.zh}")

        return replace(column, place=place)


def refuse_rows(problem: EmptyInputError, table: RowData) -> None:
    """A batch may be empty, but not in one column only."""
    if table.data is None and any(map(_has_rows, table.columns())):
        raise problem


def _has_rows(column: Any) -> bool:
    if isinstance(column, Mapping):
        return any(map(_has_rows, column.values()))
    if column is None or isinstance(column, str):
        return False
    try:
        return len(column) > 0
    except TypeError:  # an iterator, which is spent by now, or no column at all
        return True


def checked_split(split: Any, what: Text) -> str:
    """Whether a query, or a group, may come in several batches."""
    if split not in _SPLITS:
        hint = did_you_mean(str(split), _SPLITS)
        raise InputError(
            f"split={split!r}: choose allowed (a {what.en} may come in several batches, so rows are kept until compute) or never "
            f"(each {what.en} is whole in one batch){hint.en}",
            f"split={split!r}：可选 allowed（一个{what.zh}可分在多个批次，数据行保留到 compute）或 never"
            f"（每个{what.zh}都完整地在一个批次中）{hint.zh}",
        )
    return str(split)
