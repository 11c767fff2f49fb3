"""What the page of a task has that others have not: its sections, its counts, its units, and how its intervals are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.scores.methods import method_words

if TYPE_CHECKING:
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.material import Material
    from pingce.html.queries import Units


@dataclass(frozen=True)
class HealthCount:
    """A row of the data's health: what is counted, its key among the counts, and the policy that decides about it."""

    title: Text
    key: str
    policy: str = ""


@dataclass(frozen=True)
class Section:
    """A section that only the page of one task has: its key in the data, its words, and what draws it without a script."""

    key: str
    title: Text
    lead: Text
    draw: Callable[[Json], str]


ROWS, WEIGHT = HealthCount(Text("rows", "行数"), "rows"), HealthCount(Text("total weight", "总权重"), "weight")


class TaskReport:
    """The page of one task; those of rows are alike in most things."""

    kind: ClassVar[Text]
    "What the banner calls it."
    sections: ClassVar[tuple[tuple[str, Callable[[Any], Json | None]], ...]] = ()
    "What finds the data of the sections that only this task has in the material."
    pages: ClassVar[tuple[Section, ...]] = ()
    "Sections that stand with the task, and not among those of all pages: after the summary."
    counts: ClassVar[tuple[HealthCount, ...]] = (ROWS, WEIGHT)
    over_time: ClassVar[tuple[str, ...]] = ()
    "Metrics whose course over slices of time is drawn; none: that of the first."
    undefined_unit: ClassVar[str | None] = None
    "For what a metric is undefined; None: for what its values stand on."

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """What has a value of its own, aligned by id."""
        return None

    @classmethod
    def size(cls, counts: Json) -> Text:
        """How much data there is."""
        return Text(f"{counts['rows']:,} rows", f"{counts['rows']:,} 行")

    @classmethod
    def interval(cls, value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
        """The interval of a value where nothing is compared."""
        ends: tuple[float, float] | None = value.interval
        return ends

    @classmethod
    def interval_texts(cls, material: Material) -> tuple[Text, ...]:
        """How the intervals of a single model were made, or why there are none."""
        confidence = material.first.confidence
        if confidence is None:
            return ()
        words = method_words(material.first.values_by_name.values(), confidence)
        return () if words is None else (words,)
