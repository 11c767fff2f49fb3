"""A comparison as tables for readers: terminal, notebook, paper; a matrix of p, and the values behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from pingce.base.errors import InputError, one_line
from pingce.base.latex import latex_text
from pingce.base.lazy import pa
from pingce.base.notebook import DEFINITIONS, SETTINGS, folded_lines, folded_settings, long_table, notebook
from pingce.base.tables import UNDEFINED, Cell, Table, finite, html_lines, shown, width
from pingce.base.text import Text
from pingce.comparison.document import measured_units, unit_columns
from pingce.scores.tables import UNIT_TITLES, definitions

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import MeasuredMetric


_SIDES, _BRIEF, _GAINED = 9, 10, 14
"The column of wins, ties and losses, which not every metric has; the columns that are always shown; that of areas only."


def reading_table(comparison: Comparison, places: int, *, full: bool = False) -> Table:
    """One row per metric and model; the metric is named once. `full` adds p as it is, pairs, effect, what could be seen."""
    percent = f"{100 * comparison.settings.confidence:g} %"
    correction = comparison.settings.correction
    titles = [
        Text("metric", "指标"),
        Text("model", "模型"),
        Text("value", "数值"),
        Text(f"{percent} interval", f"{percent} 区间"),
        Text("Δ", "Δ"),
        Text("Δ %", "Δ %"),
        Text(f"{percent} of Δ", f"Δ 的 {percent} 区间"),
        Text("p", "p") if correction == "none" else Text(f"p ({correction})", f"p（{correction}）"),
        Text("better than", "显著优于"),
        Text("won/tied/lost", "胜/平/负"),
        Text("p as it is", "未校正的 p"),
        Text("pairs", "配对数"),
        Text("effect d", "效应量 d"),
        Text("detectable Δ", "可检出的 Δ"),
        Text("RelaImpr", "RelaImpr"),
    ]
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    for metric, measured in comparison.measured.items():
        for at, model in enumerate(comparison.models):
            if model in measured.best():
                best.add((len(rows), 2))
            rows.append(["" if at else metric, *_row(comparison, metric, model, places)])
    columns = range(len(titles) if full else _BRIEF)
    chosen = [at for at in columns if at not in (_SIDES, _GAINED) or any(row[at] for row in rows)]
    return Table([str(title) for title in titles], rows, frozenset(best)).select(chosen)


def _row(comparison: Comparison, metric: str, model: str, places: int) -> list[Cell]:
    name = f"{comparison.letter(model)}  {model}"
    value: list[Cell] = [finite(comparison.value(metric, model))]
    value.append(shown_interval(comparison.interval(metric, model), places))
    letters = comparison.letters(metric, model)
    if model == comparison.baseline:
        name = str(Text(f"{name} (baseline)", f"{name}（基线）"))
        return [name, *value, "", "", "", "", letters, *[""] * 6]
    gap = comparison.difference(metric, model)
    return [
        name,
        *value,
        signed(gap.value, places),
        UNDEFINED if math.isnan(gap.relative) else f"{100 * gap.relative:+.2f} %" if gap.relative else "0 %",
        shown_interval(gap.interval, places, sign=True),
        shown_p(gap.corrected),
        letters,
        "" if gap.wins is None else f"{gap.wins}/{gap.ties}/{gap.losses}",
        shown_p(gap.p),
        f"{gap.pairs}" + (f" (−{gap.left_out})" if gap.left_out else ""),
        signed(gap.effect, 2),
        UNDEFINED if math.isnan(gap.detectable) else _digits(gap.detectable, places),
        "" if gap.chance is None else UNDEFINED if math.isnan(gap.rela_impr) else f"{100 * gap.rela_impr:+.2f} %",
    ]


def _digits(value: float, places: int, sign: str = "") -> str:
    if isinstance(value, int):
        return format(value, sign)
    return format(value, sign) if places < 0 else format(value, f"{sign}.{places}f")


def signed(value: float, places: int) -> str:
    """A difference with its sign; no sign where there is no difference, its size where the digits cannot show it."""
    if math.isnan(value):
        return UNDEFINED
    text = _digits(value, places, "+") if value else _digits(abs(value), places)
    return f"{value:+.0e}" if value and float(text) == 0 else text


def shown_interval(ends: tuple[float, float], places: int, *, sign: bool = False) -> str:
    """[low, high], or a dash."""
    if any(math.isnan(end) for end in ends):
        return UNDEFINED
    written = [_digits(end, places, "+" if sign else "") for end in ends]
    return f"[{', '.join(_digits(0.0, places) if float(end) == 0 else end for end in written)}]"


def shown_p(p: float) -> str:
    """A probability with the digits that matter."""
    if math.isnan(p):
        return UNDEFINED
    return f"{p:.4f}" if p >= 0.0005 or p == 0 else f"{p:.1e}"


_SPARED = (9, 3, 5, 6)
"Columns that a narrow terminal does without, one after another: sides, interval, share, interval of the difference."
_GAP = 3
"Between two columns."


def fitted(table: Table, room: int) -> Table:
    """As many of the usual columns as fit side by side."""
    kept = list(range(len(table.titles)))

    def needed(at: int) -> int:
        return max(map(width, [table.titles[at], *(shown(row[at], 4) for row in table.rows)])) + _GAP

    for at in _SPARED:
        if at in kept and sum(map(needed, kept)) > room:
            kept.remove(at)
    return table.select(kept)


def pairwise(comparison: Comparison, metric: str, family: Mapping[tuple[str, str, str], float]) -> Table:
    """Each model against each; the diagonal is empty."""
    titles = {model: f"{comparison.letter(model)}  {model}" for model in comparison.models}

    def p(model: str, rival: str) -> Cell:
        value: Cell = finite(float(family.get((metric, model, rival), family.get((metric, rival, model), math.nan))))
        return value

    rows: list[list[Cell]] = [[title, *(p(model, rival) for rival in titles)] for model, title in titles.items()]
    return Table([metric, *titles.values()], rows)


def per_unit(comparison: Comparison, measured: MeasuredMetric, *, less: str | None = None) -> pa.Table:
    """The values of single queries or groups, or their differences to a model."""
    units = measured.units
    if units is None:
        raise InputError(
            f"{measured.name} is one number of all rows: it has no values of single queries or groups",
            f"{measured.name} 是由全部行得出的一个数：没有逐查询或逐组的值",
        )
    base = 0.0 if less is None else units.columns[:, comparison.models.index(less)]
    columns = {model: units.columns[:, at] - base for at, model in enumerate(comparison.models) if model != less}
    return pa.table(
        [pa.array(list(units.ids)), *(pa.array(column, from_pandas=True) for column in columns.values())],
        names=[units.unit, *columns],
    )


def unit_reading_table(comparison: Comparison) -> Table:
    """For readers: one row per metric and query (or group), a column per model, then the differences to the baseline."""
    pairs = measured_units(comparison)
    rows: list[list[Cell]] = []
    at = comparison.models.index(comparison.baseline)
    for measured, units in pairs:
        values, gaps = unit_columns(comparison, units)
        rows += [[measured.name, *row] for row in zip(units.ids, *values, *gaps[:at], *gaps[at + 1 :], strict=True)]
    head = [str(Text("metric", "指标")), str(UNIT_TITLES[pairs[0][1].unit])]
    return Table([*head, *comparison.models, *(f"Δ {model}" for model in comparison.others)], rows)


def lines_below(comparison: Comparison, *, full: bool = False, warned: bool = True) -> list[str]:
    """What stands below a table: tests, curves, warnings; definitions in full, or as far as they are not the default."""
    lines = [*map(str, comparison.how), *(str(curve) for curve in comparison.curves if curve.is_finding)]
    if warned:
        lines += [str(Text(f"warning: {text.en}", f"注意：{text.zh}")) for text in comparison.warnings]
    if full or not comparison.scores:
        lines += list(dict.fromkeys(f"{metric}: {comparison.signature(metric)}" for metric in comparison.metrics))
    else:
        lines += definitions(comparison.scores)
    return [one_line(line) for line in lines]


def notebook_page(comparison: Comparison) -> str:
    """For notebooks: the table with the best values bold, and what to beware of; tests and definitions behind folds."""
    table = comparison.table()
    lines = [[one_line(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    beware = [str(Text(f"warning: {text.en}", f"注意：{text.zh}")) for text in comparison.warnings]
    findings = [str(curve) for curve in comparison.curves if curve.is_finding]
    signed = dict.fromkeys(
        f"{metric}: {comparison.signature(metric, model)}"
        for metric in comparison.metrics
        for model in comparison.models
    )
    return notebook(
        long_table(replace(table, rows=lines), 4),
        html_lines([*findings, *beware]),
        folded_lines(Text("how models were compared", "比较的方法"), comparison.how),
        folded_lines(DEFINITIONS, signed),
        folded_settings(SETTINGS, asdict(comparison.settings)),
    )


def compact(comparison: Comparison, places: int) -> str:
    """LaTeX as papers have it: a row per model with its letter, a column per metric, the best bold, letters raised."""
    lines = [rf"\begin{{tabular}}{{ll{'r' * len(comparison.metrics)}}}", r"\toprule"]
    titles = ["", str(Text("model", "模型")), *comparison.metrics]
    lines += [" & ".join(map(latex_text, titles)) + r" \\", r"\midrule"]
    for model in comparison.models:
        cells = [rf"\textit{{{comparison.letter(model)}}}", latex_text(model)]
        for metric in comparison.metrics:
            value, letters = finite(comparison.value(metric, model)), comparison.letters(metric, model)
            text = "--" if value is None else latex_text(shown(value, places))
            text = rf"\textbf{{{text}}}" if model in comparison.best(metric) else text
            cells.append(rf"{text}\textsuperscript{{{letters}}}" if letters else text)
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
