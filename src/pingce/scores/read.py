"""`pingce.read_scores`: scores that were saved as JSON, read back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pingce.base.errors import did_you_mean
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.scores.saved import Document, SavedMetric, read_document
from pingce.tasks.options import checked_options


@dataclass(frozen=True, eq=False, repr=False)
class SavedScores(Mapping[str, float]):
    """Saved scores of one run or model: a mapping from metrics to values, for `compare` and `check` too.

    What needs the data itself is not in a document: diagnosis in words, curves, explanations, slices.
    """

    document: Document

    def __getitem__(self, name: str) -> float:
        return self._metric(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self.document.metrics)

    def __len__(self) -> int:
        return len(self.document.metrics)

    def _metric(self, name: str) -> SavedMetric:
        metric = self.document.find(name) if isinstance(name, str) else None
        if metric is None:
            hint = did_you_mean(str(name), self.document.metrics)
            source = self.document.source
            raise KeyError(
                str(Text(f"'{name}' is not in {source.en}{hint.en}", f"{source.zh} 中没有 '{name}'{hint.zh}"))
            )
        return metric

    @property
    def task(self) -> str:
        """Which kind of data was scored: ranking, binary, multiclass or regression."""
        return self.document.task

    @property
    def run(self) -> str | None:
        """The name of the run or model, where one was saved."""
        return self.document.run

    @property
    def version(self) -> str:
        """The version of pingce that wrote the document."""
        return self.document.version

    @property
    def counts(self) -> Json:
        """What was scored, missing, left out or undefined."""
        return dict(self.document.counts)

    @property
    def signatures(self) -> dict[str, str]:
        """The full definition of each value as one line."""
        return {name: metric.signature for name, metric in self.document.metrics.items()}

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
        per = self.document.per
        if per is None or per.unit != unit:
            return None
        import pyarrow as pa

        return pa.table({unit: list(per.ids)} | {name: list(column) for name, column in per.columns.items()})

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4f}" for name, value in self.items())
        return f"SavedScores(task={self.task!r}, {values})"


@checked_options()
def read_scores(path: str | os.PathLike[str] | Mapping[str, Any], *, run: str | None = None) -> SavedScores:
    """Read scores that `scores.to_json()` or `pingce eval -f json` wrote; of several runs in a file, the one named `run`.

    `path` may also be what `to_dict` gave. The result is a mapping from metrics to values, with `per_query`,
    `signatures` and `counts`, and goes into `compare` and `check` in place of scores.

    >>> import pingce as pc
    >>> scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr"])
    >>> saved = pc.read_scores(scores.to_dict(per_query=True))
    >>> saved["mrr"], saved.counts["queries"], saved.per_query["mrr"].to_pylist()
    (0.5, {'mrr': 1}, [0.5])
    """
    return SavedScores(read_document(path, run=run))
