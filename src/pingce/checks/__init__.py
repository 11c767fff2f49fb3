"""Gates for continuous integration. The call is `pingce.check(scores, min={"ndcg@10": 0.4})`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.checks.result import CheckResult, CheckRow

_MODULE_OF = {"CheckResult": "result", "CheckRow": "result"}
__all__ = ["CheckResult", "CheckRow"]

__getattr__ = importer(__name__, _MODULE_OF)
