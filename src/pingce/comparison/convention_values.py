"""One run under several conventions, side by side: the values, and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from pingce import __version__
from pingce.base.json import Json
from pingce.base.latex import latex_document
from pingce.base.notebook import DEFINITIONS, folded_lines, long_table, notebook
from pingce.base.records import dataclass
from pingce.base.tables import SCHEMA_VERSION, Cell, Table, draw, finite, latex, markdown, to_json
from pingce.base.text import Text
from pingce.comparison.causes import same


@dataclass(frozen=True)
class ConventionSwitch:
    """One choice set as the tool has it, and the value from then on."""

    name: str
    before: str
    after: str
    value: float

    def __str__(self) -> str:
        return f"{self.name}: {self.before} → {self.after}"


@dataclass(frozen=True)
class ConventionValue:
    """A metric under one tool's convention."""

    metric: str
    "As it was asked for."
    tool: str
    version: str
    spelling: str
    "As the tool calls it."
    signature: str
    value: float
    reference: float
    "pingce's own value."
    switches: tuple[ConventionSwitch, ...]
    "The choices that lead from pingce's value to the tool's."
    refused: Text | None = None
    "Why there is no value."

    @property
    def cause(self) -> str:
        """The switches in one line."""
        if self.refused is not None:
            return str(self.refused)
        return self.in_line(map(str, self.switches)) or str(Text("no difference", "没有差异"))

    def in_line(self, steps: Iterable[str]) -> str:
        """Steps in one line, and that they cancel where they do."""
        line = ", ".join(steps)
        cancel = bool(self.switches) and same(self.reference, self.value)
        return str(Text(f"differences cancel: {line}", f"差异相互抵消：{line}")) if cancel else line

    def cells(self) -> list[Cell]:
        """A row of the table; several switches with the value after each."""
        value, cause = finite(self.value), self.cause
        away = None if value is None or math.isnan(self.reference) else _signed(value - self.reference)
        if len(self.switches) > 1:
            values = [self.reference, *(step.value for step in self.switches)]
            steps = zip(self.switches, values, values[1:], strict=False)
            cause = self.in_line(f"{step} ({_reached(before, after)})" for step, before, after in steps)
        return [self.metric, f"{self.tool} {self.version}", self.spelling, value, away, cause]

    def to_dict(self) -> Json:
        """Everything as plain Python; None for what is undefined."""
        switches = [asdict(step) for step in self.switches]
        plain: Json = finite(asdict(self) | {"switches": switches, "refused": self.refused and self.refused._asdict()})
        return plain


@dataclass(frozen=True)
class ConventionComparison:
    """All metrics under all conventions."""

    reference: Mapping[str, float]
    "pingce's own value of each metric."
    signatures: Mapping[str, str]
    rows: tuple[ConventionValue, ...]
    base: str = "pingce"
    "Under what the reference stands: pingce's own definitions, or a tool's."

    def table(self) -> Table:
        """One row per metric and tool; pingce first."""
        titles = [
            Text("metric", "指标"),
            Text("convention", "约定"),
            Text("there called", "在该工具中"),
            Text("value", "数值"),
            Text("difference", "差"),
            Text("cause, one choice at a time", "原因（逐项切换）"),
        ]
        rows: list[list[Cell]] = []
        for metric, value in self.reference.items():
            rows.append([metric, self.base, metric, finite(value), None, str(Text("as asked", "按所给定义"))])
            rows += [row.cells() for row in self.rows if row.metric == metric]
        return Table([str(title) for title in titles], rows)

    def to_dict(self) -> Json:
        """Everything as plain Python."""
        return {
            "schema_version": SCHEMA_VERSION,
            "pingce_version": __version__,
            "kind": "conventions",
            "base": self.base,
            "metrics": [
                {
                    "metric": metric,
                    "value": finite(value),
                    "signature": self.signatures[metric],
                    "conventions": [row.to_dict() for row in self.rows if row.metric == metric],
                }
                for metric, value in self.reference.items()
            ],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Keys sorted, full precision."""
        return to_json(self.to_dict(), indent)

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table."""
        return markdown(self.table(), places)

    def to_latex(self, *, places: int = 4) -> str:
        """A LaTeX table."""
        return latex_document(latex(self.table(), places))

    def _repr_html_(self) -> str:
        lines = [f"{self.base}: {line}" for line in self.signatures.values()]
        lines += [f"{row.tool}: {row.signature}" for row in self.rows if row.signature]
        return notebook(long_table(self.table(), 4), folded_lines(DEFINITIONS, lines))

    def __str__(self) -> str:
        return draw(self.table(), 4, fancy=False)


def _signed(difference: float) -> str:
    """A difference with its sign; one that four digits cannot show by its size."""
    return "0" if not difference else f"{difference:+.4f}" if abs(difference) >= 5e-5 else f"{difference:+.0e}"


def _reached(before: float, after: float) -> str:
    """The value after a switch, or that it changed next to nothing."""
    if abs(after - before) < 1e-9:
        return str(Text("last digits", "仅末位不同"))
    return "–" if math.isnan(after) else f"{after:.4f}"
