"""Rankings: values at growing cut-offs and of each query, and intervals of means over queries where nothing is compared."""

from __future__ import annotations

import warnings
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.comparison.settings import ComparisonSettings
from pingce.evidence.ranking.weights import QueryWeights
from pingce.html.markup import cell, head, model_names, name_of, num, row, table, title_cell
from pingce.html.material import Material
from pingce.html.plain import both, number
from pingce.html.queries import Units, aligned_units
from pingce.html.shown import LADDER, shown_data
from pingce.html.task import HealthCount, TaskReport
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.stats.means import METHODS, mean_intervals, method_used

if TYPE_CHECKING:
    from pingce.scores.ranking import RankingScores

_USUAL = ("ndcg", "recall", "precision", "hit_rate")
_MOST = 4
"Metrics that are shown at growing cut-offs."


def cutoff_data(material: Material) -> Json | None:
    """Values at each cut-off up to the longest list; None where lists have one item."""
    longest = max(int(scores.evidence.returned.max(initial=0)) for scores in material.scores.values())  # type: ignore[attr-defined]
    cutoffs = [k for k in LADDER if k <= longest]
    if len(cutoffs) < 2:
        return None
    kinds, step = _kinds(material), len(cutoffs)
    requests = [
        MetricRequest(f"{kind.metric.id} {k}", replace(kind.metric, k=k), kind.policies)
        for kind in kinds
        for k in cutoffs
    ]
    values = [_values(material, name, requests) for name in material.models]
    return {
        "k": cutoffs,
        "metrics": [
            {
                "name": kind.metric.name,
                "title": both(kind.metric.title),
                "values": [of_model[at * step : (at + 1) * step] for of_model in values],
            }
            for at, kind in enumerate(kinds)
        ],
    }


def _kinds(material: Material) -> list[MetricRequest]:
    """The metrics of the call that take a cut-off, each kind once; filled up with the usual ones."""
    kinds: dict[str, MetricRequest] = {}
    values = [material.first.values_by_name[name] for name in material.measured]
    chosen, of_call = values[0].policies, material.first.policies
    # What a convention chose for the metric alone: the evidence was made under it.
    names = [field.name for field in fields(chosen) if getattr(chosen, field.name) != getattr(of_call, field.name)]
    policies = {name: getattr(chosen, name) for name in names}
    for value in values:
        if value.metric.takes == "k" and not value.metric.counts and value.policies == chosen:
            kinds.setdefault(value.metric.name, MetricRequest(value.name, value.metric, policies))
    for name in _USUAL:
        kinds.setdefault(name, replace(parse_metric(f"{name}@10"), policies=policies))
    return list(kinds.values())[:_MOST]


def _values(material: Material, model: str, requests: list[MetricRequest]) -> list[float | None]:
    """Values from the evidence that is there already."""
    from pingce.run.rankings import score_evidence

    scores: RankingScores = material.scores[model]  # type: ignore[assignment]
    weights, lists = None, material.lists
    if lists is not None and lists.query_weight is not None:
        weights = QueryWeights(lists.query_weight, lists.truth.source.untyped_ids)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = score_evidence(scores.policies, requests, lambda _: scores.evidence, weights=weights)
    return [number(values[request.name]) for request in requests]


def draw_cutoffs(data: Json) -> str:
    """One table: a row per metric and model, a column per cut-off."""
    section = data["cutoffs"]
    rows = [
        row(title_cell(name_of(metric["name"])), cell(model), *map(num, values))
        for metric in section["metrics"]
        for model, values in zip(model_names(data), metric["values"], strict=True)
    ]
    return table("cutoffs", [head("metric"), head("model"), *(f"@{k}" for k in section["k"])], rows, labels=2)


class RankingReport(TaskReport):
    """Lists of queries: cut-offs, values of each query, and the lists themselves."""

    kind = Text("ranking", "排序")
    sections = (("cutoffs", cutoff_data), ("shown", shown_data))
    counts = (
        HealthCount(Text("queries scored", "计入的查询"), "scored"),
        HealthCount(Text("judged queries that the run does not answer", "预测没有回答的已标注查询"), "missing", "missing"),
        HealthCount(Text("queries of the run without judgements", "没有标注的预测查询"), "extra", "extra"),
        HealthCount(Text("queries without a relevant item", "没有相关条目的查询"), "without_relevant", "undefined"),
        HealthCount(Text("rows of the run", "预测的行数"), "run_rows"),
        HealthCount(Text("repeated rows", "重复的行"), "duplicates", "duplicates"),
        HealthCount(Text("scores that are not a number", "不是数字的分数"), "nan", "nan"),
        HealthCount(Text("rows excluded before ranking", "排序前排除的行"), "excluded", "identical"),
    )  # fmt: skip

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """The queries."""
        columns = {name: scores.unit_columns() for name, scores in material.scores.items()}
        return aligned_units("query", columns, material.measured)

    @classmethod
    def size(cls, counts: Json) -> Text:
        """The number of queries."""
        return Text(f"{counts['scored']:,} queries", f"{counts['scored']:,} 个查询")

    @classmethod
    def interval(cls, value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
        """The interval of a plain mean over queries; of others, and of weighted ones, that of the scores."""
        if not _is_plain_mean(value):
            return None if value.interval is None else (value.interval[0], value.interval[1])
        choice = settings or ComparisonSettings()
        low, high = mean_intervals(value.per_query[:, None], choice.resampling, method=_method(choice))[0].tolist()
        return low, high

    @classmethod
    def interval_texts(cls, material: Material) -> tuple[Text, ...]:
        """Which intervals the values of one model have, or why they can have none."""
        settings = material.settings
        means = [value for value in map(material.first.find, material.metrics) if _is_plain_mean(value)]
        if settings is None or not means:
            return ()
        queries = len(means[0].per_query)
        if queries < 2:
            text = Text(
                "there is a single query: an interval needs at least two, so the values have none",
                "只有一个查询：区间至少需要两个查询，因此各值没有区间",
            )
            return (text,)
        method, draws, seed = method_used(_method(settings), queries), settings.draws, settings.seed
        resampling = Text("", "")
        if method != "t":
            resampling = Text(f", {draws:,} draws, seed {seed}", f"，{draws:,} 次，种子 {seed}")
        percent, name = f"{100 * settings.confidence:g} %", METHODS[method]
        return (Text(f"{percent} intervals: {name.en}{resampling.en}", f"{percent} 区间：{name.zh}{resampling.zh}"),)


def _is_plain_mean(value: Any) -> bool:
    return bool(value.metric.is_mean) and not value.is_weighted


def _method(settings: ComparisonSettings) -> str:
    return "t" if settings.test == "t" else "bootstrap"
