"""Fields, the worst first: what was predicted and what came, and how much of the error each brings."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import exact_dot, exact_sum
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, dashed, label_cell, largest, plain, real
from pingce.metrics.binary import fields

_SENTENCE = Text("the exact sum over the fields that count", "对计入的字段精确求和")


@explains(fields.FieldMetric)
def field_errors(metric: fields.FieldMetric, view: BinaryView) -> Derivation:
    """A row a field; those without clicks have a dash where they do not count."""
    counts = view.fields(metric.by)
    kept, errors = metric.counted(counts), metric.errors(counts)
    weighted = np.where(kept, np.nan_to_num(errors), 0.0) * counts.rows
    excerpt = largest(weighted)
    places = excerpt.places
    title = Text("|Σ y − Σ p| / Σ y", "|Σ y − Σ p| / Σ y")
    if isinstance(metric, fields.FieldCalibrationError):
        title = Text("|Σ y − Σ p| / n_z", "|Σ y − Σ p| / n_z")
    columns: list[Cells] = [
        ("field", metric.by or Text("group", "组"), [label_cell(name) for name in counts.names(places)]),
        ("rows", Text("rows n_z", "行数 n_z"), excerpt.of(counts.rows)),
        ("positives", "Σ y", excerpt.of(counts.positives)),
        ("predicted", "Σ p", excerpt.of(counts.predicted)),
        ("error", title, dashed(errors[places])),
        ("term", Text("n_z · error", "n_z · 误差"), dashed(np.where(kept, weighted, np.nan)[places])),
    ]
    heading = Text("The fields, the worst first by rows × error", "各字段，按 行数 × 误差 从大到小")
    steps: list[Step] = [excerpt.table("fields", heading, columns, Text("fields", "个字段"))]
    if not kept.all():
        fate = Text("left out with their rows", "连同其行不计入")
        if getattr(metric, "zero", "") == "keep":
            fate = Text(
                "they add nothing, and their rows are divided by (zero=keep)", "不贡献误差，其行计入分母（zero=keep）"
            )
        rows = plain(counts.rows[~kept].sum())
        steps.append(
            Text(
                f"{int((~kept).sum())} of {len(counts)} fields have no positive row ({rows} rows): {fate.en}.",
                f"{len(counts)} 个字段中有 {int((~kept).sum())} 个没有正例（{rows} 行）：{fate.zh}。",
            )
        )
    if not kept.any():
        return Derivation(steps)
    if isinstance(metric, fields.FieldRelativeCalibrationError):
        rows_kept = counts.rows[kept].astype(np.float64)
        top = exact_dot(errors[kept], rows_kept)
        bottom = exact_sum(counts.rows.astype(np.float64) if metric.zero == "keep" else rows_kept)
    else:
        top, bottom = exact_sum(np.abs(counts.excess)), exact_sum(counts.rows.astype(np.float64))
    steps += [
        Line("sum", Text("Σ n_z · error", "Σ n_z · 误差"), _SENTENCE, (), real(top)),
        Line("count", Text("rows n", "行数 n"), "{}", (plain(bottom),), plain(bottom)),
    ]
    return Derivation(steps, "{} / {}", (real(top), plain(bottom)), float(top / bottom))
