"""Evidence of off-policy values: exact sums over rows of a log, the largest importance weight, and the ends of the rewards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import rows_not_kept
from pingce.base.exact import Floats, exact_sum, weighted_dot, weighted_sum
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.inputs.slices import Partition
from pingce.offpolicy.rows import OffpolicyRows
from pingce.offpolicy.shapes import Shape

if TYPE_CHECKING:
    from pingce.offpolicy.predictions import OffpolicyPredictions

FACTORS = ("one", "reward", "logged", "weight")
"What an importance weight is multiplied by: nothing, the reward, the model's estimate of what was logged, the weight itself."
PLAIN = ("count", "reward", "target", "zero", "match", "match|reward")
"""Sums without importance weights: rows, rewards, the model's estimates of the target policy, rows that the target policy never has
(weight 0), those that it always has, and their rewards."""
DIAGNOSIS = ("count", "reward", "zero", "raw|one", "raw|weight", "raw|reward")
"Sums that the diagnosis reads, whatever metrics were asked for."
_ENDS = ("lowest", "highest")
_FORM = {"count": sound.DECIMAL, "largest": sound.HEXADECIMAL}
_ENDS_FORM = dict.fromkeys(_ENDS, sound.HEXADECIMAL)
_MOST = 1 << 4096
"No sum of products of three doubles is as large."


def weighted_name(shape: Shape, factor: str) -> str:
    """The name of a sum of importance weights."""
    return f"{shape.name}|{factor}"


def _split(name: str) -> tuple[Shape, str] | None:
    """The shape and the factor of a sum of importance weights; None of another name."""
    shape, _, factor = name.partition("|")
    kind = Shape.named(shape)
    return None if kind is None or factor not in FACTORS else (kind, factor)


def is_sum(name: object) -> bool:
    """Whether a sum has such a name."""
    return name in PLAIN or (isinstance(name, str) and _split(name) is not None)


def _known(column: Floats | None) -> Floats:
    """A column that the metrics who need it have demanded."""
    if column is None:
        raise rows_not_kept()
    return column


def _plain_column(rows: OffpolicyRows, name: str) -> Floats:
    """What each row adds to a sum without importance weights."""
    if name == "reward":
        return rows.reward
    if name == "target":
        return _known(rows.target_estimate)
    kept: Floats = ((rows.ratio == 0) if name == "zero" else (rows.target == 1)).astype(np.float64)
    return kept * rows.reward if name == "match|reward" else kept


def _total(rows: OffpolicyRows, name: str, threads: int | None) -> Fraction:
    """A sum over rows, which is not rounded."""
    weight = rows.weight
    if name == "count":
        return Fraction(len(rows)) if weight is None else exact_sum(weight, threads)
    if name in PLAIN:
        return weighted_sum(_plain_column(rows, name), weight, threads)
    parts = _split(name)
    if parts is None:
        raise KeyError(name)
    shape, factor = parts
    ratio = shape.of(rows.ratio)
    if factor == "one":
        return weighted_sum(ratio, weight, threads)
    by = {"reward": rows.reward, "logged": rows.logged_estimate, "weight": ratio}[factor]
    return weighted_dot(ratio, _known(by), weight, threads)


@dataclass(frozen=True, eq=False)
class LogSums:
    """Exact sums by name, and what is not a sum: how many rows, the largest weight, the lowest and the highest reward."""

    count: int
    sums: Mapping[str, Fraction]
    largest: float = 0.0
    ends: tuple[float, float] | None = None
    "None where no row counts."

    @classmethod
    def of(cls, rows: OffpolicyRows, names: Iterable[str], threads: int | None = None) -> LogSums:
        """The sums of rows."""
        counted = rows.counted()
        sums = {name: _total(counted, name, threads) for name in dict.fromkeys(names)}
        ends = (float(counted.reward.min() + 0.0), float(counted.reward.max() + 0.0)) if len(counted) else None
        return cls(len(rows), sums, float(counted.ratio.max(initial=0.0)), ends)

    def merge(self, other: LogSums) -> LogSums:
        """The sums of both sets of rows."""
        sums = {name: total + other.sums[name] for name, total in self.sums.items()}
        ends = self.ends or other.ends
        if self.ends and other.ends:
            ends = min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])
        return LogSums(self.count + other.count, sums, max(self.largest, other.largest), ends)

    def to_tables(self) -> dict[str, pa.Table]:
        """Sums as fractions in words, as the table of a state."""
        lists = {"sum": list(self.sums), "value": [str(total) for total in self.sums.values()]}
        columns = {name: pa.array(texts, pa.string()) for name, texts in lists.items()}
        ends = {name: end.hex() for name, end in zip(_ENDS, self.ends or (), strict=False)}
        beside = {"count": str(self.count), "largest": self.largest.hex(), **ends}
        return {"sums": sound.stamped(columns, "offpolicy", **beside)}

    @classmethod
    def from_arrow(cls, table: pa.Table) -> LogSums:
        """The sums that were written."""
        about = sound.checked_table(table, "offpolicy")
        has_ends = _ENDS[0] in about
        about = sound.checked_value(about, _FORM | (_ENDS_FORM if has_ends else {}), "offpolicy")
        rows = sound.checked_value(
            table.to_pylist(), [{"sum": sound.Condition(is_sum), "value": sound.FRACTION}], "sums"
        )
        sums = {row["sum"]: sound.checked_fraction(row["value"], row["sum"], signed=True) for row in rows}
        ends = (float.fromhex(about[_ENDS[0]]), float.fromhex(about[_ENDS[1]])) if has_ends else None
        log = cls(int(about["count"]), sums, float.fromhex(about["largest"]), ends)
        log._refuse_unsound()
        return log

    def _refuse_unsound(self) -> None:
        """Refuse sums that no rows have: a square is never more than the product of squares."""
        sums = self.sums
        sound.demand(sums.get("count", -1) >= 0 and self.largest >= 0, "there is no count of rows", "缺少行数")
        sound.demand(
            not self.ends or self.ends[0] <= self.ends[1],
            "the highest reward is below the lowest",
            "最高回报低于最低回报",
        )
        sound.demand(
            max(map(abs, sums.values())) <= _MOST, "a sum is beyond what doubles give", "有的和超出双精度数所能给出的"
        )
        for name, total in sums.items():
            shape, _, factor = name.partition("|")
            if factor == "weight" and f"{shape}|one" in sums:
                text = f"the sum '{shape}|one' is larger than others allow", f"'{shape}|one' 之和大于其他各和所允许的"
                sound.demand(sums[f"{shape}|one"] ** 2 <= total * sums["count"], *text)


class OffpolicyEvidence:
    """The evidence of some rows; a sum is made when a metric first asks for it, where there are rows."""

    notes: tuple[Text, ...] = ()

    def __init__(self, rows: OffpolicyRows | None, log: LogSums, *, weighted: bool, threads: int | None = None) -> None:
        self._rows, self._log, self._sums = rows, log, dict(log.sums)
        self.is_weighted, self.threads = weighted, threads

    @classmethod
    def of(cls, rows: OffpolicyRows, names: Iterable[str] = (), threads: int | None = None) -> OffpolicyEvidence:
        """The evidence of rows."""
        return cls(rows, LogSums.of(rows, names, threads), weighted=rows.weight is not None, threads=threads)

    @property
    def data(self) -> OffpolicyRows:
        """The rows, where they were kept."""
        if self._rows is None:
            raise rows_not_kept()
        return self._rows

    @property
    def has_rows(self) -> bool:
        """Whether rows were kept."""
        return self._rows is not None

    @property
    def count(self) -> int:
        """How many rows, also of weight 0."""
        return self._log.count

    @property
    def largest(self) -> float:
        """The largest importance weight."""
        return self._log.largest

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest reward; None where no row counts."""
        return self._log.ends

    @property
    def weight(self) -> Fraction:
        """Σ of how often rows count."""
        return self.total("count")

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return () if self._rows is None else self._rows.by

    def total(self, name: str) -> Fraction:
        """A sum over rows."""
        if name not in self._sums:
            self._sums[name] = _total(self.data.counted(), name, self.threads)
        return self._sums[name]

    def has(self, name: str) -> bool:
        """Whether a sum can be had."""
        if name in self._sums:
            return True
        lacking = {"target": "target_estimate", "logged": "logged_estimate"}.get(name.rpartition("|")[2])
        return self._rows is not None and (lacking is None or lacking in self._rows.columns())

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: each sum is made once, whoever asks."""

    def view(self, policies: object) -> OffpolicyEvidence:
        """The evidence under the policies of a metric: none of them changes it."""
        return self

    def part(self, places: NDArray[np.intp]) -> OffpolicyEvidence:
        """The evidence of some of the rows."""
        return OffpolicyEvidence.of(self.data.select(places), threads=self.threads)

    def predictions(self) -> OffpolicyPredictions:
        """The policy behind it, for paired tests."""
        from pingce.offpolicy.predictions import OffpolicyPredictions

        return OffpolicyPredictions(self)
