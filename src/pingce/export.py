"""Scores as documents and tables: JSON, CSV, TSV, Markdown, LaTeX, HTML, trec_eval's lines. Ids are untrusted text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pingce.errors import one_line
from pingce.language import Text

if TYPE_CHECKING:
    from pingce.scores import Scores, Value

SCHEMA_VERSION = 1
UNDEFINED = "–"
Cell: TypeAlias = "str | int | float | None"


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


def document(scores: Scores, *, per_query: bool = False, run: str | None = None) -> dict[str, Any]:
    """One run as plain Python values, ready for JSON."""
    from pingce import __version__

    out: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "task": "ranking",
        "metrics": [_metric_entry(scores, value) for value in scores.values_by_name.values()],
        "counts": _finite(scores.counts),
        "policies": asdict(scores.policies),
        "diagnosis": scores.diagnosis,
    }
    if run is not None:
        out["run"] = run
    if per_query:
        values = {name: _finite(value.per_query.tolist()) for name, value in scores.values_by_name.items()}
        out["per_query"] = {"query": scores.queries, "values": values}
    return out


def _metric_entry(scores: Scores, value: Value) -> dict[str, Any]:
    return {
        "name": value.name,
        "id": value.id,
        "value": _finite(value.value),
        "queries": value.queries,
        "undefined": value.undefined,
        "signature": scores.signature(value.name),
    }


def _finite(value: Any) -> Any:
    """The same with undefined values as None."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
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
    columns = {metric: _finite(value.per_query.tolist()) for metric, value in scores.values_by_name.items()}
    return [
        {"run": name, "query": query, "values": {metric: column[i] for metric, column in columns.items()}}
        for i, query in enumerate(scores.queries)
    ]


def data_table(runs: Mapping[str, Scores], *, per_query: bool = False) -> Table:
    """For data formats: English titles, one row a run and metric, or a run and query."""
    named = len(runs) > 1 or "" not in runs
    rows: list[list[Cell]] = []
    for name, scores in runs.items():
        head: list[Cell] = [name] if named else []
        if per_query:
            columns = [_finite(value.per_query.tolist()) for value in scores.values_by_name.values()]
            rows += [head + list(row) for row in zip(scores.queries, *columns, strict=True)]
        else:
            rows += [head + list(row.values()) for row in scores.rows()]
    columns_of_metrics = ["metric", "id", "value", "queries", "undefined"]
    titles = ["query", *next(iter(runs.values()))] if per_query else columns_of_metrics
    return Table((["run"] if named else []) + titles, rows)


def reading_table(runs: Mapping[str, Scores]) -> Table:
    """For readers: one row a metric, one column a run; a single run also says how many queries each value stands on."""
    first = next(iter(runs.values()))
    metric = str(Text("metric", "指标"))
    if len(runs) == 1:
        titles = [metric, str(Text("value", "数值")), str(Text("queries", "查询数"))]
        return Table(titles, [[row["metric"], row["value"], row["queries"]] for row in first.rows()])
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    for i, name in enumerate(first):
        values = [_finite(scores[name]) for scores in runs.values()]
        rows.append([name, *values])
        best |= {(i, j + 1) for j in _best(values, first.find(name).metric.about.higher_is_better)}
    return Table([metric, *runs], rows, frozenset(best))


def _best(values: Sequence[float | None], higher_is_better: bool | None) -> list[int]:
    known = [value for value in values if value is not None]
    if higher_is_better is None or not known or len(set(known)) == 1:
        return []
    top = max(known) if higher_is_better else min(known)
    return [i for i, value in enumerate(values) if value == top]


def query_table(runs: Mapping[str, Scores]) -> Table:
    """For readers: one row a query, with the run where there are several."""
    table = data_table({"": next(iter(runs.values()))} if len(runs) == 1 else runs, per_query=True)
    words = {"query": str(Text("query", "查询")), "run": str(Text("run", "预测"))}
    return Table([words.get(title, title) for title in table.titles], table.rows)


def shown(cell: Cell, places: int | None) -> str:
    """A cell as text; `places` rounds fractions, None keeps every digit; what is undefined is a dash."""
    if cell is None:
        return "" if places is None else UNDEFINED
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
        text = _markdown_text(shown(value, places))
        return f"**{text}**" if at in table.best else text

    lines = [
        [_markdown_text(title) for title in table.titles],
        ["---" if words else "---:" for words in table.is_words],
    ]
    lines += [[cell(value, (i, j)) for j, value in enumerate(row)] for i, row in enumerate(table.rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


_MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;"} | {letter: "\\" + letter for letter in "\\|`*_[]#"}


def _markdown_text(text: str) -> str:
    return "".join(_MARKDOWN.get(letter, letter) for letter in one_line(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def latex(table: Table, places: int) -> str:
    """A LaTeX table with booktabs rules; the best of several runs is bold."""

    def text(value: str) -> str:
        return "".join(_LATEX.get(letter, letter) for letter in one_line(value))

    def cell(value: Cell, at: tuple[int, int]) -> str:
        written = "--" if value is None else text(shown(value, places))
        return rf"\textbf{{{written}}}" if at in table.best else written

    columns = "".join("l" if words else "r" for words in table.is_words)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [" & ".join(map(text, table.titles)) + r" \\", r"\midrule"]
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
    columns = [
        (metric, value.metric.counts, value.per_query.tolist()) for metric, value in scores.values_by_name.items()
    ]
    return [
        _trec_line(metric, str(query), int(values[i]) if counts else values[i], places)
        for i, query in enumerate(scores.queries)
        for metric, counts, values in columns
        if not np.isnan(values[i])
    ]


def _one_word(text: str) -> str:
    """Fields of these lines are split at white space: a space is shown, not sent."""
    return one_line(text).replace(" ", "\\x20")


def _trec_line(metric: str, query: str, value: float, places: int) -> str:
    written = "nan" if math.isnan(value) else str(value) if isinstance(value, int) else f"{value:6.{max(places, 0)}f}"
    if places < 0 and isinstance(value, float):
        written = repr(value)
    return f"{_one_word(metric):<22}\t{_one_word(query)}\t{written}"
