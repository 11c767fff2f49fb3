"""Numbers in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.inputs.aliases import one_weight
from pingce.request import Intervals, MetricNames, Request
from pingce.run.data import RowData
from pingce.run.evaluator import Evaluator
from pingce.scores.regression import RegressionScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self


class RegressionEvaluator(Evaluator):
    """Scores predicted numbers batch by batch: the numbers of `evaluate_regression`, to the last bit.

    Memory does not grow with rows, except for metrics that need them (`medae`, `spearman`; the usual metrics have
    `medae` among them), `ci=` and `by=`.

    >>> import pingce as pc
    >>> evaluator = pc.RegressionEvaluator(["mae"])
    >>> evaluator.update([3, -0.5], [2.5, 0.0]).update([2, 7], [2, 8]).compute()["mae"]
    0.5
    """

    task = "regression"

    @checked_options("regression")
    def __init__(
        self,
        metrics: MetricNames | Request | None = None,
        *,
        convention: str | None = None,
        undefined: str | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
    ) -> None:
        if not isinstance(metrics, Request):
            metrics = Request.of(
                self.task,
                metrics,
                convention=convention,
                policies={"undefined": undefined},
                intervals=Intervals(ci, samples, seed),
                min_n=min_n,
                threads=threads,
            )
        super().__init__(metrics)

    @checked_options("regression")
    def update(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        data: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the columns are given as for `evaluate_regression`, and may be used again afterwards."""
        weight = one_weight(weight, sample_weight)
        return self._update(RowData(y_true, y_pred, data, weight, by))

    if TYPE_CHECKING:

        def compute(self) -> RegressionScores:
            """The scores of all rows seen so far."""
