"""Metrics of several labels per row: of decisions, and of orders."""

from pingce.multilabel import decisions, ranked

__all__ = ["decisions", "ranked"]
