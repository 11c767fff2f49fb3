"""Numbers in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.regression import DEFAULT_METRICS, needed_sums, score_error_sums, score_numbers
from pingce.evaluators.asked import metrics_read, metrics_written, refuse_unnamed
from pingce.evaluators.rows import RowEvaluator, Shape, slice_shape
from pingce.evaluators.slice_tables import slice_columns, slices_from
from pingce.evidence.policies import RegressionPolicies
from pingce.evidence.regression.evidence import DIAGNOSIS_SUMS, ErrorEvidence, error_evidence
from pingce.evidence.soundness import AMOUNT, FINITE, Column, checked_columns, demand
from pingce.inputs.aliases import one_weight
from pingce.inputs.cells import refuse_weightless
from pingce.inputs.regression import NumberRows, joined, read_numbers
from pingce.inputs.slices import refuse_without_values
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

    from pingce.metrics.grammar import MetricRequest
    from pingce.metrics.regression import RegressionMetric
    from pingce.scores.regression import RegressionScores

_COLUMNS = {
    "true": Column("float64", (FINITE,)),
    "predicted": Column("float64", (FINITE,)),
    "weight": Column("float64", (AMOUNT,), optional=True),
}


class RegressionEvaluator(RowEvaluator[NumberRows, ErrorEvidence]):
    """Scores predicted numbers batch by batch: the numbers of `evaluate_regression`, to the last bit.

    Memory does not grow with rows, except for metrics that need them (`medae`, `spearman`; the usual metrics have
    `medae` among them), `ci=` and `by=`.

    >>> import pingce as pc
    >>> evaluator = pc.RegressionEvaluator(["mae"])
    >>> evaluator.update([3, -0.5], [2.5, 0.0]).update([2, 7], [2, 8]).compute()["mae"]
    0.5
    """

    task = "regression"
    _asked: list[MetricRequest]

    @checked_options("regression")
    def __init__(
        self,
        metrics: Iterable[str | RegressionMetric | MetricRequest] | str | MetricRequest | None = None,
        *,
        convention: str | None = None,
        undefined: str | None = None,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
    ) -> None:
        define = Definitions(RegressionPolicies, convention, {"undefined": undefined})
        asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
        self._prepare(asked, define.policies, ci=ci, samples=samples, seed=seed, min_n=min_n, threads=threads)

    def _prepare(self, asked: list[MetricRequest], policies: RegressionPolicies, **options: Any) -> Self:
        self._asked, self._policies, self._options = asked, policies, options
        self.threads: int | None = options["threads"]
        return self.reset()

    @property
    def asked(self) -> list[MetricRequest]:
        """The metrics."""
        return self._asked

    @classmethod
    def of(
        cls,
        asked: list[MetricRequest],
        policies: RegressionPolicies,
        *,
        ci: float | None = None,
        samples: int = 1000,
        seed: int = 0,
        min_n: int = 20,
        threads: int | None = None,
    ) -> Self:
        """Of metrics that were parsed before."""
        made = cls.__new__(cls)
        return made._prepare(asked, policies, ci=ci, samples=samples, seed=seed, min_n=min_n, threads=threads)

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
        columns = {"y_true": y_true, "y_pred": y_pred, "weight": one_weight(weight, sample_weight), "by": by}

        def read() -> NumberRows:
            return read_numbers(**columns, data=data, named=self._batches.next).owned()

        return self._update(read, data, columns)

    def compute(self) -> RegressionScores:
        """The scores of all rows seen so far."""
        return self.scored()

    def scored(self, *, above: int | None = None) -> RegressionScores:
        """The same; there are no warnings."""
        self._refuse_nothing()
        if self._sums is None:
            rows = self._whole(self._waiting)
            self._waiting = [rows]
            if rows.weight is not None:
                refuse_weightless(rows.weight, Text("weight", "weight"))
            refuse_without_values(rows.by)
            return score_numbers(rows, self.asked, self.policies, **self._options)
        sums, weighted = self._added_up(), bool(self._shape and self._shape["weight"])
        refuse_weightless(np.array([float(sums.sums["weight"])]), Text("weight", "weight"))
        return score_error_sums(sums, self.asked, self.policies, weighted=weighted)

    @property
    def settings(self) -> dict[str, Any]:
        """How it was made, as plain JSON."""
        return {"metrics": metrics_written(self.asked), "policies": asdict(self.policies), **self._options}

    @classmethod
    def _from_settings(cls, settings: Mapping[str, Any]) -> Self:
        options = {name: settings[name] for name in ("ci", "samples", "seed", "min_n", "threads")}
        asked = metrics_read(settings["metrics"], cls.task) or []
        return cls.of(asked, RegressionPolicies(**settings["policies"]), **options)

    @property
    def _adds_up(self) -> bool:
        sliced = bool(self._shape and self._shape["by"])
        return not sliced and self._options["ci"] is None and not any(one.metric.needs_rows for one in self.asked)

    def _shape_of(self, rows: NumberRows) -> Shape:
        return {"weight": "" if rows.weight is None else "given"} | slice_shape(rows.by)

    def _joined(self, batches: Sequence[NumberRows]) -> NumberRows:
        return joined(batches)

    def _whole(self, batches: Sequence[NumberRows]) -> NumberRows:
        return joined(batches)

    def _sums_of(self, rows: NumberRows) -> ErrorEvidence:
        return error_evidence(rows, [*needed_sums(self.asked), *DIAGNOSIS_SUMS], threads=self.threads)

    def _both(self, one: ErrorEvidence, other: ErrorEvidence) -> ErrorEvidence:
        return one.merge(other)

    def _sums_tables(self, sums: ErrorEvidence) -> dict[str, pa.Table]:
        return {"sums": sums.to_arrow()}

    def _sums_from(self, tables: Mapping[str, pa.Table]) -> ErrorEvidence:
        added = ErrorEvidence.from_arrow(tables["sums"])
        needed = {"weight", *needed_sums(self.asked), *DIAGNOSIS_SUMS}
        demand(added.sums.keys() == needed, "the sums are not those that the metrics need", "各和不是指标所需的")
        return added

    def _rows_added(self) -> int:
        return 0 if self._sums is None else self._sums.count

    def _rows_tables(self, rows: NumberRows) -> dict[str, pa.Table]:
        import pyarrow as pa

        weight = {} if rows.weight is None else {"weight": rows.weight}
        columns = {"true": rows.true, "predicted": rows.predicted, **weight, **slice_columns(rows.by)}
        return {"rows": pa.table(columns)}

    def _rows_from(self, tables: Mapping[str, pa.Table]) -> NumberRows:
        table = tables["rows"]
        columns = checked_columns(table, _COLUMNS)
        return NumberRows(columns["true"], columns["predicted"], columns.get("weight"), None, slices_from(table))

    def _refuse_unnamed(self) -> None:
        refuse_unnamed(self.asked, self.task)
