"""Gates for continuous integration. The package is itself the call: `pingce.check(scores, min={"ndcg@10": 0.4})`."""

from __future__ import annotations

import sys
from inspect import Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pingce.lazily import importer

if TYPE_CHECKING:
    from pingce.check.result import CheckResult, CheckRow

_MODULE_OF = {"CheckResult": "result", "CheckRow": "result"}
__all__ = ["CheckResult", "CheckRow"]

__getattr__ = importer(__name__, _MODULE_OF)


class _Call(ModuleType):
    """A module that can be called: `pingce.check` must be one thing, whichever part of it was imported first."""

    def __call__(self, *given: Any, **named: Any) -> CheckResult:
        from pingce.check.call import check

        return check(*given, **named)

    @property
    def __signature__(self) -> Signature:
        from pingce.check.call import check

        return signature(check)


check = sys.modules[__name__]
check.__class__ = _Call
