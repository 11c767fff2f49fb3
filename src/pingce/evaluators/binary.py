"""Labels and scores in batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, nothing_seen
from pingce.base.text import Text
from pingce.evaluate.binary import names_left_out, refuse_unbounded, scored, scored_rows, warned
from pingce.evaluate.definitions import Definitions
from pingce.evaluators.asked import metrics_read, metrics_written
from pingce.evaluators.batches import checked_split, refuse_rows
from pingce.evaluators.binary_seen import BinarySeen
from pingce.evaluators.bins import checked_bins, exact_only
from pingce.evidence.binary.pieces import EVERYTHING, ROOM, BinaryPieces
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.aliases import one_weight
from pingce.inputs.binary import BinaryBatch, read_batch
from pingce.inputs.binary_batches import joined_slices, settled
from pingce.inputs.cells import refuse_weightless
from pingce.inputs.labels import label_notes
from pingce.inputs.vectors import vector
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self

    from pingce.evidence.binary.score_tables import Tables
    from pingce.inputs.binary import BinaryRows
    from pingce.metrics.binary import BinaryMetric
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores.binary import BinaryScores


LITTLE_ROOM = 1 << 24


class BinaryEvaluator(BinarySeen):
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
        metrics: Iterable[str | BinaryMetric | MetricRequest] | str | MetricRequest | None = None,
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
        given = {"threshold": threshold, "compare": compare, "undefined": undefined}
        define = Definitions(BinaryPolicies, convention, given)
        asked = None if metrics is None else define.asked(metrics)
        options = {"ci": ci, "samples": samples, "seed": seed, "min_n": min_n}
        self._make(asked, define.policies, split=split, bins=bins, positive=positive, options=options, threads=threads)
        self._convention, self._given = convention, {} if convention is None else given

    def _make(
        self,
        asked: list[MetricRequest] | None,
        policies: BinaryPolicies,
        *,
        split: str,
        bins: int | None,
        positive: Any,
        options: Mapping[str, Any],
        threads: int | None,
    ) -> None:
        self._asked, self._policies, self.threads = asked, policies, threads
        self.split, self.bins = checked_split(split, Text("group", "分组")), checked_bins(bins)
        self.positive = positive.item() if hasattr(positive, "item") else positive
        self._options = dict(options)
        self._convention, self._given = None, {}
        self._defaults, self._tables_made = None, None
        # What is put into bins is counted soon: that it takes little memory is what they are for.
        self._gather, self._room = EVERYTHING, ROOM if self.bins is None else min(ROOM, LITTLE_ROOM)
        if self.bins is not None and options["ci"] is not None:
            raise exact_only("ci=")
        if self.bins is not None:
            refuse_unbounded(asked or ())
        self.reset()

    @classmethod
    def of(
        cls,
        asked: list[MetricRequest] | None,
        policies: BinaryPolicies,
        *,
        split: str = "never",
        bins: int | None = None,
        positive: Any = None,
        gather: Collection[str] = EVERYTHING,
        tables: Tables | None = None,
        defaults: Callable[[Any], list[MetricRequest]] | None = None,
        room: int | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        convention: str | None = None,
        given: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> Self:
        """For engines: metrics that are parsed, what to `gather`, and the `tables` that scores are counted in.

        `room` is how many bytes of scores and labels wait before they are counted.
        `defaults` gives the metrics where none was named, from something that has `group` and `are_probabilities`; or else
        they are those of a `convention` under the policies that were `given` with it.
        """
        made = cls.__new__(cls)
        options = {"ci": ci, "samples": samples, "seed": seed, "min_n": min_n}
        made._make(asked, policies, split=split, bins=bins, positive=positive, options=options, threads=threads)
        made._defaults = defaults
        made._convention, made._given = convention, {} if convention is None else dict(given or {})
        made._gather = tuple(name for name in EVERYTHING if name in gather)
        made._tables_made = tables
        made._room = made._room if room is None else room
        return made

    @property
    def settings(self) -> dict[str, Any]:
        """How it was made, as plain JSON."""
        return {
            "metrics": metrics_written(self.asked),
            "convention": self._convention,
            "given": dict(self._given),
            "policies": asdict(self.policies),
            "explicit": sorted(self.policies.explicit),
            "split": self.split,
            "bins": self.bins,
            "positive": self.positive,
            "gather": list(self._gather),
            **self._options,
            "threads": self.threads,
        }

    @classmethod
    def _from_settings(cls, settings: Mapping[str, Any]) -> Self:
        options = {name: settings[name] for name in ("split", "bins", "positive", "gather", "threads")}
        options |= {name: settings[name] for name in ("ci", "samples", "seed", "min_n", "convention", "given")}
        policies = BinaryPolicies(**settings["policies"]).naming(settings.get("explicit", ()))
        return cls.of(metrics_read(settings["metrics"], cls.task), policies, **options)

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
        columns = {"group": group, "weight": one_weight(weight, sample_weight), "group_weight": group_weight, "by": by}
        try:
            batch = read_batch(y_true, y_score, self._needed(), data=data, named=self._batches.next, **columns)
        except EmptyInputError as problem:
            refuse_rows(problem, data, {"y_true": y_true, "y_score": y_score, **columns})
            self._batches.count += 1
            return self
        if not self._counts_at_once(batch):
            return self._see(batch.owned())
        self._see(batch.owned(groups=False))
        self._gather_waiting()
        if self._waiting:  # not settled yet which rows are positive
            self._waiting[-1] = batch.owned()
        return self

    def _needed(self) -> list[str]:
        """Columns that metrics weight groups by."""
        return [name for request in self.asked or () for name in request.metric.needed_columns()]

    def read(self, y_true: Any, y_score: Any, **columns: Any) -> Self:
        """The same with columns that nobody changes before `compute`; options as `read_batch` has them."""
        return self._see(read_batch(y_true, y_score, self._needed(), **columns))

    def update_rows(self, rows: BinaryRows) -> Self:
        """See rows that were read before, best by `binary_rows(…, batch=True)`; nobody may change them."""
        if rows.by:
            raise InputError("give by= to update, not with the rows", "请在 update 中给出 by=，而不是随数据行给出")
        return self._see(BinaryBatch(rows, {}))

    def compute(self) -> BinaryScores:
        """The scores of all rows seen so far; more may follow."""
        return self.scored(above=1)

    def scored(self, *, above: int | None = None) -> BinaryScores:
        """The same for engines: warnings point so many calls above the one that calls this; None: there are none."""
        scores = self._scored()
        scores.notes = (*scores.notes, *self._label_notes(scores))
        scores.weight_columns = self._columns
        if not self.asked and not scores.evidence.rows.are_probabilities:
            scores.left_out = names_left_out(self._usual, {value.id for value in scores.values_by_name.values()})
        return scores if above is None else warned(scores, above + 3)

    def _label_notes(self, scores: BinaryScores) -> tuple[Text, ...]:
        return label_notes(scores.evidence.rows.labels) if self.positive is None else ()

    def _scored(self) -> BinaryScores:
        if not self._names:
            raise nothing_seen()
        positive, other = settled(self._names, self.positive, self._label)
        self._refuse_contradiction(positive, self._names)
        plain = self.bins is None and self._tables_made is None and self._gather == EVERYTHING
        if self._pieces is None and plain:
            return self._scored_rows(positive)
        from pingce.evidence.binary.pieced import PiecedEvidence

        if self._tables_made is not None:
            self._pieces = self._with_waiting(self._pieces, positive)
            self._waiting, self._count = [], 0
            self._pieces.count(self.threads)
            pieces = self._pieces
        else:
            pieces = self._with_waiting(None if self._pieces is None else self._pieces.copy(), positive)
        self._refuse_idle(pieces)
        evidence = PiecedEvidence(pieces, (positive, other), threads=self.threads)
        asked = self.asked or self._default(evidence.rows)
        evidence.needs = {metric.metric.needs for metric in asked}
        return scored(evidence, asked, self.policies)

    @staticmethod
    def _refuse_idle(pieces: BinaryPieces) -> None:
        facts = pieces.facts
        if facts is not None and not facts.weight:
            refuse_weightless(np.zeros(1), Text("weight", "weight"))
        for name in facts.idle if facts is not None else ():
            refuse_weightless(np.zeros(1), Text(f"group_weight '{name}'", f"group_weight '{name}'"))

    def _scored_rows(self, positive: Any) -> BinaryScores:
        rows = self._rows(positive)
        cut = joined_slices(self._waiting)
        self._waiting = [BinaryBatch(rows, cut, self._label)]
        if rows.weight is not None:
            refuse_weightless(rows.weight, Text("weight", "weight"))
        for name, column in rows.columns.items():
            refuse_weightless(column, Text(f"group_weight '{name}'", f"group_weight '{name}'"))
        if cut:
            from pingce.inputs.slices import row_partitions

            like = rows.score_column or vector(rows.scores, "y_score")
            rows = replace(rows, by=row_partitions(cut, like, rows.group))
        asked = self.asked or self._default(rows)
        return scored_rows(rows, asked, self.policies, **self._options, threads=self.threads)
