"""Labels and scores in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.evidence.binary.facts import Facts
from pingce.evidence.binary.pieces import EVERYTHING
from pingce.inputs.aliases import one_weight
from pingce.request import Intervals, MetricNames, Request
from pingce.run.data import RowData
from pingce.run.evaluator import Evaluator
from pingce.run.states.binary import BinaryState, Gathering
from pingce.scores.binary import BinaryScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self


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
    pr_auc and ks then have a `bound` beside them (1048576 bins are 2048 for every doubling of the score). The scores are
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
        convention: str | None = None,
        threshold: float | None = None,
        compare: str | None = None,
        positive: Any = None,
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
                policies={"threshold": threshold, "compare": compare, "undefined": undefined},
                intervals=Intervals(ci, samples, seed),
                min_n=min_n,
                threads=threads,
                split=split,
                bins=bins,
                positive=positive,
            )
        super().__init__(metrics)

    @classmethod
    def _from_settings(cls, settings: Json) -> Self:
        request = Request.from_json(cls.task, settings)
        return cls.over(BinaryState(request, Gathering(settings.get("gather", EVERYTHING))))

    @property
    def facts(self) -> Facts:
        """What is known of the rows that were made into evidence."""
        facts: Facts = self._state.known_facts
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
        group_weight: Mapping[str, Any] | None = None,
        by: Any = None,
    ) -> Self:
        """See a batch of rows, with columns as for `evaluate_binary`; the same ones in every batch."""
        weight = one_weight(weight, sample_weight)
        return self._update(RowData(y_true, y_score, data, weight, by, group, group_weight))

    if TYPE_CHECKING:

        def compute(self) -> BinaryScores:
            """The scores of all rows seen so far; more may follow."""
