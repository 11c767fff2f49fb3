"""Evidence to values. A metric lives in one of these files and nowhere else; importing the file makes it known."""

from pingce.metrics import found, hits, order, cumulated, users, interpolated, sets, shown, totals  # noqa: F401, I001 - listed in this order
from pingce.metrics.base import RankedList, RankingMetric
from pingce.metrics.declared import Metric, registry
from pingce.metrics.grammar import Asked, parse_metric, parse_metrics

__all__ = ["Asked", "Metric", "RankedList", "RankingMetric", "parse_metric", "parse_metrics", "registry"]
