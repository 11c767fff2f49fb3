"""Curves in one call: columns in, a curve out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from pingce.curves.binary import curve_of
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.inputs.aliases import one_weight
from pingce.inputs.binary import binary_rows
from pingce.inputs.predictions import chosen
from pingce.tasks.options import unknown_option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pingce.curves.base import Curve


class CurveReading(TypedDict, total=False):
    """How columns are read: rarely needed, the same for all curves."""

    input_format: str | None
    encoding: str | None
    threads: int | None


def _curve(
    kind: str, columns: tuple[Any, Any, Any], data: Any, positive: Any, reading: CurveReading, **options: Any
) -> Curve:
    """Labels, scores and weights as `evaluate_binary` reads them, and the curve of them."""
    for name in reading:
        if name not in CurveReading.__annotations__:
            call = "confusion_at_thresholds" if kind == "confusion" else f"{kind}_curve"
            own = ("data", "weight", "sample_weight", "positive", *options, *CurveReading.__annotations__)
            raise unknown_option(name, f"pc.{call}", list(own))
    wanted = dict(zip(("y_true", "y_score", "weight"), columns, strict=True))
    read, notes = chosen(data, wanted, input_format=reading.get("input_format"), encoding=reading.get("encoding"))
    rows = binary_rows(read["y_true"], read["y_score"], weight=read["weight"], positive=positive, notes=notes)
    return curve_of(kind, BinaryEvidence(rows, ("thresholds",), threads=reading.get("threads")), **options)


def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    drop_collinear: bool = False,
    **reading: Unpack[CurveReading],
) -> Curve:
    """False and true positive rate as the threshold falls: threshold, fpr, tpr.

    The first point is (0, 0), with the threshold +∞; then comes one a distinct score. Columns are given as for
    `evaluate_binary`. `thresholds` are marked; `thin` keeps at most so many points; `drop_collinear` leaves out those that
    lie exactly on the line between their neighbours.

    >>> import pingce as pc
    >>> pc.roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).table["tpr"].to_pylist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve(
        "roc",
        columns,
        data,
        positive,
        reading,
        thresholds=thresholds,
        name=name,
        thin=thin,
        drop_collinear=drop_collinear,
    )


def pr_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Recall and precision as the threshold falls: threshold, recall, precision, wherever recall is above 0."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("pr", columns, data, positive, reading, thresholds=thresholds, name=name, thin=thin)


def det_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Both kinds of error as the threshold falls: threshold, fpr, fnr."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("det", columns, data, positive, reading, thresholds=thresholds, name=name, thin=thin)


def lift_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """How much denser positives are among the highest scores than in all rows: threshold, share, lift."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("lift", columns, data, positive, reading, thresholds=thresholds, name=name, thin=thin)


def gain_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Share of the positives among the highest scores: threshold, share, gain."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("gain", columns, data, positive, reading, thresholds=thresholds, name=name, thin=thin)


def ks_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """How far the two classes are apart: threshold, tpr, fpr, difference; the largest difference is marked."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("ks", columns, data, positive, reading, thresholds=thresholds, name=name, thin=thin)


def confusion_at_thresholds(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    compare: str = "ge",
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """The decision at each threshold, or only at those that are given: threshold, tp, fp, tn, fn."""
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve(
        "confusion", columns, data, positive, reading, thresholds=thresholds, compare=compare, name=name, thin=thin
    )


def calibration_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    bins: int = 15,
    binning: str = "width",
    name: str = "model",
    **reading: Unpack[CurveReading],
) -> Curve:
    """What was predicted and what happened, bin by bin: low, high, rows, mean_predicted, observed.

    `binning` is width (bins of equal width) or quantile (of equal numbers of rows). Empty bins are left out.
    """
    columns = (y_true, y_score, one_weight(weight, sample_weight))
    return _curve("calibration", columns, data, positive, reading, bins=bins, binning=binning, name=name)
