"""The curves of labels and scores: each is a few lines over the steps that a falling threshold makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.curves.base import Curve, Mark, Steps, arrow_table, divided
from pingce.evidence.binary.evidence import BinaryEvidence, quantile_places
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.binary import binary_rows
from pingce.inputs.columns import Reading
from pingce.inputs.data import RowData, one_weight
from pingce.inputs.predictions import chosen
from pingce.tasks.binary import BINARY
from pingce.tasks.options import Keywords, unknown_option

Column: TypeAlias = NDArray[Any]
Columns: TypeAlias = dict[str, Column]

TITLES = BINARY.curves
"All kinds, by name."


def _times(counts: Column, factor: float, largest: float) -> Column:
    """Counts times a count: integers wherever they fit."""
    return counts * factor if largest * abs(factor) < 2**62 else counts.astype(np.float64) * factor


def _apart(steps: Steps) -> Column:
    """TP · N − FP · P."""
    n, p = steps.negatives, steps.positives
    difference: Column = _times(steps.tp, n, p) - _times(steps.fp, p, n)
    return difference


def _lift(steps: Steps) -> Floats:
    """How much denser positives are among the rows so far: TP · n / ((TP + FP) · P)."""
    rows, total, positives = steps.tp + steps.fp, steps.total, steps.positives
    density = divided(_times(steps.tp, total, positives), _times(rows, positives, total))
    if len(density) > 1 and not rows[0]:
        density[0] = density[1]  # inside the first block of equal scores the density is the same everywhere
    return density


_COLUMNS: dict[str, Callable[[Steps], Column]] = {
    "tp": lambda steps: steps.tp,
    "fp": lambda steps: steps.fp,
    "tn": lambda steps: steps.negatives - steps.fp,
    "fn": lambda steps: steps.positives - steps.tp,
    "tpr": lambda steps: divided(steps.tp, steps.positives),
    "fpr": lambda steps: divided(steps.fp, steps.negatives),
    "fnr": lambda steps: divided(steps.positives - steps.tp, steps.positives),
    "precision": lambda steps: divided(steps.tp, steps.tp + steps.fp),
    "share": lambda steps: divided(steps.tp + steps.fp, steps.total),
    "lift": _lift,
    "difference": lambda steps: divided(_apart(steps), steps.positives * steps.negatives),
}
_COLUMNS |= {"recall": _COLUMNS["tpr"], "gain": _COLUMNS["tpr"]}


@dataclass(frozen=True)
class Kind:
    """What a curve is made of."""

    name: str
    columns: tuple[str, ...]
    figures: tuple[str, ...] = ()
    "Metrics that sum it up."
    needs: tuple[str, ...] = ("positives", "negatives")
    kept: Callable[[Steps], NDArray[np.bool_]] = lambda steps: np.ones(len(steps), bool)
    "Steps that are points of it; all by default."
    peak: Callable[[Steps], int] | None = None
    "The step that is marked by itself."
    has_base: bool = False
    "Whether it is compared with the base rate, which a random order reaches."
    only_given: bool = False
    "Whether thresholds that are given are the whole table."
    priced: Callable[[Steps], Column] | None = None
    "The column of costs, which depends on prices."


_POSITIVES = ("positives",)
_KINDS = (
    Kind("roc", ("fpr", "tpr"), ("auc", "ks")),
    Kind("pr", ("recall", "precision"), ("pr_auc", "bep"), _POSITIVES, kept=lambda steps: steps.tp > 0, has_base=True),
    Kind("det", ("fpr", "fnr"), ("auc",)),
    Kind("lift", ("share", "lift"), ("lift@0.1",), _POSITIVES, has_base=True),
    Kind("gain", ("share", "gain"), ("gain@0.1",), _POSITIVES, has_base=True),
    # Scores descend: the first of the largest, among thresholds that are scores.
    Kind(
        "ks",
        ("tpr", "fpr", "difference"),
        ("ks", "ks_threshold"),
        peak=lambda steps: 1 + int(_apart(steps)[1:].argmax()),
    ),
    Kind("confusion", ("tp", "fp", "tn", "fn"), needs=(), only_given=True),
)
KINDS = {kind.name: kind for kind in _KINDS}
"Those made of steps."


def evidence_of(table: RowData, positive: Any, threads: int | None) -> BinaryEvidence:
    """What curves of a table of predictions are made of."""
    rows = binary_rows(table.truth, table.prediction, weight=table.weight, positive=positive)
    return BinaryEvidence(rows, ("thresholds",), threads=threads)


def curve_of(kind: str, evidence: BinaryEvidence, **options: Any) -> Curve:
    """The curve of a kind: `thresholds`, `compare`, `name` and `thin` for all, `bins` and `binning` for calibration."""
    if kind not in TITLES:
        hint = did_you_mean(kind, TITLES)
        raise InputError(
            f"there is no curve '{kind}'; known are {', '.join(TITLES)}{hint.en}",
            f"没有名为 '{kind}' 的曲线；可用 {'、'.join(TITLES)}{hint.zh}",
        )
    if kind == "calibration":
        return calibration(evidence, **options)
    return costs(evidence, **options) if kind == "cost" else stepwise(KINDS[kind], evidence, **options)


def stepwise(
    kind: Kind,
    evidence: BinaryEvidence,
    *,
    name: str = "model",
    thresholds: Iterable[float] = (),
    compare: str = "ge",
    thin: int | None = None,
    drop_collinear: bool = False,
) -> Curve:
    """A curve with a point a distinct score, the highest first; thresholds that are given are marked.

    `drop_collinear` leaves out points of a ROC curve that lie exactly on a line between their neighbours.
    """
    points, is_whole = evidence.curve_table()
    steps = Steps.of(points)
    _refuse_one_class(kind, steps)
    columns = {"threshold": steps.threshold} | {title: _COLUMNS[title](steps) for title in kind.columns}
    columns |= {} if kind.priced is None else {"cost": kind.priced(steps)}
    decisions = [BinaryPolicies.of(threshold=each, compare=compare) for each in thresholds]
    marks = _marks(kind, steps, columns, [evidence.view(decision).threshold for decision in decisions], compare)
    kept = kind.kept(steps)
    if drop_collinear:
        kept &= _bends(kind, steps, marks)
    is_given = kind.only_given and bool(marks)
    rows = np.array([mark.at for mark in marks]) if is_given else np.flatnonzero(kept)
    table = {title: column[rows] for title, column in columns.items()}
    if is_given:
        table["threshold"] = np.array([mark.threshold for mark in marks], steps.threshold.dtype)
    places = [[i] if is_given else np.flatnonzero(rows == mark.at).tolist() for i, mark in enumerate(marks)]
    placed = tuple(replace(mark, at=next(iter(at), None)) for mark, at in zip(marks, places, strict=True))
    summary = _figures(kind, evidence, steps, is_whole)
    labels = evidence.rows.labels.positive_name, evidence.rows.labels.negative_name
    return Curve(kind.name, name, arrow_table(table), placed, summary, steps, labels, len(rows)).thin(thin)


def curve_figures(kind_name: str, evidence: BinaryEvidence) -> dict[str, float]:
    """The figures that sum up a curve, without its points."""
    points, is_whole = evidence.curve_table()
    return _figures(KINDS[kind_name], evidence, Steps.of(points), is_whole)


def _figures(kind: Kind, evidence: BinaryEvidence, steps: Steps, is_whole: bool) -> dict[str, float]:
    summary = summed_up(evidence, kind.figures, whole=is_whole)
    return summary | {"base_rate": steps.positives / steps.total} if kind.has_base else summary


def _marks(kind: Kind, steps: Steps, columns: Columns, limits: list[float], compare: str) -> list[Mark]:
    """What is to be named, by its place among the steps."""

    def row(at: int) -> dict[str, float]:
        return {title: column[at].item() for title, column in columns.items() if title != "threshold"}

    places = [(limit, steps.at(limit, compare)) for limit in limits]
    marks = [Mark(limit, row(at), at, compare) for limit, at in places]
    if kind.peak is None:
        return marks
    peak = kind.peak(steps)
    return [*marks, Mark(float(steps.threshold[peak]), row(peak), peak, largest=True)]


def _bends(kind: Kind, steps: Steps, marks: list[Mark]) -> NDArray[np.bool_]:
    """The corners of a ROC curve, and what is marked."""
    if kind.name != "roc":
        raise InputError("drop_collinear is for ROC curves", "drop_collinear 只用于 ROC 曲线")
    bends = steps.corners()
    bends[np.array([mark.at for mark in marks], np.intp)] = True
    return bends


def _refuse_one_class(kind: Kind, steps: Steps) -> None:
    nouns = {"positives": Text("positive", "正例"), "negatives": Text("negative", "负例")}
    for side in kind.needs:
        if not getattr(steps, side):
            title = TITLES[kind.name]
            raise InputError(
                f"a {title.en} needs {nouns[side].en} rows, and there are none",
                f"{title.zh}需要{nouns[side].zh}，而数据中没有",
            )


def calibration(
    evidence: BinaryEvidence, *, name: str = "model", bins: int = 15, binning: str = "width", thin: int | None = None
) -> Curve:
    """Bins of probabilities, the lowest first: what was predicted there on average, and what happened.

    Bins of equal width are [low, high); of equal numbers of rows, low and high are the scores at their ends.
    """
    from pingce.metrics.binary.probabilities import ExpectedCalibrationError

    metric = ExpectedCalibrationError(bins=bins, binning=binning)
    evidence.rows.refuse_improbable("calibration")
    view, count = evidence.view(BinaryPolicies()), int(metric.bins)
    if binning == "quantile":
        bins_of_rows, ends = metric.bins_of(view), _quantile_ends(evidence, count)
    else:
        numbered = [(i, part) for i, part in enumerate(view.probability(None, count).bins) if part.rows]
        bins_of_rows, ends = tuple(part for _, part in numbered), [(i / count, (i + 1) / count) for i, _ in numbered]
    whole = all(part.rows.denominator == 1 for part in bins_of_rows)
    columns = {
        "low": np.array([low for low, _ in ends]),
        "high": np.array([high for _, high in ends]),
        "rows": np.array([int(part.rows) if whole else float(part.rows) for part in bins_of_rows]),
        "mean_predicted": np.array([float(part.predicted / part.rows) for part in bins_of_rows]),
        "observed": np.array([float(part.positives / part.rows) for part in bins_of_rows]),
    }
    parameters = f"bins={count}" + (",binning=quantile" if binning == "quantile" else "")
    summary = summed_up(evidence, (f"ece({parameters})", f"mce({parameters})", "pcoc"))
    summary = dict(zip(("ece", "mce", "pcoc"), summary.values(), strict=True))
    return Curve("calibration", name, arrow_table(columns), (), summary, points=len(bins_of_rows)).thin(thin)


def costs(evidence: BinaryEvidence, *, cost: str = "fp=1,fn=1", **options: Any) -> Curve:
    """What decisions cost per row as the threshold falls, and where that is least."""
    from pingce.metrics.costs import checked_cost
    from pingce.metrics.grammar import parse_metric

    metric = parse_metric(f"best_cost({checked_cost(cost)})", task="binary").metric

    def priced(steps: Steps) -> Floats:
        total = float(metric.fp) * steps.fp + float(metric.fn) * (steps.positives - steps.tp)
        return np.asarray(total / steps.total)

    figures = f"best_cost({cost})", f"cost_threshold({cost})"
    least = Kind(
        "cost", ("fp", "fn"), figures, (), peak=lambda steps: 1 + int(priced(steps)[1:].argmin()), priced=priced
    )
    curve = stepwise(least, evidence, **options)
    return replace(curve, summary={name.partition("(")[0]: value for name, value in curve.summary.items()})


def _quantile_ends(evidence: BinaryEvidence, count: int) -> list[tuple[float, float]]:
    """Lowest and highest score of each bin."""
    scores = evidence.thresholds.score[::-1]
    place = quantile_places(evidence.thresholds, count)
    last = np.flatnonzero(np.append(place[1:] != place[:-1], True))
    first = np.concatenate([[0], last[:-1] + 1])
    return list(zip(scores[first].astype(float).tolist(), scores[last].astype(float).tolist(), strict=True))


def summed_up(evidence: BinaryEvidence, names: Iterable[str], *, whole: bool = True) -> dict[str, float]:
    """Metrics of the rows behind a curve: those that do with the table of scores there is."""
    from pingce.metrics.grammar import parse_metric

    view = evidence.view(BinaryPolicies())
    metrics = {name: parse_metric(name, task="binary").metric for name in names}
    if evidence.bins is not None:
        metrics = {name: metric for name, metric in metrics.items() if metric.bounded}
    return {name: metric.value(view) for name, metric in metrics.items() if whole or metric.needs == "pairs"}


class CurveReading(TypedDict, total=False):
    """How columns are read: rarely needed, the same for all curves."""

    input_format: str | None
    encoding: str | None
    threads: int | None


_DATA = ("y_true", "y_score", "data", "weight", "sample_weight", "positive", "reading")


def curve_from_keywords(kind: str, keywords: Keywords) -> Curve:
    """Labels, scores and weights as `evaluate_binary` reads them, and the curve of them."""
    reading: CurveReading = keywords["reading"]
    for name in reading:
        if name not in CurveReading.__annotations__:
            call = "confusion_at_thresholds" if kind == "confusion" else f"{kind}_curve"
            names = [name for name in keywords if name not in ("y_true", "y_score", "reading")]
            raise unknown_option(name, f"pc.{call}", [*names, *CurveReading.__annotations__])
    wanted = {name: keywords[name] for name in ("y_true", "y_score")}
    wanted["weight"] = one_weight(keywords["weight"], keywords["sample_weight"])
    read = chosen(keywords["data"], wanted, Reading(None, reading.get("input_format"), reading.get("encoding")))
    rows = binary_rows(read["y_true"], read["y_score"], weight=read["weight"], positive=keywords["positive"])
    options = {name: value for name, value in keywords.items() if name not in _DATA}
    return curve_of(kind, BinaryEvidence(rows, ("thresholds",), threads=reading.get("threads")), **options)
