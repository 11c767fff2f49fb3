"""What changed against a baseline: every metric that both have, and the queries that lost most of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text
from pingce.metrics.grammar import parse_metric
from pingce.scores.saved import SavedMetric, SavedScores

LISTED = 5
"Queries or groups that are listed, those that lost most."
_TITLES = (
    *(
        Text("run", "预测"),
        Text("metric", "指标"),
        Text("baseline", "基线"),
        Text("value", "数值"),
        Text("change", "变化"),
    ),
    *(Text("better on", "变好"), Text("worse on", "变差")),
)


@dataclass(frozen=True)
class UnitChange:
    """One query or group, before and after."""

    unit: str | int
    baseline: float
    value: float


@dataclass(frozen=True)
class MetricChange:
    """One metric of one run or model, before and after."""

    metric: str
    baseline: float
    value: float
    signature: str
    run: str | None = None
    better: int | None = None
    "Queries, or groups, whose value is better than it was; None where they were not saved."
    worse: int | None = None
    lost: tuple[UnitChange, ...] = ()
    "Those that lost most, the first one most."

    @property
    def change(self) -> float:
        """The value less the baseline, whichever way is better."""
        return self.value - self.baseline

    @property
    def lines(self) -> tuple[Text, ...]:
        """The units that lost most, a line each."""
        return tuple(
            Text(
                f"{self.metric} of {each.unit}: {each.baseline:.4f} → {each.value:.4f}",
                f"{each.unit} 的 {self.metric}：{each.baseline:.4f} → {each.value:.4f}",
            )
            for each in self.lost
        )

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        plain: Json = finite(asdict(self) | {"change": self.change, "lost": [asdict(each) for each in self.lost]})
        return plain


def metric_changes(candidate: SavedScores, baseline: SavedScores) -> tuple[MetricChange, ...]:
    """Every metric of the candidate that the baseline has under the same definition."""
    changes = []
    for name, new in candidate.metrics.items():
        old = baseline.find(name)
        if old is not None and old.definition == new.definition:
            units = _unit_changes(candidate, new, baseline, old)
            changes.append(MetricChange(name, old.value, new.value, new.signature, candidate.title, *units))
    return tuple(changes)


def _unit_changes(
    candidate: SavedScores, new: SavedMetric, baseline: SavedScores, old: SavedMetric
) -> tuple[int | None, int | None, tuple[UnitChange, ...]]:
    """How many units are better and worse, and those that lost most; nothing where no unit was saved, or none is better."""
    import numpy as np

    better = parse_metric(new.id, task=candidate.task).metric.higher_is_better
    here, there = candidate.per, baseline.per
    if here is None or there is None or better is None:
        return None, None, ()
    if new.name not in here.columns or old.name not in there.columns:
        return None, None, ()
    before = dict(zip(there.ids, there.values(old.name).tolist(), strict=True))
    both = [
        (unit, before[unit], value)
        for unit, value in zip(here.ids, here.values(new.name), strict=True)
        if unit in before
    ]
    with np.errstate(all="ignore"):
        gains = np.array([value - old for _, old, value in both]) * (1 if better else -1)
    losers = sorted(np.flatnonzero(gains < 0).tolist(), key=lambda at: (gains[at], at))[:LISTED]
    lost = tuple(UnitChange(both[at][0], both[at][1], float(both[at][2])) for at in losers)
    return int(np.count_nonzero(gains > 0)), int(np.count_nonzero(gains < 0)), lost


def change_table(changes: Sequence[MetricChange]) -> Table:
    """A row per metric; how many queries or groups are better and worse where they were saved."""
    rows: list[list[Cell]] = [
        [
            each.run,
            each.metric,
            finite(each.baseline),
            finite(each.value),
            _signed(each.change),
            each.better,
            each.worse,
        ]
        for each in changes
    ]
    is_used = [
        len({each.run for each in changes}) > 1,
        *[True] * 4,
        *[any(each.better is not None for each in changes)] * 2,
    ]
    table = Table([str(title) for title in _TITLES], rows)
    return table.select([at for at, used in enumerate(is_used) if used])


def _signed(change: float) -> str | None:
    return None if math.isnan(change) else f"{change:+.4f}".replace("-", "−")
