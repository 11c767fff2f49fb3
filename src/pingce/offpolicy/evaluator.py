"""Off-policy values in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.offpolicy.policies import OffpolicyKeywords
from pingce.offpolicy.scores import OffpolicyScores
from pingce.request import MetricNames, Request
from pingce.run.evaluator import Evaluator
from pingce.run.feed import row_data
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class OffpolicyEvaluator(Evaluator):
    """Sees rewards and propensities in batches: the numbers of `evaluate_offpolicy`, to the last bit.

    Memory does not grow with rows; `ci=` and `by=` keep all rows.

    >>> import pingce as pc
    >>> evaluator = pc.OffpolicyEvaluator(["ips"])
    >>> evaluator.update([1, 0], [0.6, 0.1], propensity=[0.5, 0.25]).update([1, 0], [0.5, 0.2], propensity=[0.1, 0.5]).compute()["ips"]
    1.55
    """

    task = "offpolicy"

    @checked_options("offpolicy")
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
        **policies: Unpack[OffpolicyKeywords],
    ) -> None:
        super().__init__(self._requested(metrics, {**locals(), **policies}))

    @checked_options("offpolicy")
    def update(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        data: Any = None,
        propensity: Any = None,
        logged_estimate: Any = None,
        target_estimate: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the columns are given as for `evaluate_offpolicy`, and may be used again afterwards."""
        return self._update(row_data(self.task, y_true, y_pred, locals()))

    if TYPE_CHECKING:

        def compute(self) -> OffpolicyScores:
            """The scores of all rows seen so far."""
