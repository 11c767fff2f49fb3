"""Several models on the same data. The call is `pingce.compare(qrels, {"bm25": one, "dense": other})`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.comparison.call import compare
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, Measured
    from pingce.comparison.scored import compare_scores

_MODULE_OF = {
    "compare": "call",
    "Comparison": "result",
    "Difference": "results",
    "Measured": "results",
    "compare_scores": "scored",
}
__all__ = ["Comparison", "Difference", "Measured", "compare", "compare_scores"]

__getattr__ = importer(__name__, _MODULE_OF)
