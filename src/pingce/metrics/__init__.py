"""Evidence to values. A metric lives in one of these files and nowhere else; importing the file makes it known."""

from pingce.metrics import cumulated, found, interpolated, order, totals, users
from pingce.metrics.base import RankedList, RankingMetric, registry
from pingce.metrics.grammar import Asked, parse_metric, parse_metrics

__all__ = [
    "Asked",
    "RankedList",
    "RankingMetric",
    "cumulated",
    "found",
    "interpolated",
    "order",
    "parse_metric",
    "parse_metrics",
    "registry",
    "totals",
    "users",
]
