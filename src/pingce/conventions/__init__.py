"""What other tools mean by their metrics: one small file a tool, and how a metric is read under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_MODULE_OF = {
    "Convention": "declared",
    "asked_under": "resolve",
    "convention_named": "resolve",
    "conventions": "declared",
    "policies_under": "resolve",
}
__all__ = ["Convention", "asked_under", "convention_named", "conventions", "policies_under"]

if TYPE_CHECKING:
    from pingce.conventions.declared import Convention, conventions
    from pingce.conventions.resolve import asked_under, convention_named, policies_under

# The grammar reads the files without what stands above it.
__getattr__ = importer(__name__, _MODULE_OF)
