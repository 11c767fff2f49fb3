"""Slices by values of any type, when each row comes from another machine."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import pingce as pc

TRUE, PREDICTED, WEIGHT = "abca", "abaa", [1, 0, 2, 1]
COLUMNS: dict[str, Any] = {
    "truth values": [True, False, True, None],
    "dates": [date(2020, 1, 2), date(1999, 5, 1), None, date(2020, 1, 1)],
    "times": [datetime(2020, 1, 1, 1), None, datetime(2019, 1, 1), datetime(2019, 1, 1, 0, 0, 0, 5)],
    "durations": [timedelta(10), timedelta(2), timedelta(1), None],
    "single precision": np.array([0.1, 10, float("nan"), 2], "f4"),
    "large integers": np.array([2**60 + 1, 2**60, 3, -5]),
    "integers with gaps": [3, None, 1, 2],
    "words and numbers": ["10", "9", "x", ""],
    "numbers as words": ["10", "9", "1.0", "1"],
}


@pytest.mark.parametrize("name", list(COLUMNS))
def test_rows_one_by_one(name: str) -> None:
    column = COLUMNS[name]
    expected = pc.evaluate_multiclass(list(TRUE), list(PREDICTED), ["accuracy"], weight=WEIGHT, by={name: column})
    for seed in range(6):
        rows = random.Random(seed).sample(range(4), 4)
        whole = pc.MulticlassEvaluator(["accuracy"])
        for row in rows:
            one = pc.MulticlassEvaluator(["accuracy"])
            by = {name: column[row : row + 1]}
            one.update([TRUE[row]], [PREDICTED[row]], weight=[WEIGHT[row]], by=by)
            whole.merge(pc.MulticlassEvaluator.from_bytes(one.to_bytes()))
        assert whole.compute().to_json() == expected.to_json()


def test_too_many_slices_in_all_batches_together() -> None:
    evaluator = pc.RegressionEvaluator(["mae"])
    for begin in (0, 600):
        evaluator.update(np.ones(600), np.ones(600), by={"user": np.arange(begin, begin + 600)})
    with pytest.raises(pc.InputError, match="by 'user' has 1200 different values, too many for slices"):
        evaluator.compute()
