"""Models that stand in tables of their own: their rows are matched by an id column, or taken one by one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from pingce.base.errors import InputError, refuse_other
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.data import RowData
from pingce.inputs.matched import Matching, refuse_other_order
from pingce.inputs.vectors import Vector
from pingce.request import Request
from pingce.run.shared_columns import SharedColumns

UNMATCHED = ("error", "drop")


@dataclass(frozen=True)
class RowMatching:
    """How rows of the tables of several models belong together."""

    id: str | None = None
    unmatched: str = "error"

    def __post_init__(self) -> None:
        refuse_other("unmatched", self.unmatched, UNMATCHED)
        if self.id is not None and not isinstance(self.id, str):
            raise InputError(
                f"id={type(self.id).__name__}: it is the name of the column that identifies rows in the table of every model",
                f"id={type(self.id).__name__}：应为各模型的表中标识行的列名",
            )


def are_tables(models: Mapping[str, object]) -> TypeGuard[Mapping[str, tuple[Any, str]]]:
    """Whether models are pairs (table, column)."""
    return bool(models) and all(
        isinstance(model, tuple) and len(model) == 2 and isinstance(model[1], str) for model in models.values()
    )


def refuse_without_tables(matching: RowMatching) -> None:
    """Refuse an id where models do not stand in tables of their own."""
    if matching.id is not None:
        raise InputError(
            "id= matches rows of several tables: give each model as (table, column), e.g. {'old': ('old.parquet', 'pctr'), 'new': ('new.parquet', 'pctr')}",
            "id= 用于对齐多张表的行：请把每个模型写作 `(表, 列)`，例如 {'old': ('old.parquet', 'pctr'), 'new': ('new.parquet', 'pctr')}",
        )


def matched_rows(
    request: Request, data: RowData, models: Mapping[str, tuple[Any, str]], matching: RowMatching
) -> tuple[dict[str, RowData], tuple[Text, ...]]:
    """The rows of every model, the same ones in the same order, and how they were matched; `data` names the columns that all have."""
    if data.data is not None or not isinstance(data.truth, str):
        raise InputError(
            "models given as (table, column) have their own tables: leave data= out, and name the column of the truth",
            "模型写作 `(表, 列)` 时各有自己的表：请去掉 data=，并写明真值列的列名",
        )
    columns, task = SharedColumns.of(request, data), request.task
    numeric = task.load("state").numbers
    tables: list[dict[str, Vector]] = []
    for table, name in models.values():
        numbers = [
            *((name,) if task.prediction_role in numeric else ()),
            *((data.truth,) if "y_true" in numeric else ()),
            *task.columns.of("numbers", columns.roles),
        ]
        others = [data.truth, name, *((matching.id,) if matching.id else ())]
        read = columns.read(table, others, numbers, request.reading)
        tables.append({**read, _PREDICTION: read[name]})
    files = [str(table) if isinstance(table, (str, os.PathLike)) else name for name, (table, _) in models.items()]
    shared = tuple(dict.fromkeys((data.truth, *columns.names)))
    of_parts = task.columns.unit in columns.roles
    chosen, notes = _same_rows(tables, files, shared, matching, of_parts=of_parts)
    rows = {
        model: replace(columns.table(each), truth=each[data.truth], prediction=each[_PREDICTION])
        for model, each in zip(models, chosen, strict=True)
    }
    return rows, notes


_PREDICTION = ""
"No column is called so: what the prediction is kept under, whose name may differ from table to table."


def _same_rows(
    tables: list[dict[str, Vector]],
    files: list[str],
    shared: tuple[str, ...],
    matching: RowMatching,
    *,
    of_parts: bool,
) -> tuple[list[Mapping[str, Vector]], tuple[Text, ...]]:
    if matching.id is not None:
        chosen, notes = Matching(matching.id, shared, matching.unmatched).matched(tables, files)
        return chosen, tuple(notes)
    refuse_other_order(tables, files, shared, of_parts=of_parts)
    return list(tables), ()
