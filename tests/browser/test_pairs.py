"""Run against run: p-values as `compare` gives them, under the correction that is chosen."""

from __future__ import annotations

from itertools import combinations

import pytest

import pingce as pc
from pingce.stats.corrections import corrected

from .made import DRAWS, RANKING_METRICS, Rankings
from .viewer import Viewer

MATRIX = """() => [...document.querySelectorAll('#p-matrix tbody tr')]
    .map(row => [...row.querySelectorAll('td')].map(cell => cell.dataset.value === undefined ? null : Number(cell.dataset.value)))"""

Matrix = list[list[float | None]]


@pytest.fixture(scope="module")
def uncorrected(rankings: Rankings) -> list[float]:
    """p of every metric and pair: the family that the page shows."""
    compared = pc.compare(rankings.truth, rankings.runs, RANKING_METRICS, samples=DRAWS)
    pairs = list(combinations(rankings.runs, 2))
    return [compared[metric].difference(*pair).p for metric in RANKING_METRICS for pair in pairs]


def test_every_correction_of_every_metric(ranking_page: Viewer, rankings: Rankings, uncorrected: list[float]) -> None:
    pairs = list(combinations(range(len(rankings.runs)), 2))
    seen = set()
    for method in ("holm", "bonferroni", "bh", "none"):
        ranking_page("#correction").select_option(method)
        expected = corrected(uncorrected, method)
        for place, metric in enumerate(RANKING_METRICS):
            ranking_page("#pair-metric").select_option(label=metric)
            matrix: Matrix = ranking_page.page.evaluate(MATRIX)
            own = expected[place * len(pairs) : (place + 1) * len(pairs)]
            for (one, other), p in zip(pairs, own, strict=True):
                assert matrix[one][other] == matrix[other][one] == pytest.approx(p, rel=1e-12)
            assert [matrix[at][at] for at in range(len(matrix))] == [None] * len(matrix)
            seen.add(str(matrix))
    assert len(seen) > len(RANKING_METRICS)


def test_opens_with_the_correction_of_the_call(ranking_page: Viewer) -> None:
    assert ranking_page("#correction").input_value() == "holm"
