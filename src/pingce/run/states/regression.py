"""What an evaluator of numbers has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.binary.grouped import refuse_split
from pingce.evidence.regression.evidence import DIAGNOSIS_SUMS, ErrorEvidence, FarRows, Kept, error_evidence
from pingce.evidence.regression.groups import NumberGroups
from pingce.evidence.soundness import AMOUNT, FINITE, ArrowColumn, Column, checked_columns, demand, id_array, ids_in
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Naming
from pingce.inputs.regression import NumberRows, joined, read_numbers
from pingce.request import Request
from pingce.run.memory import RowBudget
from pingce.run.states.base import checked_split
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


_MORE = "column:"


class RegressionState(RowState[NumberRows, ErrorEvidence]):
    """Rows of numbers, or their exact sums."""

    usual = ("mae", "rmse", "r2", "medae", "max_error")
    numbers = ("y_true", "y_pred", "weight")

    def __init__(self, request: Request, *, is_far: bool = False, far: Any = None) -> None:
        checked_split(request.split, Text("group", "分组"))
        super().__init__(request, is_far=is_far, far=far)

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
        needed = [name for metric in self.request.metrics or () for name in metric.metric.needed_columns()]
        return read_numbers(table, self.request.reading, needed, named)

    def add(self, rows: NumberRows) -> None:
        self._refuse_lacking(rows)
        super().add(rows)

    def score_rows(self, rows: NumberRows) -> Any:
        self._refuse_lacking(rows)
        return super().score_rows(rows)

    def _refuse_lacking(self, rows: NumberRows) -> None:
        """Refuse metrics of groups, or of columns, that were not given."""
        for request in self.metrics:
            for name in request.metric.needed_columns():
                if name not in rows.columns:
                    hint = did_you_mean(name, rows.columns)
                    raise InputError(
                        f"{request.name}: there is no column '{name}'; by= is rows, uniform, pairs, or a column of data= or group_weight={hint.en}",
                        f"{request.name}：没有列 '{name}'；by= 可为 rows、uniform、pairs，或 data=、group_weight= 中的一列{hint.zh}",
                    )
            if request.metric.of_groups and rows.group is None:
                raise InputError(
                    f"{request.name} needs groups: say which column or array holds them with group= or --group",
                    f"{request.name} 需要分组：请用 group= 或 --group 指明哪一列是分组（如用户）",
                )

    @classmethod
    def usual_names(cls, *, grouped: bool, probabilities: bool = True, streamed: bool = False) -> Sequence[str]:
        return () if streamed else cls.usual  # for_stream leaves out what cannot be added up

    @classmethod
    def refuses_stream(cls, request: Request) -> bool:
        return any(metric.metric.needs_rows for metric in request.metrics or ())

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        """A state that keeps no rows: of the usual metrics those that can be added up, others are refused."""
        request = replace(request, split="never")
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
        shape = {"weight": "" if rows.weight is None else "given"} | slice_shape(rows.by)
        kind = "" if rows.group is None else "integers" if rows.group.integers else "strings"
        return (
            shape
            | ({"group": kind} if kind else {})
            | dict.fromkeys((f"column.{name}" for name in rows.columns), "given")
        )

    def take(self, rows: NumberRows, places: NDArray[np.intp]) -> NumberRows:
        return rows.select(places)

    def last(self, rows: NumberRows, count: int) -> NumberRows:
        return rows.last(count)

    def join(self, batches: Sequence[NumberRows]) -> NumberRows:
        if self.request.split == "never" and not self.is_far:
            refuse_split([rows.group for rows in batches if rows.group is not None])
        return joined(batches)

    @property
    def adds_up(self) -> bool:
        """Whether sums suffice: groups that may come again in another batch need their rows."""
        split = self.request.split == "allowed" and bool(self._group_columns is not None)
        return super().adds_up and not split

    def evidence_of(self, rows: NumberRows) -> ErrorEvidence:
        return error_evidence(rows, self._sums_needed, self._kept, threads=self.request.threads)

    def sum_up(self, rows: NumberRows) -> ErrorEvidence:
        """The sums of rows, those of the diagnosis among them."""
        needs, kept = [*self._sums_needed, *DIAGNOSIS_SUMS], replace(self._kept, rows=False)
        return error_evidence(rows, needs, kept, threads=self.request.threads).without_rows()

    @property
    def _kept(self) -> Kept:
        """What the metrics read beside sums."""
        metrics = [metric.metric for metric in self.metrics]
        return Kept(
            rows=any(metric.needs_rows for metric in metrics),
            ends=any(metric.needs_ends for metric in metrics),
            groups=self._group_columns,
        )

    @property
    def _group_columns(self) -> tuple[str, ...] | None:
        """The columns that are added up over groups; None where no metric is of groups."""
        metrics = [metric.metric for metric in self.metrics if metric.metric.of_groups]
        names = dict.fromkeys(name for metric in metrics for name in metric.needed_columns())
        return tuple(names) if metrics else None

    @property
    def _sums_needed(self) -> list[str]:
        return [need for metric in self.metrics for need in metric.metric.needs]

    def evidence_of_sums(self, sums: ErrorEvidence) -> ErrorEvidence:
        return replace(sums, weighted=bool(self._shape["weight"]), far=self._far)

    def sums_from(self, tables: Mapping[str, pa.Table]) -> ErrorEvidence:
        sums = ErrorEvidence.from_arrow(tables["sums"])
        if self._group_columns is not None and sums.count:
            demand("groups" in tables, "the groups are missing", "缺少分组")
            groups = NumberGroups.from_arrow(tables["groups"])
            demand(set(groups.columns) == set(self._group_columns), "columns of groups differ", "分组的列不同")
            sums = replace(sums, all_groups=groups)
        needed = {"weight", *self._sums_needed, *DIAGNOSIS_SUMS}
        demand(sums.sums.keys() == needed, "the sums are not those that the metrics need", "各和不是指标所需的")
        return sums

    def tables_of_rows(self, rows: NumberRows) -> dict[str, pa.Table]:
        weight = {} if rows.weight is None else {"weight": rows.weight}
        columns: dict[str, ArrowColumn] = {"true": rows.true, "predicted": rows.predicted, **weight}
        columns |= slice_columns(rows.by)
        columns |= {} if rows.group is None else {"group": id_array(rows.group)}
        columns |= {_MORE + name: values for name, values in rows.columns.items()}
        return {"rows": pa.table(columns)}

    def rows_from(self, tables: Mapping[str, pa.Table]) -> NumberRows:
        table = tables["rows"]
        more = [name for name in table.column_names if name.startswith(_MORE)]
        columns = checked_columns(table, _COLUMNS | dict.fromkeys(more, Column("float64", (AMOUNT,))))
        rows = NumberRows(columns["true"], columns["predicted"], columns.get("weight"), None, slices_from(table))
        group = ids_in(table, "group") if "group" in table.column_names else None
        return replace(rows, group=group, columns={name.removeprefix(_MORE): columns[name] for name in more})
