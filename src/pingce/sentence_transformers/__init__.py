"""Retrieval in sentence-transformers: `pingce.sentence_transformers.Evaluator` ranks the whole corpus for every query, exactly."""

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.sentence_transformers.evaluator import Evaluator

__all__ = ["Evaluator"]

__getattr__ = importer(__name__, {"Evaluator": "evaluator"})
