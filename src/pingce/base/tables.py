"""Scores as documents and tables: JSON, CSV, TSV, Markdown, LaTeX, HTML, trec_eval's lines. Ids are untrusted text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pingce.base.errors import one_line
from pingce.base.latex import latex_text
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.scores import Scores, Value

SCHEMA_VERSION = 1
UNDEFINED = "–"
Cell: TypeAlias = "str | int | float | None"
UNIT_TITLES = {
    "run": Text("run", "预测"),
    "query": Text("query", "查询"),
    "group": Text("group", "分组"),
    "class": Text("class", "类别"),
    "n": Text("n", "行数"),
    "positives": Text("positives", "正例数"),
    "weight": Text("weight", "权重"),
    "precision": Text("precision", "精确率"),
    "recall": Text("recall", "召回率"),
    "f1": Text("f1", "F1"),
    "support": Text("support", "样本数"),
    "predicted": Text("predicted", "预测数"),
}
"Titles of the tables of queries, groups and classes, for readers."


@dataclass(frozen=True)
class Table:
    """Titles and rows; numbers are numbers until a format writes them. `best` marks cells worth pointing at."""

    titles: list[str]
    rows: list[list[Cell]]
    best: frozenset[tuple[int, int]] = frozenset()

    @property
    def is_words(self) -> list[bool]:
        """Of each column, whether it holds words: these stand left, numbers right."""
        return [all(isinstance(row[at], str) for row in self.rows) for at in range(len(self.titles))]


class Within(float):
    """A value whose exact one is no further away than a bound."""

    bound: float
    bins: int

    def __new__(cls, value: float, bound: float, bins: int) -> Within:
        """A float that carries its bound along."""
        made = super().__new__(cls, value)
        made.bound, made.bins = bound, bins
        return made

    @property
    def said(self) -> str:
        """The bound with two digits, rounded up."""
        if not self.bound:
            return f"± 0 ({Text(f'{self.bins} bins', f'{self.bins} 箱')})"
        unit = 10.0 ** (math.floor(math.log10(self.bound)) - 1)
        return f"± {math.ceil(self.bound / unit) * unit:.2g} ({Text(f'{self.bins} bins', f'{self.bins} 箱')})"


def document(scores: Scores, *, per_query: bool = False, run: str | None = None) -> dict[str, Any]:
    """One run or model as plain Python values, ready for JSON."""
    from pingce import __version__

    out: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "task": scores.task,
        "metrics": [_metric_entry(scores, value) for value in scores.values_by_name.values()],
        "counts": finite(scores.counts),
        "policies": asdict(scores.policies),
        "diagnosis": finite(scores.diagnosis),
    }
    if run is not None:
        out["run"] = run
    if scores.slices is not None:
        out["slices"] = scores.slices.to_dict()
    columns = finite(scores.unit_columns()) if per_query or scores.per == "class" else {}
    if columns:
        out[f"per_{scores.per}"] = {scores.per: columns.pop(scores.per), "values": columns}
    return out


def _metric_entry(scores: Scores, value: Value) -> dict[str, Any]:
    entry = {
        "name": value.name,
        "id": value.id,
        "value": finite(value.value),
        value.unit: value.count,
        "undefined": value.undefined,
        "signature": scores.signature(value.name),
    }
    if value.bound is not None:
        entry |= {"bound": value.bound, "bins": scores.bins}
    if scores.confidence is not None or value.interval is not None:
        low, high = value.interval or (math.nan, math.nan)
        entry["interval"] = {"confidence": scores.confidence} | finite({"low": low, "high": high})
    return entry


def finite(value: Any) -> Any:
    """The same with undefined values as None."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def documents(runs: Mapping[str, Scores], *, per_query: bool = False) -> dict[str, Any]:
    """One run as its document; several as a list of them."""
    found = [document(scores, per_query=per_query, run=name) for name, scores in runs.items()]
    return found[0] if len(found) == 1 else {"schema_version": SCHEMA_VERSION, "runs": found}


