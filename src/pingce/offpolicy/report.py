"""The page of off-policy values: rows by the size of their weights, and what clipping them does."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import model_name, num, row, table, text, title_cell
from pingce.html.material import Material
from pingce.html.plain import numbers
from pingce.html.task import ROWS, WEIGHT, HealthCount, Section, TaskReport
from pingce.offpolicy.by_weights import InversePropensity, SelfNormalized
from pingce.offpolicy.weighing import EffectiveSampleSize

CLIPS = (1, 2, 5, 10, 20, 50, 100, 1000)
_BANDS = (
    Text("weights", "权重"),
    Text("rows", "行数"),
    Text("share of all weight", "占全部权重"),
    Text("added to ips", "对 ips 的贡献"),
)
_CLIPPED = (Text("clip", "截断"), "ips", "snips", "ess")


def band_data(material: Material) -> Json:
    """The bands of each policy."""
    models: list[Any] = [scores.bands for scores in material.scores.values()]  # type: ignore[attr-defined]
    fields = ("above", "rows", "share", "added")
    return {
        "models": [
            [[_band(band.above, band.upto), *numbers([getattr(band, name) for name in fields[1:]])] for band in bands]
            for bands in models
        ]
    }


def _band(above: float, upto: float) -> str:
    if not upto:
        return "0"
    return f"> {above:g}" if math.isinf(upto) else f"{above:g} – {upto:g}"


def clip_data(material: Material) -> Json:
    """What clipping at some sizes does to the values of each policy, up to the first that clips nothing."""
    return {"models": [_clipped(scores) for scores in material.scores.values()]}


def _clipped(scores: Any) -> list[list[Any]]:
    evidence, lines = scores.evidence, []
    for clip in (*(clip for clip in CLIPS if clip < evidence.largest), None):
        metrics = InversePropensity(clip=clip), SelfNormalized(clip=clip), EffectiveSampleSize(clip=clip)
        lines.append(["–" if clip is None else f"{clip:g}", *numbers([metric.value(evidence) for metric in metrics])])
    return lines


def _draw(key: str, heads: Sequence[Text | str], data: Json) -> str:
    """A table of each policy."""

    def lines(parts: Iterable[Sequence[Any]]) -> Iterable[str]:
        return (row(title_cell(part[0]), *map(num, part[1:])) for part in parts)

    titles = [head if isinstance(head, str) else text(head) for head in heads]
    return "".join(
        table(f"{key}-{at}", titles, lines(parts), caption=model_name(name, at))
        for at, (name, parts) in enumerate(zip(data["models"], data[key]["models"], strict=True))
    )


def draw_bands(data: Json) -> str:
    """Rows by the size of their weights."""
    return _draw("weight_bands", _BANDS, data)


def draw_clips(data: Json) -> str:
    """Values by where weights are clipped."""
    return _draw("weight_clips", _CLIPPED, data)


class OffpolicyReport(TaskReport):
    """Off-policy values: weights, and what clipping does."""

    kind = Text("off-policy values", "离线策略评估")
    counts = (
        ROWS,
        HealthCount(Text("rows with what the target policy never does", "目标策略从不选的行数"), "zero_weights"),
        WEIGHT,
    )
    sections = (("weight_bands", band_data), ("weight_clips", clip_data))
    pages = (
        Section(
            "weight_bands",
            Text("Importance weights", "重要性权重"),
            Text(
                "Rows by the size of their weights: where a few rows have most of the weight, they decide the value.",
                "按权重大小分组：若少数行占了大部分权重，结果就由它们决定。",
            ),
            draw_bands,
        ),
        Section(
            "weight_clips",
            Text("What clipping does", "截断的影响"),
            Text(
                "Values with weights of at most so much: less noise for more bias. Values that move much are carried by large weights.",
                "权重以此为上限时的值：噪声更小而偏差更大。变化很大的值由大权重支撑。",
            ),
            draw_clips,
        ),
    )
