"""Corrections, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pingce.base.errors import InputError
from pingce.stats.paired import CORRECTIONS, corrected

FAMILY = [0.01, 0.04, 0.03, 0.005]
"Sorted 0.005, 0.01, 0.03, 0.04."


@pytest.mark.parametrize(
    ("method", "wanted"),
    [
        ("none", FAMILY),
        ("bonferroni", [0.04, 0.16, 0.12, 0.02]),
        ("holm", [0.03, 0.06, 0.06, 0.02]),  # 4·0.005, 3·0.01, 2·0.03, then 1·0.04, which may not fall below 0.06
        ("bh", [0.02, 0.04, 0.04, 0.02]),  # 4/4·0.04, 4/3·0.03 = 0.04, 4/2·0.01, 4/1·0.005
    ],
)
def test_worked_by_hand(method: str, wanted: list[float]) -> None:
    assert corrected(FAMILY, method) == pytest.approx(wanted, rel=1e-15)


def test_what_is_undefined_is_not_of_the_family() -> None:
    found = corrected([0.01, math.nan, 0.04], "holm")
    assert found[0] == 0.02 and math.isnan(found[1]) and found[2] == 0.04
    assert corrected([], "holm") == []


PS = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(PS)
def test_order_and_bounds(p: list[float]) -> None:
    each = {method: corrected(p, method) for method in CORRECTIONS}
    for at, given_ in enumerate(p):
        assert given_ <= each["bh"][at] <= 1 and given_ <= each["holm"][at] <= each["bonferroni"][at] <= 1
    for method in CORRECTIONS:
        assert corrected(p[::-1], method)[::-1] == each[method]


@given(PS)
def test_bh_equals_scipy(p: list[float]) -> None:
    np.testing.assert_allclose(corrected(p, "bh"), stats.false_discovery_control(p), rtol=1e-12)


def test_unknown_correction() -> None:
    with pytest.raises(InputError, match="did you mean 'bonferroni'"):
        corrected([0.1], "bonferoni")
