"""Calibration, lift, gain and KS of every model, and which of two curves lies above the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from pingce.base.json import Json
from pingce.html.plain import both, number, numbers

if TYPE_CHECKING:
    from pingce.curves.base import Curve
    from pingce.scores.binary import BinaryScores

MOST_POINTS = 200
_MOST_PAIRS = 6
_KINDS = ("lift", "gain", "ks")


def curve_data(scores: Mapping[str, BinaryScores]) -> Json | None:
    """Points of the curves, thinned where they are many; None where a label does not occur."""
    counts = next(iter(scores.values())).counts
    if not counts["positives"] or not counts["negatives"]:
        return None
    data: Json = {kind: [_points(model.curve(kind, thin=MOST_POINTS)) for model in scores.values()] for kind in _KINDS}
    if all(model.evidence.rows.are_probabilities for model in scores.values()):
        data["calibration"] = [_points(model.curve("calibration")) for model in scores.values()]
    data["areas"] = {
        "roc": [_summary(model.curve("roc", thin=2)) for model in scores.values()],
        "pr": [_summary(model.curve("pr", thin=2)) for model in scores.values()],
    }
    return data | {"verdicts": _verdicts(scores)}


def _points(curve: Curve) -> Json:
    columns = {name: numbers(column) for name, column in curve.columns.items() if name != "threshold"}
    return {"columns": columns, "summary": _summary(curve), "points": curve.points}


def _summary(curve: Curve) -> Json:
    return {name: number(float(value)) for name, value in curve.summary.items()}


def _verdicts(scores: Mapping[str, BinaryScores]) -> list[list[str]]:
    """One sentence a pair and kind of curve: which dominates, or that they cross, where that is more than chance."""
    from pingce.curves.compare import compare_curves

    texts = []
    for first, second in list(combinations(scores, 2))[:_MOST_PAIRS]:
        for kind in ("roc", "pr"):
            curves = (scores[name].curve(kind, name=name) for name in (first, second))
            comparison = compare_curves(*curves)
            texts += [both(comparison.text)] if comparison.is_finding else []
    return texts
