"""The calibration curve: bins of probabilities, and what happened in each."""

from __future__ import annotations

import numpy as np

from pingce.curves.base import Curve
from pingce.curves.binary import arrow, summed_up
from pingce.evidence.binary.evidence import BinaryEvidence, quantile_places
from pingce.evidence.policies import BinaryPolicies


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
    return Curve("calibration", name, arrow(columns), (), summary, points=len(bins_of_rows)).thin(thin)


def _quantile_ends(evidence: BinaryEvidence, count: int) -> list[tuple[float, float]]:
    """Lowest and highest score of each bin."""
    scores = evidence.thresholds.score[::-1]
    place = quantile_places(evidence.thresholds, count)
    last = np.flatnonzero(np.append(place[1:] != place[:-1], True))
    first = np.concatenate([[0], last[:-1] + 1])
    return list(zip(scores[first].astype(float).tolist(), scores[last].astype(float).tolist(), strict=True))
