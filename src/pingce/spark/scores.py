"""Scores whose tables of queries or groups are data frames of Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.lazy import cached_property
from pingce.scores.binary import BinaryScores
from pingce.scores.ranking import RankingScores

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

    @cached_property
    def per_query(self) -> Any:
        """A data frame: `query`, then one column a metric, null where undefined."""
        return self.session.createDataFrame(super().per_query)


class SparkBinaryScores(_OnSpark, BinaryScores):
    """The scores of one model; `per_group` is a data frame of Spark."""

    @cached_property
    def per_group(self) -> Any:
        """A data frame: group, n, positives, auc, weight, and logloss where it was asked for."""
        return self.session.createDataFrame(super().per_group)


_KINDS: dict[Any, Any] = {RankingScores: SparkRankingScores, BinaryScores: SparkBinaryScores}


def on_spark(scores: Any, session: Any) -> Any:
    """The same scores; those that have tables of queries or groups, with a session in which these are made."""
    kind = _KINDS.get(type(scores))
    return scores if kind is None else kind.of(scores, session)
