"""Uplift in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.request import MetricNames, Request
from pingce.run.evaluator import Evaluator
from pingce.run.feed import row_data
from pingce.tasks.options import checked_options
from pingce.uplift.policies import UpliftKeywords
from pingce.uplift.scores import UpliftScores

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class UpliftEvaluator(Evaluator):
    """Sees outcomes, treatments and scores in batches: the numbers of `evaluate_uplift`, to the last bit.

    Memory grows with distinct rows (score, treatment, outcome, weight); `ci=` and `by=` keep all rows.

    >>> import pingce as pc
    >>> evaluator = pc.UpliftEvaluator(["uplift"])
    >>> evaluator.update([1, 0], [0.9, 0.8], treatment=[1, 0]).update([0, 0], [0.7, 0.1], treatment=[1, 0]).compute()["uplift"]
    0.5
    """

    task = "uplift"

    @checked_options("uplift")
    def __init__(
        self,
        metrics: MetricNames | Request | None = None,
        *,
        window: int | None = None,
        convention: str | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
        **policies: Unpack[UpliftKeywords],
    ) -> None:
        super().__init__(self._requested(metrics, {**locals(), **policies}))

    @checked_options("uplift")
    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        data: Any = None,
        treatment: Any = None,
        propensity: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the columns are given as for `evaluate_uplift`, and may be used again afterwards."""
        return self._update(row_data(self.task, y_true, y_score, locals()))

    if TYPE_CHECKING:

        def compute(self) -> UpliftScores:
            """The scores of all rows seen so far."""
