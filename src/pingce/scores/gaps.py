"""Gaps between groups as they are read: which groups, which two lie furthest apart, and which differ by more than chance."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text, counted
from pingce.scores.values import ends


@dataclass(frozen=True)
class GroupValue:
    """A metric on one group that counts."""

    name: str
    n: int
    value: float
    interval: Interval | None = None

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        return {"group": self.name, "n": self.n, "value": finite(self.value)}


@dataclass(frozen=True)
class GroupPair:
    """Two groups of one metric, and whether chance alone would set them so far apart."""

    metric: str
    first: str
    second: str
    difference: float
    interval: Interval = NO_INTERVAL
    p: float = math.nan
    corrected: float = math.nan

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        row: Json = {"metric": self.metric, "first": self.first, "second": self.second}
        row |= {"difference": finite(self.difference)} | ends(self.interval)
        return row | {"p": finite(self.p), "corrected": finite(self.corrected)}


@dataclass(frozen=True)
class GapReading:
    """What a gap was read from."""

    name: str
    by: str
    unit: str
    "What the n of groups count: queries or rows."
    groups: Mapping[str, tuple[GroupValue, ...]]
    "The groups that count, by metric."
    metric: str
    "The metric whose groups lie furthest apart."
    small: tuple[str, ...] = ()
    "Groups that are too small to count."
    undefined: tuple[str, ...] = ()
    "Groups on which a metric is undefined."
    without: int = 0
    "Rows or queries that belong to no group."
    correction: str = "holm"
    pairs: tuple[GroupPair, ...] = ()
    "Every two groups, where intervals were asked for and groups are few."

    @property
    def largest(self) -> GroupValue | None:
        """The group with the largest value; None where fewer than two groups count."""
        return max(self._counted, key=lambda group: group.value, default=None)

    @property
    def smallest(self) -> GroupValue | None:
        """The group with the smallest value; None where fewer than two groups count."""
        return min(self._counted, key=lambda group: group.value, default=None)

    @property
    def _counted(self) -> tuple[GroupValue, ...]:
        groups = self.groups[self.metric]
        return groups if len(groups) > 1 else ()

    def texts(self, min_n: int) -> list[Text]:
        """Which groups are the ends, and which do not count."""
        texts, (low, high) = [], (self.smallest, self.largest)
        if low is not None and high is not None and low.value == high.value:
            texts.append(
                Text(
                    f"{self.metric} is {low.value:.4g} in all {len(self._counted)} groups by {self.by}",
                    f"{self.metric} 在 {self.by} 的 {len(self._counted)} 个组中均为 {low.value:.4g}",
                )
            )
        elif low is not None and high is not None:
            texts.append(
                Text(
                    f"{self.metric} is largest for {self.by} = {high.name} ({high.value:.4g}), smallest for {low.name} ({low.value:.4g})",
                    f"{self.metric} 在 {self.by} = {high.name} 最大（{high.value:.4g}），在 {low.name} 最小（{low.value:.4g}）",
                )
            )
        zh = {"queries": "查询", "rows": "行"}[self.unit]
        if self.small:
            texts.append(
                Text(
                    f"{counted(len(self.small), 'group')} of fewer than {min_n} {self.unit} left out ({_some(self.small)}; min_n)",
                    f"{len(self.small)} 个组不足 {min_n} 个{zh}，不计入（{_some(self.small)}；min_n）",
                )
            )
        if self.undefined:
            some = _some(self.undefined)
            texts.append(
                Text(
                    f"{counted(len(self.undefined), 'group')} without a value left out ({some})",
                    f"{len(self.undefined)} 个组没有值（{some}）",
                )
            )
        if self.without:
            texts.append(Text(f"{self.without} {self.unit} belong to no group", f"{self.without} 个{zh}不属于任何组"))
        return [Text(f"{self.name}: {text.en}", f"{self.name}：{text.zh}") for text in texts]

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        low, high = self.smallest, self.largest
        return {
            "name": self.name,
            "by": self.by,
            "unit": self.unit,
            "metric": self.metric,
            "largest": None if high is None else high.to_dict(),
            "smallest": None if low is None else low.to_dict(),
            "groups": {name: [group.to_dict() for group in groups] for name, groups in self.groups.items()},
            "small": list(self.small),
            "undefined": list(self.undefined),
            "without": self.without,
            "correction": self.correction,
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def table(self) -> Table:
        """For readers: every two groups, the surest difference first."""
        titles = [self.by, str(Text("metric", "指标")), "Δ", str(Text("from", "下限")), str(Text("to", "上限")), "p"]
        rows: list[list[Cell]] = [
            [
                f"{pair.first} − {pair.second}",
                pair.metric,
                pair.difference,
                *ends(pair.interval).values(),
                finite(pair.p),
                finite(pair.corrected),
            ]
            for pair in sorted(self.pairs, key=lambda pair: (math.isnan(pair.p), pair.p, -abs(pair.difference)))
        ]
        return Table([*titles, str(Text(f"p ({self.correction})", f"p（{self.correction}）"))], rows)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
