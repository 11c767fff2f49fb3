"""The provider: measures that pingce has are computed by it, all at once; others are left to the next provider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import ir_measures
from ir_measures import providers
from ir_measures.util import QrelsConverter, RunConverter

from pingce.api import evaluate_ranking
from pingce.base.errors import EmptyInputError, warn_user
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import Rows
from pingce.inputs.ranking import read_run, read_truth
from pingce.ir_measures.measures import TOOL, Grades, Question, question_of

NAME: Final = "pingce"
TRUTH_COLUMNS: Final = {"query": "query_id", "item": "doc_id", "grade": "relevance"}
RUN_COLUMNS: Final = {"query": "query_id", "item": "doc_id", "score": "score"}


class PingceProvider(providers.Provider):  # type: ignore[misc]
    """Answers measures of ir_measures by pingce, with the numbers of ir_measures' own providers."""

    NAME = NAME

    def supports(self, measure: Any) -> bool:
        """Whether pingce has the measure, with these parameters."""
        measure.validate_params()
        return question_of(measure) is not None

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> PingceEvaluator:
        return PingceEvaluator(list(measures), qrels)


class FirstProvider(PingceProvider):
    """The provider that stands before others: it leaves to cwl_eval what that answers with costs and utilities besides."""

    def __init__(self, others: list[Any]) -> None:
        super().__init__()
        self.others = others

    def supports(self, measure: Any) -> bool:
        """Whether pingce has the measure, and no more than a value is expected."""
        if not super().supports(measure):
            return False
        usual = next((other for other in self.others if _answers(other, measure)), None)
        return usual is None or usual.NAME != "cwl_eval"


def _answers(provider: Any, measure: Any) -> bool:
    return (
        getattr(provider, "NAME", None) != NAME and bool(provider.supports(measure)) and bool(provider.is_available())
    )


class PingceEvaluator(providers.Evaluator):  # type: ignore[misc]
    """Scores runs against judgements that are read once."""

    def __init__(self, measures: list[Any], qrels: Any) -> None:
        self.questions: dict[Any, Question] = {}
        for measure in measures:
            question = question_of(measure)
            if question is None:
                raise ValueError(f"unsupported measure {measure}")
            self.questions[measure] = question
        self.truths, queries = _truths(qrels, self.questions.values())
        super().__init__(measures, queries)

    def iter_calc(self, run: Any) -> Iterator[Any]:
        """The value of each measure for each query; measures that are undefined without an answer have none there."""
        missing = {
            (measure, query) for measure, asked in self.questions.items() if asked.filled for query in self.qrel_qids
        }
        for metric in self._iter_calc(run):
            missing.discard((metric.measure, metric.query_id))
            yield metric
        for measure, query in sorted(missing, key=lambda pair: (str(pair[0]), pair[1])):
            yield ir_measures.Metric(query_id=query, measure=measure, value=measure.DEFAULT)

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        data, answered = _table(RunConverter(run), RUN_COLUMNS)
        if set(answered).isdisjoint(self.qrel_qids):  # which pingce itself refuses, and ir_measures does not
            return
        for key, truth in self.truths.items():
            yield from self._values(
                truth, data, [each for each, asked in self.questions.items() if asked.grades == key]
            )

    def _values(self, truth: Rows, run: Any, measures: list[Any]) -> Iterator[Any]:
        try:
            rows = read_run(run, columns=None if isinstance(run, dict) else RUN_COLUMNS)
        except EmptyInputError:
            return
        asked = [self.questions[measure] for measure in measures]
        requests = [question.request for question in asked]
        scores = evaluate_ranking(truth, rows, requests, convention=TOOL, missing="skip", duplicates="last", nan="last")
        if lost := scores.counts["nan"]:
            warning = Text(
                f"{lost} scores of the run are NaN, which stand last here; other providers put them wherever their sorting leaves them",
                f"预测中有 {lost} 个分数为 NaN，此处排在最后；其他 provider 则取决于各自的排序过程",
            )
            warn_user(warning)
        table = scores.per_query
        queries = table["query"].to_pylist()
        for measure, question in zip(measures, asked, strict=True):
            for query, value in zip(queries, table[question.request.name].to_pylist(), strict=True):
                if value is not None or question.undefined is not None:
                    number = question.undefined if value is None else question.value(value)
                    yield ir_measures.Metric(query_id=query, measure=measure, value=number)


def _truths(qrels: Any, questions: Iterable[Question]) -> tuple[dict[Grades, Rows], list[Any]]:
    """The judgements as each question sees them, and the queries that are judged."""
    wanted = dict.fromkeys(question.grades for question in questions)
    columns = TRUTH_COLUMNS | ({"subtopic": "iteration"} if any(grades.intents for grades in wanted) else {})
    data, queries = _table(QrelsConverter(qrels), columns)
    truths = {}
    for grades in wanted:
        roles = columns if grades.intents else TRUTH_COLUMNS
        try:
            rows = read_truth(data, columns=None if isinstance(data, dict) else roles)
        except EmptyInputError:  # of which ir_measures' own providers have the mean of no query
            return {}, queries
        truths[grades] = replace(rows, value=grades.of(rows.value))
    return truths, queries


def _table(converter: Any, columns: Mapping[str, str]) -> tuple[Any, list[Any]]:
    """Judgements or a run as pingce reads them, and its queries; an iterator is read once, into columns."""
    kind, problem = converter.predict_type()
    if kind == "UNKNOWN":
        raise ValueError(problem)
    if kind == "dict_of_dict" and "subtopic" not in columns:
        data = converter.as_dict_of_dict()
        return data, list(data)
    if kind == "pd_dataframe":
        frame = converter.as_pd_dataframe()
        return frame[list(columns.values())], frame[columns["query"]].unique().tolist()
    rows = list(converter.as_namedtuple_iter())
    lists = {name: [getattr(row, name) for row in rows] for name in columns.values()}
    return pa.table(lists), list(dict.fromkeys(lists[columns["query"]]))


def register() -> None:
    """Make the provider known as `ir_measures.pingce`, and let it answer first."""
    if NAME in providers.registry:
        return
    pipeline = ir_measures.DefaultPipeline
    ir_measures.pingce = providers.register(PingceProvider())
    pipeline.providers.insert(pipeline.providers.index(ir_measures.runtime) + 1, FirstProvider(pipeline.providers))
