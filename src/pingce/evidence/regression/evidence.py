"""Error evidence: exact sums over pairs of a true and a predicted number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import UNIT, Floats, exact_sum, units_of, weighted_dot, weighted_sum
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.soundness import (
    DECIMAL,
    FRACTION,
    HEXADECIMAL,
    MOST,
    Condition,
    checked_fraction,
    checked_value,
    demand,
)
from pingce.evidence.tables import checked_table, stamped
from pingce.inputs.regression import NumberRows, joined
from pingce.inputs.slices import Partition

ARROW_VERSION = "1"


@dataclass(frozen=True, eq=False)
class ErrorEvidence:
    """Sums by name (see SUMS) that are not rounded, and the largest error; `rows` only where a metric needs them."""

    count: int
    sums: Mapping[str, Fraction] = field(default_factory=dict)
    largest: float = 0.0
    "max |e|."
    rows: NumberRows | None = None
    "Those whose weight is not 0, where a metric needs them."
    table: NumberRows | None = None
    "All rows, where they were kept."
    weighted: bool = False
    threads: int | None = None
    notes: tuple[Text, ...] = ()

    @property
    def data(self) -> NumberRows:
        """All rows, where they were kept."""
        if self.table is None:
            raise InputError(
                "this needs the rows, but they were added up batch by batch and not kept; evaluate all of them in one call",
                "这里需要逐行数据，而各批数据累加后没有保留；请对全部数据一次评测",
            )
        return self.table

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return () if self.table is None else self.table.by

    @property
    def weight(self) -> Fraction:
        """Σ w, or how many rows there are."""
        return self.sums["weight"]

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: the sums are there."""

    def view(self, policies: object) -> ErrorEvidence:
        """The evidence under the policies of a metric: none of them changes it."""
        return self

    def part(self, places: NDArray[np.intp]) -> ErrorEvidence:
        """The evidence of some of the rows."""
        needs = [name for name in self.sums if name != "weight"]
        return error_evidence(self.data.select(places), needs, keep_rows=self.rows is not None, threads=self.threads)

    def without_rows(self) -> ErrorEvidence:
        """The sums alone."""
        return replace(self, rows=None, table=None)

    def merge(self, other: ErrorEvidence) -> ErrorEvidence:
        """The evidence of both sets of rows together."""
        if set(self.sums) != set(other.sums) or (self.rows is None) != (other.rows is None):
            raise InputError(
                "the two pieces hold different sums; compute both for the same metrics",
                "两份证据所含的和不同；请用相同的指标计算",
            )
        rows = None
        if self.rows is not None and other.rows is not None:
            rows = joined([self.rows, other.rows])
        sums = {name: total + other.sums[name] for name, total in self.sums.items()}
        return replace(
            self, count=self.count + other.count, sums=sums, largest=max(self.largest, other.largest), rows=rows
        )

    def rows_for(self, metric: str) -> NumberRows:
        """The rows, for a metric that cannot do without."""
        if self.rows is None:
            raise InputError(
                f"{metric} needs the rows, but this evidence holds sums only; compute it from the data, keeping the rows",
                f"{metric} 需要逐行数据，而这份证据只有各项之和；请用原始数据重新计算，并保留各行",
            )
        return self.rows

    def to_arrow(self) -> pa.Table:
        """Sums as fractions in words; `from_arrow` gives the same evidence back. Rows are data, and are not written."""
        columns = {
            "sum": pa.array(list(self.sums), pa.string()),
            "value": pa.array([str(total) for total in self.sums.values()], pa.string()),
        }
        more = {"count": str(self.count), "largest": self.largest.hex()}
        return stamped(columns, "errors", ARROW_VERSION, **more)

    def to_tables(self) -> dict[str, pa.Table]:
        """The sums as tables of a state."""
        return {"sums": self.to_arrow()}

    @staticmethod
    def from_arrow(table: pa.Table) -> ErrorEvidence:
        """The evidence that `to_arrow` wrote."""
        about = checked_value(checked_table(table, "errors", ARROW_VERSION), _BESIDE, "errors")
        rows = checked_value(
            table.to_pylist(), [{"sum": Condition(("weight", *SUMS).__contains__), "value": FRACTION}], "sums"
        )
        sums = {row["sum"]: checked_fraction(row["value"], row["sum"], signed=row["sum"] in _SIGNED) for row in rows}
        evidence = ErrorEvidence(int(about["count"]), sums, float.fromhex(about["largest"]))
        evidence._refuse_unsound()
        return evidence

    def _refuse_unsound(self) -> None:
        """Refuse sums that no rows have: a square is never more than the product of squares."""
        sums, weight = self.sums, self.sums.get("weight")
        demand(weight is not None and self.largest >= 0, "there is no sum of weights", "缺少权重之和")
        for name, first, second in _SQUARES:
            if {name, first, second} <= sums.keys():
                text = f"the sum '{name}' is larger than others allow", f"'{name}' 之和大于其他各和所允许的"
                demand(sums[name] ** 2 <= sums[first] * sums[second], *text)
        beyond = max((abs(total) for total in sums.values()), default=0)
        demand(beyond <= MOST * _LARGEST**3, "a sum is beyond what doubles give", "有的和超出双精度数所能给出的")


