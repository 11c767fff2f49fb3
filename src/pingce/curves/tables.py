"""Curves as documents and tables: JSON, CSV, TSV, and tables for readers. Names of models are untrusted text."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

from pingce import __version__
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.tables import SCHEMA_VERSION, Cell, Table, finite
from pingce.base.tables import delimited as delimited_table
from pingce.base.text import Text
from pingce.curves.base import Curve
from pingce.curves.compare import CurveComparison

TITLES = {
    "threshold": Text("threshold", "阈值"),
    "recall": Text("recall", "召回率"),
    "precision": Text("precision", "精确率"),
    "share": Text("share", "样本占比"),
    "lift": Text("lift", "提升度"),
    "gain": Text("gain", "捕获率"),
    "difference": Text("tpr − fpr", "tpr − fpr"),
    "low": Text("from", "下界"),
    "high": Text("to", "上界"),
    "rows": Text("rows", "行数"),
    "mean_predicted": Text("mean predicted", "平均预估"),
    "observed": Text("observed", "实际比例"),
}
"Titles of columns for readers; the others are called alike in both languages."


def reading_table(curves: Sequence[Curve]) -> Table:
    """One row a point; several models have a column that names them, and marked thresholds are pointed at."""
    several = len(curves) > 1
    names = curves[0].column_names
    words = {**TITLES, **curves[0].column_titles}
    titles = [str(words.get(name, name)) for name in names]
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    for curve in curves:
        best |= {(len(rows) + mark.at, int(several)) for mark in curve.marks if mark.at is not None}
        head: list[Cell] = [curve.model] if several else []
        columns = [curve.columns[name].tolist() for name in names]
        rows += [head + list(row) for row in zip(*columns, strict=True)]
    return Table(([str(Text("model", "模型"))] if several else []) + titles, rows, frozenset(best))


def delimited(curves: Sequence[Curve], delimiter: str) -> str:
    """CSV or TSV with every digit: a model column, then one column a number."""
    from pyarrow.csv import WriteOptions, write_csv

    options = WriteOptions(include_header=False, delimiter=delimiter)
    parts = [delimiter.join(["model", *curves[0].column_names])]
    for curve in curves:
        out = io.BytesIO()
        # Thresholds of 32 bits with all their digits: the shortest ones would be read as another double.
        kinds = (pa.float64() if pa.types.is_float32(kind) else kind for kind in curve.table.schema.types)
        write_csv(curve.table.cast(pa.schema(list(zip(curve.column_names, kinds, strict=True)))), out, options)
        head = delimited_table(Table([curve.model], []), delimiter) + delimiter
        lines = out.getvalue().decode().removesuffix("\n")
        parts.append(head + lines.replace("\n", "\n" + head))
    return "\n".join(parts)


def document(curves: Sequence[Curve], compared: Sequence[CurveComparison] = ()) -> Json:
    """All curves as plain Python values, ready for JSON; the threshold above every score is None."""
    out: Json = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": curves[0].kind,
        "curves": [_entry(curve) for curve in curves],
    }
    if compared:
        out["comparisons"] = [
            {
                "verdict": comparison.verdict,
                "better": comparison.better,
                "where": list(comparison.where),
                "text": comparison.text._asdict(),
            }
            for comparison in compared
        ]
    return out


def _entry(curve: Curve) -> Json:
    columns = {
        name: column.tolist()
        if column.dtype.kind in "iu"
        else [value if math.isfinite(value) else None for value in column.astype(float).tolist()]
        for name, column in curve.columns.items()
    }
    return {
        "model": curve.model,
        "points": curve.points,
        "summary": finite(dict(curve.summary)),
        "marks": [
            {"threshold": mark.threshold, "compare": mark.compare, "largest": mark.largest} | finite(dict(mark.row))
            for mark in curve.marks
        ],
        "columns": columns,
    }
