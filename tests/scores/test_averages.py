"""Sums that are rounded once: by the core as by `math.fsum`, for any order, near the ends of doubles too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.core import native_core
from pingce.metrics.averages import exact_sum

FINITE = st.floats(-1e300, 1e300) | st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e16, -1e16, 1.0, 2**-1022])


@given(st.lists(FINITE, max_size=30))
def test_the_core_sums_as_fsum_does(values: list[float]) -> None:
    found = exact_sum(np.array(values))
    assert math.copysign(1, found) == math.copysign(1, math.fsum(values))
    assert found == math.fsum(values)


@given(st.lists(FINITE, min_size=2, max_size=10), st.randoms())
def test_the_order_does_not_matter(values: list[float], rng: Any) -> None:
    shuffled = rng.sample(values, len(values))
    assert exact_sum(np.array(values)) == exact_sum(np.array(shuffled))


@pytest.mark.parametrize("native", ["1", "0"])
def test_a_mean_whose_sum_no_double_holds(native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_NATIVE", native)
    native_core.cache_clear()
    try:
        scores = pc.evaluate_ranking({"a": {"x": 1023}, "b": {"x": 1023}}, {"a": ["x"], "b": ["x"]}, "dcg@10")
    finally:
        native_core.cache_clear()
    assert scores["dcg@10"] == 2.0**1023