_Sum = Callable[[NumberRows, "Floats", "int | None"], Fraction]


def _first(bad: NDArray[np.bool_]) -> int | None:
    """The first row that is marked."""
    return int(bad.argmax()) if bad.any() else None


def _logs(values: Floats) -> Floats:
    """ln(1 + v), by the C library: NumPy's own has other bits on other CPUs."""
    return np.fromiter(map(math.log1p, values.tolist()), np.float64, len(values))


def _log_error(rows: NumberRows, error: Floats, threads: int | None) -> Fraction:
    row = _first((rows.true <= -1) | (rows.predicted <= -1))
    if row is not None:
        place, name, number = rows.place_of(row), Text("true", "真实"), rows.true[row]
        if number > -1:
            name, number = Text("predicted", "预测"), rows.predicted[row]
        raise InputError(
            f"{place.en}: msle and rmsle take ln(1 + v) and need numbers above -1, but the {name.en} one is {number:g}; "
            "use mae or rmse, or shift both columns up",
            f"{place.zh}：msle 与 rmsle 要取 ln(1 + v)，数值须大于 -1，而{name.zh}值为 {number:g}；"
            "请改用 mae 或 rmse，或将两列一起上移",
        )
    difference = log_errors(rows)
    return weighted_dot(difference, difference, rows.weight, threads)


def log_errors(rows: NumberRows) -> Floats:
    """ln(1 + ŷ) - ln(1 + y) of each row."""
    return _logs(rows.predicted) - _logs(rows.true)


def relative_errors(rows: NumberRows) -> Floats:
    """|e| / |y| of each row, 0 where y is 0."""
    with np.errstate(over="ignore"):
        sizes = np.abs(rows.predicted - rows.true), np.abs(rows.true)
        shares: Floats = np.divide(*sizes, out=np.zeros(len(rows)), where=rows.true != 0)
    return shares


def _relative(rows: NumberRows, error: Floats, threads: int | None) -> Fraction:
    shares = relative_errors(rows)
    row = _first(np.isinf(shares))
    if row is not None:
        place = rows.place_of(row)
        raise InputError(
            f"{place.en}: the error {error[row]:g} over the true number {rows.true[row]:g} is beyond the range of doubles; use wmape or mae",
            f"{place.zh}：误差 {error[row]:g} 与真实值 {rows.true[row]:g} 之比超出双精度范围；请改用 wmape 或 mae",
        )
    return weighted_sum(shares, rows.weight, threads)


def symmetric_errors(rows: NumberRows) -> Floats:
    """|e| / (|y| + |ŷ|) of each row. Halves are taken only where the sum is too large: half of the smallest double is 0."""
    top, true, predicted = (np.abs(values) for values in (rows.predicted - rows.true, rows.true, rows.predicted))
    with np.errstate(over="ignore"):
        size = true + predicted
    large = np.isinf(size)
    if large.any():
        top, size = np.where(large, top / 2, top), np.where(large, true / 2 + predicted / 2, size)
    shares: Floats = np.divide(top, size, out=np.zeros(len(rows)), where=size != 0)
    return shares


