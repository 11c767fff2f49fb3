"""Scores that were saved as JSON: values, definitions, and the value of each query, group or class."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Protocol, TypeVar

from pingce.base.errors import InputError, did_you_mean
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.base.exact import Floats


class _Spelled(Protocol):
    """What has a canonical spelling."""

    @property
    def id(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_Spelled)


def definition(signature: str) -> str:
    """A signature without the version, and without whether excluded pairs were met in this very run."""
    return "|".join(part for part in signature.split("|") if not part.startswith(("pingce:", "exclude:")))


@dataclass(frozen=True)
class SavedMetric:
    """One value as it was written; NaN where it was undefined."""

    name: str
    id: str
    value: float
    signature: str
    n: int
    unit: str
    undefined: int = 0
    interval: tuple[float, float] | None = None
    confidence: float | None = None
    "Of the interval."

    @property
    def definition(self) -> str:
        """What must agree for two values to be comparable."""
        return definition(self.signature)


@dataclass(frozen=True)
class UnitTable:
    """The value of each query, group or class: ids first, then a column a number (None where undefined)."""

    unit: str
    ids: Sequence[str | int]
    columns: Mapping[str, Sequence[float | None]]

    def values(self, name: str) -> Floats:
        """One column; NaN where undefined."""
        import numpy as np

        return np.array([math.nan if value is None else value for value in self.columns[name]], dtype=np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class SavedScores(Mapping[str, float]):
    """Saved scores of one run or model: a mapping from metrics to values, for `compare` and `check` too.

    What needs the data itself is not in a document: diagnosis in words, curves, explanations, slices.
    """

    source: Text
    "What messages call it."
    task: str
    "Which kind of data was scored: ranking, binary, multiclass or regression."
    metrics: Mapping[str, SavedMetric]
    "By the spelling asked for."
    version: str = ""
    "The version of pingce that wrote the document."
    run: str | None = None
    "The name of the run or model, where one was saved."
    per: UnitTable | None = None
    "The value of each query, group or class, where it was saved (`-q`, `per_query=True`)."
    counts: Json = field(default_factory=dict)
    "What was scored, missing, left out or undefined."
    file: str | None = None
    "The file, where several were read: tables name it."

    def __getitem__(self, name: str) -> float:
        return self._metric(name).value

    @property
    def title(self) -> str | None:
        """What tables call it: the run, and before it the file where several were read."""
        return self.run if self.file is None else self.file if self.run is None else f"{self.file}: {self.run}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def find(self, name: str) -> SavedMetric | None:
        """A metric under any of its spellings; None where it was not saved."""
        return find_metric(name, self.metrics, self.task)

    def _metric(self, name: str) -> SavedMetric:
        metric = self.find(name) if isinstance(name, str) else None
        if metric is None:
            hint, source = did_you_mean(str(name), self.metrics), self.source
            raise KeyError(
                str(Text(f"'{name}' is not in {source.en}{hint.en}", f"{source.zh} 中没有 '{name}'{hint.zh}"))
            )
        return metric

    @property
    def signatures(self) -> dict[str, str]:
        """The full definition of each value as one line."""
        return {name: metric.signature for name, metric in self.metrics.items()}

    def signature(self, name: str) -> str:
        """The full definition of a value as one line."""
        return self._metric(name).signature

    def interval(self, name: str) -> tuple[float, float] | None:
        """The confidence interval of a value; None where none was saved."""
        return self._metric(name).interval

    @property
    def per_query(self) -> pa.Table | None:
        """An Arrow table: query, then one column per metric; None where it was not saved (`-q`, `per_query=True`)."""
        return self._table("query")

    @property
    def per_group(self) -> pa.Table | None:
        """An Arrow table: group, then its columns; None where it was not saved."""
        return self._table("group")

    @property
    def per_class(self) -> pa.Table | None:
        """An Arrow table: class, then its columns; None where it was not saved."""
        return self._table("class")

    def _table(self, unit: str) -> pa.Table | None:
        if self.per is None or self.per.unit != unit:
            return None
        return pa.table({unit: list(self.per.ids)} | {name: list(cells) for name, cells in self.per.columns.items()})

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4f}" for name, value in self.items())
        return f"SavedScores(task={self.task!r}, {values})"


def find_metric(name: str, metrics: Mapping[str, _Entry], task: str) -> _Entry | None:
    """The entry of a metric under any of its spellings; None where there is none."""
    if name in metrics:
        return metrics[name]
    from pingce.metrics.grammar import parse_metric

    try:
        wanted = parse_metric(name, task=task).id
    except InputError:
        return None
    return next((metric for metric in metrics.values() if metric.id == wanted), None)