def to_json(value: Any, indent: int | None = 2) -> str:
    """JSON with sorted keys; numbers with every digit they have."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=indent, allow_nan=False)


def json_lines(runs: Mapping[str, Scores], *, per_query: bool = False) -> str:
    """One line a run; with `per_query` one line a run and query."""
    if not per_query:
        return "\n".join(to_json(document(scores, run=name), None) for name, scores in runs.items())
    return "\n".join(to_json(line, None) for name, scores in runs.items() for line in _query_lines(name, scores))


def _query_lines(name: str, scores: Scores) -> list[dict[str, Any]]:
    columns = finite(scores.unit_columns())
    ids = columns.pop(scores.per, [])
    return [
        {"run": name, scores.per: one, "values": {title: column[i] for title, column in columns.items()}}
        for i, one in enumerate(ids)
    ]


def data_table(runs: Mapping[str, Scores], *, per_query: bool = False) -> Table:
    """For data formats: English titles, one row a run and metric, or a run and query (or group, or class)."""
    named = len(runs) > 1 or "" not in runs
    rows: list[dict[str, Cell]] = []
    for name, scores in runs.items():
        head: dict[str, Cell] = {"run": name} if named else {}
        if per_query:
            columns = finite(scores.unit_columns())
            rows += [head | dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        else:
            rows += [head | row for row in scores.rows()]
    titles = list(dict.fromkeys(title for row in rows for title in row))
    return Table(titles, [[row.get(title) for title in titles] for row in rows])


def reading_tables(runs: Mapping[str, Scores], *, per_query: bool = False) -> list[Table]:
    """For readers: the values, before them each query where asked for, after them what else belongs to a single model."""
    tables = [query_table(runs)] if per_query and any(scores.unit_columns() for scores in runs.values()) else []
    tables.append(reading_table(runs))
    more = next(iter(runs.values())).more_tables() if len(runs) == 1 else []
    return tables + (more[1:] if per_query and runs and next(iter(runs.values())).per == "class" else more)


def reading_table(runs: Mapping[str, Scores]) -> Table:
    """For readers: one row a metric, one column a run; a single run also says what each value stands on."""
    first = next(iter(runs.values()))
    metric = str(Text("metric", "指标"))
    if len(runs) == 1:
        return _single_table(first, metric)
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    asked = {name: value.metric for scores in runs.values() for name, value in scores.values_by_name.items()}
    for i, (name, kind) in enumerate(asked.items()):
        values = [_read(scores, name) if name in scores.values_by_name else None for scores in runs.values()]
        rows.append([name, *values])
        best |= {(i, j + 1) for j in _best(values, kind.about.higher_is_better)}
    return Table([metric, *runs], rows, frozenset(best))


def _single_table(scores: Scores, metric: str) -> Table:
    from pingce.scores.base import UNITS

    values = scores.values_by_name.values()
    units = {value.unit for value in values}
    title = str(UNITS[units.pop()]) if len(units) == 1 else str(Text("of", "依据"))
    title = str(Text("queries", "查询数")) if scores.unit == "queries" else title
    titles = [metric, str(Text("value", "数值"))]
    between = scores.confidence is not None
    if between:
        percent = f"{100 * (scores.confidence or 0):g} %"
        titles += [str(Text(f"{percent} from", f"{percent} 下限")), str(Text("to", "上限"))]
    rows: list[list[Cell]] = []
    for value in values:
        count: Cell = value.count if not units else f"{value.count} {UNITS[value.unit]}"
        ends: list[Cell] = list(finite(list(value.interval or (None, None)))) if between else []
        rows.append([value.name, _read(scores, value.name), *ends, count])
    return Table([*titles, title], rows)


def _read(scores: Scores, name: str) -> float | None:
    """A value as a reader sees it: with how far the exact one may be, where that is not known."""
    value = scores.values_by_name[name]
    found: float | None = finite(value.value)
    return found if found is None or value.bound is None else Within(found, value.bound, scores.bins or 0)


def _best(values: Sequence[float | None], higher_is_better: bool | None) -> list[int]:
    known = [value for value in values if value is not None]
    if higher_is_better is None or not known or len(set(known)) == 1:
        return []
    top = max(known) if higher_is_better else min(known)
    return [i for i, value in enumerate(values) if value == top]


def query_table(runs: Mapping[str, Scores]) -> Table:
    """For readers: one row a query, with the run where there are several."""
    table = data_table({"": next(iter(runs.values()))} if len(runs) == 1 else runs, per_query=True)
    words = {title: str(text) for title, text in UNIT_TITLES.items()}
    return Table([words.get(title, title) for title in table.titles], table.rows)


def shown(cell: Cell, places: int | None) -> str:
    """A cell as text; `places` rounds fractions, None keeps every digit; what is undefined is a dash."""
    if cell is None:
        return "" if places is None else UNDEFINED
    if isinstance(cell, Within):
        return f"{shown(float(cell), places)} {cell.said}"
    if isinstance(cell, float):
        return repr(cell) if places is None or places < 0 else f"{cell:.{places}f}"
    return str(cell)


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"What a spreadsheet takes for the beginning of a formula, or skips before one."


def delimited(table: Table, delimiter: str, *, escape_formulas: bool = False, bom: bool = False) -> str:
    """CSV or TSV, quoted where needed, every digit kept.

    Ids are written as they are, so that the file can be joined with others. Who opens it in a spreadsheet, with ids from
    strangers, wants `escape_formulas`: words that would be computed there get a quote in front. `bom` is for Excel, which
    needs a byte-order mark to read UTF-8.
    """
    import csv
    import io

    def cell(value: Cell) -> str:
        text = shown(value, None)
        return f"'{text}" if escape_formulas and isinstance(value, str) and text.startswith(_FORMULA) else text

    out = io.StringIO()
    # With "\r\n" as terminator the writer quotes a carriage return in an id as well as a line feed.
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    lines = []
    titles: list[Cell] = [*table.titles]
    for row in (titles, *table.rows):
        writer.writerow([cell(value) for value in row])
        lines.append(out.getvalue().removesuffix("\r\n"))
        out.seek(0)
        out.truncate()
    return ("\ufeff" if bom else "") + "\n".join(lines)


def markdown(table: Table, places: int) -> str:
    """A Markdown table; the best of several runs is bold."""

    def cell(value: Cell, at: tuple[int, int]) -> str:
        text = markdown_text(shown(value, places))
        return f"**{text}**" if at in table.best else text

    lines = [
        [markdown_text(title) for title in table.titles],
        ["---" if words else "---:" for words in table.is_words],
    ]
    lines += [[cell(value, (i, j)) for j, value in enumerate(row)] for i, row in enumerate(table.rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


_MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;"} | {letter: "\\" + letter for letter in "\\|`*_[]#~$"}


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(_MARKDOWN.get(letter, letter) for letter in one_line(text))


def latex(table: Table, places: int) -> str:
    """A LaTeX table with booktabs rules; the best of several runs is bold."""

    def cell(value: Cell, at: tuple[int, int]) -> str:
        written = "--" if value is None else latex_text(shown(value, places))
        return rf"\textbf{{{written}}}" if at in table.best else written

    columns = "".join("l" if words else "r" for words in table.is_words)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [" & ".join(map(latex_text, table.titles)) + r" \\", r"\midrule"]
    lines += [
        " & ".join(cell(value, (i, j)) for j, value in enumerate(row)) + r" \\" for i, row in enumerate(table.rows)
    ]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def html(table: Table, places: int) -> str:
    """An HTML table for notebooks."""
    from html import escape

    head = "".join(f"<th>{escape(title)}</th>" for title in table.titles)
    rows = ("".join(f"<td>{escape(shown(cell, places))}</td>" for cell in row) for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


def html_lines(lines: Sequence[str]) -> str:
    """Lines below a table in a notebook."""
    from html import escape

    return "".join(f"<div>{escape(one_line(line))}</div>" for line in dict.fromkeys(lines))


def trec_lines(runs: Mapping[str, Scores], places: int, *, per_query: bool = False) -> str:
    """Lines as trec_eval writes them: name, query or `all`, value; several runs each begin with their name."""
    lines: list[str] = []
    for name, scores in runs.items():
        if len(runs) > 1:
            lines.append(f"{'runid':<22}\tall\t{one_line(name)}")
        if per_query:
            lines += _trec_query_lines(scores, places)
        lines += [_trec_line(metric, "all", value.value, places) for metric, value in scores.values_by_name.items()]
    return "\n".join(lines)


def _trec_query_lines(scores: Scores, places: int) -> list[str]:
    columns = scores.unit_columns()
    ids = columns.pop(scores.per, [])
    whole = {name for name, value in scores.values_by_name.items() if value.metric.counts}
    return [
        _trec_line(name, str(one), int(values[i]) if name in whole else values[i], places)
        for i, one in enumerate(ids)
        for name, values in columns.items()
        if values[i] == values[i]
    ]


def _one_word(text: str) -> str:
    """Fields of these lines are split at white space: a space is shown, not sent."""
    return one_line(text).replace(" ", "\\x20")


def _trec_line(metric: str, query: str, value: float, places: int) -> str:
    written = "nan" if math.isnan(value) else str(value) if isinstance(value, int) else f"{value:6.{max(places, 0)}f}"
    if places < 0 and isinstance(value, float):
        written = repr(value)
    return f"{_one_word(metric):<22}\t{_one_word(query)}\t{written}"
