"""Classes in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.multiclass import default_metrics, score_class_sums, score_multiclass
from pingce.evaluators.asked import metrics_read, metrics_written, refuse_unnamed
from pingce.evaluators.multiclass_tables import rows_from_tables, rows_to_tables
from pingce.evaluators.rows import ANY, RowEvaluator, Shape, slice_shape
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.multiclass.sums import ClassSums, SummedClasses
from pingce.evidence.policies import MulticlassPolicies
from pingce.evidence.soundness import demand
from pingce.inputs.aliases import one_weight
from pingce.inputs.cells import refuse_weightless
from pingce.inputs.multiclass import ClassRows, joined, read_classes, whole
from pingce.inputs.probabilities import refuse_other_columns
from pingce.inputs.slices import refuse_without_values
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

    from pingce.metrics.grammar import MetricRequest
    from pingce.metrics.multiclass import MulticlassMetric
    from pingce.scores.multiclass import MulticlassScores

_OPTIONS = ("ci", "samples", "seed", "min_n", "threads")


class MulticlassEvaluator(RowEvaluator[ClassRows, ClassSums]):
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
        metrics: Iterable[str | MulticlassMetric | MetricRequest] | str | MetricRequest | None = None,
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
        given = {"undefined": undefined, "undefined_class": undefined_class}
        define = Definitions(MulticlassPolicies, convention, given)
        asked = None if metrics is None else define.asked(metrics)
        options = {"ci": ci, "samples": samples, "seed": seed, "min_n": min_n, "threads": threads}
        self._prepare(asked, define.policies, labels, define, options)

    def _prepare(
        self,
        asked: list[MetricRequest] | None,
        policies: MulticlassPolicies,
        labels: Iterable[Any] | None,
        define: Definitions[MulticlassPolicies],
        options: dict[str, Any],
    ) -> Self:
        self._asked, self._policies, self._define, self._options = asked, policies, define, options
        self.labels = _plain_labels(labels)
        return self.reset()

    @classmethod
    def of(
        cls,
        asked: list[MetricRequest] | None,
        policies: MulticlassPolicies,
        *,
        labels: Iterable[Any] | None = None,
        convention: str | None = None,
        given: Mapping[str, Any] | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
    ) -> Self:
        """Of metrics that were parsed before; None asks for the usual ones, under a convention and the policies `given`."""
        define = Definitions(MulticlassPolicies, convention, given or {})
        options = {"ci": ci, "samples": samples, "seed": seed, "min_n": min_n, "threads": threads}
        return cls.__new__(cls)._prepare(asked, policies, labels, define, options)

    def batch(self, y_true: Any, y_pred: Any = None, **given: Any) -> ClassRows:
        """The rows of a batch, for `update_rows`."""
        return read_classes(y_true, y_pred, labels=self.labels, **given)

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
        columns = {
            "y_true": y_true,
            "y_pred": y_pred,
            "proba": proba,
            "weight": one_weight(weight, sample_weight),
            "by": by,
        }

        def read() -> ClassRows:
            return self.batch(**columns, data=data, named=self._batches.next).owned()

        return self._update(read, data, columns)

    def update_rows(self, rows: ClassRows) -> Self:
        """See rows that were read before; they must not change afterwards."""
        super().update_rows(rows)
        self._names.update(rows.labels)
        return self

    def reset(self) -> Self:
        """Forget all rows."""
        self._names: set[Any] = set()
        return super().reset()

    def compute(self) -> MulticlassScores:
        """The scores of all rows seen so far."""
        return self.scored(above=1)

    def scored(self, *, above: int | None = None) -> MulticlassScores:
        """The same for engines: warnings point so many calls above the one that calls this; None: there are none."""
        self._refuse_nothing()
        stacklevel = None if above is None else above + 3
        if self._sums is None:
            batch = joined(self._waiting)
            self._waiting = [batch]
            if batch.weight is not None:
                refuse_weightless(batch.weight, Text("weight", "weight"))
            refuse_without_values(batch.by)
            return score_multiclass(
                whole([batch]), self._metrics, self.policies, stacklevel=stacklevel, **self._options
            )
        sums = self._added_up()
        refuse_weightless(np.array([float(sums.total)]), Text("weight", "weight"))
        evidence = SummedClasses(sums, declared=self.labels is not None, threads=self._options["threads"])
        return score_class_sums(evidence, self._metrics, self.policies, stacklevel=stacklevel)

    @property
    def settings(self) -> dict[str, Any]:
        """How it was made, as plain JSON."""
        found = {"metrics": metrics_written(self.asked), "policies": asdict(self.policies), "labels": self.labels}
        usual = {"convention": self._define.convention, "given": dict(self._define.given)} if self.asked is None else {}
        return found | {"convention": None, "given": None} | usual | self._options

    @classmethod
    def _from_settings(cls, settings: Mapping[str, Any]) -> Self:
        asked, policies = metrics_read(settings["metrics"], cls.task), MulticlassPolicies(**settings["policies"])
        options = {name: settings[name] for name in ("labels", "convention", "given", *_OPTIONS)}
        return cls.of(asked, policies, **options)

    @property
    def _metrics(self) -> list[MetricRequest]:
        """Those that were asked for, or the usual ones for what the batches have."""
        if self.asked is not None:
            return self.asked
        return self._define.defaults(default_metrics(proba=bool(self._shape and self._shape["proba"])))

    @property
    def _adds_up(self) -> bool:
        if self._options["ci"] is not None or self._shape is None or self._shape["by"]:
            return False
        if self.labels is None and len(self._names) < self._columns:
            return False
        return not any(one.metric.needs_rows for one in self._metrics)

    @property
    def _columns(self) -> int:
        """Of the probabilities."""
        return int((self._shape or {"proba": ""})["proba"].rpartition(" ")[2] or 0)

    def _rows_in(self, rows: ClassRows) -> int:
        return len(rows) + rows.without_weight

    def _shape_of(self, rows: ClassRows) -> Shape:
        proba = ""
        if rows.proba is not None:
            proba = " ".join([rows.proba.dtype.name, *rows.columns, "×", str(rows.proba.shape[1])])
        kinds = {bool: "truth values", str: "strings"}
        return {
            "y_pred": "" if rows.prediction is None else "given",
            "weight": "" if rows.weight is None else "given",
            "proba": proba,
            "labels": kinds.get(type(rows.labels[0]), "integers") if len(rows) else ANY,
        } | slice_shape(rows.by)

    def _take(self, other: Self) -> None:
        super()._take(other)
        self._names |= other._names

    def _take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        super()._take_tables(tables)
        lists = [rows.labels for rows in self._waiting] + ([self._sums.confusion.labels] if self._sums else [])
        self._names = {name for names in lists for name in names}

    def _joined(self, batches: Sequence[ClassRows]) -> ClassRows:
        return joined(batches)

    def _whole(self, batches: Sequence[ClassRows]) -> ClassRows:
        """Columns of probabilities are those of all classes, also of earlier batches."""
        return whole(batches, self._sums.confusion.labels if self._sums and batches[0].proba is not None else ())

    def _sums_of(self, rows: ClassRows) -> ClassSums:
        needs = [one.metric.sums() for one in self._metrics]
        evidence = MulticlassEvidence(rows, threads=self._options["threads"])
        return ClassSums.of(evidence, [need for need in needs if need is not None])

    def _both(self, one: ClassSums, other: ClassSums) -> ClassSums:
        found = one.merge(other)
        columns = self._columns
        if columns:
            refuse_other_columns(columns, (), found.confusion.labels, given=self.labels is not None)
        return found

    def _sums_tables(self, sums: ClassSums) -> dict[str, pa.Table]:
        return sums.to_tables()

    def _sums_from(self, tables: Mapping[str, pa.Table]) -> ClassSums:
        added, shape = ClassSums.from_tables(tables), self._shape or {}
        needs = {need for metric in self._metrics if (need := metric.metric.sums()) is not None}
        sums = {("among", k) for k in added.among} | {("losses", eps) for eps in added.losses}
        demand(needs == sums, "the sums are not those that the metrics need", "各和不是指标所需的")
        alike = added.weighted == bool(shape["weight"]) and (added.epsilon is not None) == bool(shape["proba"])
        demand(alike, "the sums are of other columns", "各和来自其他列")
        fixed = self.labels is None or added.confusion.labels == self.labels
        demand(fixed and (not self._columns or self._columns == len(added.confusion)), "classes are others", "类别不符")
        return added

    def _rows_added(self) -> int:
        return 0 if self._sums is None else self._sums.given

    def _rows_tables(self, rows: ClassRows) -> dict[str, pa.Table]:
        return rows_to_tables(rows)

    def _rows_from(self, tables: Mapping[str, pa.Table]) -> ClassRows:
        return rows_from_tables(tables, declared=self.labels is not None)

    def _refuse_unnamed(self) -> None:
        refuse_unnamed(self.asked, self.task)


def _plain_labels(labels: Any) -> Any:
    """A list of strings and integers where that is what they are; anything else is refused with the first batch."""
    if labels is None or isinstance(labels, (str, bytes, Mapping, set, frozenset)) or not hasattr(labels, "__iter__"):
        return labels
    plain = [label.item() if hasattr(label, "item") else label for label in labels]
    return [int(label) if isinstance(label, float) and label.is_integer() else label for label in plain]
