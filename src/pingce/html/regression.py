"""Residuals of predicted numbers: where truth and prediction lie, how errors spread, and whether they lean."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import head, model_table
from pingce.html.material import Material
from pingce.html.plain import numbers
from pingce.html.task import TaskReport

CELLS = 36
BINS = 41
PARTS = 10
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def residual_data(material: Material) -> Json | None:
    """Counts in cells of truth × prediction, a histogram of errors, and the mean error along the prediction.

    None where numbers are too large, or too near each other, for an axis.
    """
    rows = [scores.data.counted() for scores in material.scores.values()]  # type: ignore[attr-defined]
    low = min(float(min(data.true.min(), data.predicted.min())) for data in rows)
    high = max(float(max(data.true.max(), data.predicted.max())) for data in rows)
    with np.errstate(over="ignore", invalid="ignore"):
        edges = np.linspace(low, high if high > low else low + 1, CELLS + 1)
        widest = max(float(np.quantile(np.abs(data.predicted - data.true), 0.995)) for data in rows) or 1.0
        errors = np.linspace(-widest, widest, BINS + 1)
    if not all((np.diff(axis) > 0).all() for axis in (edges, errors)):
        return None
    return {
        "edges": numbers(edges),
        "errors": numbers(errors),
        "quantiles": list(_QUANTILES),
        "models": [_model(data, edges, errors) for data in rows],
    }


def _model(rows: Any, edges: Floats, errors: Floats) -> Json:
    error = rows.predicted - rows.true
    cells = np.histogram2d(rows.true, rows.predicted, [edges, edges])[0].astype(np.int64)
    return {
        "cells": [[x, y, int(cells[x, y])] for x, y in np.argwhere(cells).tolist()],
        "histogram": np.histogram(np.clip(error, errors[0], errors[-1]), errors)[0].tolist(),
        "along": _along(rows.predicted, error),
        "quantiles": numbers(np.quantile(error, _QUANTILES)),
        "mean": float(error.mean()),
    }


def _along(predicted: Floats, error: Floats) -> list[list[float]]:
    """By tenths of the prediction: its mean, the mean error, and the quartiles of the error."""
    parts = np.array_split(np.argsort(predicted, kind="stable"), PARTS)
    return [
        [float(predicted[part].mean()), float(error[part].mean()), *np.quantile(error[part], (0.25, 0.75)).tolist()]
        for part in parts
        if len(part)
    ]


def draw_residuals(data: Json) -> str:
    """Quantiles of the error."""
    section = data["residuals"]
    titles = [head("mean_error"), *(f"{100 * q:g} %" for q in section["quantiles"])]
    return model_table(
        "residuals", data, titles, ([errors["mean"], *errors["quantiles"]] for errors in section["models"])
    )


class RegressionReport(TaskReport):
    """Numbers: residuals."""

    kind = Text("numbers", "数值")
    sections = (("residuals", residual_data),)
