"""The worked calculation of a number. The call is `pingce.explain("ndcg@10", qrels, run, query="q17")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.explanations.contrast import Contrast
    from pingce.explanations.derivation import Explanation

_MODULE_OF = {"Contrast": "contrast", "Explanation": "derivation"}
__all__ = ["Contrast", "Explanation"]

__getattr__ = importer(__name__, _MODULE_OF)
