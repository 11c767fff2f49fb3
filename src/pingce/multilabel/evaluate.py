"""The public call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.multilabel.policies import MultilabelKeywords
from pingce.request import MetricNames
from pingce.run.feed import evaluate_keywords
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pingce.multilabel.scores import MultilabelScores


@checked_options("multilabel")
def evaluate_multilabel(
    y_true: Any,
    y_score: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    row: Any = None,
    tag: Any = None,
    labels: Iterable[Any] | None = None,
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
    **policies: Unpack[MultilabelKeywords],
) -> MultilabelScores:
    """Score a model that says which of several labels each row has.

    `y_true` is a matrix of 0 and 1, a row each and a column a label, `y_score` a matrix of scores, probabilities or predicted 0 and 1 of
    the same shape: arrays, tensors, data frames whose columns are the labels, or, with `data`, lists of its columns. Or both are columns of
    lines, each of one label of one row: `row` says of which row and `tag` of which label, and every row has a line for every label. A label
    is predicted from `threshold` on. `labels` names the labels of matrices, and fixes those of lines. `weight` (or `sample_weight`) says how
    often a row counts. `convention="sklearn"` gives the numbers of scikit-learn. `ci=0.95` adds confidence intervals: rows are drawn anew.

    `scores.per_label` has precision, recall and F1 of each label; `by` adds `scores.slices`, the same metrics for parts of the rows. Files
    of lines that would take more than `memory` are streamed; the numbers are the same.

    >>> import pingce as pc
    >>> scores = pc.evaluate_multilabel([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]], ["coverage_error", "hamming"])
    >>> scores["coverage_error"]
    2.5
    """
    labels = None if labels is None else [str(label) for label in labels]
    scores: MultilabelScores = evaluate_keywords("multilabel", metrics, y_true, y_score, {**locals(), **policies})
    return scores
