"""Reading the numbers: which stage of a system to work on, and what in the data may mislead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.exact import Floats
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis import shown
from pingce.diagnosis.points import Point, as_document
from pingce.evidence.ranking.facts import STAGES

if TYPE_CHECKING:
    from pingce.scores.ranking import RankingScores

_USUAL = 4.0
"From which rating on people like an item, on a scale to 5."


def read(scores: RankingScores) -> Json:
    """The share of queries whose first relevant item stands in the top 10, in 11 … 1000, or was not returned; and who is shown."""
    stages = scores.judged.stage_counts()
    counts = dict(zip(STAGES[1:], stages[1:], strict=True))
    queries = sum(counts.values())
    shares = {name: count / queries if queries else None for name, count in counts.items()}
    points = list(shown.points(scores))
    if queries or not points or scores.has_truth:
        points = [*_stages(queries, counts), *points]
    figures: Json = {"first_relevant": shares, "queries": queries, **as_document(points)}
    of_items = shown.figures(scores)
    return figures | ({"shown": of_items} if of_items else {})


def between(models: Mapping[str, RankingScores]) -> list[Text]:
    """What only shows between models: accuracy that rises while coverage falls."""
    return shown.between(models)


def _stages(queries: int, counts: dict[str, int]) -> Iterator[Point]:
    """Where the first relevant items stand, and which stage to work on."""
    if not queries:
        yield Point("stages", Text("No query has a relevant item.", "没有任何查询有相关条目。"))
        return
    words = {
        "top_10": Text("in the top 10", "在前 10"),
        "rank_11_to_1000": Text("at 11–1000", "在 11–1000"),
        "beyond_1000": Text("beyond 1000", "在 1000 之后"),
        "not_returned": Text("not returned", "没有返回"),
    }
    places = [name for name in counts if counts[name] or name != "beyond_1000"]
    shares = {name: f"{100 * counts[name] / queries:.1f} %" for name in places}
    english = "; ".join(f"{words[name].en} {shares[name]}" for name in places)
    chinese = "；".join(f"{words[name].zh} {shares[name]}" for name in places)
    yield Point(
        "stages",
        Text(
            f"First relevant item ({queries} queries): {english}.",
            f"首个相关条目（共 {queries} 个查询）：{chinese}。",
        ),
    )
    yield Point("next", _stage(counts["rank_11_to_1000"] + counts["beyond_1000"], counts["not_returned"]))


def _stage(low: int, absent: int) -> Text:
    if not low and not absent:
        en, zh = "Nothing is lost at either stage; look at ndcg for the order", "两个阶段都没有丢失；请看 ndcg 了解顺序"
    elif absent > low:
        en = "Most of the loss is items never returned: work on the recall stage"
        zh = "损失主要来自没有返回的条目：应改进召回阶段"
    else:
        en = "Most of the loss is items returned but low: work on the ranking stage"
        zh = "损失主要来自返回了但排得靠后：应改进排序阶段"
    return Text(f"{en}.", f"{zh}。")


def cautions(scores: RankingScores) -> Iterator[Text]:
    """What in the grades makes a threshold look wrong, and the metric to which ties do most."""
    grades, relevant = scores.judged.grades, scores.policies.relevant
    if len(grades) and relevant != "any":
        yield from _grade_cautions(grades, relevant)
    tied = [(value, value.spread) for value in scores.values_by_name.values() if value.spread]
    if tied:
        value, spread = max(tied, key=lambda pair: abs(pair[1].best - pair[1].worst))
        is_weighed = scores.weighs_items and value.metric.weighs_items
        bounded = not is_weighed and value.metric.is_bounded_by_grades()
        ties, place = value.policies.ties, spread.told(bounded=bounded)
        yield Text(
            f"ties matter in {spread.queries} queries: {value.name} {place.en} (ties={ties} gives {value.value:.6g})",
            f"有 {spread.queries} 个查询的并列会影响结果：{value.name} {place.zh}（ties={ties} 得 {value.value:.6g}）",
        )


def _grade_cautions(grades: Floats, relevant: Any) -> Iterator[Text]:
    lowest, highest = float(grades.min()), float(grades.max())
    if float(relevant) <= lowest != highest:
        upper = grades[grades > (lowest + highest) / 2].min()  # some judged items have it, and not all
        advised = _USUAL if lowest < _USUAL <= highest else float(upper)
        yield Text(
            f"every judged item is relevant although grades run from {lowest:g} to {highest:g}; "
            f"for ratings choose relevant={advised:g} or the like",
            f"等级从 {lowest:g} 到 {highest:g}，却全部算作相关；若是评分，请设 relevant={advised:g} 之类的阈值",
        )
    elif highest < float(relevant):
        yield Text(
            f"no item is relevant: all grades lie below relevant={relevant} (the highest is {highest:g})",
            f"没有相关条目：所有等级都低于 relevant={relevant}（最高为 {highest:g}）",
        )
