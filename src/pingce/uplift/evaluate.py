"""The public call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pingce.request import MetricNames
from pingce.run.feed import evaluate_keywords
from pingce.tasks.options import checked_options
from pingce.uplift.policies import UpliftKeywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pingce.uplift.scores import UpliftScores


@checked_options("uplift")
def evaluate_uplift(
    y_true: Any,
    y_score: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    treatment: Any = None,
    propensity: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    **policies: Unpack[UpliftKeywords],
) -> UpliftScores:
    """Score a model that says whom a treatment helps, against outcomes of treated and control rows.

    `y_true` are outcomes, 0 and 1 or any numbers, `y_score` the effect that the model expects of each row, `treatment` 1 for
    treated rows and 0 for control rows; with `data` they are names of its columns. Where rows were not treated with the same
    probability, `propensity` has that of each row, and rows count in inverse proportion to the chance of their arm. `weight`
    (or `sample_weight`) says how often a row counts. `convention="scikit_uplift"` or `"causalml"` gives the numbers of that
    tool. `ci=0.95` adds confidence intervals: rows are drawn anew within each arm.

    `scores.curve("qini")` and `scores.curve("uplift")` are the curves, `scores.deciles` the effect by tenths of the rows.
    `by` adds `scores.slices`, the same metrics for parts of the rows. Files that would take more than `memory` are streamed:
    distinct rows are kept, and the numbers are the same; too many of them are refused.

    >>> import pingce as pc
    >>> scores = pc.evaluate_uplift([1, 0, 0, 0], [0.9, 0.8, 0.7, 0.1], ["uplift"], treatment=[1, 0, 1, 0])
    >>> scores["uplift"]
    0.5
    """
    scores: UpliftScores = evaluate_keywords("uplift", metrics, y_true, y_score, {**locals(), **policies})
    return scores
