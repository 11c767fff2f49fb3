"""Metrics of several labels per row, in the order of tables: other modules import them from here."""

from pingce.multilabel.areas import Area
from pingce.multilabel.decisions import ExactMatch, FMeasure, Hamming, PerLabel, Precision, Recall
from pingce.multilabel.ranked import WithinRows

__all__ = ["Area", "ExactMatch", "FMeasure", "Hamming", "PerLabel", "Precision", "Recall", "WithinRows"]
