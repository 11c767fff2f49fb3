"""The public call."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pingce.offpolicy.policies import OffpolicyKeywords
from pingce.request import MetricNames
from pingce.run.feed import evaluate_keywords
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pingce.offpolicy.scores import OffpolicyScores


@checked_options("offpolicy")
def evaluate_offpolicy(
    y_true: Any,
    y_pred: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    propensity: Any = None,
    logged_estimate: Any = None,
    target_estimate: Any = None,
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
    **policies: Unpack[OffpolicyKeywords],
) -> OffpolicyScores:
    """Estimate what a target policy would have earned, from the log of another policy.

    `y_true` are rewards, `y_pred` the probabilities with which the target policy would do what was logged, `propensity` those
    with which the logging policy did; with `data` they are names of its columns. With a model of the reward, `logged_estimate`
    is what it expects of what was logged, and `target_estimate` what it expects of the target policy: the mean over all actions by
    its probabilities; dm, dr and sndr need them. `weight` (or `sample_weight`) says how often a row counts.
    `convention="obp"` takes the names of Open Bandit Pipeline. `ci=0.95` adds confidence intervals.

    `scores.diagnosis` says in words whether to believe the values; `ess` (effective sample size), `max_weight` and `mean_weight`
    are numbers beside them. `by` adds `scores.slices`, the same metrics for parts of the rows. Files that would take more than
    `memory` are streamed; the numbers are the same.

    >>> import pingce as pc
    >>> log = {"reward": [1, 0, 1, 0], "new": [0.6, 0.1, 0.5, 0.2], "old": [0.5, 0.25, 0.1, 0.5]}
    >>> scores = pc.evaluate_offpolicy("reward", "new", ["ips", "ess"], data=log, propensity="old")
    >>> scores["ips"], round(scores["ess"], 2)
    (1.55, 1.83)
    """
    scores: OffpolicyScores = evaluate_keywords("offpolicy", metrics, y_true, y_pred, {**locals(), **policies})
    return scores
