"""Metrics of several labels per row: of decisions, of orders within rows, and areas."""

from pingce.multilabel import areas, decisions, ranked

__all__ = ["areas", "decisions", "ranked"]
