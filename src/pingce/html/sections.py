"""The parts of the page that stand there without a script: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.definitions import definitions
from pingce.html.markup import (
    HtmlCell,
    HtmlTable,
    decimal,
    head,
    listing,
    model_names,
    name_of,
    num,
    probability,
    signed,
    tag,
    text,
)
from pingce.html.task_sections import classes, curves, cutoffs, residuals, threshold
from pingce.html.words import NAMES, WORDS


def summary(data: Json) -> str:
    """Metrics × models, then what the numbers say."""
    section = data["summary"]
    letters = section["legend"] or [""] * len(data["models"])
    heads = [
        name + (tag("sup", letter) if letter else "") for name, letter in zip(model_names(data), letters, strict=True)
    ]
    table = HtmlTable(
        "summary",
        [head("metric"), *heads, tag("span", head("interval"), class_="chart-head")],
        kinds=[None, *["num"] * len(data["models"]), "chart"],
    )
    for entry in section["metrics"]:
        title = f"<b>{name_of(entry['name'])}</b>" + tag("small", text(entry["title"]))
        cells = [_value(entry, at) for at in range(len(data["models"]))]
        table.rows.append([HtmlCell(title, kind="metric", head=True), *cells, HtmlCell("", kind="chart")])
    readings = [
        f"{model}{text(words)}"
        for model, words in zip(model_names(data), section["diagnosis"], strict=True)
        if words[0]
    ]
    return (
        table.html()
        + listing((text(line) for line in section["said"]), class_="fine")
        + listing([*readings, *(text(line) for line in section["between"])], class_="diagnosis")
    )


def _value(entry: Json, at: int) -> HtmlCell:
    """A value with its letters; below it the interval, and the difference to the baseline."""
    value, letters = entry["values"][at], entry["letters"][at]
    strong = "b" if entry["best"][at] else "span"
    inside = tag(strong, decimal(value), class_="value") + (tag("sup", letters) if letters else "")
    if entry["intervals"][at] is not None:
        low, high = (decimal(end) for end in entry["intervals"][at])
        inside += tag("small", f"[{low}, {high}]", class_="interval")
    gap = entry["differences"][at]
    if gap is not None and gap["value"] is not None:
        share = "" if gap["relative"] is None else f" ({signed(100 * gap['relative'], 1)} %)"
        strength = "gap sure" if gap["corrected"] is not None and gap["corrected"] <= entry["alpha"] else "gap"
        words = f"Δ {signed(gap['value'])}{share}, p {probability(gap['corrected'])}"
        inside += tag("small", words, class_=strength)
    return HtmlCell(inside, value, "num best" if entry["best"][at] else "num")


def health(data: Json) -> str:
    """Counts of every policy, warnings and notes."""
    section = data["health"]
    titles = [head("counts"), text(Text("policy", "策略")), *model_names(data)]
    table = HtmlTable("health", titles, kinds=[None, None, *["num"] * len(data["models"])])
    for row in section["rows"]:
        policy = tag("code", row["policy"]) if row["policy"] else ""
        table.rows.append(
            [HtmlCell(text(row["title"]), head=True), HtmlCell(policy), *(num(value) for value in row["values"])]
        )
    warned = [
        f"{model}{text(words)}"
        for model, texts in zip(model_names(data), section["warnings"], strict=True)
        for words in texts
    ]
    notes = listing((text(note) for note in section["notes"]), class_="fine")
    return listing(warned, class_="warnings") + table.html() + notes


def queries(data: Json) -> str:
    """The units with the lowest values of the first metric."""
    section = data["queries"]
    titles = [head(section["per"]), *model_names(data)]
    table = HtmlTable("queries", titles, id="query-table", kinds=[None, *["num"] * len(data["models"])])
    html = table.html()
    rows = "".join(
        tag(
            "tr",
            HtmlCell(name_of(unit["id"]), head=True).html() + "".join(num(v).html() for v in unit["values"]),
            data_query=unit["id"],
        )
        for unit in section["lowest"]
    )
    words = Text(
        f"{section['all']:,} in all; {section['metric']}, lowest first",
        f"共 {section['all']:,} 个；按 {section['metric']} 从低到高",
    )
    note = tag("p", text(section["note"]), class_="note") if section["note"] else ""
    return note + tag("p", text(words), class_="fine") + html.replace("<tbody></tbody>", f"<tbody>{rows}</tbody>")


def pairs(data: Json) -> str:
    """Every pair of models by every metric."""
    section = data["pairs"]
    heads = (
        "metric",
        "model",
        "compared",
        "delta",
        "interval",
        "p",
        "wins",
        "ties",
        "losses",
        "effect",
        "detectable",
        "pairs_n",
    )
    table = HtmlTable("pairs", [head(key) for key in heads], kinds=[None, None, None, *["num"] * (len(heads) - 3)])
    models = model_names(data)
    for metric in section["metrics"]:
        for pair in metric["pairs"]:
            low, high = pair["interval"] or (None, None)
            ends = "–" if low is None else f"[{signed(low)}, {signed(high)}]"
            table.rows.append(
                [
                    HtmlCell(name_of(metric["name"]), head=True),
                    HtmlCell(models[pair["pair"][0]]),
                    HtmlCell(models[pair["pair"][1]]),
                    num(pair["value"], signed(pair["value"])),
                    HtmlCell(ends, kind="num"),
                    num(pair["p"], probability(pair["p"])),
                    *(num(pair[key]) for key in ("wins", "ties", "losses", "effect", "detectable", "pairs")),
                ]
            )
    tests = dict.fromkeys(tuple(pair["test"]) for metric in section["metrics"] for pair in metric["pairs"])
    methods = listing((text(test) for test in tests), class_="fine")
    note = tag("p", text(section["note"]), class_="note") if section["note"] else ""
    return note + table.html() + methods


def slices(data: Json) -> str:
    """A table a column: a row a slice, a column a metric and model."""
    section = data["slices"]
    metrics = [entry["name"] for entry in data["summary"]["metrics"]]
    html = "".join(_slice_table(data, table, metrics, at) for at, table in enumerate(section["tables"]))
    return html + listing((text(note) for note in section["notes"]), class_="fine")


def _slice_table(data: Json, sliced: Json, metrics: list[str], at: int) -> str:
    models = model_names(data)
    by = text(NAMES[sliced["by"]]) if sliced["by"] in NAMES else name_of(sliced["by"])
    titles = [by, head("n"), *(f"{name_of(m)} {model}" for m in metrics for model in models)]
    table = HtmlTable(f"slices-{at}", titles, kinds=[None, *["num"] * (1 + len(metrics) * len(models))])
    whole = {"name": WORDS["all"], "n": data["slices"]["n"], "values": data["slices"]["overall"]}
    for row in [*sliced["rows"], whole]:
        name = row["name"]
        title = text(WORDS["none"]) if name is None else text(name) if isinstance(name, Text) else name_of(name)
        values = [value for name in metrics for value in row["values"][name]]
        table.rows.append([HtmlCell(title, head=True), num(row["n"]), *map(_slice_cell, values)])
    return table.html()


def _slice_cell(value: list[Any] | None) -> HtmlCell:
    """A value, and below it its interval."""
    if value is None or value[1] is None or value[2] is None:
        return num(None if value is None else value[0])
    low, high = (decimal(end) for end in value[1:3])
    return HtmlCell(decimal(value[0]) + tag("small", f"[{low}, {high}]"), value[0], "num")


BUILDERS: dict[str, Callable[[Json], str]] = {
    "summary": summary,
    "threshold": threshold,
    "curves": curves,
    "cutoffs": cutoffs,
    "queries": queries,
    "pairs": pairs,
    "slices": slices,
    "classes": classes,
    "residuals": residuals,
    "health": health,
    "definitions": definitions,
}
"In the order of the page."
