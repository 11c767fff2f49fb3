"""Truth and run that hardly belong together: in the wrong order, with few queries in common, one of them without ids.

In the wrong order they are where the truth has scores for many items, and the run a few small whole grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.ranking.candidates import merged_items
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs import Ids
from pingce.inputs.columns import Rows
from pingce.inputs.ids import changes, sorted_rows

_SPAM, _HIGHEST = -2, 10
"Grades lie between them: TREC's spam, and ratings out of ten."
_MANY_ITEMS, _MANY_VALUES, _TIMES = 5, 20, 3
"Judged items per query, distinct values and a ratio of sizes that few truths have by chance."
_FEW = 0.2
"The share of judged queries that may be unanswered without a word."
_HEAD = 1000
"Rows that tell most runs from grades, before all are looked at."


def swap_cautions(truth: Rows, run: Rows, queries: Facts, facts: ScoreFacts | None = None) -> tuple[Text, ...]:
    """What to say where the two sides are likely swapped; refused where that is clear.

    Whoever names the column of the grades or of the scores has said which side is which. `facts` are of all scores, where
    only some rows of the run are left.
    """
    if truth.source.stated or run.source.stated or run.meaning != "given" or not queries.answered_count:
        return ()
    if not (_may_be_grades(run.value[:_HEAD]) if facts is None else facts.look_like_grades):
        return ()
    return _cautions(truth, run, queries, facts)


def subtopic_cautions(metrics: Sequence[str], truth: Rows) -> tuple[Text, ...]:
    """What to say where metrics of subtopics meet a truth without them, or with TREC's filler in their place."""
    subtopic = truth.subtopic
    if not metrics or (subtopic is not None and not _is_filler(subtopic)):
        return ()
    return (
        Text(
            f"{metrics[0]}: the truth tells no subtopics apart, so that all items count as of one; if a column has them, say which: "
            "columns={'truth.subtopic': …} (--columns truth.subtopic=…)",
            f"{metrics[0]}：真值不区分子主题，所有条目按同一子主题计；若有子主题列，请用 columns={{'truth.subtopic': …}}"
            "（--columns truth.subtopic=…）指明",
        ),
    )


def _is_filler(subtopic: Ids) -> bool:
    """Whether every subtopic is 0 or Q0."""
    return len(changes(subtopic)) == 1 and str(subtopic.take(np.zeros(1, np.int64)).to_list()[0]) in ("0", "Q0")


def _cautions(truth: Rows, run: Rows, queries: Facts, facts: ScoreFacts | None) -> tuple[Text, ...]:
    """Weigh sizes and grades of the truth first, since all scores of the run cost more to look at."""
    lists = queries.answered_count
    judged, returned = (queries.total(name, answered=True) / lists for name in ("judgements", "given"))
    has_fractions = returned <= judged and 2 * queries.total("fractions") >= queries.total("judgements")
    if not has_fractions and judged < max(_MANY_ITEMS, _TIMES * returned):
        return ()
    facts = facts or ScoreFacts.of(run)
    if not facts.look_like_grades:
        return ()
    if has_fractions:
        example = f"{queries.some_fraction():.6g}"
        sizes = judged, returned, Text(f"such as {example}", f"例如 {example}")
        grades = queries.grades
        distinct = np.count_nonzero(np.rint(2 * grades) != 2 * grades)
        if facts.are_shared and judged >= _MANY_ITEMS and distinct > _MANY_VALUES:
            raise InputError(*_swapped(truth, run, *sizes))
        return (_swapped(truth, run, *sizes),)
    # Whole numbers of a truth may put items in an order; a truth without grades may be a run without its scores.
    if facts.are_shared and (facts.pairs if truth.meaning == "none" else not queries.total("alike")):
        return (_swapped(truth, run, judged, returned, Text("in an order", "有先后顺序")),)
    return ()


