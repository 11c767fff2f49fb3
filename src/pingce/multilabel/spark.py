"""The call on Spark data frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.inputs.data import one_weight
from pingce.multilabel.policies import MultilabelKeywords
from pingce.multilabel.scores import MultilabelScores
from pingce.request import Intervals, MetricNames, Request
from pingce.run.score import warn
from pingce.spark.rows import MOST_ROWS, DriverLimits, FrameColumns, score_rows
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checked_options("multilabel")
def evaluate_multilabel(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    score: str | None = None,
    row: str | None = None,
    tag: str | None = None,
    labels: Iterable[Any] | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    collect: int = MOST_ROWS,
    **policies: Unpack[MultilabelKeywords],
) -> MultilabelScores:
    """Score a model that says which of several labels each row has, with a line per row and label in a Spark data frame.

    `label` (0 or 1), `score`, `row`, `tag` and `weight` are names of columns. Keywords and numbers are those of
    `pingce.evaluate_multilabel`. The lines of a row meet on one executor; counts and sums travel. Areas (auc, pr_auc) send the scores of
    all rows to the driver, and so does `ci`, with up to `collect` lines.
    """
    request = Request.of(
        "multilabel",
        metrics,
        convention=convention,
        policies=policies,
        intervals=Intervals(ci, samples, seed),
        min_n=min_n,
        labels=None if labels is None else [str(name) for name in labels],
    )
    columns = FrameColumns(label, score, one_weight(weight, sample_weight), roles={"row": row, "tag": tag}, by=by)
    scores: MultilabelScores = score_rows(request, data, columns, limits=DriverLimits(rows=collect))
    warn(scores)
    return scores
