"""Metrics of rankings. Importing a file makes its metrics known, in this order."""

# ruff: noqa: F401, I001
from pingce.metrics.ranking import (
    precision_recall,
    average_precision,
    cumulated,
    ideal_order,
    user_models,
    readers,
    compatibility,
    ranks,
    rank_sums,
    areas,
    incomplete,
    unjudged,
    interpolated,
    sets,
    intents,
    intent_patience,
    intent_means,
    coverage,
    concentration,
    personalization,
    novelty,
    popularity,
    serendipity,
    catalog_area,
    diversity,
    exposure,
    attention,
    miscalibration,
    agreement,
    rank_biased,
)
from pingce.metrics.ranking.base import RankedList, RankingMetric

__all__ = ["RankedList", "RankingMetric"]
