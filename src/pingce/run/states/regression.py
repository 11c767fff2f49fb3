"""What an evaluator of numbers has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.regression.evidence import DIAGNOSIS_SUMS, ErrorEvidence, FarRows, error_evidence
from pingce.evidence.soundness import AMOUNT, FINITE, Column, checked_columns, demand
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Naming
from pingce.inputs.regression import NumberRows, joined, read_numbers
from pingce.request import Request
from pingce.run.memory import RowBudget
from pingce.run.states.rows import RowState, Shape, slice_shape
from pingce.run.states.tables import slice_columns, slices_from
from pingce.run.temporary import Workspace

if TYPE_CHECKING:
    from typing_extensions import Self


_COLUMNS = {
    "true": Column("float64", (FINITE,)),
    "predicted": Column("float64", (FINITE,)),
    "weight": Column("float64", (AMOUNT,), optional=True),
}


class RegressionState(RowState[NumberRows, ErrorEvidence]):
    """Rows of numbers, or their exact sums."""

    usual = ("mae", "rmse", "r2", "medae", "max_error")
    numbers = ("y_true", "y_pred", "weight")

    @staticmethod
    def far_of(tables: Any) -> FarRows | None:
        far: FarRows | None = tables.numbers
        return far

    def score(self) -> Any:
        scores = super().score()
        if self._far is not None:  # of no use any more, and tied to a session
            scores.evidence = replace(scores.evidence, far=None)
        return scores

    def read(self, table: RowData, named: Naming | None = None) -> NumberRows:
        return read_numbers(table, self.request.reading, named)

    @classmethod
    def usual_names(cls, *, grouped: bool, probabilities: bool = True, streamed: bool = False) -> Sequence[str]:
        return () if streamed else cls.usual  # for_stream leaves out what cannot be added up

    @classmethod
    def refuses_stream(cls, request: Request) -> bool:
        return any(metric.metric.needs_rows for metric in request.metrics or ())

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        """A state that keeps no rows: of the usual metrics those that can be added up, others are refused."""
        state = cls(request)
        needing = ", ".join(metric.name for metric in state.metrics if metric.metric.needs_rows)
        if not needing:
            return state
        if cls.refuses_stream(request):
            raise InputError(
                f"{name.en}: {needing} needs all rows at once, and they do not fit into the memory allowed; leave it out, or give "
                "more --memory (memory=)",
                f"{name.zh}：{needing} 需要一次用到全部数据行，而允许的内存放不下；请去掉该指标，或调大 --memory（memory=）",
            )
        kept = tuple(metric for metric in state.metrics if not metric.metric.needs_rows)
        state = cls(replace(request, metrics=kept))
        en, zh = "left out, since it needs all rows at once", "需要一次用到全部数据行，未计算"
        state.notes = (Text(f"{en}: {needing}", f"{zh}：{needing}"),)
        return state

    def shape_of(self, rows: NumberRows) -> Shape:
        return {"weight": "" if rows.weight is None else "given"} | slice_shape(rows.by)

    def last(self, rows: NumberRows, count: int) -> NumberRows:
        return rows.last(count)

    def join(self, batches: Sequence[NumberRows]) -> NumberRows:
        return joined(batches)

    def evidence_of(self, rows: NumberRows) -> ErrorEvidence:
        keep = any(metric.metric.needs_rows for metric in self.metrics)
        return error_evidence(rows, self._sums_needed, keep_rows=keep, threads=self.request.threads)

    def sum_up(self, rows: NumberRows) -> ErrorEvidence:
        """The sums of rows, those of the diagnosis among them."""
        return error_evidence(rows, [*self._sums_needed, *DIAGNOSIS_SUMS], threads=self.request.threads).without_rows()

    @property
    def _sums_needed(self) -> list[str]:
        return [need for metric in self.metrics for need in metric.metric.needs]

    def evidence_of_sums(self, sums: ErrorEvidence) -> ErrorEvidence:
        return replace(sums, weighted=bool(self._shape["weight"]), far=self._far)

    def sums_from(self, tables: Mapping[str, pa.Table]) -> ErrorEvidence:
        sums = ErrorEvidence.from_arrow(tables["sums"])
        needed = {"weight", *self._sums_needed, *DIAGNOSIS_SUMS}
        demand(sums.sums.keys() == needed, "the sums are not those that the metrics need", "各和不是指标所需的")
        return sums

    def tables_of_rows(self, rows: NumberRows) -> dict[str, pa.Table]:
        weight = {} if rows.weight is None else {"weight": rows.weight}
        columns = {"true": rows.true, "predicted": rows.predicted, **weight, **slice_columns(rows.by)}
        return {"rows": pa.table(columns)}

    def rows_from(self, tables: Mapping[str, pa.Table]) -> NumberRows:
        table = tables["rows"]
        columns = checked_columns(table, _COLUMNS)
        return NumberRows(columns["true"], columns["predicted"], columns.get("weight"), None, slices_from(table))
