"""The worked calculation of a ranking metric for one query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence import Policies, comparable_ids
from pingce.explanations.derivation import Column, Derivation, Explanation
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.parts import finished, silently
from pingce.explanations.ranking.lesson import Lesson, symbol
from pingce.explanations.ranking.listed import Id, Lists, ids_of, lists_of, refuse_other_evidence, rows_with, said
from pingce.explanations.ranking.setting import policy_words, setting
from pingce.explanations.registry import derive, is_declared_elsewhere
from pingce.inputs import Rows, read_run, read_truth
from pingce.inputs.columns import Reading
from pingce.metrics.averages import settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import plain_grades
from pingce.metrics.ranking.tied import tie_ends
from pingce.run.score import score_metric
from pingce.scores.ranking import RankingScores, TieSpread

_SCORES = {
    "given": Column("score", Text("score", "分数"), exact=True),
    "none": Column("score", Text("score", "分数"), exact=True),
    "rank": Column("given_rank", Text("rank as given", "所给名次")),
}
_SHOWN_QUERIES = 5


def explain(inputs: ExplainInputs, request: MetricRequest, policies: Policies) -> Explanation:
    """The explanation of a metric of what a caller gave: files and tables of queries, or the grades of one list."""
    truth, run, exclude = inputs.once(_read_rows)
    more: dict[str, Any] = {"exclude": exclude, "threads": inputs.threads, "named": inputs.grades is None}
    return explain_ranking(truth, run, request, policies, query=inputs.query, **more)


def _read_rows(inputs: ExplainInputs) -> tuple[Rows, Rows, Rows | None]:
    if inputs.grades is not None:
        return bare_list(inputs.grades, inputs.judged)
    if inputs.truth is None or inputs.prediction is None:
        raise InputError(
            "explain needs data: qrels, a run and query=, or grades=[…] in ranked order",
            "讲解需要数据：qrels、预测与 query=，或按名次给出的 grades=[…]",
        )
    names = ("columns", "input_format", "encoding", "threads", "queries", "items")
    reading = Reading(*(getattr(inputs, name) for name in names))
    exclude = None if inputs.exclude is None else reading.read(inputs.exclude, "exclude")
    return reading.read(inputs.truth, "truth"), reading.read(inputs.prediction, "run"), exclude


def bare_list(grades: Sequence[float | None], judged: Sequence[float] | None = None) -> tuple[Rows, Rows, None]:
    """A query whose list has these grades, and judged items that were not returned where more are given."""
    ranked, every = plain_grades(grades, judged)
    returned = [grade for grade in ranked if grade is not None]
    if not ranked or not (returned or every):
        raise InputError(
            "grades must hold at least one number: the grades of the items, from the top",
            "grades 至少要有一个数：从第 1 位起各条目的等级",
        )
    absent = (Counter(every) - Counter(returned)).elements()
    truth = {place: grade for place, grade in enumerate(ranked, 1) if grade is not None}
    truth |= dict(enumerate(absent, len(ranked) + 1))
    return read_truth({1: truth}), read_run({1: list(range(1, len(ranked) + 1))}), None


def explain_ranking(
    truth: Rows,
    run: Rows,
    request: MetricRequest,
    policies: Policies,
    *,
    query: str | int | None = None,
    exclude: Rows | None = None,
    threads: int | None = None,
    named: bool = True,
) -> Explanation:
    """The calculation for one query; without `query` there must be only one."""
    from pingce.run.rankings import RankingInputs

    truth, run = comparable_ids(truth, run)
    with silently():
        scores = score_metric(request, policies, RankingInputs(truth, run, exclude), threads)
    wanted = _query(query, scores, truth, run)
    subject = (
        Text(f"query '{said(wanted)}'", f"查询 '{said(wanted)}'") if named else Text("the list as given", "所给的列表")
    )
    place = _place(wanted, scores)
    if place is None:
        left_out = policy_words(request.under(policies))["skip"]
        empty = Derivation((left_out,), "", (), math.nan, scores.notes)
        return finished(request, scores, subject, empty, math.nan, symbol(request.metric))
    lists = lists_of(wanted, truth, run, request.under(policies), exclude)
    return explain_place(
        scores, request.name, place, lists, score_column=score_column_of(run, lists), subject=subject, named=named
    )


def explain_place(
    scores: RankingScores,
    name: str,
    place: int,
    lists: Lists,
    *,
    score_column: Column | None,
    subject: Text,
    named: bool = True,
) -> Explanation:
    """The calculation of a value that was computed before: of the query at this place, with its list."""
    value = scores.find(name)
    policies: Policies = value.policies
    view = scores.evidence.select(np.array([place])).view(ties=policies.ties, relevant=policies.relevant)
    refuse_other_evidence(lists, view)
    lesson = Lesson(view, lists, policies, named, score_column)
    derivation = _derivation(value.metric, lesson)
    derivation = replace(derivation, notes=(*derivation.notes, *scores.notes))
    return finished(value, scores, subject, derivation, float(value.per_query[place]), symbol(value.metric))


def score_column_of(run: Rows, lists: Lists) -> Column | None:
    """What the run gave; ranks that are the ranks anyway say nothing."""
    if run.meaning == "rank" and all(row.score == row.rank for row in lists.items):
        return None
    return _SCORES.get(run.meaning)


def _derivation(metric: RankingMetric, lesson: Lesson) -> Derivation:
    """What must be known first, and the steps; an undefined query has only its list and the reason."""
    first = setting(metric, lesson)
    value = float(metric.values(lesson.view)[0])
    remarks = metric.remarks(lesson.view)
    if math.isnan(value):
        grid = lesson.grid(lesson.within(metric.k), k=metric.k)
        instead = float(settle_undefined(np.array([value]), lesson.policies)[0])
        words = policy_words(lesson.policies)["undefined"]
        when = metric.about.undefined
        undefined = Text(f"There is no value here: {when.en}.", f"此处没有定义：{when.zh}。")
        return Derivation([*first, grid, undefined], words, (), instead, remarks)
    plain = Derivation((lesson.grid(lesson.within(metric.k), k=metric.k),), "", (), value)
    derivation = plain if is_declared_elsewhere(metric) else derive(metric, lambda: plain, lesson)
    if float(derivation.value).hex() != value.hex():
        raise RuntimeError(f"{metric.id}: the steps end in {derivation.value!r}, the evaluation in {value!r}")
    notes = (*derivation.notes, *remarks, *_spread(metric, lesson))
    return replace(derivation, steps=[*first, *derivation.steps], value=value, notes=notes)


def _spread(metric: RankingMetric, lesson: Lesson) -> list[Text]:
    """How much the order of tied items matters here."""
    evidence, relevant = lesson.view.evidence, lesson.policies.relevant
    if not (evidence.block > 1).any():
        return []
    ends = tie_ends(metric, lambda ties: evidence.view(ties=ties, relevant=relevant))
    if not ends.apart[0]:
        return []
    mean = None if ends.mean is None else float(ends.mean[0])
    spread = TieSpread(1, float(ends.low[0]), float(ends.high[0]), mean)
    if not metric.is_bounded_by_grades():
        told = spread.told(bounded=False)
        return [Text(f"Ties matter: the value {told.en}.", f"并列会影响结果：数值{told.zh}。")]
    low, high = sorted((spread.worst, spread.best))
    return [
        Text(
            f"Ties matter: by their order the value lies between {low:.6g} and {high:.6g}.",
            f"并列会影响结果：随其顺序，数值在 {low:.6g} 与 {high:.6g} 之间。",
        )
    ]


def _place(query: Id, scores: RankingScores) -> int | None:
    """Where the query stands among those that were scored; unanswered ones may have been left out."""
    ids = ids_of(scores.evidence.queries, np.arange(len(scores.evidence)))
    return ids.index(query) if query in ids else None


def _query(wanted: str | int | None, scores: RankingScores, truth: Rows, run: Rows) -> Id:
    """The query that was asked for, or the only one."""
    ids = ids_of(scores.evidence.queries, np.arange(len(scores.evidence)))
    if wanted is None:
        if len(ids) == 1:
            return ids[0]
        raise _which(ids, scores)
    key = _as_id(wanted, integers=truth.query.integers)
    if key in ids:
        return key
    same_kind = isinstance(key, int) == truth.query.integers
    if same_kind and len(rows_with(truth.query, key)):  # left out by missing=skip
        return key
    if same_kind and len(rows_with(run.query, key)):
        raise InputError(
            f"query '{wanted}' is in the run, but nothing is judged for it: there is no value to explain",
            f"查询 '{wanted}' 在预测中，但没有任何标注：没有可讲解的数值",
        )
    names = [said(query) for query in ids]
    hint = did_you_mean(str(wanted), names[:10_000])
    few = ", ".join(f"'{name}'" for name in names[:5]) + (" …" if len(names) > 5 else "")
    raise InputError(
        f"there is no query '{wanted}' among the {len(ids)} judged ones ({few}){hint.en}",
        f"{len(ids)} 个已标注的查询（{few}）中没有 '{wanted}'{hint.zh}",
    )


def _as_id(wanted: str | int, *, integers: bool) -> Id:
    """An id as the data has it: 17 and "17" are the same query."""
    text = str(wanted)
    if integers and text.removeprefix("-").isdigit() and text.isascii():
        return int(text)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def _which(ids: list[Id], scores: RankingScores) -> InputError:
    name = next(iter(scores.values_by_name))
    some = ", ".join(f"'{said(query)}'" for query in ids[:_SHOWN_QUERIES])
    more = Text(", …", "……") if len(ids) > _SHOWN_QUERIES else Text("", "")
    return InputError(
        f"there are {len(ids)} queries ({some}{more.en}); say which one with query= or --query. "
        f"pingce eval QRELS RUN -m '{name}' --worst 5 lists the lowest",
        f"共有 {len(ids)} 个查询（{some}{more.zh}）；请用 query= 或 --query 指明一个。"
        f"pingce eval QRELS RUN -m '{name}' --worst 5 可列出得分最低的",
    )
