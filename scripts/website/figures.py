"""The drawings of the pages, docs/images/*.svg: `make docs` writes them, in the language of each page; colours follow light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from statistics import NormalDist

from pingce.base.text import LANGUAGES, Text, use_language

_LIGHT = "--ink:#1f2933;--quiet:#64748b;--line:#94a3b8;--paper:#ffffff;--soft:#eef2f7;--accent:#2563a8;--warm:#b45309"
_DARK = "--ink:#e2e8f0;--quiet:#94a3b8;--line:#64748b;--paper:#1e2733;--soft:#263241;--accent:#7cb4ee;--warm:#f0a95b"
_STYLE = f"<style>svg{{{_LIGHT}}}@media (prefers-color-scheme:dark){{svg{{{_DARK}}}}}</style>"
_FONT = "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"

Point = tuple[float, float]


def drawing(width: int, height: int, title: Text, parts: Iterable[str]) -> str:
    """A whole file."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" font-size="13">'
    return "\n".join([head, f"<title>{escape(str(title))}</title>", _STYLE, *parts, "</svg>"]) + "\n"


def words(x: float, y: float, text: object, *, size: int = 13, colour: str = "ink", anchor: str = "middle", bold: bool = False) -> str:  # fmt: skip
    """A line of text; y is its base line."""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="var(--{colour})"{weight}>{escape(str(text))}</text>'


def box(x: float, y: float, width: float, height: float, *, fill: str = "soft", stroke: str = "line") -> str:
    """A frame with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="var(--{fill})" stroke="var(--{stroke})" stroke-width="1.4"/>'


def line(start: Point, end: Point, *, colour: str = "line", dash: str = "", width: float = 1.4) -> str:
    """A straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke="var(--{colour})" stroke-width="{width:g}"{dashes}/>'


def arrow(start: Point, end: Point) -> str:
    """A line to the right with a head."""
    x, y = end
    head = f'<path d="M{x:g},{y:g} l-8,-4.5 v9 z" fill="var(--accent)"/>'
    return line(start, (x - 7, y), colour="accent", width=2) + head


def curve(points: Iterable[Point], *, colour: str, dash: str = "") -> str:
    """A line through points."""
    path = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="var(--{colour})" stroke-width="2.4"{dashes}/>'


def spine() -> str:
    """From inputs to scores."""
    columns = [
        (Text("inputs", "输入"), Text("TREC, CSV, Parquet …|frames, dicts, tensors|Spark tables, streams", "TREC、CSV、Parquet 等|数据框、字典、张量|Spark 表、数据流")),
        (Text("evidence", "证据"), Text("ranks of judged items|counts by score|exact sums", "已标注条目的名次|各分数的计数|精确的和")),
        (Text("metrics", "指标"), Text("ndcg@10, map, mrr|auc, gauc, logloss|rmse, f1 …", "ndcg@10、map、mrr|auc、gauc、logloss|rmse、f1 等")),
        (Text("scores", "结果"), Text("values, intervals|what was counted|definitions", "数值与区间|计数|定义")),
    ]  # fmt: skip
    parts, wide, gap = [], 150, 36
    for number, (title, listed) in enumerate(columns):
        x = 8 + number * (wide + gap)
        parts += [box(x, 20, wide, 112), words(x + wide / 2, 44, title, size=15, bold=True, colour="accent")]
        parts += [words(x + wide / 2, 70 + 21 * row, part, size=12) for row, part in enumerate(str(listed).split("|"))]
        if number:
            parts.append(arrow((x - gap + 2, 76), (x - 2, 76)))
    notes = [
        (8, 2 * wide + gap, Text("engines decide where: one call, batches, files, Spark", "引擎决定在哪里算：一次调用、分批、文件、Spark")),
        (8 + 2 * (wide + gap), 2 * wide + gap, Text("no engine knows a metric", "引擎不认识任何指标")),
    ]  # fmt: skip
    for x, width, note in notes:
        parts += [line((x, 148), (x + width, 148), colour="warm", width=2), words(x + width / 2, 168, note, size=12, colour="quiet")]  # fmt: skip
    return drawing(724, 180, Text("inputs → evidence → metrics → scores", "输入 → 证据 → 指标 → 结果"), parts)


ITEMS = (("a", "0.9", 1), ("b", "0.7", 0), ("c", "0.7", 0), ("d", "0.7", 2), ("e", "0.1", 0))
"Item, score, grade."


def _items(y: float, x: float, step: float) -> list[str]:
    parts = []
    for number, (item, score, grade) in enumerate(ITEMS):
        left = x + number * step
        parts.append(box(left, y, step - 12, 44, fill="soft" if not grade else "paper", stroke="accent" if grade else "line"))  # fmt: skip
        parts.append(words(left + (step - 12) / 2, y + 20, item, bold=bool(grade), colour="accent" if grade else "ink", size=15))  # fmt: skip
        parts.append(words(left + (step - 12) / 2, y + 37, score, size=11, colour="quiet"))
    return parts


