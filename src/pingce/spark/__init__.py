"""The four evaluate calls on Spark data frames: the same numbers, to the last bit, as from one machine.

Executors turn rows into evidence, the driver merges it. Only the DataFrame API is used, so Spark Connect works too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_NAMES = ("evaluate_binary", "evaluate_multiclass", "evaluate_ranking", "evaluate_regression")
__all__ = ["evaluate_binary", "evaluate_multiclass", "evaluate_ranking", "evaluate_regression"]

if TYPE_CHECKING:
    from pingce.spark.api import evaluate_binary, evaluate_multiclass, evaluate_ranking, evaluate_regression

__getattr__ = importer(__name__, dict.fromkeys(_NAMES, "api"))
