"""The parts of the page that stand there without a script: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pingce.base.text import Text
from pingce.html.definitions import definitions
from pingce.html.markup import (
    Cell,
    Table,
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
    found = data["summary"]
    letters = found["legend"] or [""] * len(data["models"])
    heads = [name + (tag("sup", letter) if letter else "") for name, letter in zip(_models(data), letters, strict=True)]
    table = Table(
        "summary",
        [_head("metric"), *heads, tag("span", _head("interval"), class_="chart-head")],
        kinds=[None, *["num"] * len(data["models"]), "chart"],
    )
    for entry in found["metrics"]:
        title = f"<b>{name_of(entry['name'])}</b>" + tag("small", text(entry["title"]))
        cells = [_value(entry, at) for at in range(len(data["models"]))]
        table.rows.append([Cell(title, kind="metric", head=True), *cells, Cell("", kind="chart")])
    said = [f"{model}{text(words)}" for model, words in zip(_models(data), found["diagnosis"], strict=True) if words[0]]
    return (
        table.html()
        + listing((text(line) for line in found["said"]), class_="fine")
        + listing([*said, *(text(line) for line in found["between"])], class_="diagnosis")
    )


def _value(entry: Data, at: int) -> Cell:
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
    return Cell(inside, value, "num best" if entry["best"][at] else "num")


def health(data: Data) -> str:
    """Counts of every policy, warnings and notes."""
    found = data["health"]
    titles = [_head("counts"), text(Text("policy", "策略")), *_models(data)]
    table = Table("health", titles, kinds=[None, None, *["num"] * len(data["models"])])
    for row in found["rows"]:
        policy = tag("code", row["policy"]) if row["policy"] else ""
        table.rows.append([Cell(text(row["title"]), head=True), Cell(policy), *(num(value) for value in row["values"])])
    warned = [
        f"{model}{text(words)}" for model, own in zip(_models(data), found["warnings"], strict=True) for words in own
    ]
    notes = listing((text(note) for note in found["notes"]), class_="fine")
    return listing(warned, class_="warnings") + table.html() + notes


def threshold(data: Data) -> str:
    """Without a script: the cells of every model at the threshold of the call."""
    found = data["threshold"]
    at = found["start"]
    names = ("tp", "fp", "tn", "fn", "accuracy", "precision", "recall", "f1", "fpr")
    table = Table("threshold", [_head("model"), *map(_head, names)], kinds=[None, *["num"] * len(names)])
    for model, own in zip(_models(data), found["models"], strict=True):
        cells = live(own, at)
        table.rows.append([Cell(model, head=True), *(num(cells[name]) for name in names)])
    sign = "≥" if found["compare"] == "ge" else ">"
    words = Text(
        f"at score {sign} {found['thresholds'][at]:g}",
        f"分数 {sign} {found['thresholds'][at]:g} 时",
    )
    return tag("p", text(words), class_="fine") + table.html()


def live(own: Data, at: int) -> Data:
    """The four cells and what follows from them, as the script computes it too."""
    tp, fp = own["tp"][at], own["fp"][at]
    fn, tn = own["positives"] - tp, own["negatives"] - fp
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
    found = data["curves"]
    parts = [("roc", "auc", "AUC"), ("pr", "pr_auc", "PR AUC"), ("pr", "bep", "BEP"), ("roc", "ks", "KS")]
    columns = [(title, [own.get(key) for own in found["areas"][kind]]) for kind, key, title in parts]
    if "calibration" in found:
        for key, title in (("ece", "ECE"), ("mce", "MCE"), ("pcoc", "PCOC")):
            columns.append((title, [own["summary"].get(key) for own in found["calibration"]]))
    columns.append(("lift@0.1", [own["summary"].get("lift@0.1") for own in found["lift"]]))
    table = Table("curves", [_head("model"), *(title for title, _ in columns)], kinds=[None, *["num"] * len(columns)])
    for at, model in enumerate(_models(data)):
        table.rows.append([Cell(model, head=True), *(num(values[at]) for _, values in columns)])
    return listing((text(line) for line in found["verdicts"]), class_="diagnosis") + table.html()


def cutoffs(data: Data) -> str:
    """One table: a row a metric and model, a column a cut-off."""
    found = data["cutoffs"]
    titles = [_head("metric"), _head("model"), *(f"@{k}" for k in found["k"])]
    table = Table("cutoffs", titles, kinds=[None, None, *["num"] * len(found["k"])])
    for metric in found["metrics"]:
        for model, values in zip(_models(data), metric["values"], strict=True):
            table.rows.append([Cell(name_of(metric["name"]), head=True), Cell(model), *map(num, values)])
    return table.html()


def queries(data: Data) -> str:
    """The units with the lowest values of the first metric."""
    found = data["queries"]
    titles = [_head(found["per"]), *_models(data)]
    table = Table("queries", titles, id="query-table", kinds=[None, *["num"] * len(data["models"])])
    html = table.html()
    rows = "".join(
        tag(
            "tr",
            Cell(name_of(one["id"]), head=True).html() + "".join(num(v).html() for v in one["values"]),
            data_query=one["id"],
        )
        for one in found["lowest"]
    )
    words = Text(
        f"{found['all']:,} in all; {found['metric']}, lowest first",
        f"共 {found['all']:,} 个；按 {found['metric']} 从低到高",
    )
    note = tag("p", text(found["note"]), class_="note") if found["note"] else ""
    return note + tag("p", text(words), class_="fine") + html.replace("<tbody></tbody>", f"<tbody>{rows}</tbody>")


def pairs(data: Data) -> str:
    """Every pair of models by every metric."""
    found = data["pairs"]
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
    table = Table("pairs", [_head(key) for key in heads], kinds=[None, None, None, *["num"] * (len(heads) - 3)])
    models = _models(data)
    for metric in found["metrics"]:
        for one in metric["pairs"]:
            low, high = one["interval"] or (None, None)
            shown = "–" if low is None else f"[{signed(low)}, {signed(high)}]"
            table.rows.append(
                [
                    Cell(name_of(metric["name"]), head=True),
                    Cell(models[one["pair"][0]]),
                    Cell(models[one["pair"][1]]),
                    num(one["value"], signed(one["value"])),
                    Cell(shown, kind="num"),
                    num(one["p"], probability(one["p"])),
                    *(num(one[key]) for key in ("wins", "ties", "losses", "effect", "detectable", "pairs")),
                ]
            )
    tests = dict.fromkeys(tuple(one["test"]) for metric in found["metrics"] for one in metric["pairs"])
    said = listing((text(test) for test in tests), class_="fine")
    note = tag("p", text(found["note"]), class_="note") if found["note"] else ""
    return note + table.html() + said


def slices(data: Data) -> str:
    """A table a column: a row a slice, a column a metric and model."""
    found = data["slices"]
    metrics = [entry["name"] for entry in data["summary"]["metrics"]]
    html = "".join(_slice_table(data, one, metrics, at) for at, one in enumerate(found["tables"]))
    return html + listing((text(note) for note in found["notes"]), class_="fine")


def _slice_table(data: Data, one: Data, metrics: list[str], at: int) -> str:
    models = _models(data)
    by = text(NAMES[one["by"]]) if one["by"] in NAMES else name_of(one["by"])
    titles = [by, _head("n"), *(f"{name_of(m)} {model}" for m in metrics for model in models)]
    table = Table(f"slices-{at}", titles, kinds=[None, *["num"] * (1 + len(metrics) * len(models))])
    whole = {"name": WORDS["all"], "n": data["slices"]["n"], "values": data["slices"]["overall"]}
    for row in [*one["rows"], whole]:
        name = row["name"]
        shown = text(WORDS["none"]) if name is None else text(name) if isinstance(name, Text) else name_of(name)
        values = [value for name in metrics for value in row["values"][name]]
        table.rows.append([Cell(shown, head=True), num(row["n"]), *map(_slice_cell, values)])
    return table.html()


def _slice_cell(value: list[Any] | None) -> Cell:
    """A value, and below it its interval."""
    if value is None or value[1] is None or value[2] is None:
        return num(None if value is None else value[0])
    low, high = (decimal(end) for end in value[1:3])
    return Cell(decimal(value[0]) + tag("small", f"[{low}, {high}]"), value[0], "num")


def classes(data: Data) -> str:
    """The report of each class and the confusion matrix, a model after another."""
    found = data["classes"]
    return "".join(
        tag("h3", model) + tag("div", tag("div", _class_report(own, at)) + tag("div", _matrix(own, at)), class_="two")
        for at, (model, own) in enumerate(zip(_models(data), found["models"], strict=True))
    )


def _class_report(own: Data, at: int) -> str:
    titles = {"support": Text("support", "样本数"), "predicted": Text("predicted", "预测数")}
    heads = [text(Text("class", "类别")), *(text(titles.get(name) or WORDS[name]) for name in own["columns"])]
    table = Table(f"classes-{at}", heads, kinds=[None, *["num"] * len(own["columns"])])
    for place, label in enumerate(own["labels"]):
        cells = (num(column[place], decimal(column[place])) for column in own["columns"].values())
        table.rows.append([Cell(name_of(label), head=True), *cells])
    return table.html()


def _matrix(own: Data, at: int) -> str:
    """Shares of a row decide how dark a cell is."""
    corner = text(Text("true \\ predicted", "真值 \\ 预测"))
    table = Table(f"matrix-{at}", [corner, *map(name_of, own["shown"])], caption=text(WORDS["matrix"]))
    for place, label in enumerate(own["shown"]):
        whole = own["support"][place]
        cells = []
        for column, count in enumerate(own["matrix"][place]):
            depth = round(9 * count / whole) if whole else 0
            kind = f"heat h{depth}" + (" own" if column == place else "")
            cells.append(Cell(decimal(count) if count else "·", count, kind))
        table.rows.append([Cell(name_of(label), head=True), *cells])
    return table.html().replace("<table ", '<table class="heatmap" ')


def residuals(data: Data) -> str:
    """Quantiles of the error."""
    found = data["residuals"]
    titles = [_head("model"), _head("mean_error"), *(f"{100 * q:g} %" for q in found["quantiles"])]
    table = Table("residuals", titles, kinds=[None, *["num"] * (1 + len(found["quantiles"]))])
    for model, own in zip(_models(data), found["models"], strict=True):
        table.rows.append([Cell(model, head=True), num(own["mean"]), *map(num, own["quantiles"])])
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
