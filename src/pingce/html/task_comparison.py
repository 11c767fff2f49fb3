"""Models compared task by task, where a page is about several tasks: one table, every p corrected over all tasks."""

from __future__ import annotations

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import (
    cell,
    head,
    name_of,
    num,
    probability,
    row,
    sentences,
    signed,
    table,
    title_cell,
)
from pingce.html.material import Material
from pingce.html.plain import both, entries, number, readable
from pingce.html.task import Section

_DIFFERENCE = ("value", "interval", "p", "corrected")


def task_data(material: Material) -> Json | None:
    """By task and metric, the value of each model and its difference to the baseline; None where nothing was compared so."""
    joined = material.joined
    if joined is None:
        return None
    rows = [
        {
            "name": readable(name),
            "model": readable(model),
            "value": number(joined.value(name, model)),
            "difference": None if model == joined.baseline else entries(joined.difference(name, model), *_DIFFERENCE),
        }
        for name in joined.metrics
        for model in joined.models
    ]
    return {"rows": rows, "said": [both(line) for line in joined.how]}


def draw_tasks(data: Json) -> str:
    """A row per task, metric and model."""
    section = data["tasks"]
    rows = [
        row(
            title_cell(name_of(line["name"])),
            cell(name_of(line["model"])),
            num(line["value"]),
            *_gap(line["difference"]),
        )
        for line in section["rows"]
    ]
    titles = [head(key) for key in ("metric", "model", "value", "delta", "interval", "p", "corrected")]
    return table("tasks", titles, rows, labels=2) + sentences(section["said"])


def _gap(gap: Json | None) -> list[str]:
    if gap is None:
        return [cell("", kind="num")] * 4
    ends = "–" if gap["interval"] is None else "[{}, {}]".format(*map(signed, gap["interval"]))
    p = [num(gap[key], probability(gap[key])) for key in ("p", "corrected")]
    return [num(gap["value"], signed(gap["value"])), cell(ends, kind="num"), *p]


TASKS_SECTION = Section(
    "tasks",
    Text("Models, task by task", "各任务的模型对比"),
    Text(
        "The same models on every task; each p is corrected over all tasks and metrics.",
        "同样的模型在每个任务上的表现；每个 p 都对全部任务与指标校正。",
    ),
    draw_tasks,
)
