"""What must be known before a list is worked through: how long it is, what is relevant, and which policy changed it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING

from pingce.base.text import Text, counted

if TYPE_CHECKING:
    from pingce.explanations.ranking.lesson import Lesson
    from pingce.metrics.ranking import RankingMetric

_TIES = {
    "id": Text("by id, descending", "按编号降序"),
    "id_ascending": Text("by id, ascending", "按编号升序"),
    "order": Text("in the order given", "按给出的顺序"),
    "expected": Text("in every order, equally likely; the value is the mean", "各种顺序等可能，取其均值"),
    "worst": Text("lowest grade first", "等级低的在前"),
    "best": Text("highest grade first", "等级高的在前"),
}
_UNJUDGED = {
    "worst": Text("count as judged and not relevant", "视为已标注而不相关"),
    "best": Text("count as judged, with the largest grade of the truth", "视为已标注，等级取真值中的最大值"),
}
_NAN = {
    "last": ("stand last", "排在最后"),
    "first": ("stand first", "排在最前"),
    "drop": ("were dropped", "已去掉"),
}


def setting(metric: RankingMetric, lesson: Lesson) -> Iterator[Text]:
    """Sentences, those that say something about this query only."""
    policies, n, k = lesson.policies, lesson.n, metric.k
    yield _length(lesson) if metric.of_items and not lesson.lists.judged else _counts(lesson)
    if not bool(lesson.view.evidence.answered[0]):
        yield MISSING["zero"]
    if k is not None and 0 < n < k:
        empty, places = (f"{k}", "rank {} is") if n + 1 == k else (f"{n + 1}–{k}", "ranks {} are")
        yield Text(
            f"k = {k} goes beyond the list, which has {counted(n, 'item')}: {places.format(empty)} empty.",
            f"k = {k} 超出列表：列表只有 {n} 个条目，第 {empty} 位为空。",
        )
    yield from _choices(metric)
    yield from _removed(lesson)
    if policies.judged_only == "yes":
        count = lesson.lists.unjudged
        en, zh = "Unjudged items were taken out first (judged_only=yes)", "先去掉了未标注的条目（judged_only=yes）"
        yield Text(f"{en}: {count} of them.", f"{zh}：{count} 个。")
    if policies.unjudged != "zero":
        en, zh = _UNJUDGED[policies.unjudged]
        count, choice = lesson.lists.unjudged, f"unjudged={policies.unjudged}"
        yield Text(f"Unjudged items {en} ({choice}): {count} of them.", f"未标注的条目{zh}（{choice}）：{count} 个。")
    if policies.judged == "list":
        yield Text("Only items of the list are judged (judged=list).", "只计列表中条目的标注（judged=list）。")
    if lesson.view.evidence.weights is not None:
        yield _weight(float(metric.list_weights(lesson.view)[0]))
    if any(row.block > 1 for row in lesson.lists.items):
        (en, zh), ties = _TIES[policies.ties], f"ties={policies.ties}"
        yield Text(f"Equal scores stand {en} ({ties}).", f"同分条目{zh}（{ties}）。")


def _removed(lesson: Lesson) -> Iterator[Text]:
    """Rows that are not in the list, and scores that are not as given."""
    policies, evidence, excluded = lesson.policies, lesson.view.evidence, lesson.lists.excluded
    if excluded:
        yield Text(f"Items excluded before ranking: {excluded}.", f"排序之前去掉了 {excluded} 个条目。")
    if nan := int(evidence.nan_rows[0]):
        (en, zh), policy = _NAN[policies.nan], f"nan={policies.nan}"
        yield Text(
            f"Scores that are not numbers {en} ({policy}): {nan}.", f"不是数字的分数{zh}（{policy}）：{nan} 个。"
        )
    if repeats := int(evidence.run_repeats[0] + evidence.truth_repeats[0]):
        policy = f"duplicates={policies.duplicates}"
        yield Text(f"Repeated rows removed ({policy}): {repeats}.", f"去掉重复的行（{policy}）：{repeats} 行。")
    if (kind := policies.score_type) != "given":
        yield Text(f"Scores are compared as {kind}.", f"分数先取为 {kind} 再比较。")


def _weight(weight: float) -> Text:
    """How much the list counts among others, by the weights of its items."""
    if isnan(weight):
        return Text(
            "Items have weights (item_weight), and none of these is worth anything: the list counts as much as others on average.",
            "条目有权重（item_weight），而此处没有条目有价值：该列表按其他列表的平均权重计入平均。",
        )
    return Text(
        f"Items have weights (item_weight): in the mean over queries this list counts {weight:.6g}, the mean weight of its judged items by what each is worth.",
        f"条目有权重（item_weight）：对查询求平均时，该列表计 {weight:.6g}，即其已标注条目按价值计的平均权重。",
    )


_SHOWN_ELSEWHERE = ("gain", "discount", "ideal")


def _choices(metric: RankingMetric) -> Iterator[Text]:
    """Parameters that are not at their default, in the words of their declaration."""
    for parameter in metric.parameters():
        value = getattr(metric, parameter.name)
        words = getattr(parameter.metadata["check"], "words", {}).get(value) if isinstance(value, str) else None
        if words is not None and value != parameter.default and parameter.name not in _SHOWN_ELSEWHERE:
            name = f"{parameter.name}={value}"
            yield Text(f"{name}: {words.en}.", f"{name}：{words.zh}。")


def _length(lesson: Lesson) -> Text:
    return Text(f"n = {counted(lesson.n, 'item')} returned.", f"返回 n = {lesson.n} 个条目。")


def _counts(lesson: Lesson) -> Text:
    judged, grade = len(lesson.lists.judged), lesson.policies.relevant
    en, zh = ("every judged item", "凡标注者") if grade == "any" else (f"grade ≥ {grade}", f"等级 ≥ {grade}")
    return Text(
        f"n = {counted(lesson.n, 'item')} returned; {judged} judged, R = {lesson.total} relevant ({en}).",
        f"返回 n = {lesson.n} 个条目；已标注 {judged} 个，其中相关 R = {lesson.total} 个（{zh}）。",
    )


UNDEFINED = {
    "skip": Text("undefined; the query is left out of the mean (undefined=skip)", "没有定义；该查询不计入平均（undefined=skip）"),
    "zero": Text("0, by undefined=zero", "0（undefined=zero）"),
    "one": Text("1, by undefined=one", "1（undefined=one）"),
    "nan": Text("undefined, and so is the mean (undefined=nan)", "没有定义，平均值也随之没有定义（undefined=nan）"),
    "error": Text("undefined", "没有定义"),
}  # fmt: skip
"What becomes of a query without a value, by policy."
MISSING = {
    "zero": Text(
        "The run does not answer this query; it counts as an empty list (missing=zero).",
        "预测没有回答该查询；按空列表计（missing=zero）。",
    ),
    "skip": Text(
        "The run does not answer this query; it is left out (missing=skip), so there is no value.",
        "预测没有回答该查询；该查询不计入（missing=skip），没有数值。",
    ),
}
"What becomes of a query without an answer, by policy."
