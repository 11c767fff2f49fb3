"""The worked calculation of a number. The package is itself the call: `pingce.explain("ndcg@10", qrels, run, query="q17")`."""

from __future__ import annotations

import sys
from inspect import Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pingce.lazily import importer

if TYPE_CHECKING:
    from pingce.explain.contrast import Contrast
    from pingce.explain.worked import Explanation

_MODULE_OF = {"Contrast": "contrast", "Explanation": "worked"}
__all__ = ["Contrast", "Explanation"]

__getattr__ = importer(__name__, _MODULE_OF)


class _Call(ModuleType):
    """A module that can be called: `pingce.explain` must be one thing, whichever part of it was imported first."""

    def __call__(self, *given: Any, **named: Any) -> Explanation | Contrast:
        from pingce.explain.call import explain

        return explain(*given, **named)

    @property
    def __signature__(self) -> Signature:
        from pingce.explain.call import explain

        return signature(explain)


explain = sys.modules[__name__]
explain.__class__ = _Call
