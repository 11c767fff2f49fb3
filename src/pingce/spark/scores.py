"""Scores whose tables of queries or groups are data frames of Spark."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import cached_property, pa
from pingce.scores.binary import BinaryScores
from pingce.scores.ranking import RankingScores
from pingce.spark.problems import translate_spark_errors

if TYPE_CHECKING:
    from typing_extensions import Self


class _OnSpark:
    session: Any

    @classmethod
    def of(cls, scores: Any, session: Any) -> Self:
        """The same scores, with a session in which their tables are made."""
        copy = cls.__new__(cls)
        copy.__dict__.update(scores.__dict__)
        copy.session = session
        return copy


class SparkRankingScores(_OnSpark, RankingScores):
    """The scores of one run; `per_query` is a data frame of Spark."""

    _rows: Any = None
    "The values of each query, where they stayed on the executors."

    def leave(self, rows: Any) -> None:
        """Have the values of each query on the executors, as a frame, until someone asks for them."""
        self._rows = rows
        self.values_by_name = {
            name: replace(value, column=partial(self._column, name)) for name, value in self.values_by_name.items()
        }

    @cached_property
    def per_query(self) -> Any:
        """A data frame: `query`, then one column a metric, null where undefined; sorted by query id."""
        return self.session.createDataFrame(super().per_query) if self._rows is None else self._rows

    @cached_property
    def _collected(self) -> pa.Table:
        with translate_spark_errors():
            return self._rows.toArrow()

    def _column(self, name: str) -> NDArray[np.float64]:
        column: NDArray[np.float64] = self._collected.column(name).fill_null(float("nan")).to_numpy()
        return column

    @property
    def queries(self) -> list[str] | list[int]:
        """The ids of the scored queries, sorted."""
        return super().queries if self._rows is None else self._collected.column("query").to_pylist()


class SparkBinaryScores(_OnSpark, BinaryScores):
    """The scores of one model; `per_group` is a data frame of Spark."""

    @cached_property
    def per_group(self) -> Any:
        """A data frame: group, n, positives, auc, weight, and logloss where it was asked for."""
        return self.session.createDataFrame(super().per_group)


def on_spark(scores: Any, session: Any) -> Any:
    """The same scores; those that have a table of groups, with a session in which it is made."""
    return SparkBinaryScores.of(scores, session) if type(scores) is BinaryScores else scores
