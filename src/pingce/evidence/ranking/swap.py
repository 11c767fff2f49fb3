"""Truth and run in the wrong order: a truth with scores for many items, and a run with a few small whole grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.columns import HEAD

if TYPE_CHECKING:
    from pingce.evidence.ranking.evidence import RankingEvidence
    from pingce.inputs.columns import Rows


_SPAM, _HIGHEST = -2, 10
"Grades lie between them: TREC's spam, and ratings out of ten."
_MANY_ITEMS, _MANY_VALUES, _TIMES = 5, 20, 3
"Judged items per query, distinct values and a ratio of sizes that few truths have by chance."
_GRADES_LOOKED_AT = 100_000


def swap_cautions(truth: Rows, run: Rows, evidence: RankingEvidence) -> tuple[Text, ...]:
    """What to say where the two sides are likely swapped; refused where that is clear.

    Whoever names the column of the grades or of the scores has said which side is which.
    """
    if truth.source.stated or run.source.stated or run.meaning != "given" or not evidence.answered.any():
        return ()
    lists = _Lists.of(run)
    if not lists.are_grades:
        return ()
    judged = float(np.diff(evidence.judged_begin)[evidence.answered].mean())
    returned = float(evidence.given[evidence.answered].mean())
    grades = evidence.judged[:: max(1, len(evidence.judged) // _GRADES_LOOKED_AT)]
    fractions = grades[np.rint(2 * grades) != 2 * grades]
    if returned <= judged and 2 * len(fractions) >= len(grades):
        sizes = judged, returned, Text(f"such as {fractions[0]:.6g}", f"例如 {fractions[0]:.6g}")
        if lists.have_ties and judged >= _MANY_ITEMS and len(np.unique(fractions)) > _MANY_VALUES:
            raise InputError(*_swapped(truth, run, *sizes))
        return (_swapped(truth, run, *sizes),)
    if lists.have_ties and judged >= max(_MANY_ITEMS, _TIMES * returned) and _are_scores(truth, evidence, lists):
        return (_swapped(truth, run, judged, returned, Text("in an order", "有先后顺序")),)
    return ()


class _Lists(NamedTuple):
    """How the first rows of a run look: whether their scores may be grades, and whether items of a list share one."""

    are_grades: bool
    have_ties: bool = False
    have_pairs: bool = False

    @classmethod
    def of(cls, run: Rows) -> _Lists:
        """Look at the rows that a stream, too, keeps."""
        head = np.arange(min(len(run), HEAD))
        value = run.value[head]
        if not ((np.rint(value) == value).all() and value.min() >= _SPAM and 1 <= value.max() <= _HIGHEST):
            return cls(are_grades=False)
        queries = run.query.take(head)
        query = IdIndex(queries).find(queries)
        order = np.lexsort((value, query))
        step = np.diff(value[order])[np.diff(query[order]) == 0]
        if len(step) and (step == 1).all():  # n, n-1, …, 1: places turned into scores
            return cls(are_grades=False)
        return cls(are_grades=True, have_ties=not len(step) or bool((step == 0).any()), have_pairs=len(step) > 0)


def _are_scores(truth: Rows, evidence: RankingEvidence, lists: _Lists) -> bool:
    """Whether whole numbers of a truth put items in an order; one without grades may be a run without its scores."""
    if truth.meaning == "none":
        return lists.have_pairs
    starts = evidence.judged_begin[1:-1]
    same = np.append(False, evidence.judged[1:] == evidence.judged[:-1])
    same[starts[starts < len(same)]] = False
    return not same.any()


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
