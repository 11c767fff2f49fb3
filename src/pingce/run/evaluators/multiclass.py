"""Classes in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pingce.inputs.aliases import one_weight
from pingce.request import Intervals, MetricNames, Request
from pingce.run.data import RowData
from pingce.run.evaluator import Evaluator
from pingce.scores.multiclass import MulticlassScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self


class MulticlassEvaluator(Evaluator):
    """Scores a classifier batch by batch: the numbers of `evaluate_multiclass`, to the last bit.

    Weights that are not whole numbers agree to 1e-12. Memory grows with classes, not with rows, except for `auc`, which
    is one of the usual metrics where there is `proba`, and for `ci=` and `by=`: these keep the rows. With `proba` and
    without `labels=` rows are kept until every class has been seen.

    >>> import pingce as pc
    >>> evaluator = pc.MulticlassEvaluator(["accuracy"])
    >>> evaluator.update(["a", "b"], ["a", "b"]).update(["b"], ["a"]).compute()["accuracy"]
    0.6666666666666666
    """

    task = "multiclass"

    @checked_options("multiclass")
    def __init__(
        self,
        metrics: MetricNames | Request | None = None,
        *,
        labels: Iterable[Any] | None = None,
        convention: str | None = None,
        undefined: str | None = None,
        undefined_class: str | None = None,
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
                policies={"undefined": undefined, "undefined_class": undefined_class},
                intervals=Intervals(ci, samples, seed),
                min_n=min_n,
                threads=threads,
                labels=_plain_labels(labels),
            )
        super().__init__(metrics)

    @checked_options("multiclass")
    def update(
        self,
        y_true: Any,
        y_pred: Any = None,
        *,
        data: Any = None,
        proba: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the columns are given as for `evaluate_multiclass`, and may be used again afterwards."""
        weight = one_weight(weight, sample_weight)
        return self._update(RowData(y_true, y_pred, data, weight, by, proba=proba))

    if TYPE_CHECKING:

        def compute(self) -> MulticlassScores:
            """The scores of all rows seen so far."""


def _plain_labels(labels: Any) -> Any:
    """A list of strings and integers where that is what they are; anything else is refused with the first batch."""
    if labels is None or isinstance(labels, (str, bytes, Mapping, set, frozenset)) or not hasattr(labels, "__iter__"):
        return labels
    plain = [label.item() if hasattr(label, "item") else label for label in labels]
    return [int(label) if isinstance(label, float) and label.is_integer() else label for label in plain]
