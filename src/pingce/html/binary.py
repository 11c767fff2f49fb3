"""Labels and scores: exact cells of every model at the same thresholds, where to point at, where scores lie, and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.curves.base import Steps, even_spread
from pingce.curves.binary import curve_figures
from pingce.curves.compare import compare_curves
from pingce.html.costs import Price, cost_data, draw_costs, prices_of
from pingce.html.fields import field_data
from pingce.html.markup import head, model_table, sentences, tag, text
from pingce.html.material import Material
from pingce.html.plain import both, number, numbers
from pingce.html.queries import Units, aligned_units
from pingce.html.task import ROWS, WEIGHT, HealthCount, TaskReport
from pingce.html.task_comparison import TASKS_SECTION, task_data

if TYPE_CHECKING:
    from pingce.curves.base import Curve
    from pingce.scores.binary import BinaryScores

MOST_POINTS = 1000
"Thresholds in all: each is exact for every model."
BINS = 48
_NEARLY_ALL = 0.998
"Of the rows are inside the histogram; the last bin has the others."
_CURVE_POINTS = 200
_MOST_PAIRS = 6
_KINDS = ("lift", "gain", "ks")
_AREAS = ("roc", "pr")
_COLUMNS = (
    ("roc", "auc", "AUC"),
    ("pr", "pr_auc", "PR AUC"),
    ("pr", "bep", "BEP"),
    ("roc", "ks", "KS"),
    ("calibration", "ece", "ECE"),
    ("calibration", "mce", "MCE"),
    ("calibration", "pcoc", "PCOC"),
    ("lift", "lift@0.1", "lift@0.1"),
)
"The table of curves: the kind, the figure of its summary, and the title."


def threshold_panel(material: Material) -> Json | None:
    """Thresholds, descending, with TP and FP of each model at each; None where a label does not occur."""
    scores: Mapping[str, BinaryScores] = material.scores  # type: ignore[assignment]
    steps = {name: Steps.of(model.evidence.thresholds) for name, model in scores.items()}
    if any(not curve.positives or not curve.negatives or not _finite(curve).any() for curve in steps.values()):
        return None
    policies, prices = next(iter(scores.values())).policies, prices_of(material)
    presets = {name: _presets(scores[name], curve, prices) for name, curve in steps.items()}
    grid = _grid(steps, presets, policies.threshold)
    panel: Json = {
        "thresholds": grid.tolist(),
        "compare": policies.compare,
        "start": int(np.flatnonzero(grid == policies.threshold)[0]),
        "models": [_model(curve, grid, policies.compare, presets[name]) for name, curve in steps.items()],
        "histogram": _histogram(list(steps.values())),
        "distinct": [len(curve) - 1 for curve in steps.values()],
    }
    if prices:
        panel["costs"] = cost_data(scores, prices, [model["presets"] for model in panel["models"]])
    return panel


def _grid(steps: Mapping[str, Steps], presets: Mapping[str, Mapping[str, float]], threshold: float) -> Floats:
    """Thresholds of every model's own curve, evenly along it, the presets, and the threshold of the call."""
    named = [threshold, *(place for places in presets.values() for place in places.values())]
    share = max(2, (MOST_POINTS - len(named)) // len(steps))
    grids = [
        curve.threshold[1:][even_spread((curve.tp[1:], curve.fp[1:]), share, ())].astype(np.float64)
        for curve in steps.values()
    ]
    grids = [places[np.isfinite(places)] for places in grids]
    return np.unique(np.concatenate([*grids, np.array(named, np.float64)]))[::-1]


def _presets(model: BinaryScores, steps: Steps, prices: Sequence[Price]) -> dict[str, float]:
    """Where F1 is largest, where as many rows are called positive as are, where TPR − FPR is largest, and by price the cost least."""
    finite = _finite(steps)
    tp, fp = (column[1:][finite].astype(np.float64) for column in (steps.tp, steps.fp))
    places = {
        "max_f1": int(np.argmax(2 * tp / (tp + fp + steps.positives))),
        "bep": int(np.argmin(np.abs(tp + fp - steps.positives))),
        "ks": int(np.argmax(tp / steps.positives - fp / steps.negatives)),
    }
    hidden = int(np.argmax(finite))
    cheapest = {price.name: place - hidden for price in prices if (place := price.place(model)) is not None}
    places |= {name: at for name, at in cheapest.items() if 0 <= at < len(tp)}
    scores = steps.threshold[1:][finite]
    if model.policies.compare == "gt":  # scores above the next lower one are those from this one on
        below = np.nextafter(scores[-1], scores.dtype.type(-np.inf))
        scores = np.append(scores[1:], below if np.isfinite(below) else scores[-1])
    return {name: float(scores[at]) for name, at in places.items()}


def _finite(steps: Steps) -> NDArray[np.bool_]:
    """Scores that an axis can show."""
    finite: NDArray[np.bool_] = np.isfinite(steps.threshold[1:])
    return finite


def _model(steps: Steps, grid: Floats, compare: str, presets: Mapping[str, float]) -> Json:
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


def _counted(steps: Steps, edges: Floats) -> list[list[Any]]:
    """Negatives and positives of each bin; one above the last edge is in the last bin."""
    place = np.clip(np.searchsorted(edges, steps.threshold[1:].astype(np.float64), side="right") - 1, 0, BINS - 1)
    return [
        [number(value) for value in np.bincount(place, weights=np.diff(column), minlength=BINS).tolist()]
        for column in (steps.fp, steps.tp)
    ]


def draw_threshold(data: Json) -> str:
    """The cells of every model at the threshold of the call."""
    panel = data["threshold"]
    at = panel["start"]
    names = ("tp", "fp", "tn", "fn", "accuracy", "precision", "recall", "f1", "fpr")
    score = f"{'≥' if panel['compare'] == 'ge' else '>'} {panel['thresholds'][at]:g}"
    cells = [live(counts, at) for counts in panel["models"]]
    line = tag("p", text(Text(f"at score {score}", f"分数 {score} 时")), class_="fine")
    values = ([of_model[name] for name in names] for of_model in cells)
    return line + model_table("threshold", data, map(head, names), values) + draw_costs(data, cells)


def live(counts: Json, at: int) -> Json:
    """The four cells and what follows from them, as the script computes it too."""
    tp, fp = counts["tp"][at], counts["fp"][at]
    fn, tn = counts["positives"] - tp, counts["negatives"] - fp
    return {
        "tp": tp,
        "fp": fp,
        "tn": tn,
        "fn": fn,
        "accuracy": (tp + tn) / (tp + fp + tn + fn),
        "precision": tp / (tp + fp) if tp + fp else None,
        "recall": tp / (tp + fn),
        "f1": 2 * tp / (2 * tp + fn + fp),
        "fpr": fp / (fp + tn),
    }


def curve_data(material: Material) -> Json | None:
    """Points of the curves, thinned where they are many; None where a label does not occur."""
    scores: Mapping[str, BinaryScores] = material.scores  # type: ignore[assignment]
    counts, models = material.first.counts, scores.values()
    if not counts["positives"] or not counts["negatives"]:
        return None
    data: Json = {kind: [_points(model.curve(kind, thin=_CURVE_POINTS)) for model in models] for kind in _KINDS}
    if all(model.evidence.rows.are_probabilities for model in models):
        data["calibration"] = [_points(model.curve("calibration")) for model in models]
    data["areas"] = {kind: [_figures(curve_figures(kind, model.evidence)) for model in models] for kind in _AREAS}
    return data | {"verdicts": _verdicts(scores) if material.are_rivals else []}


def _points(curve: Curve) -> Json:
    columns = {name: numbers(column) for name, column in curve.columns.items() if name != "threshold"}
    return {"columns": columns, "summary": _figures(curve.summary), "points": curve.points}


def _figures(summary: Mapping[str, float]) -> Json:
    return {name: number(float(value)) for name, value in summary.items()}


def _verdicts(scores: Mapping[str, BinaryScores]) -> list[list[str]]:
    """One sentence per pair and kind of curve: which dominates, or that they cross, where that is more than chance."""
    comparisons = (
        compare_curves(*(scores[name].curve(kind, name=name) for name in pair))
        for pair in list(combinations(scores, 2))[:_MOST_PAIRS]
        for kind in _AREAS
    )
    return [both(comparison.text) for comparison in comparisons if comparison.is_finding]


def draw_curves(data: Json) -> str:
    """Which curve lies above which; areas and calibration as a table."""
    section = data["curves"]
    areas = {kind: [{"summary": figures} for figures in section["areas"][kind]] for kind in _AREAS}
    curves = section | areas
    columns = {
        title: [curve["summary"].get(key) for curve in curves[kind]] for kind, key, title in _COLUMNS if kind in curves
    }
    return sentences(section["verdicts"], "diagnosis") + model_table(
        "curves", data, columns, zip(*columns.values(), strict=True)
    )


class BinaryReport(TaskReport):
    """Labels and scores: thresholds, curves, and values of each group."""

    kind = Text("labels and scores", "标签与分数")
    sections = (("threshold", threshold_panel), ("curves", curve_data), ("fields", field_data), ("tasks", task_data))
    pages = (TASKS_SECTION,)
    over_time = ("pcoc", "auc")
    counts = (
        ROWS,
        HealthCount(Text("positive rows", "正例"), "positives"),
        HealthCount(Text("negative rows", "负例"), "negatives"),
        WEIGHT,
    )

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """The groups, where there are any."""
        if material.first.evidence.rows.group is None:
            return None
        columns = {name: scores.unit_columns() for name, scores in material.scores.items()}
        metrics = [name for name in ("auc", "logloss") if name in columns[material.models[0]]]
        return aligned_units("group", columns, [*metrics, "n", "positives"])