class ScoreFacts(NamedTuple):
    """What all scores of a run have in common; pieces of whole queries, in any order, tell the same."""

    small: bool = True
    "Whether all are whole numbers in the range of grades."
    positive: bool = False
    "Whether one of them is at least 1."
    pairs: bool = False
    "Whether a list has two items; the next two look at neighbours in the order of scores."
    ties: bool = False
    "Whether two items of a list share a score."
    gaps: bool = False
    "Whether two neighbours differ by something else than 1."
    items: str = ""
    "What `shared_items` found of the lists; all else is of scores."

    @classmethod
    def of(cls, run: Rows) -> ScoreFacts:
        """Gather the facts of all rows; the first of them are enough where those are no grades."""
        value = run.value
        if not (_may_be_grades(value[:_HEAD]) and _may_be_grades(value)):
            return cls(small=False)
        levels = _HIGHEST - _SPAM + 1
        key = IdIndex(run.query).find(run.query) * levels + (value.astype(np.int64) - _SPAM)
        key.sort()
        step = np.diff(key)[np.diff(key // levels) == 0]
        ties, gaps = bool((step == 0).any()), bool((step != 1).any())
        return cls(positive=bool(value.max(initial=0) >= 1), pairs=len(step) > 0, ties=ties, gaps=gaps)

    def merge(self, other: ScoreFacts) -> ScoreFacts:
        """Join the facts of other queries."""
        return ScoreFacts(
            self.small and other.small,
            self.positive or other.positive,
            self.pairs or other.pairs,
            self.ties or other.ties,
            self.gaps or other.gaps,
            merged_items(self.items, other.items),
        )

    @property
    def look_like_grades(self) -> bool:
        """Whether they may be grades: n, n-1, …, 1 are places turned into scores."""
        return self.small and self.positive and (self.gaps or not self.pairs)

    @property
    def are_shared(self) -> bool:
        """Whether items of a list share a score, or have no other beside them."""
        return self.ties or not self.pairs


def _may_be_grades(scores: NDArray[np.float64]) -> bool:
    """Whether all are whole numbers in the range of grades."""
    return bool(((np.rint(scores) == scores) & (scores >= _SPAM) & (scores <= _HIGHEST)).all())


def _swapped(truth: Rows, run: Rows, judged: float, returned: float, values: Text) -> Text:
    """The sentence, and both ways out."""
    here, there = truth.source.name, run.source.name
    return Text(
        f"truth and run look swapped: {here.en} has {judged:.3g} items per query with numbers {values.en}, as runs have them, "
        f"and {there.en} has {returned:.3g} with small whole numbers, as grades are; the truth comes first, the run second; "
        "if it is meant so, name the grades: columns={'truth.grade': NAME} or --columns truth.grade=NAME (any name where there are "
        "no columns)",
        f"真值与预测似乎颠倒了：{here.zh} 每个查询有 {judged:.3g} 个条目，其数值{values.zh}，像是预测的分数；而 {there.zh} "
        f"每个查询有 {returned:.3g} 个条目，其数值是小整数，像是等级；应先给真值、后给预测；若本意如此，请指明等级列："
        "columns={'truth.grade': 列名} 或 --columns truth.grade=列名（没有列时任意名称均可）",
    )


def unanswered_cautions(run: Rows, queries: Facts, extra: Ids | None = None) -> tuple[Text, ...]:
    """What to say where many judged queries are unanswered; `extra` are the queries without judgements, where known."""
    missing = len(queries) - queries.answered_count
    if missing <= _FEW * len(queries):
        return ()
    lacking = queries.unanswered(1)[0]
    if extra is None and isinstance(queries, FactColumns):
        names = run.query.take(changes(run.query))
        extra = names.take(np.flatnonzero(IdIndex(queries.queries).find(names) < 0))
    beside = Text("", "")
    if extra is not None and len(extra):  # the first in order of ids: the same for any order of rows
        first = extra.take(sorted_rows(extra)[:1]).to_list()[0]
        beside = Text(
            f", and has queries without judgements, such as {first!r}", f"，而有些查询没有标注，例如 {first!r}"
        )
    count, share = f"{missing} of {len(queries)}", f"{100 * missing / len(queries):.3g} %"
    return (
        Text(
            f"the run does not answer {count} judged queries ({share}), such as {lacking!r}{beside.en}; check that the ids are the "
            "same on both sides; missing='skip' leaves such queries out, missing='zero' scores them 0",
            f"预测没有回答 {len(queries)} 个已标注查询中的 {missing} 个（{share}），例如 {lacking!r}{beside.zh}；请检查两边的编号是否一致；"
            "missing='skip' 不计入这些查询，missing='zero' 记 0 分",
        ),
    )


def refuse_places(truth: Rows, run: Rows, queries: Facts) -> None:
    """Rows that are counted from 0 may stand for ids only where the ids of the other side are just these numbers."""
    if (truth.count is None) == (run.count is None):
        return
    by_place, named = (run, truth) if truth.count is None else (truth, run)
    ids = len(queries) if named is truth else queries.answered_count + queries.tally.extra_queries
    if ids != by_place.count:
        raise other_places(by_place, named, Text(f"{ids} queries", f"{ids} 个查询"))


def other_places(by_place: Rows, named: Rows, ids: Text) -> InputError:
    """What to say of rows whose queries nobody named."""
    count = by_place.count or 0
    rows, other = by_place.source.name, named.source.name
    return InputError(
        f"{rows.en} has {count} rows, whose queries would be 0 to {count - 1}, but {other.en} has {ids.en}; say which row is "
        f"whom: queries=[…] with an id for each row, or (ids, matrix); queries=range({count}) if row i is query i",
        f"{rows.zh} 有 {count} 行，其查询应为 0 到 {count - 1}，而 {other.zh} 有 {ids.zh}；请指明每行属于哪个查询：queries=[…]（每行一个编号），"
        f"或（编号，矩阵）；若第 i 行即查询 i，请用 queries=range({count})",
    )
