"""The curves of labels and scores: each is a few lines over the steps that a falling threshold makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.curves.base import Curve, Mark, Steps
from pingce.curves.thinning import corners
from pingce.evidence.policies import BinaryPolicies

if TYPE_CHECKING:
    from pingce.evidence.binary.evidence import BinaryEvidence

Columns: TypeAlias = "dict[str, NDArray[Any]]"

TITLES = {
    "roc": Text("ROC curve", "ROC 曲线"),
    "pr": Text("precision-recall curve", "PR 曲线"),
    "det": Text("DET curve", "DET 曲线"),
    "calibration": Text("calibration curve", "校准曲线"),
    "lift": Text("lift curve", "提升曲线"),
    "gain": Text("gain curve", "捕获率曲线"),
    "ks": Text("KS curve", "KS 曲线"),
    "confusion": Text("decisions at thresholds", "各阈值下的判定结果"),
}
"All kinds, by name."


def divided(top: NDArray[Any], bottom: Any) -> NDArray[np.float64]:
    """top / bottom in one division, NaN where the bottom is 0."""
    bottom = np.broadcast_to(bottom, top.shape)
    quotient: NDArray[np.float64] = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)
    return quotient


def products(counts: NDArray[Any], factor: float, largest: float) -> NDArray[Any]:
    """Counts times a count: integers wherever they fit."""
    return counts * factor if largest * abs(factor) < 2**62 else counts.astype(np.float64) * factor


def roc(steps: Steps) -> Columns:
    """FPR = FP / N and TPR = TP / P."""
    return {"fpr": divided(steps.fp, steps.negatives), "tpr": divided(steps.tp, steps.positives)}


def pr(steps: Steps) -> Columns:
    """Recall = TP / P and precision = TP / (TP + FP)."""
    return {"recall": divided(steps.tp, steps.positives), "precision": divided(steps.tp, steps.tp + steps.fp)}


def det(steps: Steps) -> Columns:
    """FPR = FP / N and FNR = FN / P."""
    return {
        "fpr": divided(steps.fp, steps.negatives),
        "fnr": divided(steps.positives - steps.tp, steps.positives),
    }


def gain(steps: Steps) -> Columns:
    """Share of all rows, and the share of the positives among them."""
    return {"share": divided(steps.tp + steps.fp, steps.total), "gain": divided(steps.tp, steps.positives)}


def lift(steps: Steps) -> Columns:
    """Share of all rows, and how much denser positives are there: TP · n / ((TP + FP) · P)."""
    positive, total, positives = steps.tp + steps.fp, steps.total, steps.positives
    density = divided(products(steps.tp, total, positives), products(positive, positives, total))
    if len(density) > 1 and not positive[0]:
        density[0] = density[1]  # inside the first block of equal scores the density is the same everywhere
    return {"share": divided(positive, total), "lift": density}


def ks(steps: Steps) -> Columns:
    """TPR, FPR, and TPR − FPR = (TP · N − FP · P) / (P · N)."""
    return {
        "tpr": divided(steps.tp, steps.positives),
        "fpr": divided(steps.fp, steps.negatives),
        "difference": divided(_separation(steps), steps.positives * steps.negatives),
    }


def _separation(steps: Steps) -> NDArray[Any]:
    tp_n, fp_p = (
        products(steps.tp, steps.negatives, steps.positives),
        products(steps.fp, steps.positives, steps.negatives),
    )
    difference: NDArray[Any] = tp_n - fp_p
    return difference


def _furthest(steps: Steps) -> int:
    """Scores descend: the first of the largest, among thresholds that are scores."""
    return 1 + int(_separation(steps)[1:].argmax())


def confusion(steps: Steps) -> Columns:
    """The four cells."""
    return {"tp": steps.tp, "fp": steps.fp, "tn": steps.negatives - steps.fp, "fn": steps.positives - steps.tp}


@dataclass(frozen=True)
class Kind:
    """What a curve is made of."""

    columns: Callable[[Steps], Columns]
    figures: tuple[str, ...] = ()
    "Metrics that sum it up."
    needs: tuple[str, ...] = ("positives", "negatives")
    kept: Callable[[Steps], NDArray[np.bool_]] | None = None
    "Steps that are points of it; all by default."
    peak: Callable[[Steps], int] | None = None
    "The step that is marked by itself."
    only_given: bool = False
    "Whether thresholds that are given are the whole table."


KINDS = {
    "roc": Kind(roc, ("auc", "ks")),
    "pr": Kind(pr, ("pr_auc", "bep"), ("positives",), kept=lambda steps: steps.tp > 0),
    "det": Kind(det, ("auc",)),
    "lift": Kind(lift, ("lift@0.1",), ("positives",)),
    "gain": Kind(gain, ("gain@0.1",), ("positives",)),
    "ks": Kind(ks, ("ks", "ks_threshold"), peak=_furthest),
    "confusion": Kind(confusion, needs=(), only_given=True),
}
"Those made of steps."


def curve_of(kind: str, evidence: BinaryEvidence, **options: Any) -> Curve:
    """The curve of a kind: `thresholds`, `compare`, `name` and `thin` for all, `bins` and `binning` for calibration."""
    if kind not in TITLES:
        hint = did_you_mean(kind, TITLES)
        raise InputError(
            f"there is no curve '{kind}'; known are {', '.join(TITLES)}{hint.en}",
            f"没有名为 '{kind}' 的曲线；可用 {'、'.join(TITLES)}{hint.zh}",
        )
    if kind != "calibration":
        return stepwise(kind, evidence, **options)
    from pingce.curves.calibration import calibration

    return calibration(evidence, **options)


def stepwise(
    kind_name: str,
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
    points, all_of_them = evidence.curve_table()
    kind, steps = KINDS[kind_name], Steps.of(points)
    _refuse_one_class(kind_name, kind, steps)
    columns = {"threshold": steps.threshold} | kind.columns(steps)
    decisions = [BinaryPolicies.of(threshold=each, compare=compare) for each in thresholds]
    marks = _marks(kind, steps, columns, [evidence.view(decision).threshold for decision in decisions], compare)
    kept = np.ones(len(steps), bool) if kind.kept is None else kind.kept(steps)
    if drop_collinear:
        kept &= _bends(kind_name, steps, marks)
    rows = np.array([mark.at for mark in marks]) if kind.only_given and marks else np.flatnonzero(kept)
    table = {title: column[rows] for title, column in columns.items()}
    placed = _placed(marks, rows)
    if kind.only_given and marks:
        table["threshold"] = np.array([mark.threshold for mark in marks], steps.threshold.dtype)
        placed = tuple(replace(mark, at=i) for i, mark in enumerate(marks))
    summary = summed_up(evidence, kind.figures, whole=all_of_them)
    if kind_name in ("pr", "gain", "lift"):  # what a random order reaches
        summary["base_rate"] = steps.positives / steps.total
    labels = evidence.rows.labels.positive_name, evidence.rows.labels.negative_name
    return Curve(kind_name, name, arrow(table), placed, summary, steps, labels, len(rows)).thin(thin)


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


def _placed(marks: list[Mark], rows: NDArray[np.intp]) -> tuple[Mark, ...]:
    """The same by their rows of the table."""
    there = [np.flatnonzero(rows == mark.at) for mark in marks]
    return tuple(
        replace(mark, at=int(rows_of_mark[0]) if len(rows_of_mark) else None)
        for mark, rows_of_mark in zip(marks, there, strict=True)
    )


def _bends(kind_name: str, steps: Steps, marks: list[Mark]) -> NDArray[np.bool_]:
    if kind_name != "roc":
        raise InputError("drop_collinear is for ROC curves", "drop_collinear 只用于 ROC 曲线")
    bends = corners(steps)
    for mark in marks:
        bends[mark.at] = True
    return bends


def _refuse_one_class(name: str, kind: Kind, steps: Steps) -> None:
    nouns = {"positives": Text("positive", "正例"), "negatives": Text("negative", "负例")}
    for side in kind.needs:
        if not getattr(steps, side):
            title = TITLES[name]
            raise InputError(
                f"a {title.en} needs {nouns[side].en} rows, and there are none",
                f"{title.zh}需要{nouns[side].zh}，而数据中没有",
            )


def summed_up(evidence: BinaryEvidence, names: Iterable[str], *, whole: bool = True) -> dict[str, float]:
    """Metrics of the rows behind a curve: those that do with the table of scores there is."""
    from pingce.metrics.grammar import parse_metric

    view = evidence.view(BinaryPolicies())
    metrics = {name: parse_metric(name, task="binary").metric for name in names}
    if evidence.bins is not None:
        metrics = {name: metric for name, metric in metrics.items() if metric.bounded}
    return {name: metric.value(view) for name, metric in metrics.items() if whole or metric.needs == "pairs"}


def arrow(columns: Columns) -> Any:
    """The columns as an Arrow table."""
    import pyarrow as pa

    return pa.table({name: np.ascontiguousarray(column) for name, column in columns.items()})
