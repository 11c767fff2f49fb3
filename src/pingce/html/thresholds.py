"""The threshold panel: exact cells of every model at the same thresholds, where to point at, and where scores lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.json import Json
from pingce.curves.base import Steps
from pingce.curves.thinning import even_spread
from pingce.html.plain import number, numbers

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

MOST_POINTS = 1000
"Thresholds in all: each is exact for every model."
BINS = 48
_NEARLY_ALL = 0.998
"Of the rows are inside the histogram; the last bin has the others."


def threshold_panel(scores: Mapping[str, BinaryScores]) -> Json | None:
    """Thresholds, descending, with TP and FP of each model at each; None where a label does not occur."""
    steps = {name: Steps.of(model.evidence.thresholds) for name, model in scores.items()}
    if any(not curve.positives or not curve.negatives or not _finite(curve).any() for curve in steps.values()):
        return None
    policies = next(iter(scores.values())).policies
    presets = {name: _presets(curve, policies.compare) for name, curve in steps.items()}
    grid = _grid(steps, presets, policies.threshold)
    return {
        "thresholds": grid.tolist(),
        "compare": policies.compare,
        "start": int(np.flatnonzero(grid == policies.threshold)[0]),
        "models": [_model(curve, grid, policies.compare, presets[name]) for name, curve in steps.items()],
        "histogram": _histogram(list(steps.values())),
        "distinct": [len(curve) - 1 for curve in steps.values()],
    }


def _grid(
    steps: Mapping[str, Steps], presets: Mapping[str, Mapping[str, float]], threshold: float
) -> NDArray[np.float64]:
    """Thresholds of every model's own curve, evenly along it, the presets, and the threshold of the call."""
    named = [threshold, *(place for places in presets.values() for place in places.values())]
    share = max(2, (MOST_POINTS - len(named)) // len(steps))
    grids = [
        curve.threshold[1:][even_spread((curve.tp[1:], curve.fp[1:]), share, ())].astype(np.float64)
        for curve in steps.values()
    ]
    grids = [places[np.isfinite(places)] for places in grids]
    return np.unique(np.concatenate([*grids, np.array(named, np.float64)]))[::-1]


def _presets(steps: Steps, compare: str) -> dict[str, float]:
    """Where F1 is largest, where as many rows are called positive as are, and where TPR − FPR is largest."""
    finite = _finite(steps)
    tp, fp = (column[1:][finite].astype(np.float64) for column in (steps.tp, steps.fp))
    places = {
        "max_f1": int(np.argmax(2 * tp / (tp + fp + steps.positives))),
        "bep": int(np.argmin(np.abs(tp + fp - steps.positives))),
        "ks": int(np.argmax(tp / steps.positives - fp / steps.negatives)),
    }
    scores = steps.threshold[1:][finite]
    if compare == "gt":  # scores above the next lower one are those from this one on
        below = np.nextafter(scores[-1], scores.dtype.type(-np.inf))
        scores = np.append(scores[1:], below if np.isfinite(below) else scores[-1])
    return {name: float(scores[at]) for name, at in places.items()}


def _finite(steps: Steps) -> NDArray[np.bool_]:
    """Scores that an axis can show."""
    finite: NDArray[np.bool_] = np.isfinite(steps.threshold[1:])
    return finite


def _model(steps: Steps, grid: NDArray[np.float64], compare: str, presets: Mapping[str, float]) -> Json:
    at = [steps.at(threshold, compare) for threshold in grid.tolist()]
    return {
        "positives": steps.positives,
        "negatives": steps.negatives,
        "tp": numbers(steps.tp[at]),
        "fp": numbers(steps.fp[at]),
        "presets": {name: int(np.flatnonzero(grid == place)[0]) for name, place in presets.items()},
    }


def _histogram(steps: list[Steps]) -> Json:
    """Rows of either label by score, all models on one axis; rare high scores share the last bin."""
    finite = [curve.threshold[1:][_finite(curve)] for curve in steps]
    low, top = min(float(scores[-1]) for scores in finite), max(float(scores[0]) for scores in finite)
    high = max(_reached(curve, 1 - _NEARLY_ALL) for curve in steps)
    if not low < high < top or high - low > 0.8 * (top - low):
        high = top
    edges = 2 * np.linspace(low / 2, (high if high > low else low + 1) / 2, BINS + 1)  # halves cannot overflow
    return {"edges": numbers(edges), "open": high < top, "counts": [_counted(curve, edges) for curve in steps]}


def _reached(steps: Steps, share: float) -> float:
    """The score that this share of the rows reaches."""
    positive = steps.tp + steps.fp
    return float(steps.threshold[max(1, int(np.searchsorted(positive, share * steps.total)))])


def _counted(steps: Steps, edges: NDArray[np.float64]) -> list[list[Any]]:
    """Negatives and positives of each bin; one above the last edge is in the last bin."""
    place = np.clip(np.searchsorted(edges, steps.threshold[1:].astype(np.float64), side="right") - 1, 0, BINS - 1)
    return [
        [number(value) for value in np.bincount(place, weights=np.diff(column), minlength=BINS).tolist()]
        for column in (steps.fp, steps.tp)
    ]
