"""A row of weight n is that row n times: to the last bit, for every metric of labels, classes and numbers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.metrics.grammar import known_names

SPELLINGS = {"binary": ("pr_auc(interpolation=trapezoid)", "ece(binning=quantile)")}


def draw(seed: int) -> tuple[dict[str, Any], Any]:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(6, 60))
    names = np.array(["a", "b", "c"])
    drawn = {
        "label": np.concatenate([[0, 1], rng.integers(0, 2, rows - 2)]),
        "score": rng.random(rows).round(int(rng.integers(1, 5))),
        "group": rng.integers(0, 5, rows),
        "true": np.concatenate([names, names[rng.integers(0, 3, rows - 3)]]),
        "said": np.concatenate([names, names[rng.integers(0, 3, rows - 3)]]),
        "proba": rng.dirichlet([1, 1, 1], rows),
        "numbers": rng.normal(size=(rows, 2)),
    }
    return drawn, rng.integers(1, 4, rows)


CALLS: dict[str, Callable[..., Mapping[str, float]]] = {
    "binary": lambda d, m, **w: pc.evaluate_binary(d["label"], d["score"], m, group=d["group"], **w),
    "multiclass": lambda d, m, **w: pc.evaluate_multiclass(d["true"], d["said"], m, proba=d["proba"], **w),
    "regression": lambda d, m, **w: pc.evaluate_regression(d["numbers"][:, 0], d["numbers"][:, 1], m, **w),
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("task", CALLS)
def test_a_weight_is_a_count_of_rows(task: str, seed: int) -> None:
    data, weight = draw(seed)
    repeated = {name: np.repeat(column, weight, axis=0) for name, column in data.items()}
    kinds = dict.fromkeys(kind for kind in known_names(task).values())
    for metric in [*(kind.name for kind in kinds), *SPELLINGS.get(task, ())]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PingceWarning)
            try:
                (one,) = CALLS[task](data, [metric], weight=weight).values()
                (other,) = CALLS[task](repeated, [metric]).values()
            except pc.InputError:
                continue  # needs a parameter, or numbers of another kind
        assert one == other or (math.isnan(one) and math.isnan(other)), metric
