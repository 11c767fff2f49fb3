"""A run against the truth."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pingce.base.errors import EmptyInputError, PingceWarning
from pingce.base.text import Text
from pingce.evaluate.ranking_values import of_table, value_of
from pingce.evaluate.ranking_views import Views
from pingce.evidence import (
    Policies,
    RankingEvidence,
    comparable_ids,
    no_item_in_common,
    ranking_evidence,
    refuse_unplaced,
)
from pingce.evidence.ranking.coverage import refuse_places, unanswered_cautions
from pingce.evidence.ranking.swap import ScoreFacts, swap_cautions
from pingce.evidence.ranking.weights import QueryWeights
from pingce.inputs import Rows, read_excluded, read_run, read_truth, read_weights
from pingce.inputs.columns import cannot_be_read
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.run.memory import may_exceed
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.scores.signature import refuse_unmet
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.inputs import Ids
    from pingce.scores.slices import SliceValue
    from pingce.slices.queries import QueryBy

DEFAULT_METRICS = ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")


@checked_options("ranking")
def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: Iterable[str | RankingMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    convention: str | None = None,
    relevant: float | str | None = None,
    missing: str | None = None,
    extra: str | None = None,
    undefined: str | None = None,
    ties: str | None = None,
    score_type: str | None = None,
    duplicates: str | None = None,
    nan: str | None = None,
    judged_only: bool | str | None = None,
    identical: str | None = None,
    summation: str | None = None,
    exclude: Any = None,
    query_weight: Any = None,
    by: Any = None,
    min_n: int = 20,
    queries: Any = None,
    items: Any = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
) -> RankingScores:
    """Score a run against the truth.

    `qrels` and `run` may be paths, data frames, Arrow tables, dictionaries, lists, matrices or tensors; `metrics` are
    names such as "ndcg@10" or "ap(norm=min)@100". Rows of a matrix or of a list of lists are queries that are known by their
    place only: `queries` names them, and `items` names the columns of a matrix (or the item numbers that it holds); a matrix
    may also come as a pair `(query_ids, matrix)`. `exclude` are pairs (query, item) that are taken out of the run before
    it is ranked; `query_weight` says how much each query counts in a mean. The keywords before them are policies;
    docs/glossary.md says what each does and what its default is. `convention="ranx"` gives the numbers of that tool:
    its parameters and policies hold wherever you do not give your own.

    `by` adds `scores.slices`, the same metrics for parts of the queries: `("users.csv", "country")` (a table with a query
    column, and the columns to slice by), a dict {query: value}, "activity" (deciles of a query's number of relevant
    items), "popularity" (deciles of how often its relevant items occur in the truth), or a list of these. Slices of fewer
    than `min_n` queries have no interval.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; where that
    needs temporary files they go to `tmpdir`. The scores are the same.

    >>> import pingce as pc
    >>> pc.evaluate_ranking({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, ["ndcg@10", "mrr"])["mrr"]
    1.0
    """
    given = Policies.among(locals())
    beside: dict[str, Any] = {"exclude": exclude, "query_weight": query_weight, "by": by, "min_n": min_n}
    reading: dict[str, Any] = {
        "columns": columns,
        "input_format": input_format,
        "encoding": encoding,
        "threads": threads,
        "queries": queries,
        "items": items,
    }
    if may_exceed(memory, qrels, run, exclude):
        from pingce.engines.opened import evaluate_streamed

        more = {**beside, "reading": reading, "memory": memory, "tmpdir": tmpdir}
        found = evaluate_streamed(qrels, run, metrics, convention, given, **more)
        if found is not None:
            return found
    from pingce.evaluators.ranking import RankingEvaluator

    if qrels is None:
        raise cannot_be_read(qrels, "truth")
    evaluator = RankingEvaluator(
        qrels,
        metrics,
        convention=convention,
        **given,
        **beside,
        **reading,
    )
    return evaluator.read(run).scored(above=1)


def ranking_rows(
    qrels: Any, run: Any, *, exclude: Any = None, query_weight: Any = None, **reading: Any
) -> tuple[Rows, Rows, dict[str, Any]]:
    """What `evaluate_rows` scores, read: truth, run, and the keywords for what else was given."""
    return (
        read_truth(qrels, **reading),
        read_run(run, **reading),
        {
            "exclude": None if exclude is None else read_pairs(exclude, reading),
            "query_weight": None if query_weight is None else read_weights(query_weight, **reading),
            "threads": reading.get("threads"),
        },
    )


def read_pairs(exclude: Any, reading: Mapping[str, Any]) -> Rows | None:
    """The pairs to exclude; an object without any means none, an empty file is a mistake."""
    try:
        return read_excluded(exclude, **reading)
    except EmptyInputError:
        if isinstance(exclude, (str, os.PathLike)):
            raise
        return None


def evaluate_rows(
    truth: Rows,
    run: Rows,
    asked: list[MetricRequest],
    policies: Policies,
    *,
    exclude: Rows | None = None,
    query_weight: Rows | None = None,
    by: Sequence[QueryBy] = (),
    min_n: int = 20,
    confidence: float = 0.95,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    above: int | None = 2,
) -> RankingScores:
    """Score rows that were read before; several runs share one reading of the truth. `confidence` to `seed` are of slices.

    Warnings point at the caller so many calls above; None: there are none.
    """
    truth, run = comparable_ids(truth, run)
    made: dict[tuple[str, ...], RankingEvidence] = {}

    def evidence_under(own: Policies) -> RankingEvidence:
        if own.of_evidence not in made:
            made[own.of_evidence] = ranking_evidence(truth, run, own, exclude=exclude, threads=threads)
        return made[own.of_evidence]

    drawn: dict[str, Any] = {"min_n": min_n, "confidence": confidence, "samples": samples, "seed": seed}
    sides = Sides(truth, run, exclude, query_weight)
    return score_found(evidence_under, sides, asked, policies, by=by, above=deeper(above), **drawn)


def deeper(above: int | None) -> int | None:
    """The caller that warnings point at, as seen from one call further down."""
    return None if above is None else above + 1


class Sides(NamedTuple):
    """What was evaluated, for messages and for what follows from ids; of truth and run some rows will do."""

    truth: Rows
    run: Rows
    exclude: Rows | None = None
    query_weight: Rows | None = None
    extra: Ids | None = None
    "Queries of the run without judgements, where rows of the run are no longer all there."
    facts: ScoreFacts | None = None
    "Of all scores of the run, likewise."


def score_found(
    evidence_under: Callable[[Policies], RankingEvidence],
    sides: Sides,
    asked: list[MetricRequest],
    policies: Policies,
    *,
    by: Sequence[QueryBy] = (),
    above: int | None = 1,
    **drawn: Any,
) -> RankingScores:
    """Scores from evidence of all judged queries, with everything that was given beside truth and run."""
    truth, run, exclude, query_weight, extra, facts = sides
    refuse_unmet(
        asked,
        exclude=None if exclude is None else "given",
        query_weight=None if query_weight is None else "given",
    )
    first = evidence_under(asked[0].under(policies))
    refuse_places(truth, run, first)
    weights = None
    if query_weight is not None:
        refuse_unplaced(query_weight, truth, run)
        weights = QueryWeights(query_weight, truth.source.untyped_ids)
    notes = [note for rows in sides[:4] if rows is not None for note in rows.source.notes]
    notes += [weights.note(first)] if weights else []
    if exclude is not None:
        notes.append(_excluded(exclude, first))
    cautions = (
        *swap_cautions(truth, run, first, facts),
        *no_item_in_common(truth, run, first),
        *unanswered_cautions(run, first, extra),
    )
    beside = {"notes": tuple(notes), "cautions": cautions}
    scores = score_evidence(evidence_under, asked, policies, weights=weights, above=deeper(above), **beside)
    scores.excludes = exclude is not None
    if by:
        from pingce.slices.measured import query_slices

        def values_of(places: NDArray[np.intp]) -> Mapping[str, SliceValue]:
            return _of_queries(places, evidence_under, asked, policies, weights)

        scores.slices = query_slices(scores, by, first, truth, values_of, **drawn)
    return scores


def _of_queries(
    places: NDArray[np.intp],
    evidence_under: Callable[[Policies], RankingEvidence],
    asked: list[MetricRequest],
    policies: Policies,
    weights: QueryWeights | None,
) -> dict[str, SliceValue]:
    """Every metric on some of the judged queries, as if there were no others."""
    from pingce.slices.measured import slice_values

    views = Views(lambda own: evidence_under(own).select(places), weights)

    def value(metric: RankingMetric, own: Policies) -> tuple[float, NDArray[np.float64]]:
        view = views.view(own)
        values = metric.values(view) if len(view.evidence) else np.empty(0)
        return views.summary(metric, own, values) if len(values) else float("nan"), values

    return slice_values(asked, policies, value)


def _excluded(exclude: Rows, evidence: RankingEvidence) -> Text:
    name, count = exclude.source.name, int(evidence.excluded.sum())
    return Text(f"{name.en}: {count} rows of the run were taken out", f"{name.zh}：从预测中去掉 {count} 行")


def score_evidence(
    evidence_under: Callable[[Policies], RankingEvidence],
    asked: list[MetricRequest],
    policies: Policies,
    *,
    weights: QueryWeights | None = None,
    notes: tuple[Text, ...] = (),
    cautions: tuple[Text, ...] = (),
    above: int | None = 3,
) -> RankingScores:
    """Scores from evidence, wherever it was computed; what was seen before goes along as notes and cautions."""
    views = Views(evidence_under, weights)
    listed = of_table(asked, policies)
    shown = views.evidence(listed)
    missing = int(np.count_nonzero(~evidence_under(listed).answered))
    values: dict[str, RankingValue] = {}
    computed: dict[tuple[RankingMetric, Policies], RankingValue] = {}
    for metric in asked:
        own = metric.under(policies)
        if (metric.metric, own) not in computed:
            computed[metric.metric, own] = value_of(metric, own, views, shown)
        values[metric.name] = computed[metric.metric, own].called(metric.name, metric.id)
    cautions = cautions + views.remarks(asked, policies)
    scores = RankingScores(values, shown, policies, missing=missing, notes=notes, cautions=cautions)
    for warning in scores.warnings if above is not None else ():
        warnings.warn(PingceWarning(str(warning)), stacklevel=(above or 0) + 1)
    return scores
