"""Rows of classes as tables, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.evidence.soundness import (
    AMOUNT,
    COUNT,
    LABELS,
    SHARE,
    WHOLE,
    Column,
    Condition,
    checked_column,
    checked_columns,
    checked_json,
    demand,
    fits,
)
from pingce.inputs.classes import Classes
from pingce.inputs.multiclass import ClassRows
from pingce.run.states.slices import slice_columns, slices_from

_CODES = Column("int64", (COUNT,))
_COLUMNS = {
    "true": _CODES,
    "predicted": replace(_CODES, optional=True),
    "weight": Column("float64", (AMOUNT,), optional=True),
}
_ABOUT = {
    "labels": (Condition(lambda names: fits(names, LABELS) and fits(names, ([str], [int], [bool]))),),
    "without_weight": WHOLE,
    "columns": [str],
}


def rows_to_tables(rows: ClassRows) -> dict[str, pa.Table]:
    """The rows, and, where they are sliced, the slices of all rows, also of weight 0."""
    columns: dict[str, Any] = {"true": rows.truth.codes}
    columns |= {} if rows.prediction is None else {"predicted": rows.prediction.codes}
    columns |= {} if rows.weight is None else {"weight": rows.weight}
    if rows.proba is not None:
        flat = pa.array(np.ascontiguousarray(rows.proba).reshape(-1))
        columns["proba"] = pa.FixedSizeListArray.from_arrays(flat, rows.proba.shape[1])
    about = {"labels": rows.labels, "without_weight": rows.without_weight, "columns": rows.columns}
    table = pa.table(columns | slice_columns(rows.by))
    every = {"given": pa.table(slice_columns(rows.by, every=True))} if rows.by else {}
    return {"rows": table.replace_schema_metadata({"about": json.dumps(about, ensure_ascii=False)})} | every


def rows_from_tables(tables: Mapping[str, pa.Table], *, declared: bool) -> ClassRows:
    """The rows that `rows_to_tables` wrote; `declared` where `labels=` named the classes."""
    table = tables["rows"]
    about = checked_json((table.schema.metadata or {}).get(b"about"), _ABOUT, "rows")
    labels, columns = about["labels"], checked_columns(table, _COLUMNS)
    inside = all(codes.max(initial=-1) < len(labels) for name, codes in columns.items() if name != "weight")
    demand(inside and len(set(labels)) == len(labels), "a class has no label", "有的类别没有标签")
    demand("predicted" in columns or "proba" in table.column_names, "nothing is predicted", "没有预测")
    rows = len(tables.get("given", table)) - len(table)
    demand("given" not in tables or rows == about["without_weight"], "rows of weight 0 lack", "缺少权重为 0 的行")
    return ClassRows(
        Classes(columns["true"], labels),
        Classes(columns["predicted"], labels) if "predicted" in columns else None,
        columns.get("weight"),
        _proba(table) if "proba" in table.column_names else None,
        without_weight=about["without_weight"],
        by=slices_from(table, tables.get("given")),
        fixed=declared,
        declared=declared,
        columns=tuple(about["columns"]),
    )


def _proba(table: pa.Table) -> NDArray[Any]:
    """The probabilities, a row each."""
    kind = table.schema.field("proba").type
    demand(pa.types.is_fixed_size_list(kind) and kind.list_size > 0, "'proba' is not a matrix", "'proba' 不是矩阵")
    flat = pa.chunked_array([chunk.flatten() for chunk in table.column("proba").chunks], kind.value_type)
    demand(len(flat) == len(table) * kind.list_size, "'proba' has missing rows", "'proba' 缺行")
    return checked_column(flat, "proba", Column("float16 float32 float64", (SHARE,))).reshape(-1, kind.list_size)
