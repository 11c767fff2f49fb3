"""Error evidence: exact sums over pairs of a true and a predicted number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError, rows_not_kept
from pingce.base.exact import Floats, exact_fraction, exact_sum, weighted_dot, weighted_sum
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.regression.deviances import checked_deviances, log_cosh
from pingce.evidence.regression.groups import NumberGroups, number_groups
from pingce.evidence.regression.pairs import PairSums, pair_sums
from pingce.evidence.soundness import demand
from pingce.inputs.regression import NumberRows, joined
from pingce.inputs.slices import Partition


class FarRows(Protocol):
    """Rows without weights that lie elsewhere, where metrics that need them have made what they need."""

    def middle_errors(self) -> tuple[float, float]:
        """The two sizes of errors in the middle of all."""

    def rank_sums(self) -> Mapping[str, Fraction]:
        """Sums as of numbers, over the ranks of both columns."""

    def distinct_rows(self, metric: str) -> NumberRows:
        """The distinct pairs of numbers, weighted by how many rows have them; refused where they are too many."""


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
    far: FarRows | None = None
    "Instead of rows, where these are not here."
    ends: tuple[float, float] | None = None
    "The lowest and the highest true number, where a metric needs them."
    all_groups: NumberGroups | None = None
    "Pairs within groups, where a metric needs them."
    distinct: NumberRows | None = None
    "Instead of rows that are elsewhere: distinct pairs of numbers, weighted by their rows, where a metric needed them."

    @property
    def data(self) -> NumberRows:
        """All rows, where they were kept."""
        if self.table is None:
            raise rows_not_kept()
        return self.table

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return () if self.table is None else self.table.by

    @property
    def weight(self) -> Fraction:
        """Σ w, or how many rows there are."""
        return self.sums["weight"]

    @cached_property
    def pairs(self) -> PairSums:
        """Pairs of rows by how truth and prediction order them; counted once, whoever asks."""
        return pair_sums(self.rows_for_pairs("xauc"), self.threads)

    def rows_for_pairs(self, metric: str) -> NumberRows:
        """The rows, or the distinct pairs of numbers of rows that are elsewhere."""
        if self.far is None:
            return self.rows_for(metric)
        if self.distinct is None:
            object.__setattr__(self, "distinct", self.far.distinct_rows(metric))
        return self.distinct  # type: ignore[return-value]

    def groups(self, columns: tuple[str, ...] = ()) -> NumberGroups:
        """Pairs within groups."""
        if self.all_groups is not None:
            return self.all_groups
        return number_groups(self.data.counted(), columns, self.threads)

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: the sums are there."""

    def view(self, policies: object) -> ErrorEvidence:
        """The evidence under the policies of a metric: none of them changes it."""
        return self

    def part(self, places: NDArray[np.intp]) -> ErrorEvidence:
        """The evidence of some of the rows."""
        needs = [name for name in self.sums if name != "weight"]
        kept = Kept(rows=self.rows is not None, ends=self.ends is not None, groups=self._group_columns)
        return error_evidence(self.data.select(places), needs, kept, threads=self.threads)

    @property
    def _group_columns(self) -> tuple[str, ...] | None:
        return None if self.all_groups is None else tuple(self.all_groups.columns)

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
        return replace(
            self,
            count=self.count + other.count,
            sums={name: total + other.sums[name] for name, total in self.sums.items()},
            largest=max(self.largest, other.largest),
            rows=None if self.rows is None or other.rows is None else joined([self.rows, other.rows]),
            ends=_ends_of(self.ends, other.ends),
            all_groups=_groups_of(self.all_groups, other.all_groups),
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
        lists = {"sum": list(self.sums), "value": [str(total) for total in self.sums.values()]}
        columns = {name: pa.array(texts, pa.string()) for name, texts in lists.items()}
        ends = dict(zip(_ENDS, (end.hex() for end in self.ends or ()), strict=False))
        return sound.stamped(columns, "errors", count=str(self.count), largest=self.largest.hex(), **ends)

    def to_tables(self) -> dict[str, pa.Table]:
        """The sums as tables of a state, and the pairs of groups where there are some."""
        groups = {} if self.all_groups is None else {"groups": self.all_groups.to_arrow()}
        return {"sums": self.to_arrow(), **groups}

    @staticmethod
    def from_arrow(table: pa.Table) -> ErrorEvidence:
        """The evidence that `to_arrow` wrote."""
        about = sound.checked_table(table, "errors")
        has_ends = _ENDS[0] in about
        form = _BESIDE | (dict.fromkeys(_ENDS, sound.HEXADECIMAL) if has_ends else {})
        about = sound.checked_value(about, form, "errors")
        rows = sound.checked_value(
            table.to_pylist(), [{"sum": sound.Condition(is_sum), "value": sound.FRACTION}], "sums"
        )
        sums = {
            row["sum"]: sound.checked_fraction(row["value"], row["sum"], signed=row["sum"] in _SIGNED) for row in rows
        }
        low, high = (float.fromhex(about[name]) for name in _ENDS) if has_ends else (0.0, 0.0)
        demand(low <= high, "the highest number is below the lowest", "最大值小于最小值")
        evidence = ErrorEvidence(int(about["count"]), sums, float.fromhex(about["largest"]))
        evidence = replace(evidence, ends=(low, high) if has_ends else None)
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
        demand(beyond <= sound.MOST * _LARGEST**3, "a sum is beyond what doubles give", "有的和超出双精度数所能给出的")


_Columns = Callable[[NumberRows, Floats], tuple[Floats, ...]]


def _first(bad: NDArray[np.bool_]) -> int | None:
    """The first row that is marked."""
    return int(bad.argmax()) if bad.any() else None


def _logs(values: Floats) -> Floats:
    """ln(1 + v), by the C library: NumPy's own has other bits on other CPUs."""
    return np.fromiter(map(math.log1p, values.tolist()), np.float64, len(values))


def _checked_logs(rows: NumberRows) -> Floats:
    """The errors of logarithms; numbers that have none are refused."""
    row = _first((rows.true <= -1) | (rows.predicted <= -1))
    if row is not None:
        is_true = rows.true[row] <= -1
        place = rows.place_of(row) if is_true else rows.predicted_place_of(row)
        number = (rows.true if is_true else rows.predicted)[row]
        name = Text("true", "真实") if is_true else Text("predicted", "预测")
        raise InputError(
            f"{place.en}: msle and rmsle take ln(1 + v) and need numbers above -1, but the {name.en} one is {number:g}; "
            "use mae or rmse, or shift both columns up",
            f"{place.zh}：msle 与 rmsle 要取 ln(1 + v)，数值须大于 -1，而{name.zh}值为 {number:g}；"
            "请改用 mae 或 rmse，或将两列一起上移",
        )
    return log_errors(rows)


def log_errors(rows: NumberRows, threads: int | None = None) -> Floats:
    """ln(1 + ŷ) - ln(1 + y) of each row."""
    core = native_core()
    if core is None:
        return _logs(rows.predicted) - _logs(rows.true)
    return core.log_errors(*rows.in_memory_order(), thread_count(threads))


def relative_errors(rows: NumberRows) -> Floats:
    """|e| / |y| of each row, 0 where y is 0."""
    with np.errstate(over="ignore"):
        sizes = np.abs(rows.predicted - rows.true), np.abs(rows.true)
        shares: Floats = np.divide(*sizes, out=np.zeros(len(rows)), where=rows.true != 0)
    return shares


def errors_to_one(rows: NumberRows) -> Floats:
    """|e| / max(1, |y|) of each row."""
    shares: Floats = np.abs(rows.predicted - rows.true) / np.maximum(np.abs(rows.true), 1.0)
    return shares


def _checked_shares(rows: NumberRows, error: Floats) -> Floats:
    """The relative errors; one that doubles cannot hold is refused."""
    shares = relative_errors(rows)
    row = _first(np.isinf(shares))
    if row is not None:
        place = rows.place_of(row)
        raise InputError(
            f"{place.en}: the error {error[row]:g} over the true number {rows.true[row]:g} is beyond the range of doubles; use wmape or mae",
            f"{place.zh}：误差 {error[row]:g} 与真实值 {rows.true[row]:g} 之比超出双精度范围；请改用 wmape 或 mae",
        )
    return shares


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


SUMS: dict[str, _Columns] = {
    "absolute": lambda rows, error: (np.abs(error),),
    "error": lambda rows, error: (error,),
    "squared": lambda rows, error: (error, error),
    "true": lambda rows, error: (rows.true,),
    "true_squared": lambda rows, error: (rows.true, rows.true),
    "true_absolute": lambda rows, error: (np.abs(rows.true),),
    "predicted": lambda rows, error: (rows.predicted,),
    "predicted_squared": lambda rows, error: (rows.predicted, rows.predicted),
    "product": lambda rows, error: (rows.true, rows.predicted),
    "zeros": lambda rows, error: ((rows.true == 0).astype(np.float64),),
    "relative": lambda rows, error: (_checked_shares(rows, error),),
    "relative_to_one": lambda rows, error: (errors_to_one(rows),),
    "symmetric": lambda rows, error: (2 * symmetric_errors(rows),),
    "log_squared": lambda rows, error: (_checked_logs(rows),) * 2,
    "log_cosh": lambda rows, error: (log_cosh(error),),
}
"Numbers that are multiplied and added up over rows, each times its weight: |e|, e, e², y, y², |y|, ŷ, ŷ², yŷ, 1 where y = 0, |e|/|y| elsewhere, |e|/max(1,|y|), |e|/((|y|+|ŷ|)/2), (ln(1+ŷ) − ln(1+y))², ln cosh e."
TWEEDIE = "tweedie:"
"How sums of deviances begin; their power follows."
DIAGNOSIS_SUMS = ("error", "squared", "true", "true_squared")
"Sums that the diagnosis reads, whatever metrics were asked for."


def is_sum(name: object) -> bool:
    """Whether a sum has such a name."""
    return name == "weight" or name in SUMS or (isinstance(name, str) and _power_of(name) is not None)


def _power_of(name: str) -> float | None:
    """The power of a sum of deviances; None of another sum."""
    try:
        power = float(name.removeprefix(TWEEDIE)) if name.startswith(TWEEDIE) else None
    except ValueError:
        return None
    return power if power is None or math.isfinite(power) else None


def _ends_of(first: tuple[float, float] | None, second: tuple[float, float] | None) -> tuple[float, float] | None:
    """The ends of both; rows without weight have none."""
    if first is None or second is None:
        return first or second
    return min(first[0], second[0]), max(first[1], second[1])


def _groups_of(first: NumberGroups | None, second: NumberGroups | None) -> NumberGroups | None:
    """The groups of both; rows without weight have none."""
    if first is None or second is None:
        return second if first is None else first
    return first.merge(second)


_ENDS = ("lowest", "highest")
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
_BESIDE = {"count": sound.DECIMAL, "largest": sound.HEXADECIMAL}

_AT_ONCE = {"absolute", "error", "squared", "true", "true_squared"}
"Sums that the core adds up in one pass."


@dataclass(frozen=True)
class Kept:
    """What evidence holds beside sums."""

    rows: bool = False
    ends: bool = False
    groups: tuple[str, ...] | None = None
    "Pairs within groups, and the columns that are added up with them; None: none."


def error_evidence(
    rows: NumberRows,
    needs: Iterable[str] = tuple(SUMS),
    kept: Kept = Kept(),  # noqa: B008 - frozen
    *,
    threads: int | None = None,
) -> ErrorEvidence:
    """The sums that are asked for; e = ŷ − y, rounded once a row."""
    table, rows = rows, rows.counted()
    needs = list(dict.fromkeys(needs))
    sums, largest = _at_once(rows, needs, threads)
    rest = [name for name in needs if name not in sums]
    if rest or largest is None:
        more, largest = _one_by_one(rows, rest, threads)
        sums |= more
    sums = {name: sums[name] for name in needs}
    weight = Fraction(len(rows)) if rows.weight is None else exact_sum(rows.weight, threads)
    evidence = ErrorEvidence(len(table), {"weight": weight} | sums, largest, weighted=table.weight is not None)
    return replace(
        evidence,
        rows=rows if kept.rows else None,
        table=table,
        threads=threads,
        ends=(float(rows.true.min()), float(rows.true.max())) if kept.ends and len(rows) else None,
        all_groups=None if kept.groups is None or not len(rows) else number_groups(rows, kept.groups, threads),
    )


def _at_once(rows: NumberRows, needs: list[str], threads: int | None) -> tuple[dict[str, Fraction], float | None]:
    """The sums that the core adds up in one pass, and the largest error; None where there is none, or it is infinite."""
    core = native_core()
    if core is None or rows.weight is not None or not len(rows):
        return {}, None
    columns, count, wanted = rows.in_memory_order(), thread_count(threads), [name for name in needs if name in _AT_ONCE]
    sums, largest = {}, rows.largest
    if wanted or largest is None:
        results = core.error_sums(*columns, count, wanted)
        largest = results["largest"]
        if not math.isfinite(largest):
            return {}, None
        sums = {name: exact_fraction(results[name]) for name in wanted}
    squared = core.squared_log_errors(*columns, count) if "log_squared" in needs else None
    if squared is not None:
        sums["log_squared"] = exact_fraction(squared)
    return sums, largest


def _one_by_one(rows: NumberRows, needs: Iterable[str], threads: int | None) -> tuple[dict[str, Fraction], float]:
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
    sums = {}
    for name in needs:
        power = _power_of(name)
        first, *second = SUMS[name](rows, error) if power is None else (checked_deviances(rows, power),)
        sums[name] = (
            weighted_dot(first, second[0], rows.weight, threads)
            if second
            else weighted_sum(first, rows.weight, threads)
        )
    return sums, abs(float(max(error.max(initial=0.0), -error.min(initial=0.0))))
