"""The parts of the page that stand there without a script: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.binary import draw_curves, draw_threshold
from pingce.html.fields import draw_fields
from pingce.html.gaps import draw_gaps
from pingce.html.markup import (
    cell,
    decimal,
    head,
    listing,
    model_names,
    name_of,
    note,
    num,
    probability,
    readings,
    row,
    sentences,
    signed,
    table,
    tag,
    text,
    title_cell,
)
from pingce.html.multiclass import draw_classes
from pingce.html.ranking import draw_cutoffs
from pingce.html.regression import draw_residuals
from pingce.html.shown import draw_shown
from pingce.html.words import NAMES, WORDS


def summary(data: Json) -> str:
    """Metrics × models, then what the numbers say."""
    section, models = data["summary"], model_names(data)
    letters = section["legend"] or [""] * len(models)
    heads = [name + (tag("sup", letter) if letter else "") for name, letter in zip(models, letters, strict=True)]
    rows = [
        row(
            title_cell(f"<b>{name_of(entry['name'])}</b>" + tag("small", text(entry["title"])), "metric"),
            *(_value(entry, at) for at in range(len(models))),
            cell("", kind="chart"),
        )
        for entry in section["metrics"]
    ]
    titles = [head("metric"), *heads, tag("span", head("interval"), class_="chart-head")]
    return (
        table("summary", titles, rows, last="chart")
        + sentences(section["said"])
        + readings(models, section["diagnosis"], section["between"])
    )


def _value(entry: Json, at: int) -> str:
    """A value with its letters; below it the interval, and the difference to the baseline."""
    value, letters = entry["values"][at], entry["letters"][at]
    strong = "b" if entry["best"][at] else "span"
    inside = tag(strong, decimal(value), class_="value") + (tag("sup", letters) if letters else "")
    if entry["intervals"][at] is not None:
        inside += tag("small", _ends(*entry["intervals"][at]), class_="interval")
    gap = entry["differences"][at]
    if gap is not None and gap["value"] is not None:
        share = "" if gap["relative"] is None else f" ({signed(100 * gap['relative'], 1)} %)"
        strength = "gap sure" if gap["corrected"] is not None and gap["corrected"] <= entry["alpha"] else "gap"
        words = f"Δ {signed(gap['value'])}{share}, p {probability(gap['corrected'])}"
        inside += tag("small", words, class_=strength)
    return cell(inside, value, "num best" if entry["best"][at] else "num")


def _ends(low: float, high: float) -> str:
    return f"[{decimal(low)}, {decimal(high)}]"


def health(data: Json) -> str:
    """Counts of every policy, warnings and notes."""
    section, models = data["health"], model_names(data)
    rows = [
        row(
            title_cell(text(count["title"])),
            cell(tag("code", count["policy"]) if count["policy"] else ""),
            *map(num, count["values"]),
        )
        for count in section["rows"]
    ]
    warnings = [
        f"{model}{text(words)}" for model, texts in zip(models, section["warnings"], strict=True) for words in texts
    ]
    titles = [head("counts"), text(Text("policy", "策略")), *models]
    return listing(warnings, "warnings") + table("health", titles, rows, labels=2) + sentences(section["notes"])


def queries(data: Json) -> str:
    """The units with the lowest values of the first metric."""
    section = data["queries"]
    rows = [
        row(title_cell(name_of(unit["id"])), *map(num, unit["values"]), data_query=unit["id"])
        for unit in section["lowest"]
    ]
    words = Text(
        f"{section['all']:,} in all; {section['metric']}, lowest first",
        f"共 {section['all']:,} 个；按 {section['metric']} 从低到高",
    )
    lowest = table("queries", [head(section["per"]), *model_names(data)], rows, id="query-table")
    return note(section["note"]) + tag("p", text(words), class_="fine") + lowest


_PAIR_HEADS = "metric model compared delta interval p wins ties losses effect detectable pairs_n"


def pairs(data: Json) -> str:
    """Every pair of models by every metric."""
    section, models = data["pairs"], model_names(data)
    every = [(metric["name"], pair) for metric in section["metrics"] for pair in metric["pairs"]]

    def ends(low: float, high: float) -> str:
        return f"[{signed(low)}, {signed(high)}]"

    rows = [
        row(
            title_cell(name_of(name)),
            *(cell(models[place]) for place in pair["pair"]),
            num(pair["value"], signed(pair["value"])),
            cell(ends(*pair["interval"]) if pair["interval"] else "–", kind="num"),
            num(pair["p"], probability(pair["p"])),
            *(num(pair[key]) for key in ("wins", "ties", "losses", "effect", "detectable", "pairs")),
        )
        for name, pair in every
    ]
    tests = dict.fromkeys(tuple(pair["test"]) for _, pair in every)
    every_pair = table("pairs", [head(key) for key in _PAIR_HEADS.split()], rows, labels=3)
    return note(section["note"]) + every_pair + sentences(tests)


def slices(data: Json) -> str:
    """A table per column: a row per slice, a column per metric and model."""
    tables = (_slice_table(data, sliced, at) for at, sliced in enumerate(data["slices"]["tables"]))
    return "".join(tables) + sentences(data["slices"]["notes"])


def _slice_table(data: Json, sliced: Json, at: int) -> str:
    metrics = list(data["slices"]["overall"])
    whole = {"name": WORDS["all"], "n": data["slices"]["n"], "values": data["slices"]["overall"]}
    by = text(NAMES[sliced["by"]]) if sliced["by"] in NAMES else name_of(sliced["by"])
    titles = [by, head("n"), *(f"{name_of(metric)} {model}" for metric in metrics for model in model_names(data))]
    rows = [
        row(
            title_cell(_slice_name(part["name"])),
            num(part["n"]),
            *(_slice_cell(value) for metric in metrics for value in part["values"][metric]),
        )
        for part in (*sliced["rows"], whole)
    ]
    return table(f"slices-{at}", titles, rows)


def _slice_name(name: str | Text | None) -> str:
    return text(WORDS["none"]) if name is None else text(name) if isinstance(name, Text) else name_of(name)


def _slice_cell(value: list[Any] | None) -> str:
    """A value, and below it its interval."""
    if value is None or value[1] is None or value[2] is None:
        return num(None if value is None else value[0])
    return cell(decimal(value[0]) + tag("small", _ends(value[1], value[2])), value[0], "num")


_DIRECTION = {True: "higher", False: "lower", None: "neither"}
_DEFINITION_HEADS = {
    "question": Text("question", "问题"),
    "formula": Text("formula", "公式"),
    "use": Text("use", "用途"),
    "blind": Text("blind spots", "盲点"),
    "pairs_with": Text("look at it with", "搭配"),
    "range": Text("range", "取值"),
    "parameters": Text("parameters", "参数"),
    "convention": Text("differs from the default in", "与默认不同之处"),
    "signatures": Text("signature", "签名"),
}


def definitions(data: Json) -> str:
    """A card per metric: how its number was defined."""
    return tag("div", "".join(map(_card, data["definitions"])), class_="cards")


def _card(entry: Json) -> str:
    title = f"{name_of(entry['name'])} " + tag("small", text(entry["title"]))
    parts = {
        "question": text(entry["question"]),
        "formula": tag("code", text(entry["formula"]), class_="formula"),
        "use": text(entry["use"]),
        "blind": text(entry["blind"]),
        "pairs_with": tag("code", ", ".join(entry["pairs_with"])),
        "range": f"{text(entry['range'])} · {head(_DIRECTION[entry['higher']])}",
        "parameters": "".join(
            tag("div", tag("code", f"{name} = {value}") + " " + tag("small", text(words)))
            for name, value, *words in entry["parameters"]
        ),
        "convention": tag("code", name_of(entry["differences"])) if entry["differences"] else "",
        "signatures": "".join(tag("code", name_of(line), class_="signature") for line in entry["signatures"]),
    }
    rows = (tag("dt", text(_DEFINITION_HEADS[key])) + tag("dd", inside) for key, inside in parts.items() if inside)
    return tag("article", tag("h3", title) + tag("dl", "".join(rows)))


BUILDERS: dict[str, Callable[[Json], str]] = {
    "summary": summary,
    "threshold": draw_threshold,
    "curves": draw_curves,
    "fields": draw_fields,
    "cutoffs": draw_cutoffs,
    "shown": draw_shown,
    "queries": queries,
    "pairs": pairs,
    "slices": slices,
    "gaps": draw_gaps,
    "classes": draw_classes,
    "residuals": draw_residuals,
    "health": health,
    "definitions": definitions,
}
"In the order of the page."
