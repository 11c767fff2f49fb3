"""The page of uplift: both curves as pictures, and the effect by tenths of the rows with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import MODEL_COLOURS, model_name, num, row, table, tag, text, title_cell
from pingce.html.material import Material
from pingce.html.plain import numbers
from pingce.html.task import ROWS, WEIGHT, HealthCount, Section, TaskReport
from pingce.uplift.curve_values import Points
from pingce.uplift.curves import TITLES, even
from pingce.uplift.deciles import Decile
from pingce.uplift.metrics import AreaUnderUplift, Qini

POINTS = 200
_WIDTH, _HEIGHT, _EDGE = 420, 260, 34
_HEADS = (
    Text("tenth", "十分位"),
    Text("treated", "干预组"),
    Text("control", "对照组"),
    Text("mean, treated", "干预组均值"),
    Text("mean, control", "对照组均值"),
    Text("uplift", "增益"),
    Text("low", "下限"),
    Text("high", "上限"),
)


def curve_data(material: Material) -> Json:
    """Some points of both curves of each model, and of the best order."""
    curves: Json = {}
    for kind, metric in (("qini", Qini()), ("uplift", AreaUnderUplift())):
        models = [metric.curve(scores.evidence) for scores in material.scores.values()]  # type: ignore[attr-defined]
        first: Any = next(iter(material.scores.values()))
        best = metric.best(first.evidence)
        curves[kind] = {"models": [_some(points) for points in models], "best": None if best is None else _some(best)}
    return curves


def _some(points: Points) -> list[list[float]]:
    x, y = even(points, POINTS)
    return [numbers(x / points.x[-1]), numbers(y)]


def decile_data(material: Material) -> Json:
    """The tenths of each model."""
    models: list[list[Decile]] = [scores.deciles for scores in material.scores.values()]  # type: ignore[attr-defined]
    fields = ("number", "treated", "control", "treated_mean", "control_mean", "uplift", "low", "high")
    return {"models": [[numbers([getattr(part, name) for name in fields]) for part in parts] for parts in models]}


def draw_curves(data: Json) -> str:
    """Both curves."""
    figures = "".join(_figure(TITLES[kind], data["uplift_curves"][kind], data["models"]) for kind in TITLES)
    return tag("div", figures, class_="charts four")


def _figure(title: Text, curves: Json, models: Sequence[str]) -> str:
    """A picture of lines: a dashed one for a random order, a thin one for the best."""
    lines = [*curves["models"], *([curves["best"]] if curves["best"] else [])]
    heights = [height for _, line in lines for height in line if height is not None] + [0.0]
    low, high = min(heights), max(heights)
    high = high if high > low else low + 1

    def place(x: float, y: float) -> str:
        across, up = (
            _EDGE + x * (_WIDTH - 2 * _EDGE),
            _HEIGHT - _EDGE - (y - low) / (high - low) * (_HEIGHT - 2 * _EDGE),
        )
        return f"{across:.1f},{up:.1f}"

    def line(points: Sequence[Sequence[float]], **look: Any) -> str:
        pairs = " ".join(place(x, y) for x, y in zip(*points, strict=True) if y is not None)
        return tag("polyline", points=pairs, fill="none", **look)

    end = curves["models"][0][1][-1]
    inside = line(
        [[0.0, 1.0], [0.0, end]], class_="guide", stroke="currentColor", stroke_dasharray="4 3", opacity="0.5"
    )
    if curves["best"]:
        inside += line(curves["best"], class_="guide", stroke="currentColor", stroke_dasharray="1 3", opacity="0.6")
    for at, points in enumerate(curves["models"]):
        inside += line(points, class_=f"line m{at % MODEL_COLOURS}", stroke_width="1.8")
    axis = tag(
        "polyline",
        points=f"{place(0, high)} {place(0, low)} {place(1, low)}",
        fill="none",
        stroke="currentColor",
        opacity="0.4",
    )
    label = " · ".join([title.en, *map(str, models)])
    picture = tag("svg", axis + inside, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label=label)
    return tag("figure", tag("figcaption", text(title)) + picture)


def draw_deciles(data: Json) -> str:
    """A table of the tenths of each model."""

    def lines(parts: Iterable[Sequence[Any]]) -> Iterable[str]:
        return (row(title_cell(str(int(part[0]))), *map(num, part[1:])) for part in parts)

    heads = [text(words) for words in _HEADS]
    return "".join(
        table(f"deciles-{at}", heads, lines(parts), caption=model_name(name, at))
        for at, (name, parts) in enumerate(zip(data["models"], data["uplift_deciles"]["models"], strict=True))
    )


class UpliftReport(TaskReport):
    """Uplift: curves and tenths."""

    kind = Text("uplift", "增益")
    counts = (
        ROWS,
        HealthCount(Text("treated rows", "干预组行数"), "treated"),
        HealthCount(Text("control rows", "对照组行数"), "control"),
        WEIGHT,
    )
    sections = (("uplift_curves", curve_data), ("uplift_deciles", decile_data))
    pages = (
        Section(
            "uplift_curves",
            Text("Uplift curves", "增益曲线"),
            Text(
                "What treating the first rows gains: dashed, a random order; dotted, the best one.",
                "依次干预前面的行所得：虚线为随机排序，点线为最佳排序。",
            ),
            draw_curves,
        ),
        Section(
            "uplift_deciles",
            Text("Effect by tenths", "各十分位的效果"),
            Text("Tenths of the rows, the highest scores first, with intervals.", "按分数从高到低分为十份，附区间。"),
            draw_deciles,
        ),
    )
