"""Several models on the same data. The call is `pingce.compare(qrels, {"bm25": one, "dense": other})`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.lazily import importer

if TYPE_CHECKING:
    from pingce.compare.call import compare
    from pingce.compare.comparison import Comparison
    from pingce.compare.results import Difference, Measured
    from pingce.compare.scored import compare_scores

_MODULE_OF = {
    "compare": "call",
    "Comparison": "comparison",
    "Difference": "results",
    "Measured": "results",
    "compare_scores": "scored",
}
__all__ = ["Comparison", "Difference", "Measured", "compare", "compare_scores"]

__getattr__ = importer(__name__, _MODULE_OF)
