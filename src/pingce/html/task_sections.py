"""The parts of the page that only some tasks have, as they stand there without a script."""

from __future__ import annotations

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import (
    HtmlCell,
    HtmlTable,
    decimal,
    head,
    listing,
    model_names,
    name_of,
    num,
    tag,
    text,
)
from pingce.html.words import WORDS


def threshold(data: Json) -> str:
    """Without a script: the cells of every model at the threshold of the call."""
    panel = data["threshold"]
    at = panel["start"]
    names = ("tp", "fp", "tn", "fn", "accuracy", "precision", "recall", "f1", "fpr")
    table = HtmlTable("threshold", [head("model"), *map(head, names)], kinds=[None, *["num"] * len(names)])
    for model, counts in zip(model_names(data), panel["models"], strict=True):
        cells = live(counts, at)
        table.rows.append([HtmlCell(model, head=True), *(num(cells[name]) for name in names)])
    sign = "≥" if panel["compare"] == "ge" else ">"
    words = Text(
        f"at score {sign} {panel['thresholds'][at]:g}",
        f"分数 {sign} {panel['thresholds'][at]:g} 时",
    )
    return tag("p", text(words), class_="fine") + table.html()


def live(counts: Json, at: int) -> Json:
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


def curves(data: Json) -> str:
    """Which curve lies above which; areas and calibration as a table."""
    section = data["curves"]
    parts = [("roc", "auc", "AUC"), ("pr", "pr_auc", "PR AUC"), ("pr", "bep", "BEP"), ("roc", "ks", "KS")]
    columns = [(title, [curve.get(key) for curve in section["areas"][kind]]) for kind, key, title in parts]
    if "calibration" in section:
        for key, title in (("ece", "ECE"), ("mce", "MCE"), ("pcoc", "PCOC")):
            columns.append((title, [curve["summary"].get(key) for curve in section["calibration"]]))
    columns.append(("lift@0.1", [curve["summary"].get("lift@0.1") for curve in section["lift"]]))
    table = HtmlTable(
        "curves", [head("model"), *(title for title, _ in columns)], kinds=[None, *["num"] * len(columns)]
    )
    for at, model in enumerate(model_names(data)):
        table.rows.append([HtmlCell(model, head=True), *(num(values[at]) for _, values in columns)])
    return listing((text(line) for line in section["verdicts"]), class_="diagnosis") + table.html()


def cutoffs(data: Json) -> str:
    """One table: a row a metric and model, a column a cut-off."""
    section = data["cutoffs"]
    titles = [head("metric"), head("model"), *(f"@{k}" for k in section["k"])]
    table = HtmlTable("cutoffs", titles, kinds=[None, None, *["num"] * len(section["k"])])
    for metric in section["metrics"]:
        for model, values in zip(model_names(data), metric["values"], strict=True):
            table.rows.append([HtmlCell(name_of(metric["name"]), head=True), HtmlCell(model), *map(num, values)])
    return table.html()


def classes(data: Json) -> str:
    """The report of each class and the confusion matrix, a model after another."""
    section = data["classes"]
    return "".join(
        tag("h3", model)
        + tag("div", tag("div", _class_report(classes, at)) + tag("div", _matrix(classes, at)), class_="two")
        for at, (model, classes) in enumerate(zip(model_names(data), section["models"], strict=True))
    )


def _class_report(classes: Json, at: int) -> str:
    titles = {"support": Text("support", "样本数"), "predicted": Text("predicted", "预测数")}
    heads = [text(Text("class", "类别")), *(text(titles.get(name) or WORDS[name]) for name in classes["columns"])]
    table = HtmlTable(f"classes-{at}", heads, kinds=[None, *["num"] * len(classes["columns"])])
    for place, label in enumerate(classes["labels"]):
        cells = (num(column[place], decimal(column[place])) for column in classes["columns"].values())
        table.rows.append([HtmlCell(name_of(label), head=True), *cells])
    return table.html()


def _matrix(classes: Json, at: int) -> str:
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


def residuals(data: Json) -> str:
    """Quantiles of the error."""
    section = data["residuals"]
    titles = [head("model"), head("mean_error"), *(f"{100 * q:g} %" for q in section["quantiles"])]
    table = HtmlTable("residuals", titles, kinds=[None, *["num"] * (1 + len(section["quantiles"]))])
    for model, errors in zip(model_names(data), section["models"], strict=True):
        table.rows.append([HtmlCell(model, head=True), num(errors["mean"]), *map(num, errors["quantiles"])])
    return table.html()
