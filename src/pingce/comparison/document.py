"""A comparison as a document of plain values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pingce import __version__
from pingce.base.json import Json
from pingce.base.tables import SCHEMA_VERSION, finite
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric
    from pingce.curves.compare import CurveComparison


def document(comparison: Comparison, *, per_query: bool = False) -> Json:
    """Everything of a comparison, ready for JSON."""
    from pingce.comparison.slices import is_sliced, slice_note, slice_rows

    settings, of_rows = comparison.settings, TASKS[comparison.task].of_rows
    out: Json = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": "comparison",
        "task": comparison.task,
        "baseline": comparison.baseline,
        "models": [{"name": model, "letter": comparison.letter(model)} for model in comparison.models],
        "settings": {
            "test": settings.test,
            "correction": settings.correction,
            "confidence": settings.confidence,
            "alpha": settings.alpha,
            "permutations": settings.permutations,
            "bootstrap_draws": settings.cell_draws if of_rows else settings.draws,
            "seed": settings.seed,
        },
        "how": [text._asdict() for text in comparison.how],
        "metrics": [_metric(comparison, metric, per_query=per_query) for metric in comparison.measured.values()],
        "warnings": [text._asdict() for text in comparison.warnings],
    }
    if is_sliced(comparison):
        out["slices"] = {
            "note": slice_note(comparison)._asdict(),
            "rows": [row.flat() for row in slice_rows(comparison)],
        }
    if comparison.curves:
        out["curves"] = [_curve(curve) for curve in comparison.curves]
    plain: Json = finite(out)
    return plain


def _ends(interval: tuple[float, float]) -> dict[str, float] | None:
    low, high = interval
    return None if math.isnan(low) or math.isnan(high) else {"low": low, "high": high}


def _metric(comparison: Comparison, metric: MeasuredMetric, *, per_query: bool) -> Json:
    entry: Json = {
        "name": metric.name,
        "id": metric.id,
        "higher_is_better": metric.higher_is_better,
        "unit": metric.unit,
        "models": [_model(comparison, metric, model) for model in comparison.models],
        "pairwise": [_gap(comparison.difference(metric.name, *pair)) for pair in sorted(metric.differences)],
    }
    if per_query and metric.units is not None:
        columns = metric.units.columns.T.tolist()
        entry["per_unit"] = {
            "unit": metric.units.unit,
            "ids": list(metric.units.ids),
            "values": dict(zip(metric.models, columns, strict=True)),
        }
    return entry


def _model(comparison: Comparison, metric: MeasuredMetric, model: str) -> Json:
    at = comparison.models.index(model)
    return {
        "model": model,
        "value": metric.values[at],
        "interval": _ends(metric.intervals[at]),
        "count": metric.counts[at],
        "undefined": metric.undefined[at],
        "best": model in metric.best(),
        "better_than": comparison.beaten(metric.name, model),
        "signature": metric.signatures[at],
        "against_baseline": None if model == comparison.baseline else _gap(comparison.difference(metric.name, model)),
    }


def _gap(gap: Difference) -> Json:
    figures = {name: getattr(gap, name) for name in ("p", "effect", "detectable", "relative")}
    return figures | {
        "model": gap.model,
        "against": gap.against,
        "difference": gap.value,
        "interval": _ends(gap.interval),
        "corrected_p": gap.corrected,
        "test": gap.test._asdict(),
        "unit": gap.unit,
        "pairs": gap.pairs,
        "left_out": gap.left_out,
        "wins": gap.wins,
        "ties": gap.ties,
        "losses": gap.losses,
    }


def _curve(curve: CurveComparison) -> Json:
    return {
        "kind": curve.kind,
        "models": list(curve.models),
        "verdict": curve.verdict,
        "better": curve.better,
        "where": list(curve.where),
        "text": curve.text._asdict(),
    }
