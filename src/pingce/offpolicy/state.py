"""What an evaluator of off-policy values has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.evidence.soundness import AMOUNT, FINITE, SHARE, Column, checked_columns, demand
from pingce.inputs.data import RowData
from pingce.inputs.names import LABEL
from pingce.inputs.predictions import Naming
from pingce.metrics.grammar import MetricRequest
from pingce.offpolicy.evidence import DIAGNOSIS, LogSums, OffpolicyEvidence
from pingce.offpolicy.rows import ESTIMATES, OffpolicyRows, joined, read_rows
from pingce.run.states.rows import RowState, Shape, slice_shape
from pingce.run.states.tables import slice_columns, slices_from
from pingce.tasks.offpolicy import OFFPOLICY

_COLUMNS = {
    "reward": Column("float64", (FINITE,)),
    "target": Column("float64", (SHARE,)),
    "logging": Column("float64", (SHARE,)),
    "logged_estimate": Column("float64", (FINITE,), optional=True),
    "target_estimate": Column("float64", (FINITE,), optional=True),
    "weight": Column("float64", (AMOUNT,), optional=True),
}
_OF_MODEL = ("dm", "dr")
"Usual metrics where a model of the reward was given."


class OffpolicyState(RowState[OffpolicyRows, LogSums]):
    """Rows of a log, or their exact sums."""

    usual = ("logged_value", "ips", "snips", "ess", "max_weight")
    numbers = ("y_true", "y_pred", "weight")
    truth_names = ("reward", "r", *LABEL)
    prediction_names = ("target_propensity", "evaluation_propensity", "new_propensity", "p_new", "pi_e")

    @classmethod
    def usual_names(cls, *, grouped: bool, probabilities: bool = True, streamed: bool = False) -> Sequence[str]:
        return ()  # a model of the reward brings more: the columns tell

    @staticmethod
    def far_of(tables: Any) -> None:
        return None

    @property
    def metrics(self) -> Sequence[MetricRequest]:
        has_model = all(self._shape.get(name) for name in ESTIMATES)
        return self.request.metrics or self.request.usual((*self.usual, *(_OF_MODEL if has_model else ())))

    def read(self, table: RowData, named: Naming | None = None) -> OffpolicyRows:
        return read_rows(table, self.request.reading, named)

    def add(self, rows: OffpolicyRows) -> None:
        self._refuse_lacking(rows)
        super().add(rows)

    def score_rows(self, rows: OffpolicyRows) -> Any:
        self._refuse_lacking(rows)
        return super().score_rows(rows)

    def _refuse_lacking(self, rows: OffpolicyRows) -> None:
        """Refuse metrics of a model that was not given."""
        for request in self.request.metrics or ():
            needed: tuple[str, ...] = getattr(request.metric, "needs_roles", ())
            for role in OFFPOLICY.columns:
                if role.name in needed and role.name not in rows.columns():
                    raise InputError(
                        f"{request.name} needs {role.name}= ({role.flag}): {role.help.en}",
                        f"{request.name} 需要 {role.name}=（{role.flag}）：{role.help.zh}",
                    )

    def shape_of(self, rows: OffpolicyRows) -> Shape:
        columns = rows.columns()
        return {name: "given" if name in columns else "" for name in ("weight", *ESTIMATES)} | slice_shape(rows.by)

    def take(self, rows: OffpolicyRows, places: NDArray[np.intp]) -> OffpolicyRows:
        return rows.select(places)

    def last(self, rows: OffpolicyRows, count: int) -> OffpolicyRows:
        return rows.last(count)

    def join(self, batches: Sequence[OffpolicyRows]) -> OffpolicyRows:
        return joined(batches)

    @property
    def _names(self) -> list[str]:
        """The sums that the metrics and the diagnosis read."""
        metrics: list[Any] = [request.metric for request in self.metrics]
        return list(dict.fromkeys([*DIAGNOSIS, *(name for metric in metrics for name in metric.sums())]))

    def evidence_of(self, rows: OffpolicyRows) -> OffpolicyEvidence:
        return OffpolicyEvidence.of(rows, self._names, self.request.threads)

    def sum_up(self, rows: OffpolicyRows) -> LogSums:
        return LogSums.of(rows, self._names, self.request.threads)

    def evidence_of_sums(self, sums: LogSums) -> OffpolicyEvidence:
        return OffpolicyEvidence(None, sums, weighted=bool(self._shape["weight"]), threads=self.request.threads)

    def sums_from(self, tables: Mapping[str, pa.Table]) -> LogSums:
        sums = LogSums.from_arrow(tables["sums"])
        demand(
            sums.sums.keys() == set(self._names), "the sums are not those that the metrics need", "各和不是指标所需的"
        )
        return sums

    def tables_of_rows(self, rows: OffpolicyRows) -> dict[str, pa.Table]:
        return {"rows": pa.table({**rows.columns(), **slice_columns(rows.by)})}

    def rows_from(self, tables: Mapping[str, pa.Table]) -> OffpolicyRows:
        table = tables["rows"]
        columns = checked_columns(table, _COLUMNS)
        demand(bool((columns["logging"] > 0).all()), "a logging propensity is 0", "有日志策略概率为 0")
        with np.errstate(over="ignore"):
            demand(np.isfinite(columns["target"] / columns["logging"]).all(), "a weight is infinite", "有权重为无穷大")
        return OffpolicyRows(**columns, place=None, by=slices_from(table))
