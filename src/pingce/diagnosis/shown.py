"""Reading what lists show: who gets the places, and what a rise in accuracy was paid with."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point
from pingce.metrics.ranking.concentration import HEAD

if TYPE_CHECKING:
    from pingce.scores.ranking import RankingScores, RankingValue

_RISE, _FALL = 1.01, 0.9
"What is less of a change is not worth a word: of accuracy, and of coverage."
_HALF = (0.46, 0.54)


def figures(scores: RankingScores) -> Json:
    """By metric, how few items have most of the places."""
    return {
        name: {"share_of_places": HEAD, "items": value.item_counts["head"], "of": value.item_counts["of"]}
        for name, value in scores.values_by_name.items()
        if value.item_counts.get("head")
    }


def points(scores: RankingScores, names: Collection[str] | None = None) -> Iterator[Point]:
    """Who gets the places, how many items nobody sees, and whether lists favour what was popular before."""
    kinds = {
        "concentration": ("gini", _concentration),
        "coverage": ("coverage", _unshown),
        "popularity": ("tail", _favour),
    }
    for name, (kind, read) in kinds.items():
        value = _first(scores, kind, names)
        if value is not None and not math.isnan(value.value):
            yield from (Point(name, text) for text in read(value))


def _concentration(value: RankingValue) -> Iterator[Text]:
    counts = value.item_counts
    if not counts.get("head"):
        return
    items, every = counts["head"], counts["of"]
    part = percent(items / every)
    yield Text(
        f"{percent(HEAD)} of the places go to {part} of the items ({items:,} of {every:,}; {value.name} {value.value:.4g}).",
        f"{percent(HEAD)} 的位置给了 {part} 的条目（{every:,} 个中的 {items:,} 个；{value.name} {value.value:.4g}）。",
    )


def _unshown(value: RankingValue) -> Iterator[Text]:
    among = {"catalog": Text("of the catalogue", "目录中"), "train": Text("of train", "训练集中")}.get(value.metric.of)
    if among is None or not 0 < value.value <= 1:
        return
    part = percent(1 - value.value)
    yield Text(
        f"{part} of the items {among.en} are shown to nobody ({value.name} {value.value:.4g}).",
        f"{among.zh} {part} 的条目没有展示给任何人（{value.name} {value.value:.4g}）。",
    )


def _favour(value: RankingValue) -> Iterator[Text]:
    if value.metric.as_ != "share" or "past" not in value.item_counts:
        return
    past = value.item_counts["tail"] / value.item_counts["past"]
    if value.value >= past:
        return
    before, now = percent(past), percent(value.value)
    yield Text(
        f"Lists favour what was popular already: the long tail has {before} of the past and {now} of a list ({value.name}).",
        f"列表偏向原本就热门的条目：长尾占过去交互的 {before}，只占列表的 {now}（{value.name}）。",
    )


def between(models: Mapping[str, RankingScores]) -> list[Text]:
    """Where accuracy rises and coverage falls, between the first model and each of the others."""
    first = next(iter(models.values()))
    common = [name for name in first if all(name in scores for scores in models.values())]
    accuracy = next((name for name in common if is_accuracy(first.find(name).metric)), None)
    coverage = _first(first, "coverage", common)
    if accuracy is None or coverage is None:
        return []
    right, coverages = (
        {name: scores[metric] for name, scores in models.items()} for metric in (accuracy, coverage.name)
    )
    return list(traded(accuracy, right, coverage.name, coverages))


def traded(accuracy: str, right: Mapping[str, float], coverage: str, coverages: Mapping[str, float]) -> Iterator[Text]:
    """A sentence for each model that is more accurate than the first and covers less, or the other way round."""
    first, *others = right
    for other in others:
        low, high = sorted((first, other), key=lambda model: right[model])
        if right[high] > _RISE * right[low] and 0 < coverages[high] < _FALL * coverages[low]:
            ratio = coverages[high] / coverages[low]
            falls = Text(f"falls by {percent(1 - ratio)}", f"下降 {percent(1 - ratio)}")
            if _HALF[0] <= ratio <= _HALF[1]:
                falls = Text("halves", "减半")
            before, after, wide, narrow = (
                f"{value:.4g}" for value in (right[low], right[high], coverages[low], coverages[high])
            )
            yield Text(
                f"Accuracy rises while coverage {falls.en}: from {low} to {high}, {accuracy} goes from {before} to {after}, "
                f"{coverage} from {wide} to {narrow}; the p of {accuracy} says whether the rise may be chance.",
                f"准确性上升，覆盖率{falls.zh}：从 {low} 到 {high}，{accuracy} 由 {before} 升至 {after}，{coverage} 由 {wide} 降至 {narrow}；上升是否出于偶然，看 {accuracy} 的 p。",
            )


def is_accuracy(metric: Any) -> bool:
    """Whether a metric looks at relevance, and more of it is better."""
    return not metric.of_items and metric.about.higher_is_better is True


def _first(scores: RankingScores, kind: str, names: Collection[str] | None = None) -> RankingValue | None:
    """The first value of a metric, among those of some names where there are any."""
    values = (value for name, value in scores.values_by_name.items() if names is None or name in names)
    return next((value for value in values if value.metric.name == kind), None)


def percent(share: Any) -> str:
    """A share as it is read: small ones with two digits."""
    percent = 100 * float(share)
    return f"{percent:.2g} %" if percent < 1 else f"{percent:.1f} %".replace(".0 %", " %")
