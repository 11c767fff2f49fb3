"""The HTML report: one file, interactive, offline. The call is `pingce.report(truth, runs, path="report.html")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.html.call import report

_MODULE_OF = {"report": "call"}
__all__ = ["report"]

__getattr__ = importer(__name__, _MODULE_OF)
