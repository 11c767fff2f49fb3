"""A comparison as papers show it: a row per model, a column per metric, the best bold, letters raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.latex import latex_text
from pingce.base.tables import finite, shown
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison


def compact(comparison: Comparison, places: int) -> str:
    """Booktabs rules; the letter of each model stands before its name."""
    lines = [rf"\begin{{tabular}}{{ll{'r' * len(comparison.metrics)}}}", r"\toprule"]
    titles = ["", str(Text("model", "模型")), *comparison.metrics]
    lines += [" & ".join(map(latex_text, titles)) + r" \\", r"\midrule"]
    for model in comparison.models:
        cells = [rf"\textit{{{comparison.letter(model)}}}", latex_text(model)]
        cells += [_cell(comparison, metric, model, places) for metric in comparison.metrics]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _cell(comparison: Comparison, metric: str, model: str, places: int) -> str:
    value = finite(comparison.value(metric, model))
    written = "--" if value is None else latex_text(shown(value, places))
    written = rf"\textbf{{{written}}}" if model in comparison.best(metric) else written
    letters = comparison.letters(metric, model)
    return rf"{written}\textsuperscript{{{letters}}}" if letters else written
