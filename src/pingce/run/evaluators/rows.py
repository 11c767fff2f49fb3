"""Labels and scores, classes, and numbers in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.errors import nothing_seen
from pingce.evidence.binary.facts import Facts
from pingce.evidence.policies import BinaryKeywords, MulticlassKeywords, RegressionKeywords
from pingce.request import MetricNames, Request
from pingce.run.evaluator import Evaluator
from pingce.run.feed import row_data
from pingce.scores.binary import BinaryScores
from pingce.scores.multiclass import MulticlassScores
from pingce.scores.regression import RegressionScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class BinaryEvaluator(Evaluator):
    """Sees labels and scores in batches; `compute` gives what `evaluate_binary` gives of all rows in one call.

    >>> import pingce as pc
    >>> evaluator = pc.BinaryEvaluator(["auc"])
    >>> for labels, scores in (([1, 0], [0.9, 0.8]), ([1, 0], [0.7, 0.1])):
    ...     evaluator = evaluator.update(labels, scores)
    >>> evaluator.compute()["auc"]
    0.75

    Memory grows with distinct scores, not with rows. Groups are whole in one batch (`split="never"`, then memory also
    grows with groups), or else all rows are kept until `compute`; so they are for `ci` and `by`. `bins` bounds memory: auc,
    pr_auc and ks then have a `bound` beside them (1048576 bins are 2048 for every doubling of the score). `field` and `cost` add
    metrics as in `evaluate_binary`; arrays of fields come with each batch in `group_weight`. The scores are
    those of one call to the last bit, and where weights are fractions to 12 digits.
    """

    task = "binary"

    @checked_options("binary")
    def __init__(
        self,
        metrics: MetricNames | Request | None = None,
        *,
        split: str = "allowed",
        bins: int | None = None,
        field: str | Iterable[str] | None = None,
        cost: str | None = None,
        convention: str | None = None,
        positive: Any = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        window: int | None = None,
        threads: int | None = None,
        **policies: Unpack[BinaryKeywords],
    ) -> None:
        super().__init__(self._requested(metrics, {**locals(), **policies}))

    @property
    def facts(self) -> Facts:
        """What is known of the rows that were made into evidence."""
        facts: Facts | None = self._state.facts
        if facts is None:
            raise nothing_seen()
        return facts

    @checked_options("binary")
    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        data: Any = None,
        group: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        group_weight: Mapping[str, Iterable[object]] | None = None,
        by: Any = None,
    ) -> Self:
        """See a batch of rows, with columns as for `evaluate_binary`; the same ones in every batch."""
        return self._update(row_data(self.task, y_true, y_score, locals()))

    if TYPE_CHECKING:

        def compute(self) -> BinaryScores:
            """The scores of all rows seen so far; more may follow."""


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
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        window: int | None = None,
        threads: int | None = None,
        **policies: Unpack[MulticlassKeywords],
    ) -> None:
        super().__init__(self._requested(metrics, {**locals(), **policies, "labels": _plain_labels(labels)}))

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
        return self._update(row_data(self.task, y_true, y_pred, locals()))

    if TYPE_CHECKING:

        def compute(self) -> MulticlassScores:
            """The scores of all rows seen so far."""


def _plain_labels(labels: Any) -> Any:
    """A list of strings and integers where that is what they are; anything else is refused with the first batch."""
    if labels is None or isinstance(labels, (str, bytes, Mapping, set, frozenset)) or not hasattr(labels, "__iter__"):
        return labels
    plain = [label.item() if hasattr(label, "item") else label for label in labels]
    return [int(label) if isinstance(label, float) and label.is_integer() else label for label in plain]


class RegressionEvaluator(Evaluator):
    """Scores predicted numbers batch by batch: the numbers of `evaluate_regression`, to the last bit.

    Memory does not grow with rows, except for metrics that need them (`medae`, `spearman`, `xauc`; the usual metrics have
    `medae` among them), `ci=` and `by=`. Groups of `xgauc` are whole in one batch (`split="never"`, then memory grows with groups), or
    else all rows are kept until `compute`.

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
        split: str = "allowed",
        convention: str | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        window: int | None = None,
        threads: int | None = None,
        **policies: Unpack[RegressionKeywords],
    ) -> None:
        super().__init__(self._requested(metrics, {**locals(), **policies}))

    @checked_options("regression")
    def update(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        data: Any = None,
        group: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        group_weight: Mapping[str, Iterable[object]] | None = None,
        by: Any = None,
    ) -> Self:
        """See a batch; the columns are given as for `evaluate_regression`, and may be used again afterwards."""
        return self._update(row_data(self.task, y_true, y_pred, locals()))

    if TYPE_CHECKING:

        def compute(self) -> RegressionScores:
            """The scores of all rows seen so far."""
