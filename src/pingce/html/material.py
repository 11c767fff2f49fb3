"""What a report is made of: the scores of every model, what compares them, and the rows behind rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.background import Background
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.task import TaskReport
    from pingce.inputs import Rows
    from pingce.scores import Scores


@dataclass(frozen=True, eq=False)
class RankingLists:
    """The rows of the rankings, for the lists that are shown."""

    truth: Rows
    runs: Mapping[str, Rows]
    exclude: Rows | None = None
    query_weight: Rows | None = None
    background: Background = field(default_factory=Background)
    "What is known of items beside the lists."


@dataclass(frozen=True, eq=False)
class Material:
    """Everything that a report is written from."""

    task: str
    scores: Mapping[str, Scores]
    comparison: Comparison | None = None
    lists: RankingLists | None = None
    title: str | None = None
    sources: Sequence[str] = ()
    "Words of the command line that name the same data, for commands that the page shows."
    remarks: tuple[Text, ...] = ()
    "Why something is not on the page, or has another name there."
    settings: ComparisonSettings | None = None
    "How intervals are made; of several models also how they are compared."
    are_rivals: bool = True
    "Whether models do the same task, so that one of them is best."
    joined: Comparison | None = None
    "Where they do not: models compared task by task."

    @property
    def page(self) -> type[TaskReport]:
        """What only the page of this task has."""
        page: type[TaskReport] = TASKS[self.task].load("report")
        return page

    @property
    def models(self) -> list[str]:
        """The names, in the order given."""
        return list(self.scores)

    @property
    def first(self) -> Any:
        """The scores of the first model: what all have in common is asked of it."""
        return next(iter(self.scores.values()))

    @property
    def metrics(self) -> list[str]:
        """The metrics, as they were spelled; all models have the same."""
        return list(self.first)

    @property
    def measured(self) -> list[str]:
        """The metrics that are measured on queries or rows, without what is read out of their slices."""
        return [name for name, value in self.first.values_by_name.items() if not value.metric.is_reading]

    @property
    def baseline(self) -> int:
        """The place of the model that the others are compared with."""
        return 0 if self.comparison is None else self.models.index(self.comparison.baseline)
