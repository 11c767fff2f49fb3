"""Values + what was counted + how it was defined → tables."""

from pingce.scores.base import Scores, Value

__all__ = ["Scores", "Value"]
