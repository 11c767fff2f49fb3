"""One run under several conventions, side by side: what was found, and how it is shown."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.conventions.causes import same

if TYPE_CHECKING:
    from pingce.base.tables import Cell, Table


@dataclass(frozen=True)
class Switch:
    """One choice set as the tool has it, and the value from then on."""

    name: str
    before: str
    after: str
    value: float

    def __str__(self) -> str:
        return f"{self.name}: {self.before} → {self.after}"


@dataclass(frozen=True)
class Under:
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
    switches: tuple[Switch, ...]
    "The choices that lead from pingce's value to the tool's."
    refused: Text | None = None
    "Why there is no value."

    @property
    def cause(self) -> str:
        """The switches in one line."""
        if self.refused is not None:
            return str(self.refused)
        return self.told(map(str, self.switches)) or str(Text("no difference", "没有差异"))

    def told(self, steps: Iterable[str]) -> str:
        """Steps in one line, and that they cancel where they do."""
        line = ", ".join(steps)
        cancel = bool(self.switches) and same(self.reference, self.value)
        return str(Text(f"differences cancel: {line}", f"差异相互抵消：{line}")) if cancel else line


@dataclass(frozen=True)
class ConventionComparison:
    """All metrics under all conventions."""

    reference: Mapping[str, float]
    "pingce's own value of each metric."
    signatures: Mapping[str, str]
    rows: tuple[Under, ...]
    base: str = "pingce"
    "Under what the reference stands: pingce's own definitions, or a tool's."

    def table(self) -> Table:
        """One row a metric and tool; pingce first."""
        from pingce.base.tables import Table

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
            rows.append([metric, self.base, metric, _known(value), None, str(Text("as asked", "按所给定义"))])
            rows += [self._row(one) for one in self.rows if one.metric == metric]
        return Table([str(title) for title in titles], rows)

    @staticmethod
    def _row(one: Under) -> list[Cell]:
        value = _known(one.value)
        away = None if value is None or math.isnan(one.reference) else _signed(value - one.reference)
        cause = one.cause
        if len(one.switches) > 1:
            values = [one.reference, *(step.value for step in one.switches)]
            steps = zip(one.switches, values, values[1:], strict=False)
            cause = one.told(f"{step} ({_reached(before, after)})" for step, before, after in steps)
        return [one.metric, f"{one.tool} {one.version}", one.spelling, value, away, cause]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python."""
        from pingce import __version__
        from pingce.base.tables import SCHEMA_VERSION

        return {
            "schema_version": SCHEMA_VERSION,
            "pingce_version": __version__,
            "kind": "conventions",
            "base": self.base,
            "metrics": [
                {
                    "metric": metric,
                    "value": _known(value),
                    "signature": self.signatures[metric],
                    "conventions": [_plain(one) for one in self.rows if one.metric == metric],
                }
                for metric, value in self.reference.items()
            ],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Keys sorted, full precision."""
        from pingce.base.tables import to_json

        return to_json(self.to_dict(), indent)

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table."""
        from pingce.base.tables import markdown

        return markdown(self.table(), places)

    def to_latex(self, *, places: int = 4) -> str:
        """A LaTeX table."""
        from pingce.base.latex import latex_document
        from pingce.base.tables import latex

        return latex_document(latex(self.table(), places))

    def _repr_html_(self) -> str:
        from pingce.base.tables import html

        return html(self.table(), 4)

    def __str__(self) -> str:
        from pingce.base.terminal import draw

        return draw(self.table(), 4, fancy=False)


def _signed(difference: float) -> str:
    """A difference with its sign; one that four digits cannot show by its size."""
    if difference == 0 or abs(difference) >= 5e-5:
        return f"{difference:+.4f}" if difference else "0"
    return f"{difference:+.0e}"


def _reached(before: float, after: float) -> str:
    """The value after a switch, or that it changed next to nothing."""
    if abs(after - before) < 1e-9:
        return str(Text("last digits", "仅末位不同"))
    return "–" if math.isnan(after) else f"{after:.4f}"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _plain(one: Under) -> dict[str, Any]:
    found = dataclasses.asdict(one)
    found["switches"] = [step | {"value": _known(step["value"])} for step in found["switches"]]
    found["refused"] = None if one.refused is None else one.refused._asdict()
    return found | {"value": _known(one.value), "reference": _known(one.reference)}
