"""Curves: exact points as Arrow tables, compared without rounding, drawn with matplotlib where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_MODULE_OF = {
    "CurveComparison": "compare",
    "ConfusionMatrix": "matrix",
    "Curve": "base",
    "calibration_curve": "functions",
    "compare_curves": "compare",
    "confusion_at_thresholds": "functions",
    "curve_of": "binary",
    "det_curve": "functions",
    "gain_curve": "functions",
    "ks_curve": "functions",
    "lift_curve": "functions",
    "plot_curves": "plot",
    "pr_curve": "functions",
    "roc_curve": "functions",
}
__all__ = [
    "ConfusionMatrix",
    "Curve",
    "CurveComparison",
    "calibration_curve",
    "compare_curves",
    "confusion_at_thresholds",
    "curve_of",
    "det_curve",
    "gain_curve",
    "ks_curve",
    "lift_curve",
    "plot_curves",
    "pr_curve",
    "roc_curve",
]

if TYPE_CHECKING:
    from pingce.curves.base import Curve
    from pingce.curves.binary import curve_of
    from pingce.curves.compare import CurveComparison, compare_curves
    from pingce.curves.functions import (
        calibration_curve,
        confusion_at_thresholds,
        det_curve,
        gain_curve,
        ks_curve,
        lift_curve,
        pr_curve,
        roc_curve,
    )
    from pingce.curves.matrix import ConfusionMatrix
    from pingce.curves.plot import plot_curves

__getattr__ = importer(__name__, _MODULE_OF)
