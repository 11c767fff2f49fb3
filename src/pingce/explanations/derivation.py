"""A calculation as a teacher would write it: tables and lines, in order, down to the value. No format knows a metric."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import Cell, to_json
from pingce.base.text import Text

Number: TypeAlias = "int | float"


@dataclass(frozen=True)
class Column:
    """A column of a table: its key in JSON, and its title, which is plain or has words in both languages."""

    key: str
    title: str | Text
    exact: bool = False
    "Whether two different numbers must look different, as scores must: they get as many digits as that takes."


@dataclass(frozen=True)
class Row:
    """A row of a table; of its cells None is shown as a dash. Rows that do not count may be folded away."""

    cells: tuple[Cell, ...]
    counts: bool = True


@dataclass(frozen=True)
class Grid:
    """A table of the calculation, such as the ranked list with its gains."""

    key: str
    title: Text
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: Text | None = None


@dataclass(frozen=True)
class Line:
    """One line: name = template filled with numbers = value. The template is plain or has words in both languages."""

    key: str
    name: str | Text
    template: str | Text
    numbers: tuple[Number, ...]
    value: Number | None


Step: TypeAlias = "Grid | Line | Text"
"A table, a line, or a sentence."


@dataclass(frozen=True)
class Derivation:
    """The steps of a value, and its last line: template, numbers, and what they give; NaN = undefined."""

    steps: Sequence[Step]
    template: str | Text = ""
    numbers: tuple[Number, ...] = ()
    value: float = math.nan
    notes: tuple[Text, ...] = ()


class Place(NamedTuple):
    """A line of an explanation: a step, and a row of it where the step is a table."""

    step: int
    row: int | None = None


class Readable(ABC):
    """What can be read in every format: one explanation, or two side by side."""

    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The explanations in order, with what stands above each."""

    @abstractmethod
    def to_dict(self) -> Json:
        """Everything as plain Python, in both languages and with every digit: the document that `to_json` writes."""

    def closing(self) -> Text | None:
        """A last sentence."""
        return None

    def to_json(self, indent: int | None = 2) -> str:
        """A stable document: keys sorted, full precision."""
        return to_json(self.to_dict(), indent)

    def to_text(self, places: int = 4, *, fancy: bool = False) -> str:
        """For a terminal; `fancy` draws tables with rules."""
        from pingce.explanations.render import text

        return text(self, places, fancy=fancy)

    def to_markdown(self, places: int = 4) -> str:
        """Markdown, tables and all."""
        from pingce.explanations.render import markdown

        return markdown(self, places)

    def to_latex(self, places: int = 4) -> str:
        """LaTeX with booktabs rules."""
        from pingce.explanations.render import latex

        return latex(self, places)

    def to_html(self, places: int = 4) -> str:
        """A piece of HTML without script; ids in it are shown and never run."""
        from pingce.explanations.render import html

        return html(self, places)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """The calculation, which folds to its result."""
        from pingce.explanations.render import notebook

        return notebook(self)


@dataclass(frozen=True, repr=False)
class Explanation(Readable):
    """The worked calculation of one value; `value` is the very float that `evaluate` returns."""

    metric: str
    "The spelling asked for."
    id: str
    "The canonical spelling."
    signature: str
    title: Text
    question: Text
    formula: Text
    subject: Text
    "Of what: a query, a class, a group, a model."
    steps: tuple[Step, ...]
    value: float
    notes: tuple[Text, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.metric} = {self.value!r} of {self.subject}; print it to see the calculation>"

    def parts(self) -> tuple[Part, ...]:
        """Itself."""
        return (Part(self),)

    def to_dict(self) -> Json:
        """Everything as plain Python: the document that `to_json` writes."""
        from pingce.explanations.document import document

        return document(self)


@dataclass(frozen=True)
class Part:
    """One explanation of a page."""

    explanation: Explanation
    heading: Text | None = None
    mark: Place | None = None
    "The line to point at."


def whole(text: str | Text) -> Text:
    """The same in both languages where there is only one."""
    return text if isinstance(text, Text) else Text(text, text)


def summed(values: Sequence[Number], most: int = 8) -> tuple[str, tuple[Number, ...]]:
    """Template and numbers of a sum written out; the middle of a long one is left out."""
    if len(values) <= most:
        return " + ".join(["{}"] * len(values)) or "0", tuple(values)
    head = most - 2
    return " + ".join(["{}"] * head) + " + … + {}", (*values[:head], values[-1])