SUMS: dict[str, _Sum] = {
    "absolute": lambda rows, error, threads: weighted_sum(np.abs(error), rows.weight, threads),
    "error": lambda rows, error, threads: weighted_sum(error, rows.weight, threads),
    "squared": lambda rows, error, threads: weighted_dot(error, error, rows.weight, threads),
    "true": lambda rows, error, threads: weighted_sum(rows.true, rows.weight, threads),
    "true_squared": lambda rows, error, threads: weighted_dot(rows.true, rows.true, rows.weight, threads),
    "true_absolute": lambda rows, error, threads: weighted_sum(np.abs(rows.true), rows.weight, threads),
    "predicted": lambda rows, error, threads: weighted_sum(rows.predicted, rows.weight, threads),
    "predicted_squared": lambda rows, error, threads: weighted_dot(
        rows.predicted, rows.predicted, rows.weight, threads
    ),
    "product": lambda rows, error, threads: weighted_dot(rows.true, rows.predicted, rows.weight, threads),
    "zeros": lambda rows, error, threads: weighted_sum((rows.true == 0).astype(np.float64), rows.weight, threads),
    "relative": _relative,
    "symmetric": lambda rows, error, threads: 2 * weighted_sum(symmetric_errors(rows), rows.weight, threads),
    "log_squared": _log_error,
}
"Σ over rows, each times its weight: |e|, e, e², y, y², |y|, ŷ, ŷ², yŷ, 1 where y = 0, |e|/|y| elsewhere, |e|/((|y|+|ŷ|)/2), (ln(1+ŷ) − ln(1+y))²."
DIAGNOSIS_SUMS = ("error", "squared", "true", "true_squared")
"Sums that the diagnosis reads, whatever metrics were asked for."

_SIGNED = ("error", "true", "predicted", "product")
_LARGEST = int(np.finfo(np.float64).max)
_SQUARES = (
    ("error", "squared", "weight"),
    ("absolute", "squared", "weight"),
    ("true", "true_squared", "weight"),
    ("true_absolute", "true_squared", "weight"),
    ("predicted", "predicted_squared", "weight"),
    ("product", "true_squared", "predicted_squared"),
    ("zeros", "weight", "weight"),
)
"The square of the first sum is at most the product of the others (Cauchy and Schwarz)."
_BESIDE = {"count": DECIMAL, "largest": HEXADECIMAL}


def error_evidence(
    rows: NumberRows, needs: Iterable[str] = tuple(SUMS), *, keep_rows: bool = False, threads: int | None = None
) -> ErrorEvidence:
    """The sums that are asked for; e = ŷ − y, rounded once a row."""
    table, rows = rows, rows.counted()
    needs = list(dict.fromkeys(needs))
    core = native_core()
    if core is not None and len(rows) and rows.weight is None and set(needs) <= _AT_ONCE:
        columns = np.ascontiguousarray(rows.true), np.ascontiguousarray(rows.predicted)
        results = core.error_sums(*columns, thread_count(threads))
        if math.isfinite(results["largest"]):
            sums = {"weight": Fraction(len(rows))}
            sums |= {name: Fraction(units_of(results[name]), 1 << UNIT) for name in needs}
            return _evidence(sums, results["largest"], table, rows if keep_rows else None, threads)
    sums, largest = _one_by_one(rows, needs, threads=threads)
    return _evidence(sums, largest, table, rows if keep_rows else None, threads)


def _evidence(
    sums: Mapping[str, Fraction], largest: float, table: NumberRows, rows: NumberRows | None, threads: int | None
) -> ErrorEvidence:
    return ErrorEvidence(len(table), sums, largest, rows, table, table.weight is not None, threads)


_AT_ONCE = {"absolute", "error", "squared", "true", "true_squared"}
"Sums that the core adds up in one pass."


def _one_by_one(rows: NumberRows, needs: Iterable[str], *, threads: int | None) -> tuple[dict[str, Fraction], float]:
    """A pass for each sum."""
    with np.errstate(over="ignore"):
        error = rows.predicted - rows.true
    row = _first(~np.isfinite(error))
    if row is not None:
        place = rows.place_of(row)
        raise InputError(
            f"{place.en}: the difference of {rows.predicted[row]:g} and {rows.true[row]:g} is beyond the range of doubles; scale both columns down",
            f"{place.zh}：{rows.predicted[row]:g} 与 {rows.true[row]:g} 之差超出双精度范围；请将两列一起缩小",
        )
    total = Fraction(len(rows)) if rows.weight is None else exact_sum(rows.weight, threads)
    sums = {"weight": total} | {name: SUMS[name](rows, error, threads) for name in needs}
    largest = abs(float(max(error.max(initial=0.0), -error.min(initial=0.0))))
    return sums, largest
