"""Several models on the same data. The package is itself the call: `pingce.compare(qrels, {"bm25": one, "dense": other})`."""

from __future__ import annotations

import sys
from inspect import Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pingce.lazily import importer

if TYPE_CHECKING:
    from pingce.compare.comparison import Comparison
    from pingce.compare.results import Difference, Measured
    from pingce.compare.scored import compare_scores

_MODULE_OF = {
    "Comparison": "comparison",
    "Difference": "results",
    "Measured": "results",
    "compare_scores": "scored",
}
__all__ = ["Comparison", "Difference", "Measured", "compare_scores"]

__getattr__ = importer(__name__, _MODULE_OF)


class _Call(ModuleType):
    """A module that can be called: `pingce.compare` must be one thing, whichever part of it was imported first."""

    def __call__(self, *given: Any, **named: Any) -> Comparison:
        from pingce.compare.call import compare

        return compare(*given, **named)

    @property
    def __signature__(self) -> Signature:
        from pingce.compare.call import compare

        return signature(compare)


compare = sys.modules[__name__]
compare.__class__ = _Call