def ranks() -> str:
    """How many items beat each judged one."""
    step, x = 104, 92
    parts = [*_items(34, x, step), words(80, 52, Text("item", "条目"), anchor="end", colour="quiet", size=12), words(80, 72, Text("score", "分数"), anchor="end", colour="quiet", size=12)]  # fmt: skip
    parts += [line((x + step - 2, 20), (x + 4 * step - 10, 20), colour="warm", width=2), words(x + 2.5 * step - 6, 14, Text("a block of equal scores", "同分的一组"), size=12, colour="warm")]  # fmt: skip
    places = ["1", "2 – 4", "2 – 4", "2 – 4", "5"]
    parts += [words(x + number * step + 46, 104, place, bold=True) for number, place in enumerate(places)]
    parts.append(words(80, 104, Text("rank", "名次"), anchor="end", colour="quiet", size=12))
    told = [
        (0, Text("nothing beats a: rank 1", "没有条目超过 a：名次 1")),
        (3, Text("1 item beats d, 2 are equal: ranks 2 to 4", "1 个超过 d，2 个与它同分：名次 2 至 4")),
    ]
    for number, text in told:
        centre = x + number * step + 46
        parts += [line((centre, 110), (centre, 126), colour="accent"), words(centre + (20 if not number else 0), 142, text, size=12)]  # fmt: skip
    parts.append(words(330, 168, Text("rank = 1 + number of items with a higher score; only judged items (blue) are counted for", "名次 = 1 + 分数更高的条目数；只为已标注的条目（蓝色）计数"), size=12, colour="quiet"))  # fmt: skip
    return drawing(660, 180, Text("How a rank is counted", "名次怎样数"), parts)


def ties() -> str:
    """The places that the relevant item of a block may have, and a cut-off through it."""
    step, x = 104, 92
    parts = [*_items(34, x, step)]
    cut = x + 3 * step - 6
    parts += [line((cut, 22), (cut, 206), colour="warm", dash="5 4", width=2), words(cut, 14, Text("cut-off k = 3", "截断 k = 3"), size=12, colour="warm")]  # fmt: skip
    for row, place in enumerate((1, 2, 3)):
        y = 96 + row * 36
        parts.append(words(80, y + 19, "1/3", anchor="end", bold=True))
        for number in range(5):
            here = number in (0, place)
            letter = "a" if number == 0 else "d" if number == place else "e" if number == 4 else "·"
            parts.append(box(x + number * step, y, step - 12, 28, fill="paper" if here else "soft", stroke="accent" if here else "line"))  # fmt: skip
            parts.append(words(x + number * step + 46, y + 19, letter, colour="accent" if here else "quiet", bold=here))
    parts.append(words(330, 228, Text("d is within the cut in two of three cases: it counts 2/3, exactly; no order is drawn", "三种情形中有两种 d 在截断之内：精确地计 2/3，不抽取任何排列"), size=12, colour="quiet"))  # fmt: skip
    return drawing(660, 240, Text("Tie blocks", "并列组"), parts)


def roc_pr() -> str:
    """The same scores with one positive in two rows, and one in a hundred."""
    negatives, positives = NormalDist(0, 1), NormalDist(1.7, 1)
    cuts = [4.5 - 0.05 * number for number in range(160)]
    rates = [(1 - negatives.cdf(cut), 1 - positives.cdf(cut)) for cut in cuts]
    side, top = 220, 34
    parts: list[str] = []

    def panel(left: float, title: Text, across: Text, up: Text) -> Callable[[float, float], Point]:
        parts.extend([box(left, top, side, side, fill="paper"), words(left + side / 2, 22, title, bold=True)])
        parts.extend([words(left + side / 2, top + side + 32, across, size=12, colour="quiet")])
        parts.append(f'<g transform="translate({left - 26:g},{top + side / 2:g}) rotate(-90)">{words(0, 0, up, size=12, colour="quiet")}</g>')  # fmt: skip
        for tick in (0, 1):
            parts.extend([words(left + tick * side, top + side + 15, tick, size=11, colour="quiet"), words(left - 8, top + side - tick * side + 4, tick, size=11, colour="quiet")])  # fmt: skip
        return lambda x, y: (left + x * side, top + side - y * side)

    at = panel(56, Text("ROC", "ROC"), Text("false positive rate", "假正例率"), Text("true positive rate", "真正例率"))
    parts += [line(at(0, 0), at(1, 1), dash="4 4"), curve((at(x, y) for x, y in rates), colour="accent")]
    parts.append(words(*at(0.56, 0.42), Text("both shares", "两种占比相同"), size=12, colour="accent", anchor="start"))
    at = panel(376, Text("PR", "PR"), Text("recall", "召回率"), Text("precision", "精确率"))
    for share, colour, label, place in ((0.5, "accent", Text("1 in 2 positive", "正例占 1/2"), (0.12, 0.86)), (0.01, "warm", Text("1 in 100 positive", "正例占 1/100"), (0.30, 0.40))):  # fmt: skip
        points = [(hit, share * hit / (share * hit + (1 - share) * alarm)) for alarm, hit in rates]
        parts += [curve((at(x, y) for x, y in points), colour=colour), words(*at(*place), label, size=12, colour=colour, anchor="start")]  # fmt: skip
    return drawing(620, 300, Text("ROC against PR under imbalance", "不平衡时的 ROC 与 PR"), parts)


FIGURES: dict[str, Callable[[], str]] = {"spine": spine, "ranks": ranks, "ties": ties, "roc-pr": roc_pr}


def outdated_figures(folder: Path, *, rewrite: bool) -> list[str]:
    """The files that are not what would be drawn now; with `rewrite` they are drawn."""
    stale = []
    for lang in LANGUAGES:
        use_language(lang)
        for name, draw in FIGURES.items():
            path, made = folder / f"{name}.{lang}.svg", draw()
            if not path.exists() or path.read_text(encoding="utf-8") != made:
                stale.append(path.name)
                if rewrite:
                    path.write_text(made, encoding="utf-8")
    return stale
