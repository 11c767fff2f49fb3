"""Values + what was counted + how it was defined → tables."""

from pingce.scores.base import Scores
from pingce.scores.values import Value

__all__ = ["Scores", "Value"]
