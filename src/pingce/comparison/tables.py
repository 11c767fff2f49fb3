"""A comparison as tables: for readers, for data formats, a matrix of p, and the values behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pingce.base.errors import InputError, one_line
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.tables import UNDEFINED, Cell, Table, finite, shown
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric


_SIDES, _BRIEF = 9, 10
"The column of wins, ties and losses, which not every metric has; and the columns that are always shown."


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
    ]
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    for metric, measured in comparison.measured.items():
        for model in comparison.models:
            if model in measured.best():
                best.add((len(rows), 2))
            rows.append(_row(comparison, metric, model, places))
    for row in range(len(rows)):
        if row % len(comparison.models):
            rows[row][0] = ""
    count = len(titles) if full else _BRIEF
    kept = [at for at in range(count) if at != _SIDES or any(row[_SIDES] for row in rows)]
    chosen = [[row[at] for at in kept] for row in rows]
    return Table([str(titles[at]) for at in kept], chosen, frozenset(best))


def _row(comparison: Comparison, metric: str, model: str, places: int) -> list[Cell]:
    value, ends = comparison.value(metric, model), comparison.interval(metric, model)
    name = f"{comparison.letter(model)}  {model}"
    head: list[Cell] = [metric, name, finite(value), shown_interval(ends, places)]
    letters = comparison.letters(metric, model)
    if model == comparison.baseline:
        name = str(Text(f"{name} (baseline)", f"{name}（基线）"))
        return [metric, name, *head[2:], "", "", "", "", letters, *[""] * 5]
    gap = comparison.difference(metric, model)
    return [
        *head,
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


def fitted(table: Table, room: int) -> Table:
    """As many of the usual columns as fit side by side."""
    from pingce.base.tables import width

    kept = list(range(len(table.titles)))

    def needed(at: int) -> int:
        cells = [table.titles[at], *(shown(row[at], 4) for row in table.rows)]
        return max(map(width, cells)) + _GAP

    for at in _SPARED:
        if at in kept and sum(map(needed, kept)) > room:
            kept.remove(at)
    best = frozenset((row, kept.index(at)) for row, at in table.best)
    return Table([table.titles[at] for at in kept], [[row[at] for at in kept] for row in table.rows], best)


_GAP = 3
"Between two columns."


def pairwise(comparison: Comparison, metric: str, family: Mapping[tuple[str, str, str], float]) -> Table:
    """Each model against each; the diagonal is empty."""
    rows: list[list[Cell]] = []
    for model in comparison.models:
        cells: list[Cell] = [f"{comparison.letter(model)}  {model}"]
        for rival in comparison.models:
            p = family.get((metric, model, rival), family.get((metric, rival, model), math.nan))
            cells.append(finite(float(p)))
        rows.append(cells)
    return Table([metric, *(f"{comparison.letter(model)}  {model}" for model in comparison.models)], rows)


def per_unit(comparison: Comparison, measured: MeasuredMetric, *, less: str | None = None) -> pa.Table:
    """The values of single queries or groups, or their differences to a model."""
    import numpy as np
    import pyarrow as pa

    units = measured.units
    if units is None:
        raise InputError(
            f"{measured.name} is one number of all rows: it has no values of single queries or groups",
            f"{measured.name} 是由全部行得出的一个数：没有逐查询或逐组的值",
        )
    base = 0.0 if less is None else units.columns[:, comparison.models.index(less)]
    columns = [pa.array(list(units.ids))]
    models = [model for model in comparison.models if model != less]
    for model in models:
        column = units.columns[:, comparison.models.index(model)] - base
        columns.append(pa.array(column, mask=np.isnan(column)))
    return pa.table(columns, names=[units.unit, *models])


def data_table(comparison: Comparison) -> Table:
    """For data formats: English titles, one row per metric and model."""
    rows = [
        data_row(comparison, measured, model)
        for measured in comparison.measured.values()
        for model in comparison.models
    ]
    return Table(list(rows[0]), [list(row.values()) for row in rows])


def data_row(comparison: Comparison, measured: MeasuredMetric, model: str) -> dict[str, Cell]:
    """All that is known of a model by a metric, flat."""
    at = comparison.models.index(model)
    low, high = measured.intervals[at]
    row: Json = {
        "metric": measured.name,
        "id": measured.id,
        "model": model,
        "letter": comparison.letter(model),
        "value": measured.values[at],
        "low": low,
        "high": high,
        "better_than": comparison.letters(measured.name, model),
        "best": int(model in measured.best()),
        "count": measured.counts[at],
        "unit": measured.unit,
        "undefined": measured.undefined[at],
    }
    gap = None if model == comparison.baseline else comparison.difference(measured.name, model)
    flat: dict[str, Cell] = finite(row | _flat(gap))
    return flat


def _flat(gap: Difference | None) -> Json:
    names = ("pairs", "left_out", "effect", "wins", "ties", "losses", "detectable")
    head = ("difference", "relative", "difference_low", "difference_high", "p", "corrected_p")
    if gap is None:
        return dict.fromkeys(("against", *head, *names, "test"))
    figures = (gap.value, gap.relative, *gap.interval, gap.p, gap.corrected)
    return (
        {"against": gap.against}
        | dict(zip(head, figures, strict=True))
        | {name: getattr(gap, name) for name in names}
        | {"test": gap.test.en}
    )


def pair_table(comparison: Comparison) -> Table:
    """For data formats: one row per metric and pair of models, corrected over all of them."""
    rows = [
        {"metric": measured.name, "model": model, **_flat(comparison.difference(measured.name, model, against))}
        for measured in comparison.measured.values()
        for model, against in sorted(measured.differences)
    ]
    return Table(list(rows[0]), [finite(list(row.values())) for row in rows])


def lines_below(comparison: Comparison, *, full: bool = False, warned: bool = True) -> list[str]:
    """What stands below a table: tests, curves, warnings; definitions in full, or as far as they are not the default."""
    from pingce.scores.tables import definitions

    lines = [*map(str, comparison.how), *(str(curve) for curve in comparison.curves if curve.is_finding)]
    if warned:
        lines += [str(Text(f"warning: {text.en}", f"注意：{text.zh}")) for text in comparison.warnings]
    if full or not comparison.scores:
        lines += list(dict.fromkeys(f"{metric}: {comparison.signature(metric)}" for metric in comparison.metrics))
    else:
        lines += definitions(comparison.scores)
    return [one_line(line) for line in lines]


def html(comparison: Comparison) -> str:
    """An HTML table for notebooks; the best values are bold."""
    from html import escape

    table = comparison.table()

    def cell(value: Cell, at: tuple[int, int]) -> str:
        text = escape(one_line(shown(value, 4)))
        return f"<td><b>{text}</b></td>" if at in table.best else f"<td>{text}</td>"

    head = "".join(f"<th>{escape(title)}</th>" for title in table.titles)
    rows = ("".join(cell(value, (i, j)) for j, value in enumerate(row)) for i, row in enumerate(table.rows))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    below = "".join(f"<p>{escape(line)}</p>" for line in lines_below(comparison))
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
