"""A comparison as papers show it: a row a model, a column a metric, the best bold, letters raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.latex import latex_text
from pingce.base.tables import shown
from pingce.base.text import Text
from pingce.comparison.results import known

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison


def compact(found: Comparison, places: int) -> str:
    """Booktabs rules; the letter of each model stands before its name."""
    lines = [rf"\begin{{tabular}}{{ll{'r' * len(found.metrics)}}}", r"\toprule"]
    titles = ["", str(Text("model", "模型")), *found.metrics]
    lines += [" & ".join(map(latex_text, titles)) + r" \\", r"\midrule"]
    for model in found.models:
        cells = [rf"\textit{{{found.letter(model)}}}", latex_text(model)]
        cells += [_cell(found, metric, model, places) for metric in found.metrics]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _cell(found: Comparison, metric: str, model: str, places: int) -> str:
    value = known(found.value(metric, model))
    written = "--" if value is None else latex_text(shown(value, places))
    written = rf"\textbf{{{written}}}" if model in found.best(metric) else written
    letters = found.letters(metric, model)
    return rf"{written}\textsuperscript{{{letters}}}" if letters else written
