"""A curve: a table of exact points, the points worth naming, and the figures that sum it up."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, is_whole
from pingce.base.exact import Floats, Places
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.tables import ArrowColumns
from pingce.base.text import Language, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pingce.evidence.binary.thresholds import ThresholdEvidence


@dataclass(frozen=True, eq=False)
class Steps:
    """What is predicted positive as the threshold falls: first nothing, then one step a distinct score.

    `tp` and `fp` are integers wherever rows are not weighted, or their weights add up to whole numbers.
    """

    threshold: NDArray[Any]
    tp: NDArray[Any]
    fp: NDArray[Any]
    positives: float
    negatives: float

    @staticmethod
    def of(table: ThresholdEvidence) -> Steps:
        """The table of distinct scores, with the step at which nothing is predicted positive."""
        tp, fp = _counts(table.tp), _counts(table.fp)
        if tp.dtype != fp.dtype:
            tp, fp = table.tp, table.fp
        firsts = ((np.inf, table.score), (0, tp), (0, fp))
        threshold, tp, fp = (np.concatenate([np.array([first], rest.dtype), rest]) for first, rest in firsts)
        return Steps(threshold, tp, fp, tp[-1].item(), fp[-1].item())

    def __len__(self) -> int:
        return len(self.threshold)

    @property
    def whole(self) -> bool:
        """Whether counts are integers."""
        return bool(self.tp.dtype.kind == "i")

    @property
    def total(self) -> float:
        """All rows."""
        return self.positives + self.negatives

    def at(self, threshold: float, compare: str = "ge") -> int:
        """The step that a threshold makes; it is first rounded to the type of the scores."""
        limit = self.threshold.dtype.type(threshold)
        side = "left" if compare == "ge" else "right"
        return len(self) - 1 - int(np.searchsorted(self.threshold[:0:-1], limit, side=side))  # type: ignore[call-overload]

    def corners(self) -> NDArray[np.bool_]:
        """Steps at which the ROC curve bends, and its ends: all others lie exactly on a line between their neighbours.

        Of fractional weights, whose sums are rounded, only level and upright runs are taken for straight.
        """
        right, up = np.diff(self.fp), np.diff(self.tp)
        bent = ((right[1:] != 0) | (right[:-1] != 0)) & ((up[1:] != 0) | (up[:-1] != 0))
        if self.whole:
            if self.positives * self.negatives >= 2**62:
                right, up = right.astype(object), up.astype(object)
            bent &= (right[:-1] * up[1:] != right[1:] * up[:-1]).astype(bool)
        return np.concatenate([[True], bent, [True]])


def _counts(sums: NDArray[Any]) -> NDArray[Any]:
    """Sums of weights as integers, where they are whole and small enough to be exact."""
    if sums.dtype.kind == "f" and sums[-1] < 2.0**53 and bool((sums == np.floor(sums)).all()):
        return sums.astype(np.int64)
    return sums


def divided(top: NDArray[Any], bottom: Any) -> Floats:
    """top / bottom in one division, NaN where the bottom is 0."""
    bottom = np.broadcast_to(bottom, top.shape)
    quotient: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)
    return quotient


@dataclass(frozen=True)
class Mark:
    """A point worth naming: the decision at a threshold, with the curve's columns there."""

    threshold: float
    row: Mapping[str, float]
    at: int | None = None
    "Its row of the table; none where the curve has no point there."
    compare: str = "ge"
    largest: bool = False
    "Whether it is the curve's own maximum and not a threshold that the caller gave."

    @property
    def label(self) -> str:
        """The threshold as it is shown."""
        return f"{'> ' if self.compare == 'gt' else ''}{self.threshold:g}"


