"""The four evaluate calls on Spark data frames: the same numbers, to the last bit, as from one machine.

Executors turn rows into evidence, the driver merges it. Only the DataFrame API is used, so Spark Connect works too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_MODULE_OF = {
    "evaluate_binary": "binary",
    "evaluate_multiclass": "multiclass",
    "evaluate_ranking": "ranking",
    "evaluate_regression": "regression",
}
__all__ = ["evaluate_binary", "evaluate_multiclass", "evaluate_ranking", "evaluate_regression"]

if TYPE_CHECKING:
    from pingce.spark.binary import evaluate_binary
    from pingce.spark.multiclass import evaluate_multiclass
    from pingce.spark.ranking import evaluate_ranking
    from pingce.spark.regression import evaluate_regression

__getattr__ = importer(__name__, _MODULE_OF)
