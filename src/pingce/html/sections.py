"""The parts of the page that stand there without a script: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pingce.base.text import Text
from pingce.html.definitions import definitions
from pingce.html.markup import (
    HtmlCell,
    HtmlTable,
    decimal,
    listing,
    model_name,
    name_of,
    num,
    probability,
    signed,
    tag,
    text,
)
from pingce.html.words import NAMES, WORDS

Data = dict[str, Any]


def _models(data: Data) -> list[str]:
    return [model_name(name, at) for at, name in enumerate(data["models"])]


def _head(key: str) -> str:
    return text(WORDS[key])


def summary(data: Data) -> str:
    """Metrics × models, then what the numbers say."""
    section = data["summary"]
    letters = section["legend"] or [""] * len(data["models"])
    heads = [name + (tag("sup", letter) if letter else "") for name, letter in zip(_models(data), letters, strict=True)]
    table = HtmlTable(
        "summary",
        [_head("metric"), *heads, tag("span", _head("interval"), class_="chart-head")],
        kinds=[None, *["num"] * len(data["models"]), "chart"],
    )
    for entry in section["metrics"]:
        title = f"<b>{name_of(entry['name'])}</b>" + tag("small", text(entry["title"]))
        cells = [_value(entry, at) for at in range(len(data["models"]))]
        table.rows.append([HtmlCell(title, kind="metric", head=True), *cells, HtmlCell("", kind="chart")])
    readings = [
        f"{model}{text(words)}" for model, words in zip(_models(data), section["diagnosis"], strict=True) if words[0]
    ]
    return (
        table.html()
        + listing((text(line) for line in section["said"]), class_="fine")
        + listing([*readings, *(text(line) for line in section["between"])], class_="diagnosis")
    )


def _value(entry: Data, at: int) -> HtmlCell:
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


def health(data: Data) -> str:
    """Counts of every policy, warnings and notes."""
    section = data["health"]
    titles = [_head("counts"), text(Text("policy", "策略")), *_models(data)]
    table = HtmlTable("health", titles, kinds=[None, None, *["num"] * len(data["models"])])
    for row in section["rows"]:
        policy = tag("code", row["policy"]) if row["policy"] else ""
        table.rows.append(
            [HtmlCell(text(row["title"]), head=True), HtmlCell(policy), *(num(value) for value in row["values"])]
        )
    warned = [
        f"{model}{text(words)}"
        for model, texts in zip(_models(data), section["warnings"], strict=True)
        for words in texts
    ]
    notes = listing((text(note) for note in section["notes"]), class_="fine")
    return listing(warned, class_="warnings") + table.html() + notes


def threshold(data: Data) -> str:
    """Without a script: the cells of every model at the threshold of the call."""
    panel = data["threshold"]
    at = panel["start"]
    names = ("tp", "fp", "tn", "fn", "accuracy", "precision", "recall", "f1", "fpr")
    table = HtmlTable("threshold", [_head("model"), *map(_head, names)], kinds=[None, *["num"] * len(names)])
    for model, counts in zip(_models(data), panel["models"], strict=True):
        cells = live(counts, at)
        table.rows.append([HtmlCell(model, head=True), *(num(cells[name]) for name in names)])
    sign = "≥" if panel["compare"] == "ge" else ">"
    words = Text(
        f"at score {sign} {panel['thresholds'][at]:g}",
        f"分数 {sign} {panel['thresholds'][at]:g} 时",
    )
    return tag("p", text(words), class_="fine") + table.html()


def live(counts: Data, at: int) -> Data:
    """The four cells and what follows from them, as the script computes it too."""
    tp, fp = counts["tp"][at], counts["fp"][at]
    fn, tn = counts["positives"] - tp, counts["negatives"] - fp
    return {
        "tp": tp,
        "fp": fp,
        "tn": tn,
        "fn": fn,
        "accuracy": (tp + tn) / (tp + fp + tn + fn),
        "precision": tp / (tp + fp) if tp + fp else None,
        "recall": tp / (tp + fn),
        "f1": 2 * tp / (2 * tp + fn + fp),
        "fpr": fp / (fp + tn),
    }


def curves(data: Data) -> str:
    """Which curve lies above which; areas and calibration as a table."""
    section = data["curves"]
    parts = [("roc", "auc", "AUC"), ("pr", "pr_auc", "PR AUC"), ("pr", "bep", "BEP"), ("roc", "ks", "KS")]
    columns = [(title, [curve.get(key) for curve in section["areas"][kind]]) for kind, key, title in parts]
    if "calibration" in section:
        for key, title in (("ece", "ECE"), ("mce", "MCE"), ("pcoc", "PCOC")):
            columns.append((title, [curve["summary"].get(key) for curve in section["calibration"]]))
    columns.append(("lift@0.1", [curve["summary"].get("lift@0.1") for curve in section["lift"]]))
    table = HtmlTable(
        "curves", [_head("model"), *(title for title, _ in columns)], kinds=[None, *["num"] * len(columns)]
    )
    for at, model in enumerate(_models(data)):
        table.rows.append([HtmlCell(model, head=True), *(num(values[at]) for _, values in columns)])
    return listing((text(line) for line in section["verdicts"]), class_="diagnosis") + table.html()


def cutoffs(data: Data) -> str:
    """One table: a row a metric and model, a column a cut-off."""
    section = data["cutoffs"]
    titles = [_head("metric"), _head("model"), *(f"@{k}" for k in section["k"])]
    table = HtmlTable("cutoffs", titles, kinds=[None, None, *["num"] * len(section["k"])])
    for metric in section["metrics"]:
        for model, values in zip(_models(data), metric["values"], strict=True):
            table.rows.append([HtmlCell(name_of(metric["name"]), head=True), HtmlCell(model), *map(num, values)])
    return table.html()


def queries(data: Data) -> str:
    """The units with the lowest values of the first metric."""
    section = data["queries"]
    titles = [_head(section["per"]), *_models(data)]
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


def pairs(data: Data) -> str:
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
    table = HtmlTable("pairs", [_head(key) for key in heads], kinds=[None, None, None, *["num"] * (len(heads) - 3)])
    models = _models(data)
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


def slices(data: Data) -> str:
    """A table a column: a row a slice, a column a metric and model."""
    section = data["slices"]
    metrics = [entry["name"] for entry in data["summary"]["metrics"]]
    html = "".join(_slice_table(data, table, metrics, at) for at, table in enumerate(section["tables"]))
    return html + listing((text(note) for note in section["notes"]), class_="fine")


def _slice_table(data: Data, sliced: Data, metrics: list[str], at: int) -> str:
    models = _models(data)
    by = text(NAMES[sliced["by"]]) if sliced["by"] in NAMES else name_of(sliced["by"])
    titles = [by, _head("n"), *(f"{name_of(m)} {model}" for m in metrics for model in models)]
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


def classes(data: Data) -> str:
    """The report of each class and the confusion matrix, a model after another."""
    section = data["classes"]
    return "".join(
        tag("h3", model)
        + tag("div", tag("div", _class_report(classes, at)) + tag("div", _matrix(classes, at)), class_="two")
        for at, (model, classes) in enumerate(zip(_models(data), section["models"], strict=True))
    )


def _class_report(classes: Data, at: int) -> str:
    titles = {"support": Text("support", "样本数"), "predicted": Text("predicted", "预测数")}
    heads = [text(Text("class", "类别")), *(text(titles.get(name) or WORDS[name]) for name in classes["columns"])]
    table = HtmlTable(f"classes-{at}", heads, kinds=[None, *["num"] * len(classes["columns"])])
    for place, label in enumerate(classes["labels"]):
        cells = (num(column[place], decimal(column[place])) for column in classes["columns"].values())
        table.rows.append([HtmlCell(name_of(label), head=True), *cells])
    return table.html()


def _matrix(classes: Data, at: int) -> str:
    """Shares of a row decide how dark a cell is."""
    corner = text(Text("true \\ predicted", "真值 \\ 预测"))
    table = HtmlTable(f"matrix-{at}", [corner, *map(name_of, classes["shown"])], caption=text(WORDS["matrix"]))
    for place, label in enumerate(classes["shown"]):
        whole = classes["support"][place]
        cells = []
        for column, count in enumerate(classes["matrix"][place]):
            depth = round(9 * count / whole) if whole else 0
            kind = f"heat h{depth}" + (" own" if column == place else "")
            cells.append(HtmlCell(decimal(count) if count else "·", count, kind))
        table.rows.append([HtmlCell(name_of(label), head=True), *cells])
    return table.html().replace("<table ", '<table class="heatmap" ')


def residuals(data: Data) -> str:
    """Quantiles of the error."""
    section = data["residuals"]
    titles = [_head("model"), _head("mean_error"), *(f"{100 * q:g} %" for q in section["quantiles"])]
    table = HtmlTable("residuals", titles, kinds=[None, *["num"] * (1 + len(section["quantiles"]))])
    for model, errors in zip(_models(data), section["models"], strict=True):
        table.rows.append([HtmlCell(model, head=True), num(errors["mean"]), *map(num, errors["quantiles"])])
    return table.html()


BUILDERS: dict[str, Callable[[Data], str]] = {
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
