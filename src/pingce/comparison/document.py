"""A comparison as a document: plain values, ready for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.comparison.results import known

if TYPE_CHECKING:
    from pingce.base.text import Text
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric
    from pingce.curves.compare import CurveComparison

SCHEMA_VERSION = 1


def document(found: Comparison, *, per_query: bool = False) -> dict[str, Any]:
    """Everything that was found."""
    from pingce import __version__
    from pingce.comparison.slices import is_sliced, slice_note, slice_rows

    settings, of_queries = found.settings, found.task == "ranking"
    out: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": "comparison",
        "task": found.task,
        "baseline": found.baseline,
        "models": [{"name": model, "letter": found.letter(model)} for model in found.models],
        "settings": {
            "test": settings.test,
            "correction": settings.correction,
            "confidence": settings.confidence,
            "alpha": settings.alpha,
            "permutations": settings.permutations,
            "bootstrap_draws": settings.draws if of_queries else settings.cell_draws,
            "seed": settings.seed,
        },
        "how": [_both(text) for text in found.how],
        "metrics": [_metric(found, one, per_query=per_query) for one in found.measured.values()],
        "warnings": [_both(text) for text in found.warnings],
    }
    if is_sliced(found):
        out["slices"] = {"note": _both(slice_note(found)), "rows": [row.flat() for row in slice_rows(found)]}
    if found.curves:
        out["curves"] = [_curve(curve) for curve in found.curves]
    return out


def _both(text: Text) -> dict[str, str]:
    return {"en": text.en, "zh": text.zh}


def _ends(interval: tuple[float, float]) -> dict[str, float] | None:
    low, high = interval
    return None if known(low) is None or known(high) is None else {"low": low, "high": high}


def _metric(found: Comparison, one: MeasuredMetric, *, per_query: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": one.name,
        "id": one.id,
        "higher_is_better": one.higher_is_better,
        "unit": one.unit,
        "models": [_model(found, one, model) for model in found.models],
        "pairwise": [_gap(found.difference(one.name, *pair)) for pair in sorted(one.differences)],
    }
    if per_query and one.units is not None:
        columns = one.units.columns.T.tolist()
        entry["per_unit"] = {
            "unit": one.units.unit,
            "ids": list(one.units.ids),
            "values": {
                model: [known(value) for value in column] for model, column in zip(one.models, columns, strict=True)
            },
        }
    return entry


def _model(found: Comparison, one: MeasuredMetric, model: str) -> dict[str, Any]:
    at = found.models.index(model)
    return {
        "model": model,
        "value": known(one.values[at]),
        "interval": _ends(one.intervals[at]),
        "count": one.counts[at],
        "undefined": one.undefined[at],
        "best": model in one.best(),
        "better_than": found.beaten(one.name, model),
        "signature": one.signatures[at],
        "against_baseline": None if model == found.baseline else _gap(found.difference(one.name, model)),
    }


def _gap(gap: Difference) -> dict[str, Any]:
    figures = {name: known(getattr(gap, name)) for name in ("p", "effect", "detectable", "relative")}
    return figures | {
        "model": gap.model,
        "against": gap.against,
        "difference": known(gap.value),
        "interval": _ends(gap.interval),
        "corrected_p": known(gap.corrected),
        "test": _both(gap.test),
        "unit": gap.unit,
        "pairs": gap.pairs,
        "left_out": gap.left_out,
        "wins": gap.wins,
        "ties": gap.ties,
        "losses": gap.losses,
    }


def _curve(curve: CurveComparison) -> dict[str, Any]:
    return {
        "kind": curve.kind,
        "models": list(curve.models),
        "verdict": curve.verdict,
        "better": curve.better,
        "where": list(curve.where),
        "text": _both(curve.text),
    }
