"""A value of scores in bins carries how far it may be off."""

from __future__ import annotations

import pytest

from pingce.base.tables import Within


@pytest.mark.parametrize(
    ("bound", "words"),
    [(0.000123, "± 0.00013 (64 bins)"), (0.5, "± 0.5 (64 bins)"), (0.0101, "± 0.011 (64 bins)"), (0, "± 0 (64 bins)")],
)
def test_a_bound_has_two_digits_and_is_never_too_small(bound: float, words: str) -> None:
    assert Within(0.75, bound, 64).said == words
