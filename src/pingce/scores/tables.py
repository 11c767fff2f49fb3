"""Scores as documents, as tables for data formats and for readers, and as trec_eval's lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce import __version__
from pingce.base.errors import one_line
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.tables import SCHEMA_VERSION, Cell, Table, Within, finite, to_json
from pingce.base.text import Text
from pingce.scores.methods import method_words
from pingce.scores.values import UNITS, Value, best_of, ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.scores.base import Scores

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


def document(scores: Scores, *, per_query: bool = False, run: str | None = None) -> Json:
    """One run or model as plain Python values, ready for JSON."""
    out: Json = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "task": scores.task,
        "metrics": [_metric_entry(scores, value) for value in scores.values_by_name.values()],
        "counts": finite(scores.counts),
        "policies": scores.policies.to_json(),
        "diagnosis": finite(scores.diagnosis),
    }
    if run is not None:
        out["run"] = run
    if scores.slices is not None:
        out["slices"] = scores.slices.to_dict()
    if scores.gaps:
        out["gaps"] = [gap.to_dict() for gap in scores.gaps.values()]
    columns = finite(scores.unit_columns()) if per_query or scores.per == "class" else {}
    if columns:
        out[f"per_{scores.per}"] = {scores.per: columns.pop(scores.per), "values": columns}
    return out


def _metric_entry(scores: Scores, value: Value) -> Json:
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
        method = {} if value.method is None else {"method": value.method}
        entry["interval"] = {"confidence": scores.confidence} | ends(value.interval) | method
    return entry


def documents(runs: Mapping[str, Scores], *, per_query: bool = False) -> Json:
    """One run as its document; several as a list of them."""
    entries = [document(scores, per_query=per_query, run=name) for name, scores in runs.items()]
    return entries[0] if len(entries) == 1 else {"schema_version": SCHEMA_VERSION, "runs": entries}


def json_lines(runs: Mapping[str, Scores], *, per_query: bool = False) -> str:
    """One line a run; with `per_query` one line a run and query."""
    lines = []
    for name, scores in runs.items():
        columns = finite(scores.unit_columns()) if per_query else {}
        ids = columns.pop(scores.per, [])
        lines += [
            {"run": name, scores.per: unit, "values": {title: column[i] for title, column in columns.items()}}
            for i, unit in enumerate(ids)
        ]
        lines += [] if per_query else [document(scores, run=name)]
    return "\n".join(to_json(line, None) for line in lines)


def data_table(runs: Mapping[str, Scores], *, per_query: bool = False) -> Table:
    """For data formats: English titles, one row a run and metric, or a run and query (or group, or class)."""
    named = len(runs) > 1 or "" not in runs
    rows: list[dict[str, Cell]] = []
    for name, scores in runs.items():
        head: dict[str, Cell] = {"run": name} if named else {}
        columns = finite(scores.unit_columns()) if per_query else {}
        units = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        rows += [head | row for row in (units if per_query else scores.rows())]
    return Table.of_rows(rows)


def arrow_table(columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> pa.Table:
    """Columns as an Arrow table, null where a number is undefined."""
    return pa.table({name: pa.array(column, from_pandas=True) for name, column in columns.items()})


def reading_tables(runs: Mapping[str, Scores], *, per_query: bool = False) -> list[Table]:
    """For readers: the values, before them each query where asked for, after them what else belongs to a single model."""
    first = next(iter(runs.values()))
    units = []
    if per_query and any(scores.unit_columns() for scores in runs.values()):
        table = data_table({"": first} if len(runs) == 1 else runs, per_query=True)
        words = {title: str(text) for title, text in UNIT_TITLES.items()}
        units = [Table([words.get(title, title) for title in table.titles], table.rows)]
    more = first.more_tables() if len(runs) == 1 else []
    gaps = [gap.table() for gap in first.gaps.values() if gap.pairs] if len(runs) == 1 else []
    return [*units, reading_table(runs), *(more[1:] if per_query and first.per == "class" else more), *gaps]


def reading_table(runs: Mapping[str, Scores]) -> Table:
    """For readers: one row a metric, one column a run; a single run also says what each value stands on."""
    first = next(iter(runs.values()))
    metric = str(Text("metric", "指标"))
    if len(runs) == 1:
        return _single_table(first, metric)
    rows: list[list[Cell]] = []
    best: set[tuple[int, int]] = set()
    metrics = {name: value.metric for scores in runs.values() for name, value in scores.values_by_name.items()}
    for i, (name, kind) in enumerate(metrics.items()):
        values = [_read(scores, name) if name in scores.values_by_name else None for scores in runs.values()]
        rows.append([name, *values])
        best |= {(i, j + 1) for j in best_of(values, higher=kind.higher_is_better)}
    return Table([metric, *runs], rows, frozenset(best))


def _single_table(scores: Scores, metric: str) -> Table:
    values = scores.values_by_name.values()
    units = {value.unit for value in values}
    title = str(UNITS[units.pop()]) if len(units) == 1 else str(Text("of", "依据"))
    title = str(Text("queries", "查询数")) if scores.unit == "queries" and not units else title
    titles = [metric, str(Text("value", "数值"))]
    between = scores.confidence is not None
    if between:
        percent = f"{100 * (scores.confidence or 0):g} %"
        titles += [str(Text(f"{percent} from", f"{percent} 下限")), str(Text("to", "上限"))]
    rows: list[list[Cell]] = []
    for value in values:
        count: Cell = value.count if not units else f"{value.count} {UNITS[value.unit]}"
        interval: list[Cell] = [*ends(value.interval).values()] if between else []
        rows.append([value.name, _read(scores, value.name), *interval, count])
    return Table([*titles, title], rows)


def _read(scores: Scores, name: str) -> float | None:
    """A value as a reader sees it: with how far the exact one may be, where that is not known."""
    value = scores.values_by_name[name]
    number: float | None = finite(value.value)
    return number if number is None or value.bound is None else Within(number, value.bound, scores.bins or 0)


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
        _trec_line(name, str(unit), int(values[i]) if name in whole else values[i], places)
        for i, unit in enumerate(ids)
        for name, values in columns.items()
        if values[i] == values[i]
    ]


def _trec_line(metric: str, query: str, value: float, places: int) -> str:
    """Fields of these lines are split at white space: a space is shown, not sent."""
    written = "nan" if math.isnan(value) else str(value) if isinstance(value, int) else f"{value:6.{max(places, 0)}f}"
    if places < 0 and isinstance(value, float):
        written = repr(value)
    words = [one_line(text).replace(" ", "\\x20") for text in (metric, query)]
    return f"{words[0]:<22}\t{words[1]}\t{written}"


def count_line(scores: Scores) -> Text:
    """What the values of scores stand on, as one line."""
    texts = scores.count_texts()
    return Text("; ".join(text.en for text in texts), "；".join(text.zh for text in texts))


def definitions(runs: Mapping[str, Scores], *, full: bool = False) -> list[str]:
    """One line a metric: its signature if `full`, else what differs from the default; one line in all if nothing does.

    Then how intervals were made, where there are some.
    """
    words = (method_words(scores.values_by_name.values(), scores.confidence) for scores in runs.values())
    return [*_signed(runs, full=full), *dict.fromkeys(one_line(str(text)) for text in words if text is not None)]


def _signed(runs: Mapping[str, Scores], *, full: bool) -> list[str]:
    lines: dict[str, None] = {}
    plain = True
    for scores in runs.values():
        for name in scores:
            plain = plain and not scores.differences(name)
            words = scores.signature(name) if full else _unsaid(name, scores.differences(name))
            lines |= {one_line(f"{name}: {words}"): None} if words else {}
    if lines:
        return list(lines)
    version = f"pingce {__version__}"
    everything = Text(f"all definitions are the defaults of {version}", f"各项定义均为 {version} 的默认值")
    beyond = Text(f"beyond what the names say, {everything.en}", f"除名称所示外，{everything.zh}")
    return [str(everything if plain else beyond)]


def _unsaid(name: str, differences: str) -> str:
    """Differences that the spelling of the metric does not show by itself."""
    parts = differences.split("|") if differences else []
    return "|".join(part for part in parts if part.replace(":", "=", 1) not in name.replace(" ", ""))