@dataclass(frozen=True, eq=False)
class Curve(ArrowColumns):
    """One curve of one model. `table` is an Arrow table, a row a point; `summary` has its area and the like."""

    column_titles: ClassVar[Mapping[str, Text]] = {}
    "Of columns that are called otherwise than in other curves."

    kind: str
    model: str
    table: pa.Table
    marks: tuple[Mark, ...] = ()
    summary: Mapping[str, float] = field(default_factory=dict)
    steps: Steps | None = field(default=None, repr=False)
    "All the steps behind it, whatever the table leaves out."
    labels: tuple[Any, Any] = (1, 0)
    "The positive label and the negative one; None for one that does not occur."
    points: int = 0
    "How many points there were before the table was thinned."

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        figures = "".join(f", {name}={value:.6g}" for name, value in self.summary.items())
        return f"Curve({self.kind!r}, {self.model!r}, {len(self)} points{figures})"

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns as NumPy arrays."""
        return {name: _plain(self.table.column(name)) for name in self.column_names}

    @property
    def thinned(self) -> bool:
        """Whether the table leaves points out."""
        return len(self) < self.points

    def thin(self, most: int | None) -> Curve:
        """The same curve with at most so many of its points: both ends, those that are marked, and an even spread."""
        named = [mark.at for mark in self.marks if mark.at is not None]
        ways = [column for name, column in self.columns.items() if name != "threshold"]
        kept = even_spread(ways, most, named)
        if len(kept) == len(self):
            return self
        place = {row: i for i, row in enumerate(kept.tolist())} if named else {}
        marks = (replace(mark, at=None if mark.at is None else place[mark.at]) for mark in self.marks)
        table = arrow_table({name: column[kept] for name, column in self.columns.items()})
        return replace(self, table=table, marks=tuple(marks))

    def plot(
        self,
        *others: Curve,
        ax: Axes | None = None,
        path: str | os.PathLike[str] | None = None,
        language: Language | None = None,
    ) -> Figure:
        """Draw it, with the curves of other models, into `ax` or a new figure; `path` (.png or .svg) also saves it."""
        from pingce.curves.plot import plot_curves

        return plot_curves(self, *others, ax=ax, path=path, language=language)


def arrow_table(columns: Mapping[str, NDArray[Any]]) -> pa.Table:
    """Columns of numbers as an Arrow table, of the same memory; Arrow's own conversions import pandas, either way."""

    def column(values: NDArray[Any]) -> Any:
        kept = np.ascontiguousarray(values)
        return pa.Array.from_buffers(pa.from_numpy_dtype(kept.dtype), len(kept), [None, pa.py_buffer(kept)])

    return pa.table({name: column(values) for name, values in columns.items()})


def _plain(column: pa.ChunkedArray) -> NDArray[Any]:
    """The numbers of a column, of the same memory where they lie in one piece."""
    if column.num_chunks != 1 or column.null_count:
        return np.asarray(column.to_numpy())
    chunk = column.chunk(0)
    kind = np.dtype(chunk.type.to_pandas_dtype())
    return np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind.itemsize)


def told_apart(names: Sequence[str]) -> list[str]:
    """Names of models, numbered where two are the same."""
    distinct: list[str] = []
    for name in names:
        others = (name, *(f"{name} ({number})" for number in range(2, len(names) + 2)))
        distinct.append(next(each for each in others if each not in distinct))
    return distinct


def even_spread(columns: Sequence[NDArray[Any]], most: int | None, named: Iterable[int]) -> Places:
    """Rows to keep: both ends, those that are named, and others evenly along the way that the columns go."""
    size = len(columns[0])
    everything = np.arange(size)
    if most is None:
        return everything
    if not is_whole(most, 2):
        raise InputError(
            f"thin={most!r}: it is how many points are kept at most, a whole number from 2 up",
            f"thin={most!r}：应为最多保留的点数，须是不小于 2 的整数",
        )
    if size <= most:
        return everything
    fixed = np.unique([0, size - 1, *named])
    room = int(most) - len(fixed)
    if room < 0:
        raise InputError(
            f"thin={most}: both ends and the marked points are {len(fixed)} already",
            f"thin={most}：仅两端与标出的点就有 {len(fixed)} 个",
        )
    way = np.sum([_way(column) for column in columns], axis=0)
    chosen = np.searchsorted(way, np.linspace(0, way[-1], room + 2)[1:-1])
    return np.unique(np.concatenate([fixed, np.minimum(chosen, size - 1)]))


def _way(column: NDArray[Any]) -> Floats:
    """How far the column has gone up and down so far, as a share of all its way."""
    gone = np.abs(np.diff(column.astype(np.float64), prepend=float(column[0])))
    gone[~np.isfinite(gone)] = 0
    way: Floats = np.cumsum(gone)
    return way / way[-1] if way[-1] else way
