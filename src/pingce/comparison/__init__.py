"""Several models on the same data, or one under several conventions: `pingce.compare` and `pingce.compare_conventions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.comparison.convention_values import ConventionComparison, ConventionSwitch, ConventionValue
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric
    from pingce.comparison.scored import compare_scores
    from pingce.comparison.settings import ComparisonSettings

_MODULE_OF = {
    "Comparison": "result",
    "ComparisonSettings": "settings",
    "ConventionComparison": "convention_values",
    "ConventionSwitch": "convention_values",
    "ConventionValue": "convention_values",
    "Difference": "results",
    "MeasuredMetric": "results",
    "compare_scores": "scored",
}
__all__ = [
    "Comparison",
    "ComparisonSettings",
    "ConventionComparison",
    "ConventionSwitch",
    "ConventionValue",
    "Difference",
    "MeasuredMetric",
    "compare_scores",
]

__getattr__ = importer(__name__, _MODULE_OF)
