"""Metrics at growing cut-offs: how the values change as more of each list is looked at."""

from __future__ import annotations

import warnings
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pingce.base.json import Json
from pingce.evidence import Policies
from pingce.evidence.ranking.weights import QueryWeights
from pingce.html.material import Material
from pingce.html.plain import both, number
from pingce.metrics.grammar import MetricRequest, parse_metric

if TYPE_CHECKING:
    from pingce.scores.ranking import RankingScores

_LADDER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_USUAL = ("ndcg", "recall", "precision", "hit_rate")
_MOST = 4
"Metrics that are shown."


def cutoff_data(material: Material) -> Json | None:
    """Values at each cut-off up to the longest list; None where lists have one item."""
    longest = max(int(scores.evidence.returned.max(initial=0)) for scores in material.scores.values())  # type: ignore[attr-defined]
    cutoffs = [k for k in _LADDER if k <= longest]
    if len(cutoffs) < 2:
        return None
    kinds = _kinds(material)
    requests = [
        MetricRequest(f"{kind.metric.id} {k}", replace(kind.metric, k=k), kind.policies)
        for kind in kinds
        for k in cutoffs
    ]
    values = [_values(material, name, requests) for name in material.models]
    step = len(cutoffs)
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
    """What was asked for and takes a cut-off, each kind once; filled up with the usual ones."""
    kinds: dict[str, MetricRequest] = {}
    values = list(material.first.values_by_name.values())
    policies = _metric_policies(values[0].policies, material.first.policies)
    for value in values:
        if value.metric.takes == "k" and not value.metric.counts and value.policies == values[0].policies:
            kinds.setdefault(value.metric.name, MetricRequest(value.name, value.metric, policies))
    for name in _USUAL:
        kinds.setdefault(name, replace(parse_metric(f"{name}@10"), policies=policies))
    return list(kinds.values())[:_MOST]


def _metric_policies(of_metric: Policies, of_call: Policies) -> Json:
    """What a convention chose for the metric alone: the evidence was made under it."""
    names = [field.name for field in fields(of_metric)]
    return {name: getattr(of_metric, name) for name in names if getattr(of_metric, name) != getattr(of_call, name)}


def _values(material: Material, model: str, asked: list[MetricRequest]) -> list[float | None]:
    """From the evidence that is there already."""
    from pingce.run.rankings import score_evidence

    scores: RankingScores = material.scores[model]  # type: ignore[assignment]
    weights = None
    if material.lists is not None and material.lists.query_weight is not None:
        weights = QueryWeights(material.lists.query_weight, material.lists.truth.source.untyped_ids)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = score_evidence(scores.policies, asked, lambda _: scores.evidence, weights=weights)
    return [number(values[request.name]) for request in asked]
