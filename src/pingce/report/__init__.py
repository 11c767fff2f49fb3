"""The HTML report: one file, interactive, offline. The package is itself the call: `pingce.report(truth, runs, path="report.html")`."""

from __future__ import annotations

import sys
from inspect import Signature, signature
from pathlib import Path
from types import ModuleType
from typing import Any


class _Call(ModuleType):
    """A module that can be called: `pingce.report` must be one thing, whichever part of it was imported first."""

    def __call__(self, *given: Any, **named: Any) -> Path:
        from pingce.report.call import report

        return report(*given, **named)

    @property
    def __signature__(self) -> Signature:
        from pingce.report.call import report

        return signature(report)


report = sys.modules[__name__]
report.__class__ = _Call
