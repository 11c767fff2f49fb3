"""The worked calculation of a ranking metric for one query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.completed import completed
from pingce.evidence.ranking.overlap import comparable_ids
from pingce.explanations.derivation import Derivation, Explanation
from pingce.explanations.frame import derive, finished, is_declared_elsewhere, silently
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.ranking.corrected import corrected
from pingce.explanations.ranking.items import whole_setting
from pingce.explanations.ranking.lesson import Lesson, symbol
from pingce.explanations.ranking.listed import Id, Lists, id_text, ids_of, lists_of, refuse_other_evidence, rows_with
from pingce.explanations.ranking.setting import MISSING, UNDEFINED, setting
from pingce.inputs import Rows, read_run, read_truth
from pingce.inputs.data import RankingData
from pingce.metrics.averages import settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import plain_grades
from pingce.metrics.ranking.tied import tie_ends
from pingce.run.rankings import RankingInputs
from pingce.run.score import score_metric
from pingce.run.states.fixed_tables import read_known_items, refuse_no_truth
from pingce.run.states.ranking_pieces import no_rows_like
from pingce.run.views import values_under
from pingce.scores.ranking import RankingScores, TieSpread
from pingce.tasks.ranking import BACKGROUND

_SHOWN_QUERIES = 5


def explain(inputs: ExplainInputs, request: MetricRequest, policies: Policies) -> Explanation:
    """The explanation of a metric of what a caller gave: files and tables of queries, or the grades of one list."""
    read = _read_with_subtopics if request.metric.of_subtopics else _read_rows
    data, named = inputs.once(read), inputs.grades is None
    return explain_ranking(data, request, policies, query=inputs.query, threads=inputs.reading.threads, named=named)


def _read_rows(inputs: ExplainInputs) -> RankingInputs:
    if inputs.grades is not None and inputs.reading.weighs_items:
        raise InputError(
            "item_weight= names a column of qrels, and bare grades have none; give qrels and a run",
            "item_weight= 是 qrels 中的一列，而直接给出的等级没有列；请给出 qrels 与预测",
        )
    if inputs.grades is not None:
        return bare_list(inputs.grades, inputs.judged)
    tables = {name: getattr(inputs, name) for name in BACKGROUND}
    needs_truth = all(table is None for table in tables.values())
    if (inputs.truth is None and needs_truth) or inputs.prediction is None:
        raise InputError(
            "explain needs data: qrels, a run and query=, or grades=[…] in ranked order",
            "讲解需要数据：qrels、预测与 query=，或按名次给出的 grades=[…]",
        )
    reading, run = inputs.reading, inputs.reading.read(inputs.prediction, "run")
    exclude = None if inputs.exclude is None else reading.read(inputs.exclude, "exclude")
    truth = no_rows_like(run) if inputs.truth is None else reading.read(inputs.truth, "truth")
    background = read_known_items(reading, RankingData(None, None, **tables))
    return RankingInputs(truth, run, exclude, background=background)


def _read_with_subtopics(inputs: ExplainInputs) -> RankingInputs:
    return _read_rows(replace(inputs, reading=replace(inputs.reading, subtopics=True)))


def bare_list(grades: Sequence[float | None], judged: Sequence[float] | None = None) -> RankingInputs:
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
    return RankingInputs(read_truth({1: truth}), read_run({1: list(range(1, len(ranked) + 1))}))


def explain_ranking(
    data: RankingInputs,
    request: MetricRequest,
    policies: Policies,
    *,
    query: str | int | None = None,
    threads: int | None = None,
    named: bool = True,
) -> Explanation:
    """The calculation for one query; without `query` there must be only one. A metric that is one value of the run has none."""
    truth, run = comparable_ids(data.truth, data.run)
    if not len(truth):
        refuse_no_truth([request])
    with silently():
        scores = score_metric(request, policies, replace(data, truth=truth, run=run), threads)
    if request.metric.is_whole:
        return _explain_whole(scores, request)
    ids = ids_of(scores.evidence.queries, np.arange(len(scores.evidence)))
    wanted = _query(query, ids, truth, run, request.name)
    name, under = id_text(wanted), request.under(policies)
    subject = Text(f"query '{name}'", f"查询 '{name}'") if named else Text("the list as given", "所给的列表")
    if wanted not in ids:  # not answered, and therefore left out
        empty = Derivation((MISSING["skip"],), notes=scores.notes)
        return finished(request, scores, subject, empty, math.nan, symbol(request.metric))
    lists = lists_of(wanted, truth, run, under, data.exclude, top_grade=scores.evidence.top_grade)
    return explain_place(scores, request.name, ids.index(wanted), lists, subject, named=named)


def _explain_whole(scores: RankingScores, request: MetricRequest) -> Explanation:
    """The calculation of a metric that is one value of the run."""
    if request.name not in scores.values_by_name:
        names = ", ".join(scores.values_by_name)
        raise InputError(
            f"{request.name} has one value for each group of items; choose one of {names}",
            f"{request.name} 每个条目组一个值；请选择其一：{names}",
        )
    value = scores.find(request.name)
    policies, metric = value.policies, value.metric
    evidence = scores.evidence
    if metric.scope == "all" and not evidence.answered.all():
        evidence = evidence.select(evidence.answered)
    display = item_view(evidence.view(ties=policies.ties, relevant=policies.relevant))
    subject = Text("all lists of the run", "预测的全部列表")
    if value.undefined:
        when = metric.about.undefined
        words = Text(f"There is no value here: {when.en}.", f"此处没有定义：{when.zh}。")
        derivation = Derivation([whole_setting(metric, display), words], UNDEFINED[policies.undefined], (), value.value)
    else:
        derivation = derive(metric, lambda: Derivation((), value=metric.whole(display)), display)
        derivation = replace(derivation, steps=[whole_setting(metric, display), *derivation.steps])
    derivation = replace(derivation, notes=(*derivation.notes, *scores.notes))
    return finished(request, scores, subject, derivation, value.value, symbol(metric))


def explain_place(
    scores: RankingScores, name: str, place: int, lists: Lists, subject: Text, *, named: bool = True
) -> Explanation:
    """The calculation of a value that was computed before: of the query at this place, with its list."""
    value = scores.find(name)
    policies: Policies = value.policies
    evidence = scores.evidence.select(np.array([place]))
    evidence = evidence.of_returned() if policies.judged == "list" else evidence
    if policies.unjudged != "zero":
        evidence = completed(evidence, policies.unjudged)
    view = evidence.view(ties=policies.ties, relevant=policies.relevant)
    refuse_other_evidence(lists, view)
    derivation = _derivation(value.metric, Lesson(view, lists, policies, named))
    derivation = replace(derivation, notes=(*derivation.notes, *scores.notes))
    return finished(value, scores, subject, derivation, float(value.per_query[place]), symbol(value.metric))


def _derivation(metric: RankingMetric, lesson: Lesson) -> Derivation:
    """What must be known first, and the steps; an undefined query has only its list and the reason."""
    first = list(setting(metric, lesson))
    value = float(values_under(metric, lesson.view, lesson.policies)[0])
    remarks = metric.remarks(lesson.view)

    def bare() -> Derivation:
        return Derivation((lesson.top(metric.k).grid(),), value=value)

    if math.isnan(value):
        when = metric.about.undefined
        undefined = Text(f"There is no value here: {when.en}.", f"此处没有定义：{when.zh}。")
        instead = float(settle_undefined(np.array([value]), lesson.policies)[0])
        words = UNDEFINED[lesson.policies.undefined]
        return Derivation([*first, *bare().steps, undefined], words, (), instead, remarks)
    if lesson.policies.corrected != "none" and lesson.n:
        derivation = corrected(metric, lesson)
    else:
        derivation = bare() if is_declared_elsewhere(metric) else derive(metric, bare, lesson)
    if float(derivation.value).hex() != value.hex():
        raise RuntimeError(f"{metric.id}: the steps end in {derivation.value!r}, the evaluation in {value!r}")
    notes = (*derivation.notes, *remarks, *_spread(metric, lesson))
    return replace(derivation, steps=[*first, *derivation.steps], value=value, notes=notes)


def _spread(metric: RankingMetric, lesson: Lesson) -> list[Text]:
    """How much the order of tied items matters here."""
    evidence, relevant = lesson.view.evidence, lesson.policies.relevant
    if metric.of_items or lesson.policies.corrected != "none" or not (evidence.block > 1).any():
        return []
    ends = tie_ends(metric, lambda ties: evidence.view(ties=ties, relevant=relevant))
    if not ends.apart[0]:
        return []
    mean = None if ends.mean is None else float(ends.mean[0])
    spread = TieSpread(1, float(ends.low[0]), float(ends.high[0]), mean)
    is_weighed = metric.weighs_items and evidence.weights is not None
    if is_weighed or not metric.is_bounded_by_grades():
        en, zh = spread.told(bounded=False)
        return [Text(f"Ties matter: the value {en}.", f"并列会影响结果：数值{zh}。")]
    low, high = sorted((spread.worst, spread.best))
    words = Text(
        f"Ties matter: by their order the value lies between {low:.6g} and {high:.6g}.",
        f"并列会影响结果：随其顺序，数值在 {low:.6g} 与 {high:.6g} 之间。",
    )
    return [words]


def _query(wanted: str | int | None, ids: list[Id], truth: Rows, run: Rows, metric: str) -> Id:
    """The query that was asked for, or the only one."""
    names = [id_text(query) for query in ids[:10_000]]
    if wanted is None:
        if len(ids) == 1:
            return ids[0]
        some = ", ".join(f"'{name}'" for name in names[:_SHOWN_QUERIES])
        more = Text(", …", "……") if len(ids) > _SHOWN_QUERIES else Text("", "")
        raise InputError(
            f"there are {len(ids)} queries ({some}{more.en}); say which one with query= or --query. "
            f"pingce eval QRELS RUN -m '{metric}' --worst 5 lists the lowest",
            f"共有 {len(ids)} 个查询（{some}{more.zh}）；请用 query= 或 --query 指明一个。"
            f"pingce eval QRELS RUN -m '{metric}' --worst 5 可列出得分最低的",
        )
    key = _as_id(wanted, integers=truth.query.integers)
    same_kind = isinstance(key, int) == truth.query.integers
    if key in ids or (same_kind and len(rows_with(truth.query, key))):  # or left out by missing=skip
        return key
    if same_kind and len(rows_with(run.query, key)):
        raise InputError(
            f"query '{wanted}' is in the run, but nothing is judged for it: there is no value to explain",
            f"查询 '{wanted}' 在预测中，但没有任何标注：没有可讲解的数值",
        )
    hint = did_you_mean(str(wanted), names)
    few = ", ".join(f"'{name}'" for name in names[:_SHOWN_QUERIES]) + (" …" if len(names) > _SHOWN_QUERIES else "")
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
