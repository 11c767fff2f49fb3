"""Evidence of rankings to scores: values, slices, notes and cautions, in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.progress import part
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.background import Background, refuse_absent_table
from pingce.evidence.items.heads import WHOLE
from pingce.evidence.items.judged import judged_items
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.candidates import candidate_cautions
from pingce.evidence.ranking.cautions import (
    ScoreFacts,
    refuse_places,
    subtopic_cautions,
    swap_cautions,
    unanswered_cautions,
)
from pingce.evidence.ranking.compute import comparable_exclude, ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.overlap import comparable_ids, no_item_in_common, refuse_unplaced
from pingce.evidence.ranking.weights import QueryWeights
from pingce.inputs import Ids, Rows
from pingce.metrics.averages import Column
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.request import Request
from pingce.run.view_policies import refuse_item_weights, refuse_numbered_items, table_policies, tables_under
from pingce.run.views import EvidenceViews, ListTable, QueryViews, Views
from pingce.scores.ranking import Held, RankingScores, RankingValue
from pingce.scores.signature import refuse_unmet
from pingce.scores.slices import SliceValue
from pingce.stats.resampling import Resampling

if TYPE_CHECKING:
    from pingce.slices.queries import QueryBy

EvidenceFor = Callable[[Policies], RankingEvidence]
"The evidence of all judged queries under policies that concern rows."


@dataclass(frozen=True)
class RankingInputs:
    """What was evaluated, for messages and for what follows from ids; of truth and run some rows will do."""

    truth: Rows
    run: Rows
    exclude: Rows | None = None
    query_weight: Rows | None = None
    extra: Ids | None = None
    "Queries of the run without judgements, where rows of the run are no longer all there."
    facts: ScoreFacts | None = None
    "Of all scores of the run, likewise."
    by: Sequence[QueryBy] = ()
    "What queries are sliced by."
    background: Background = field(default_factory=Background)
    "What is known of items beside the lists."

    def notes(self) -> list[Text]:
        """What was said while the tables were read."""
        catalog = self.background.catalog
        items = self.background.items
        of_items = (
            self.background.train,
            None if catalog is None else catalog.rows,
            None if items is None else items.rows,
            self.background.reference,
        )
        tables = (self.truth, self.run, self.exclude, self.query_weight, *of_items)
        return [note for rows in tables if rows is not None for note in rows.source.notes]


def score_lists(request: Request, metrics: Sequence[MetricRequest], inputs: RankingInputs) -> RankingScores:
    """Score tables that were read before; several runs share one reading of the truth."""
    truth, run = comparable_ids(inputs.truth, inputs.run)
    for metric in metrics:
        refuse_absent_table(metric.name, tables_under(metric, request.policies), inputs.background.present)
    cache: dict[tuple[str, ...], RankingEvidence] = {}
    depth = depth_of(metrics)
    exclude = None if not depth or inputs.exclude is None else comparable_exclude(inputs.exclude, truth, run)
    is_read = depth or any("catalog" in tables_under(metric, request.policies) for metric in metrics)
    background = inputs.background.alike(run, exclude) if is_read else None
    if background is not None and any(metric.metric.needs_judged_items for metric in metrics):
        background = replace(background, judged=judged_items(truth))

    def evidence_for(policies: Policies) -> RankingEvidence:
        key = policies.row_policies
        if key not in cache:
            evidence = ranking_evidence(
                truth, run, policies, exclude=inputs.exclude, threads=request.threads, depth=depth
            )
            cache[key] = replace(evidence, background=background and background.under(policies))
        return cache[key]

    views = EvidenceViews(request.policies, evidence_for)
    return score_inputs(request, metrics, views, replace(inputs, truth=truth, run=run))


def depth_of(metrics: Sequence[MetricRequest]) -> int:
    """How far down it matters which items lists show; 0: not at all."""
    return max(
        (WHOLE if each.metric.k is None else each.metric.k for each in metrics if each.metric.of_items), default=0
    )


def score_inputs(
    request: Request, metrics: Sequence[MetricRequest], views: Views, inputs: RankingInputs
) -> RankingScores:
    """Scores from views of all judged queries, with everything that was given beside truth and run."""
    truth, run, exclude, query_weight = inputs.truth, inputs.run, inputs.exclude, inputs.query_weight
    corrects = any(metric.under(request.policies).corrected != "none" for metric in metrics)
    size = inputs.background.catalog_size if corrects and inputs.background.catalog is not None else None
    metrics = [each for metric in metrics for each in metric.metric.requests(metric, inputs.background)]
    refuse_numbered_items(metrics, truth)
    weighs_items = truth.weight is not None
    if weighs_items:
        refuse_item_weights(metrics, request.policies)
    refuse_unmet(
        metrics,
        exclude=None if exclude is None else "given",
        query_weight=None if query_weight is None else "given",
        item_weight="given" if weighs_items else None,
        catalog=None if size is None else str(size),
    )
    first = views.judged(metrics[0].under(request.policies))
    if len(truth):
        refuse_places(truth, run, first)
    notes = inputs.notes()
    if query_weight is not None and isinstance(views, QueryViews) and isinstance(first, FactColumns):
        refuse_unplaced(query_weight, truth, run)
        views.weights = QueryWeights(query_weight, truth.source.untyped_ids)
        notes.append(views.weights.note(first))
    if exclude is not None:
        name, count = exclude.source.name, first.total("excluded")
        notes.append(Text(f"{name.en}: {count} rows of the run were taken out", f"{name.zh}：从预测中去掉 {count} 行"))
    cautions = _cautions(metrics, request.policies, inputs, first) if len(truth) else ()
    scores = score_views(metrics, views)
    scores.notes, scores.cautions = tuple(notes), cautions + scores.cautions
    if request.intervals.ci is not None and isinstance(views, QueryViews):
        with part(0, 0.5 if inputs.by else 1):
            _add_intervals(scores, views, Resampling(*astuple(request.intervals)))
    scores.excludes, scores.catalog_size, scores.weighs_items = exclude is not None, size, weighs_items
    if inputs.by and isinstance(views, QueryViews) and isinstance(first, FactColumns):
        from pingce.slices.measured import query_slices

        def values_of(places: NDArray[np.intp]) -> Mapping[str, SliceValue]:
            return _slice_values(metrics, views.select(places))

        resampling = Resampling(*astuple(replace(request.intervals, ci=request.slice_ci)))
        least = request.min_n
        with part(0.5, 1):
            slices = query_slices(scores, inputs.by, first, truth, values_of, resampling=resampling, min_n=least)
        scores.slices = replace(slices, notes=(*slices.notes, *_outside_slices(metrics, first, truth)))
    if request.readings and isinstance(views, QueryViews):
        from pingce.run.readings import add_query_readings

        add_query_readings(scores, request, views)
    return scores


def _outside_slices(metrics: Sequence[MetricRequest], judged: FactColumns, truth: Rows) -> list[Text]:
    """What to say where metrics of items look at lists that are in no slice, as these are of judged queries."""
    count = judged.tally.extra_queries if len(truth) else 0
    if not count or all(metric.metric.scope != "all" for metric in metrics):
        return []
    return [
        Text(
            f"slices are of judged queries: {count} lists without judgements, at which metrics of items look too, are in none of them",
            f"切片只含有标注的查询：{count} 个没有标注的列表不在任何切片中，而看条目的指标在整体中计入它们",
        )
    ]


def _add_intervals(scores: RankingScores, views: QueryViews, resampling: Resampling) -> None:
    """Give every value its interval, and say which have none."""
    from pingce.stats.queries import note_no_intervals, ranking_intervals

    def summands(value: RankingValue) -> Sequence[Column]:
        return views.columns(value.metric, value.policies)

    facts = scores.facts
    weights = views.weights.of(facts) if views.weights is not None and isinstance(facts, FactColumns) else None
    scores.values_by_name = ranking_intervals(scores.values_by_name, summands, weights, resampling)
    scores.confidence = resampling.confidence
    note_no_intervals(scores)


def _cautions(
    metrics: Sequence[MetricRequest], policies: Policies, inputs: RankingInputs, queries: Facts
) -> tuple[Text, ...]:
    """What to say of a truth and a run that hardly belong together."""
    truth, run = inputs.truth, inputs.run
    all_corrected = all(metric.under(policies).corrected != "none" for metric in metrics)
    return (
        *swap_cautions(truth, run, queries, inputs.facts),
        *no_item_in_common(truth, run, queries),
        *unanswered_cautions(run, queries, inputs.extra),
        *(() if all_corrected else candidate_cautions(run, queries, inputs.facts and inputs.facts.items)),
        *subtopic_cautions([metric.name for metric in metrics if metric.metric.of_subtopics], truth),
    )


def score_evidence(
    policies: Policies,
    metrics: Sequence[MetricRequest],
    evidence_for: EvidenceFor,
    *,
    weights: QueryWeights | None = None,
) -> RankingScores:
    """Scores from evidence alone, wherever it was computed."""
    return score_views(metrics, EvidenceViews(policies, evidence_for, weights))


def score_views(metrics: Sequence[MetricRequest], views: Views) -> RankingScores:
    """Values alone, without what is to say about truth and run."""
    policies = views.policies
    of_table = table_policies(metrics, policies)
    table, judged = views.chosen(of_table), views.judged(of_table)
    every = ListTable.of(metrics, views) if isinstance(views, QueryViews) else None
    missing = len(judged) - judged.answered_count
    values: dict[str, RankingValue] = {}
    computed: dict[tuple[RankingMetric, Policies], RankingValue] = {}
    views.prepare(metrics)
    for metric in metrics:
        key = (metric.metric, metric.under(policies))
        if key not in computed:
            value = views.value(metric, key[1])
            computed[key] = _in_table(value, table) if every is None else every.place(value)
        values[metric.name] = computed[key].called(metric.name, metric.id)
    facts, remarks = table if every is None else every.facts, views.remarks(metrics)
    return RankingScores(values, facts, policies, missing=missing, cautions=remarks, judged=table)


def _in_table(value: RankingValue, table: Facts) -> RankingValue:
    """The same, with a row for each query of the per-query table: where the metric skips unanswered queries it has no value."""
    if not isinstance(table, FactColumns) or len(value.per_query) == len(table):
        return value
    column, weights = np.full(len(table), np.nan), np.full(len(table), np.nan)
    column[table.answered] = value.per_query
    if value.list_weights is not None:
        weights[table.answered] = value.list_weights
        value = replace(value, list_weights=weights)
    return replace(value, column=Held(column))


def _slice_values(metrics: Sequence[MetricRequest], views: QueryViews) -> dict[str, SliceValue]:
    """Every metric on some of the judged queries, as if there were no others."""
    from pingce.slices.measured import slice_values

    def value(metric: RankingMetric, policies: Policies) -> tuple[float, NDArray[np.float64]]:
        values = views.values(metric, policies) if len(views.chosen(policies)) else np.empty(0)
        return views.summary(metric, policies, values) if len(values) else float("nan"), values

    return slice_values(metrics, views.policies, value)
