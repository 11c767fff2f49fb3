"""Several labels per row, in batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.multilabel.policies import MultilabelKeywords
from pingce.multilabel.scores import MultilabelScores
from pingce.request import MetricNames, Request
from pingce.run.evaluator import Evaluator
from pingce.run.feed import row_data
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class MultilabelEvaluator(Evaluator):
    """Sees labels and scores in batches: the numbers of `evaluate_multilabel`, to the last bit.

    Of matrices counts and sums are kept; areas (auc, pr_auc), `ci=` and `by=` keep all rows. Lines of single labels (`row=`, `tag=`) are
    kept until `compute`, since the others of their rows may come in a later batch.

    >>> import pingce as pc
    >>> evaluator = pc.MultilabelEvaluator(["exact_match"])
    >>> evaluator.update([[1, 0]], [[0.9, 0.2]]).update([[0, 1]], [[0.7, 0.1]]).compute()["exact_match"]
    0.5
    """

    task = "multilabel"

    @checked_options("multilabel")
    def __init__(
        self,
        metrics: MetricNames | Request | None = None,
        *,
        labels: Iterable[Any] | None = None,
        window: int | None = None,
        convention: str | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
        **policies: Unpack[MultilabelKeywords],
    ) -> None:
        labels = None if labels is None else [str(label) for label in labels]
        super().__init__(self._requested(metrics, {**locals(), **policies}))

    @checked_options("multilabel")
    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        data: Any = None,
        row: Any = None,
        tag: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the sides are given as for `evaluate_multilabel`, and may be used again afterwards."""
        return self._update(row_data(self.task, y_true, y_score, locals()))

    if TYPE_CHECKING:

        def compute(self) -> MultilabelScores:
            """The scores of all rows seen so far."""
